import { queryOptions, useQuery } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import { meQuery, queryClient, serverQuery } from '../api/queries.ts';
import type { CustomEmoji } from '../api/types.ts';

export type { CustomEmoji };

/** Of a page: the most that the server gives. */
const PAGE = 200;

async function fetchAll(signal: AbortSignal): Promise<CustomEmoji[]> {
  const found: CustomEmoji[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data, meta } = await call<CustomEmoji>('/v1/emoji', { query: { limit: PAGE, cursor }, signal });
    found.push(...data);
    cursor = meta.next_cursor ?? undefined;
    if (cursor === undefined) return found;
  }
}

/** The server's own emoji, by their names. */
export const customEmojiQuery = queryOptions({
  queryKey: ['custom_emoji'],
  queryFn: ({ signal }) => fetchAll(signal),
});

const byName = (list: readonly CustomEmoji[]): ReadonlyMap<string, CustomEmoji> =>
  new Map(list.map((one) => [one.name, one]));

/** @returns the server's own emoji by their names; undefined while they are not known */
export const useCustomEmoji = (): ReadonlyMap<string, CustomEmoji> | undefined =>
  useQuery({ ...customEmojiQuery, select: byName }).data;

/** `:party_parrot:`, as a text has it, is `party_parrot`; emoji of Unicode stay as they are. */
export const bareName = (emoji: string): string => /^:(.+):$/.exec(emoji)?.[1] ?? emoji;

/** Whether a reaction is the name of a custom emoji, and not an emoji. */
export const isName = (emoji: string): boolean => /^[a-z0-9_+-]{2,32}$/.test(emoji);

const APART_MS = 30_000;
const AGAIN_MS = 5 * 60_000;
const lookedFor = new Map<string, number>();
let isLooking = false;

/**
 * Reads the list again for a name that is not in it: somebody may have just added it. Texts can hold any number of names, so
 * lists are read some time apart, and for one name once in a while.
 */
export function lookFor(name: string): void {
  const now = Date.now();
  if (now - (lookedFor.get(name) ?? 0) < AGAIN_MS) return;
  lookedFor.set(name, now);
  const read = queryClient.getQueryState(customEmojiQuery.queryKey)?.dataUpdatedAt ?? 0;
  if (isLooking) return;
  isLooking = true;
  const again = () => {
    isLooking = false;
    void reload();
  };
  setTimeout(again, Math.max(0, read + APART_MS - now));
}

const reload = () => queryClient.invalidateQueries({ queryKey: customEmojiQuery.queryKey });

/** Whether this person may add emoji. */
export function useMayAdd(): boolean {
  const { data: server } = useQuery(serverQuery);
  const { data: me } = useQuery(meQuery);
  if (server?.custom_emoji === 'admins') return me?.superuser === true;
  return server?.custom_emoji === 'members';
}

export async function addEmoji(name: string, picture: File): Promise<CustomEmoji> {
  const body = new FormData();
  body.append('name', name);
  body.append('file', picture);
  const added = await callOne<CustomEmoji>('/v1/emoji', { method: 'POST', body });
  await reload();
  return added;
}

export async function deleteEmoji(name: string): Promise<void> {
  await call(`/v1/emoji/${encodeURIComponent(name)}`, { method: 'DELETE' });
  await reload();
}
