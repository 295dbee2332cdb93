import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Reminder, ScheduledMessage, WallTime } from '../../api/types.ts';

const MESSAGES = '/v1/users/me/scheduled_messages';
const REMINDERS = '/v1/users/me/reminders';
const PAGE = 200;

/** What a person has scheduled may be a few pages. */
async function readAll<T>(path: string, signal: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const { data, meta } = await call<T>(path, { query, signal });
    all.push(...data);
    if (!meta.next_cursor) return all;
    cursor = meta.next_cursor;
  }
}

const isUnsent = ({ status }: { status: string }) => status !== 'sent';

/** Scheduled messages that are not sent, the next ones first. */
export const scheduledQuery = queryOptions({
  queryKey: ['scheduled', 'message'],
  queryFn: async ({ signal }) => (await readAll<ScheduledMessage>(MESSAGES, signal)).filter(isUnsent),
});

/** Reminders that are to come, the next ones first. */
export const remindersQuery = queryOptions({
  queryKey: ['scheduled', 'reminder'],
  queryFn: async ({ signal }) => (await readAll<Reminder>(REMINDERS, signal)).filter(isUnsent),
});

/** After a change in this window or another one, or when something was sent. */
export const refreshScheduled = (): void => void queryClient.invalidateQueries({ queryKey: ['scheduled'] });

/** Reads the lists again once it is done. */
async function changing<T>(work: Promise<T>): Promise<T> {
  const done = await work;
  refreshScheduled();
  return done;
}

export const schedule = (sendAt: WallTime, message: object, idempotencyKey: string) =>
  changing(
    callOne<ScheduledMessage>(MESSAGES, {
      method: 'POST',
      body: { send_at: sendAt, message },
      idempotencyKey,
    }),
  );

export const reschedule = (
  id: string,
  change: { send_at?: WallTime; message?: object; send_now?: boolean },
) => changing(callOne<ScheduledMessage>(`${MESSAGES}/${id}`, { method: 'PATCH', body: change }));

export const unschedule = (id: string) => changing(call(`${MESSAGES}/${id}`, { method: 'DELETE' }));

export const remind = (about: { at: WallTime; message?: string; text?: string }, idempotencyKey: string) =>
  changing(callOne<Reminder>(REMINDERS, { method: 'POST', body: about, idempotencyKey }));

export const forgetReminder = (id: string) => changing(call(`${REMINDERS}/${id}`, { method: 'DELETE' }));
