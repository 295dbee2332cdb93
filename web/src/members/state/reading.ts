import { conversationNamed } from '../../api/application-key.ts';
import { ApiError, call, callOne, mayPass } from '../../api/client.ts';
import { membershipsQuery, meQuery, queryClient } from '../../api/queries.ts';
import type { Message, Team } from '../../api/types.ts';
import { listQuery } from './lists.ts';
import {
  changeMessage,
  changeMessages,
  changeWhere,
  findMessage,
  replaceMessage,
  withSidebars,
} from './messages.ts';

const GATHER_MS = 400;
/** Delay before a failed read report is sent again. */
const RETRY_MS = 5000;

/** Messages that the user marked as unread while in view: remaining in view does not mark them as read. */
const heldUnread = new Set<string>();
export const releaseUnread = () => heldUnread.clear();
export const isKeptUnread = (id: string) => heldUnread.has(id);

/** Reads by this window, counted per team: it ignores its own events. */
const asked = new Map<string, number>();
/** After a gap in the stream the events of earlier reads may be missing: those that come are of other windows. */
export const forgetAsked = () => asked.clear();

/** @returns whether a team's event was caused by this window */
export function wasAsked(team: string): boolean {
  const count = asked.get(team) ?? 0;
  if (count > 0) asked.set(team, count - 1);
  return count > 0;
}

/** Where messages are read: the stream of a team, or what of it is about one subject. */
export interface Reading {
  readonly team: string;
  readonly subject?: string;
}

/** Messages that were seen and are not reported to the server yet, by place. */
const gathered = new Map<string, { readonly place: Reading; readonly ids: Set<string> }>();
let telling: ReturnType<typeof setTimeout> | undefined;

/** Notes messages of a team's stream that are in view while the window is looked at. */
export function noteSeen(place: Reading, ids: readonly string[]): void {
  const fresh = ids.filter((id) => findMessage(id)?.read === false && !heldUnread.has(id));
  if (fresh.length === 0) return;
  gather(place, fresh);
  if (telling === undefined) telling = setTimeout(tellSeen, GATHER_MS);
}

function gather(place: Reading, ids: readonly string[]): void {
  const key = `${place.team} ${place.subject}`;
  gathered.set(key, { place, ids: new Set([...(gathered.get(key)?.ids ?? []), ...ids]) });
}

async function tellSeen(): Promise<void> {
  telling = undefined;
  const all = [...gathered.values()];
  gathered.clear();
  for (const { place, ids } of all) {
    const seen = [...ids].filter((id) => !heldUnread.has(id));
    try {
      if (seen.length > 0) await markSeen(place, seen);
    } catch (error) {
      if (!isWorthAnother(error)) continue;
      gather(place, [...ids]);
      if (telling === undefined) telling = setTimeout(tellSeen, RETRY_MS);
    }
  }
}

/** Without a session (401), another attempt cannot succeed. */
export const isWorthAnother = (error: unknown) =>
  mayPass(error) && !(error instanceof ApiError && error.status === 401);

/** Retries until the server accepts or refuses. */
export async function untilTold(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isWorthAnother(error)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** Sends one request where all earlier messages were seen as well. */
async function markSeen(place: Reading, seen: readonly string[]): Promise<void> {
  const list = queryClient.getQueryData(listQuery(place).queryKey);
  const last = seen.reduce((one, other) => (one > other ? one : other));
  changeMessages(seen, asRead);
  const skipped = list?.ids.some((id) => id < last && !findMessage(id)?.read);
  // Messages older than the loaded ones may be unread.
  const knowsAll = list !== undefined && (list.older === null || findMessage(list.ids[0])?.read === true);
  if (knowsAll && !skipped) await readUpTo(place, last);
  else for (const id of seen) await call(`/v1/messages/${id}/read`, { method: 'PUT', body: {} });
  refreshCounts();
}

/** @returns what undoes it, if the server can */
async function readUpTo({ team, subject }: Reading, upTo: string): Promise<string | null> {
  asked.set(team, (asked.get(team) ?? 0) + 1);
  try {
    const path = `/v1/teams/${team}${subject === undefined ? '' : `/subjects/${subject}`}/read`;
    const { meta } = await call<Team, { undo?: string | null }>(path, {
      method: 'PUT',
      body: { up_to: upTo },
    });
    return meta.undo ?? null;
  } catch (error) {
    wasAsked(team);
    throw error;
  }
}

/** Marks direct messages between the reader and these people as read, up to one of them. */
export async function markSeenWith(people: string, last: string): Promise<void> {
  const list = queryClient.getQueryData(listQuery({ with: people }).queryKey);
  const seen = list?.ids.filter((id) => id <= last && findMessage(id)?.read === false) ?? [];
  const held = seen.filter(isKeptUnread);
  changeMessages(
    seen.filter((id) => !held.includes(id)),
    asRead,
  );
  if (held.length === 0)
    await call('/v1/users/me/conversations/read', {
      method: 'PUT',
      body: { ...conversationNamed(people), up_to: last },
    });
  else
    for (const id of seen)
      if (!held.includes(id)) await call(`/v1/messages/${id}/read`, { method: 'PUT', body: {} });
}

export const asRead = (message: Message): Message => ({
  ...message,
  read: true,
  unread_since: null,
  tags: message.tags.filter((tag) => tag !== '_unread'),
});

/**
 * Marks a team's stream as read, up to its newest message.
 * @param known the newest message, if the loaded list reaches it
 * @returns what `undoTeamRead` takes; null where that cannot be undone
 */
export async function markTeamRead(team: string, known: string | undefined): Promise<string | null> {
  const newest = known ?? (await call<Message>('/v1/messages', { query: { team, limit: 1 } })).data[0]?.id;
  if (newest === undefined) return null;
  const undo = await readUpTo({ team }, newest);
  heldUnread.clear();
  changeWhere(({ addressed_teams, id }) => addressed_teams.includes(team) && id <= newest, asRead);
  refreshCounts();
  return undo;
}

/** Marks what is about a subject as read. @param newest its newest message, or that of the team */
export async function markSubjectRead(team: string, subject: string, newest: string): Promise<void> {
  await readUpTo({ team, subject }, newest);
  heldUnread.clear();
  changeWhere(({ subject_id, id }) => subject_id === subject && id <= newest, asRead);
  refreshCounts();
}

/** Makes a team's stream as unread as it was. The live event that follows renews the messages in all windows. */
export const undoTeamRead = (team: string, undo: string): Promise<Team> =>
  callOne<Team>(`/v1/teams/${team}/read/undo`, { method: 'POST', body: { undo } });

/** Marks all messages as read. */
export async function markAllRead(): Promise<void> {
  await call('/v1/users/me/read', { method: 'PUT', body: {} });
  heldUnread.clear();
  changeWhere(
    () => true,
    (message) => ({ ...asRead(message), unread_reply: false, unread_sidebar: false }),
  );
  refreshCounts();
}

/** Marks a message and its replies as read. */
export async function markConversationRead(message: Message): Promise<void> {
  if (heldUnread.has(message.id)) return;
  changeWhere(
    ({ id, reply_to }) => id === message.id || reply_to === message.id,
    (now) => ({ ...asRead(now), unread_reply: false }),
  );
  replaceMessage(await callOne<Message>(`/v1/messages/${message.id}/read`, { method: 'PUT', body: {} }));
  refreshCounts();
}

/** Marks a reply or a sidebar message as read, and those before it. */
export async function markUpTo(message: Message, root: string): Promise<void> {
  if (heldUnread.has(message.id)) return;
  const before = ({ id, reply_to, sidebar }: Message) =>
    id <= message.id && reply_to === message.reply_to && sidebar === message.sidebar;
  changeWhere(before, asRead);
  const readAll = withSidebars((sidebars) =>
    sidebars.map((sidebar) => (sidebar.id === message.sidebar ? { ...sidebar, unread: 0 } : sidebar)),
  );
  if (message.sidebar !== undefined) changeMessage(root, readAll);
  await call(`/v1/messages/${message.id}/read`, { method: 'PUT', body: {} });
  refreshCounts();
}

export async function markUnread(message: Message): Promise<void> {
  heldUnread.add(message.id);
  replaceMessage(await callOne<Message>(`/v1/messages/${message.id}/read`, { method: 'DELETE' }));
  refreshCounts();
}

/** The key of all queries about the inbox. */
export const INBOX = ['inbox'];
/** The key of all queries about subjects. */
export const SUBJECTS = ['subjects'];

const COUNT_AFTER_MS = 250;
let counting: { readonly due: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/**
 * Refreshes the counts from the server, once for all events of a moment.
 * @param withinMs the range of a random delay, so that thousands of readers do not ask at the same time
 */
export function refreshCounts(withinMs = 0): void {
  const wait = COUNT_AFTER_MS + Math.random() * withinMs;
  const due = performance.now() + wait;
  if (counting && counting.due <= due) return;
  clearTimeout(counting?.timer);
  const timer = setTimeout(() => {
    counting = undefined;
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: INBOX });
    void queryClient.invalidateQueries({ queryKey: SUBJECTS });
  }, wait);
  counting = { due, timer };
}
