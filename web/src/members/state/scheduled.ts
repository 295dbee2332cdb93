import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Reminder, ScheduledMessage, WallTime } from '../../api/types.ts';
import type { Target } from './outbox.ts';

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

/** As a client has given it: to people by their ids, or by these and addresses of email. */
interface Waiting {
  readonly addressed_teams?: unknown;
  readonly addressed_users?: unknown;
  readonly addressed_application?: unknown;
  readonly team?: unknown;
  readonly subject?: unknown;
  readonly reply_to?: unknown;
  readonly sidebar?: unknown;
}

/** @returns whether a scheduled message goes to a place; those about a subject go to their team as well */
export function goesTo(target: Target, message: unknown): boolean {
  const given = (message ?? {}) as Waiting;
  const { reply_to: reply, sidebar, subject, addressed_application: application } = given;
  switch (target.kind) {
    case 'team':
      return (
        [given.addressed_teams].flat().includes(target.id) &&
        (target.subject === undefined || target.subject.name === subject)
      );
    case 'people': {
      const users = given.addressed_users as { ids?: unknown[]; emails?: unknown[] } | unknown[] | undefined;
      const [ids = [], emails = []] = Array.isArray(users) ? [users] : [users?.ids, users?.emails];
      return isSame(ids, target.ids) && isSame(emails, target.emails);
    }
    case 'application':
      return application === target.application && given.team === target.team;
    case 'replies':
      return reply === target.id;
    case 'sidebar':
      return sidebar === target.id;
  }
}

const isSame = (some: readonly unknown[], others: readonly unknown[]) =>
  some.length === others.length && some.every((one) => others.includes(one));
