import type { Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { InvalidFields } from '../api/index.ts';
import type { MessageStateRow } from '../schema/index.ts';
import { accessTeam, presentTeam, type Team } from '../teams/index.ts';
import type { UnreadCounts } from '../users/index.ts';
import { accessMessage } from './message.access.ts';
import type { MessageChange } from './message.listener.ts';
import {
  advanceCursor,
  deletePassedMarks,
  deleteReadAhead,
  deleteReadMark,
  deleteReadMarksUpTo,
  findAllRead,
  findState,
  holdCursor,
  insertReadMark,
  lastReplyUpTo,
  listReadAhead,
  listUnreadCounts,
  listUnreadSent,
  putState,
  readDirects,
  readOwn,
  readSidebars,
  readTeams,
  setAllRead,
  setCursor,
  setRecipientRead,
  setSidebarCursor,
  type TeamCursor,
} from './reading.store.ts';
import { findMessage, type MessageView } from './view.store.ts';

const AHEAD_AT_ONCE = 500;

export type ReadingService = ReturnType<typeof readingService>;

/** What each user has read, and what they muted. */
export function readingService(deps: {
  clock: Clock;
  tell: (tx: Tx, change: MessageChange) => Promise<void>;
}) {
  const { clock, tell } = deps;

  /** Of a message that opens a conversation, with all its replies; of a reply, with all before it. */
  async function markRead(tx: Tx, userId: string, id: string): Promise<void> {
    const row = await accessMessage(tx, userId, id);
    if (row.sidebar_id !== null) await moveSidebar(tx, userId, row, Math.max);
    else if (row.root_id !== null) await moveReplies(tx, userId, row, Math.max);
    else {
      if (row.team_id === null) await readDirect(tx, userId, row);
      else await readInTeam(tx, { userId, teamId: row.team_id }, row);
      if (row.num_replies > 0) await setReplies(tx, userId, row.id, row.num_replies);
    }
    await tell(tx, { kind: 'state', userId, messageId: row.id });
  }

  /** Of a reply, or of a message in a sidebar, with all after it. */
  async function markUnread(tx: Tx, userId: string, id: string): Promise<void> {
    const row = await accessMessage(tx, userId, id);
    const before = (cursor: number, place: number) => Math.min(cursor, place - 1);
    if (row.sidebar_id !== null) await moveSidebar(tx, userId, row, before);
    else if (row.root_id !== null) await moveReplies(tx, userId, row, before);
    else if (row.team_id !== null) {
      await unreadInTeam(tx, { userId, teamId: row.team_id }, row);
      if (row.author_id === userId) await changeState(tx, userId, row.id, { is_unread: 1 });
    } else if (!(await setRecipientRead.first(tx, { messageId: row.id, userId, readAt: null }))) {
      await changeState(tx, userId, row.id, { is_unread: 1 });
    }
    await tell(tx, { kind: 'state', userId, messageId: row.id });
  }

  /** Mutes or unmutes the conversation that a message belongs to. */
  async function mute(tx: Tx, userId: string, id: string, muted: boolean): Promise<void> {
    const row = await accessMessage(tx, userId, id);
    await changeState(tx, userId, row.root_id ?? row.id, { is_muted: Number(muted) });
    await tell(tx, { kind: 'state', userId, messageId: row.id });
  }

  /** Marks all messages of a team as read that are not newer than the given one. @returns the team */
  async function readTeamUpTo(tx: Tx, userId: string, teamId: string, messageId: string): Promise<Team> {
    const team = await accessTeam(tx, userId, teamId);
    const known = parseId(messageId);
    const last = known && (await findMessage.first(tx, { id: known, viewerId: userId }));
    if (!last || last.team_id !== team.id || last.seq === null) {
      throw new InvalidFields({ field: 'up_to', message: 'must be the id of a message of the team' });
    }
    const cursor = { userId, teamId: team.id };
    const to = Math.max(last.seq, await held(tx, cursor));
    await deleteReadMarksUpTo.all(tx, { ...cursor, seq: last.seq });
    await passOver(tx, cursor, to);
    await tell(tx, { kind: 'team_read', userId, teamId: team.id });
    return presentTeam(await accessTeam(tx, userId, team.id));
  }

  /**
   * Everything that the user sees: for each team and each kind of message one statement, whatever it concerns. Replies
   * are countless, so that those are remembered by how far they went: an id of now is above all that are stored.
   */
  async function readAll(tx: Tx, userId: string): Promise<void> {
    await readTeams.all(tx, { userId });
    await deletePassedMarks.all(tx, { userId });
    await readDirects.all(tx, { userId, now: clock() });
    await readOwn.all(tx, { userId });
    await readSidebars.all(tx, { userId });
    await setAllRead.all(tx, { userId, upTo: newId() });
    await tell(tx, { kind: 'all_read', userId });
  }

  async function readDirect(tx: Tx, userId: string, row: MessageView): Promise<void> {
    await setRecipientRead.all(tx, { messageId: row.id, userId, readAt: row.recipient_read_at ?? clock() });
    if (row.is_unread === 1) await changeState(tx, userId, row.id, { is_unread: 0 });
  }

  async function moveSidebar(tx: Tx, userId: string, row: MessageView, to: Move): Promise<void> {
    const cursor = to(row.sidebar_read_seq ?? 0, row.sidebar_seq ?? 0);
    await setSidebarCursor.all(tx, { sidebarId: row.sidebar_id as string, userId, to: cursor });
  }

  async function moveReplies(tx: Tx, userId: string, row: MessageView, to: Move): Promise<void> {
    const rootId = row.root_id as string;
    const cursor = await repliesRead(tx, rootId, row);
    await setReplies(tx, userId, rootId, to(cursor, row.reply_seq ?? 0));
  }

  return { markRead, markUnread, mute, readTeamUpTo, readAll };
}

type Move = (cursor: number, place: number) => number;

async function held(tx: Tx, cursor: TeamCursor): Promise<number> {
  return (await holdCursor.first(tx, cursor))?.read_seq ?? 0;
}

async function readInTeam(tx: Tx, cursor: TeamCursor, row: MessageView): Promise<void> {
  const seq = row.seq as number;
  const at = await held(tx, cursor);
  if (seq <= at) await deleteReadMark.all(tx, { ...cursor, seq });
  else if (seq === at + 1) await passOver(tx, cursor, seq);
  else await insertReadMark.all(tx, { ...cursor, messageId: row.id, seq, isRead: 1 });
}

async function unreadInTeam(tx: Tx, cursor: TeamCursor, row: MessageView): Promise<void> {
  const seq = row.seq as number;
  if (seq > (await held(tx, cursor))) await deleteReadMark.all(tx, { ...cursor, seq });
  else await insertReadMark.all(tx, { ...cursor, messageId: row.id, seq, isRead: 0 });
}

/** Moves the cursor to a place, and on over what was read before its turn. */
async function passOver(tx: Tx, cursor: TeamCursor, to: number): Promise<void> {
  let end = to;
  for (;;) {
    const ahead = await listReadAhead.all(tx, { ...cursor, after: end, limit: AHEAD_AT_ONCE });
    const run = ahead.findIndex(({ seq }, index) => seq !== end + index + 1);
    end += run === -1 ? ahead.length : run;
    if (run !== -1 || ahead.length < AHEAD_AT_ONCE) break;
  }
  await setCursor.all(tx, { ...cursor, to: end });
  await deleteReadAhead.all(tx, { ...cursor, seq: end });
}

/** What one has written oneself is read. */
export async function passOverOwn(
  tx: Tx,
  row: { id: string; team_id: string; seq: number; author_id: string },
): Promise<void> {
  const cursor = { userId: row.author_id, teamId: row.team_id };
  if (await advanceCursor.first(tx, { ...cursor, from: row.seq - 1, to: row.seq })) return;
  await insertReadMark.all(tx, { ...cursor, messageId: row.id, seq: row.seq, isRead: 1 });
}

/** How far the viewer has read the replies of which one is given. */
async function repliesRead(tx: Tx, rootId: string, row: MessageView): Promise<number> {
  const cursor = row.replies_read ?? 0;
  if (row.all_read_up_to === null || row.read_up_to === row.all_read_up_to) return cursor;
  const last = await lastReplyUpTo.first(tx, { rootId, upTo: row.all_read_up_to });
  return Math.max(cursor, last?.reply_seq ?? 0);
}

async function setReplies(tx: Tx, userId: string, rootId: string, replies_read: number): Promise<void> {
  const user = await findAllRead.first(tx, { userId });
  await changeState(tx, userId, rootId, { replies_read, read_up_to: user?.all_read_up_to ?? null });
}

const NO_STATE = { is_muted: 0, is_unread: 0, replies_read: 0, read_up_to: null };

async function changeState(
  tx: Tx,
  userId: string,
  messageId: string,
  change: Partial<Omit<MessageStateRow, 'user_id' | 'message_id'>>,
): Promise<void> {
  const before = await findState.first(tx, { messageId, userId });
  await putState.all(tx, { ...NO_STATE, user_id: userId, message_id: messageId, ...before, ...change });
}

/** What a user has not read, by team and by tag (part 2.8). */
export async function unreadCounts(db: Reader, userId: string): Promise<UnreadCounts> {
  const teams: Record<string, number> = {};
  const of = { team: 0, direct: 0, note: 0, marked: 0, sent: 0, sent_direct: 0 };
  for (const { kind, team_id, unread_count } of await listUnreadCounts.all(db, { userId })) {
    of[kind as keyof typeof of] += Number(unread_count);
    if (kind === 'team') teams[team_id] = Number(unread_count);
  }
  for (const { kind, unread_count } of of.marked > 0 ? await listUnreadSent.all(db, { userId }) : []) {
    of[kind as keyof typeof of] += Number(unread_count);
  }
  const sent = of.sent + of.sent_direct + of.note;
  const other = of.team - of.sent;
  const total = of.team + of.direct + of.sent_direct;
  return {
    teams,
    user: { total, direct: of.direct },
    tags: { _sent: sent, _other: other, _inbox: other + of.direct, _direct: of.direct, _unread: total },
  };
}
