import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { membershipsQuery, queryClient } from '../../api/queries.ts';
import type { Message, Mute } from '../../api/types.ts';
import { changeWhere, findMessage, isAnswerable } from './messages.ts';
import { refreshCounts } from './reading.ts';

/** The mutes that end by themselves, and those of direct conversations. */
const mutesQuery = queryOptions({
  queryKey: ['mutes'],
  queryFn: async ({ signal }) => (await call<Mute>('/v1/users/me/mutes', { signal })).data,
});

type Place = Pick<Mute, 'kind' | 'id'>;

const path = ({ kind, id }: Place) => `/v1/users/me/mutes/${kind}/${id}`;

/** @param until in seconds since 1970; null for a mute without an end */
export const mute = (place: Place, until: number | null): Promise<void> =>
  change(place, true, () => call(path(place), { method: 'PUT', body: { until } }));

export const unmute = (place: Place): Promise<void> =>
  change(place, false, () => call(path(place), { method: 'DELETE' }));

/** A conversation shows it at once; undone when the server refuses. */
async function change({ kind, id }: Place, muted: boolean, ask: () => Promise<unknown>): Promise<void> {
  const before = kind === 'message' ? findMessage(id) : undefined;
  const show = ({ muted, is_muted }: Pick<Message, 'muted' | 'is_muted'>) =>
    changeWhere(
      (one) => one.id === before?.id,
      (one) => ({ ...one, muted, is_muted }),
    );
  show({ muted, is_muted: muted });
  try {
    await ask();
  } catch (error) {
    if (before) show(before);
    throw error;
  }
  refreshMutes(kind);
}

/** After a change in this window or another one, or when a mute has ended. */
export function refreshMutes(kind?: string): void {
  void queryClient.invalidateQueries({ queryKey: mutesQuery.queryKey });
  if (kind === 'team') void queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
  refreshCounts();
}

/** The message that opened the conversation of another one: a mute belongs to it. */
export const mutableOf = (message: Message): Place => ({
  kind: 'message',
  id: message.reply_to ?? message.id,
});

/** Where nothing new can come there is nothing to mute. What is muted already can be released. */
export const isMutable = (message: Message): boolean =>
  isAnswerable(message) || (message.muted && message.sidebar === undefined);

/** @returns the mute of a place, where it ends by itself or is that of a direct conversation */
export function useMute({ id }: Place, enabled = true): Mute | undefined {
  return useQuery({ ...mutesQuery, enabled }).data?.find((one) => one.id === id);
}

const HOUR_S = 3600;
/** Tomorrow begins at this hour. */
const MORNING = 8;

export const inAnHour = () => Math.round(Date.now() / 1000) + HOUR_S;

export function tomorrow(): number {
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);
  return morning.getTime() / 1000;
}
