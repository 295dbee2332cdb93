import { Conflict, InvalidFields, NotFound, type Viewer } from '#api';
import { type Reader, type Tx, together } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, parseId } from '#platform/ids.ts';
import type { MembershipRow, MessageRow } from '#schema';
import { lockUser, setAllRead, type UnreadCounts } from '../../../people/users/index.ts';
import {
  accessTeam,
  addSubjectsRead,
  lockCursor,
  presentTeam,
  readTeams,
  setCursor,
  setCursorAmongSubjects,
  type Team,
  type TeamCursor,
} from '../../../teams/index.ts';
import { accessMessage } from '../view/message.access.ts';
import type { MessageChange } from '../view/message.listener.ts';
import { countsBesides } from '../view/read-state.ts';
import { lockMessage, type SeenMessage } from '../view/view.store.ts';
import {
  clearMuted,
  deletePassedMarks,
  deleteReadAhead,
  deleteReadMark,
  deleteReadMarksUpTo,
  findAllRead,
  findReadMarkUpTo,
  findSeq,
  insertReadMarks,
  lastReplyUpTo,
  listReadAhead,
  listUnreadCounts,
  listUnreadSent,
  lockInStream,
  lockState,
  newestId,
  putMuted,
  putUnread,
  readDirects,
  readOwn,
  readSidebars,
  setRecipientRead,
  setReplies,
  sidebarRead,
  sidebarUnread,
  stopReplies,
} from './reading.store.ts';
import {
  countOfSubject,
  deleteMarksOfSubject,
  findSubjectCursor,
  findUncovered,
  lastSeq,
  putSubjectCursor,
} from './subject-cursor.store.ts';
import { teamUndo } from './team-undo.ts';

const AHEAD_AT_ONCE = 500;

export type ReadingService = ReturnType<typeof readingService>;

/** Read cursors and mute settings of each user. */
export function readingService(deps: {
  clock: Clock;
  /** Signs the state that an undo restores. */
  key: Buffer;
  publish: (tx: Tx, change: MessageChange) => Promise<void>;
  /** Forgets when the mute of a conversation ends. */
  forgetEnd: (tx: Tx, mute: { userId: string; placeId: string }) => Promise<unknown>;
}) {
  const { clock, publish, forgetEnd } = deps;
  const undos = teamUndo(deps.key);

  /**
   * Of a message that opens a conversation, with its replies; of a reply, with all before it.
   * @param most how many of the replies, or of the messages in the sidebar, at most; a later one was not seen
   */
  async function markRead(tx: Tx, viewer: Viewer, id: string, most = Number.MAX_SAFE_INTEGER): Promise<void> {
    const { userId } = viewer;
    const row = await accessMessage(tx, viewer, id);
    if (row.sidebar_id !== null) {
      const at = placeInSidebar(userId, row);
      await sidebarRead.run(tx, { ...at, place: Math.min(at.place, most) });
    } else if (row.root_id !== null) await moveReplies(tx, userId, row, Math.max);
    else {
      if (row.team_id === null) await readDirect(tx, userId, row);
      else await readInTeam(tx, { userId, teamId: row.team_id }, row);
      const onto: Move = (cursor, place) => Math.max(cursor, Math.min(place, most));
      if (row.num_replies > 0) await moveReplies(tx, userId, row, onto);
    }
    await publish(tx, { kind: 'state', userId, messageId: row.id, marked: { as: 'read', message: row } });
  }

  /** Of a reply, or of a message in a sidebar, with all after it. */
  async function markUnread(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const { userId } = viewer;
    const row = await accessMessage(tx, viewer, id);
    const before = (cursor: number, place: number) => Math.min(cursor, place - 1);
    if (row.sidebar_id !== null) await sidebarUnread.run(tx, placeInSidebar(userId, row));
    else if (row.root_id !== null) await moveReplies(tx, userId, row, before);
    // Held, so that it is not deleted meanwhile.
    else if ((await lockMessage.first(tx, { id: row.id }))?.deleted_at !== null) return;
    else if (row.team_id !== null) {
      await unreadInTeam(tx, { userId, teamId: row.team_id }, row);
      if (row.author_id === userId) await putUnread.run(tx, { userId, messageId: row.id, isUnread: 1 });
    } else if (!(await setRecipientRead.first(tx, { messageId: row.id, userId, readAt: null }))) {
      await putUnread.run(tx, { userId, messageId: row.id, isUnread: 1 });
    }
    await publish(tx, { kind: 'state', userId, messageId: row.id, marked: { as: 'unread', message: row } });
  }

  /** Mutes or unmutes the conversation that a message belongs to. @returns the id of what opened it */
  async function mute(tx: Tx, viewer: Viewer, id: string, muted: boolean): Promise<string> {
    const { userId } = viewer;
    const row = await accessMessage(tx, viewer, id);
    const messageId = row.root_id ?? row.id;
    // The mute is locked before the flag, here and where it ends.
    await forgetEnd(tx, { userId, placeId: messageId });
    await putMuted.run(tx, { userId, messageId, isMuted: Number(muted) });
    await publish(tx, { kind: 'state', userId, messageId: row.id });
    return messageId;
  }

  /** Ends the mute of a conversation. */
  async function unmute(tx: Tx, { userId, messageId }: { userId: string; messageId: string }): Promise<void> {
    if (await clearMuted.first(tx, { userId, messageId })) {
      await publish(tx, { kind: 'state', userId, messageId });
    }
  }

  /**
   * Marks all messages of a team as read that are not newer than the given one.
   * @returns the team, and what `undoTeamRead` takes; null where nothing changed, or too much
   */
  async function readTeamUpTo(
    tx: Tx,
    userId: string,
    teamId: string,
    messageId: string,
  ): Promise<{ team: Team; undo: string | null }> {
    const id = parseId(teamId);
    if (!id) throw new NotFound();
    const cursor = { userId, teamId: id };
    const [last, before] = await together([placeOf(tx, cursor, messageId), lockPosition(tx, cursor)]);
    const from = before.read_seq;
    const [passed, { end: to, absorbed }] = await together([
      deleteReadMarksUpTo.all(tx, { ...cursor, seq: last.seq }),
      passOver(tx, cursor, before, Math.max(last.seq, from)),
    ]);
    await publish(tx, { kind: 'team_read', userId, teamId: id });
    const exceptions = [...passed, ...absorbed].map((mark) => mark.message_id);
    const upTo = to > from ? to : last.seq;
    const unread = passed
      .filter((mark) => mark.is_read === 0 && mark.seq > from)
      .map((mark) => mark.message_id);
    return {
      team: presentTeam(await accessTeam(tx, userId, id)),
      undo: undos.make({ ...cursor, from, to, upTo, exceptions, unread, covered: before.subjects_read }),
    };
  }

  /**
   * Restores the cursor and its exceptions as they were before a team was marked as read.
   * @throws Conflict once the reader has marked something else up to there
   */
  async function undoTeamRead(tx: Tx, userId: string, teamId: string, undo: string): Promise<Team> {
    const team = await accessTeam(tx, userId, teamId);
    const cursor = { userId, teamId: team.id };
    const before = undos.read(cursor, undo);
    if (!before) {
      const message = 'must be `meta.undo` of the answer to your PUT /v1/teams/{team}/read of this team';
      throw new InvalidFields({ field: 'undo', message });
    }
    // Messages are locked before the cursor, as where one of them is marked as unread.
    const marked = await lockInStream.all(tx, { teamId: team.id, ids: before.exceptions });
    const isAsLeft =
      (await lockPosition(tx, cursor)).read_seq === before.to &&
      (await findReadMarkUpTo.first(tx, { ...cursor, seq: before.upTo })) === undefined;
    if (!isAsLeft) throw readSince();
    await setCursorAmongSubjects.run(tx, { ...cursor, to: before.from });
    // A subject was read since, or a conversation was moved from one to another.
    if ((await lockPosition(tx, cursor)).subjects_read !== before.covered) throw readSince();
    const wasUnread = new Set(before.unread);
    const marks: ReturnType<typeof markOf>[] = [];
    for (const row of marked) {
      const isRead = (row.seq as number) > before.from && !wasUnread.has(row.id);
      // A message that the cursor of its subject has passed since needs no exception.
      if (isRead !== (await isCovered(tx, cursor, before.from, row)))
        marks.push(markOf(cursor, row, Number(isRead)));
    }
    await insertReadMarks(tx, marks);
    await publish(tx, { kind: 'team_unread', userId, teamId: team.id });
    return presentTeam(await accessTeam(tx, userId, team.id));
  }

  /**
   * Marks the messages of a subject as read that are not newer than the given one. The row that holds how far is made when
   * somebody reads it alone for the first time.
   * @param place of a subject that is locked, so that no conversation is moved meanwhile
   */
  async function readSubject(
    tx: Tx,
    userId: string,
    place: { readonly teamId: string; readonly subjectId: string },
    messageId: string | undefined,
  ): Promise<void> {
    const { teamId } = place;
    const cursor = { userId, teamId };
    const ofSubject = { ...cursor, subjectId: place.subjectId };
    const before = await lockPosition(tx, cursor);
    const end =
      messageId === undefined ? await lastSeq.first(tx, { teamId }) : await placeOf(tx, cursor, messageId);
    const known = (await findSubjectCursor.first(tx, ofSubject))?.read_seq;
    const asked = Number(end?.seq ?? 0);
    const to = Math.max(asked, known ?? 0);
    const after = Math.max(before.read_seq, known ?? 0);
    if (to !== known) await putSubjectCursor.run(tx, { ...ofSubject, to });
    await deleteMarksOfSubject.run(tx, { ...ofSubject, upTo: asked });
    const counted =
      to > after ? await countOfSubject.first(tx, { ...ofSubject, after, upTo: to }) : undefined;
    const by = Number(counted?.count ?? 0);
    if (by > 0) await addSubjectsRead.run(tx, { teamId, userIds: [userId], by });
    const covered = { ...before, subjects_read: before.subjects_read + by };
    await passOver(tx, cursor, covered, before.read_seq);
    await publish(tx, { kind: 'team_read', userId, teamId });
  }

  /** @throws NotFound for a team that they are not in @throws InvalidFields for a message that is not in its stream */
  async function placeOf(tx: Tx, cursor: TeamCursor, messageId: string): Promise<{ seq: number }> {
    const known = parseId(messageId) ?? LOWEST_ID;
    const found = await findSeq.first(tx, { ...cursor, messageId: known });
    if (!found) throw new NotFound();
    const { seq } = found;
    if (seq !== null) return { seq };
    throw new InvalidFields({ field: 'up_to', message: 'must be the id of a message of the team' });
  }

  /**
   * Everything that the user sees: one statement for each kind of message, however many there are. Replies have no
   * place of their own in a team, so what is remembered of them is the newest id. Every later reply gets one above it:
   * no reply is being written while it is read, and each asks for the newest id first.
   */
  async function readAll(tx: Tx, userId: string): Promise<void> {
    // The account first, as everywhere.
    await lockUser.first(tx, { id: userId });
    await stopReplies(tx);
    const upTo = (await newestId.first(tx, {}))?.id;
    if (upTo === undefined) return;
    await readTeams.run(tx, { userId, upTo });
    await deletePassedMarks.run(tx, { userId });
    await readDirects.run(tx, { userId, now: clock() });
    await readOwn.run(tx, { userId });
    await readSidebars.run(tx, { userId });
    await setAllRead.run(tx, { userId, upTo });
    await publish(tx, { kind: 'all_read', userId });
  }

  async function readDirect(tx: Tx, userId: string, row: SeenMessage): Promise<void> {
    await setRecipientRead.all(tx, { messageId: row.id, userId, readAt: row.recipient_read_at ?? clock() });
    if (row.is_unread === 1) await putUnread.run(tx, { userId, messageId: row.id, isUnread: 0 });
  }

  const placeInSidebar = (userId: string, row: SeenMessage) => ({
    userId,
    sidebarId: row.sidebar_id as string,
    place: row.sidebar_seq ?? 0,
  });

  /** To a reply; of what opened the conversation, to the last one. */
  async function moveReplies(tx: Tx, userId: string, row: SeenMessage, to: Move): Promise<void> {
    const messageId = row.root_id ?? row.id;
    const state = await lockState.first(tx, { userId, messageId });
    const user = await findAllRead.first(tx, { userId, teamId: row.team_id });
    const all_read_up_to = user?.all_read_up_to ?? null;
    const { replies_read = 0, read_up_to = null } = state ?? {};
    const upTo = countsBesides({ all_read_up_to, read_up_to }) ? all_read_up_to : null;
    const last = upTo === null ? undefined : await lastReplyUpTo.first(tx, { rootId: messageId, upTo });
    const cursor = Math.max(replies_read, last?.reply_seq ?? 0);
    const repliesRead = to(cursor, row.root_id === null ? row.num_replies : (row.reply_seq ?? 0));
    await setReplies.run(tx, { userId, messageId, repliesRead, readUpTo: all_read_up_to });
  }

  return { markRead, markUnread, mute, unmute, readTeamUpTo, undoTeamRead, readAll, readSubject };
}

const readSince = () => new Conflict('read_since', 'Messages of the team were read, marked or moved since');

type Move = (cursor: number, place: number) => number;

type Position = Pick<MembershipRow, 'read_seq' | 'subjects_read'>;

const lockPosition = async (tx: Tx, cursor: TeamCursor): Promise<Position> =>
  (await lockCursor.first(tx, cursor)) ?? { read_seq: 0, subjects_read: 0 };

/** Whether the cursor of the team, or of the message's subject, has passed it. */
async function isCovered(
  tx: Tx,
  cursor: TeamCursor,
  at: number,
  { seq, subject_id: subjectId }: Pick<MessageRow, 'seq' | 'subject_id'>,
): Promise<boolean> {
  const place = seq as number;
  if (place <= at || subjectId === null) return place <= at;
  return ((await findSubjectCursor.first(tx, { ...cursor, subjectId }))?.read_seq ?? 0) >= place;
}

async function readInTeam(tx: Tx, cursor: TeamCursor, row: SeenMessage): Promise<void> {
  const seq = row.seq as number;
  const position = await lockPosition(tx, cursor);
  const at = position.read_seq;
  if (await isCovered(tx, cursor, at, row)) await deleteReadMark.run(tx, { ...cursor, seq });
  else if (seq === at + 1) await passOver(tx, cursor, position, seq);
  else await insertReadMarks(tx, [markOf(cursor, row, 1)]);
}

async function unreadInTeam(tx: Tx, cursor: TeamCursor, row: SeenMessage): Promise<void> {
  const seq = row.seq as number;
  const { read_seq: at } = await lockPosition(tx, cursor);
  if (!(await isCovered(tx, cursor, at, row))) await deleteReadMark.run(tx, { ...cursor, seq });
  else await insertReadMarks(tx, [markOf(cursor, row, 0)]);
}

/** An exception to a cursor. */
const markOf = (cursor: TeamCursor, row: Pick<MessageRow, 'id' | 'seq'>, is_read: number) => ({
  user_id: cursor.userId,
  team_id: cursor.teamId,
  message_id: row.id,
  seq: row.seq as number,
  is_read,
});

/** Moves the cursor to a place, and on over what was read before its turn: those exceptions are absorbed. */
async function passOver(tx: Tx, cursor: TeamCursor, before: Position, to: number) {
  const isAmongSubjects = before.subjects_read > 0;
  const end = isAmongSubjects ? await coveredFrom(tx, cursor, to) : await readAheadFrom(tx, cursor, to);
  const set = isAmongSubjects ? setCursorAmongSubjects : setCursor;
  const isMoved = isAmongSubjects || end !== before.read_seq;
  const [absorbed] = await together([
    deleteReadAhead.all(tx, { ...cursor, seq: end }),
    isMoved ? set.run(tx, { ...cursor, to: end }) : Promise.resolve(),
  ]);
  return { end, absorbed };
}

/** The last place from which back to another everything is covered by cursors of subjects, or by exceptions. */
async function coveredFrom(tx: Tx, cursor: TeamCursor, to: number): Promise<number> {
  const next = await findUncovered.first(tx, { ...cursor, after: to });
  if (next) return next.seq - 1;
  return Math.max(to, Number((await lastSeq.first(tx, cursor))?.seq ?? 0));
}

/** The same where there are exceptions alone. */
async function readAheadFrom(tx: Tx, cursor: TeamCursor, to: number): Promise<number> {
  let end = to;
  for (;;) {
    const ahead = await listReadAhead.all(tx, { ...cursor, after: end, limit: AHEAD_AT_ONCE });
    const run = ahead.findIndex(({ seq }, index) => seq !== end + index + 1);
    end += run === -1 ? ahead.length : run;
    if (run !== -1 || ahead.length < AHEAD_AT_ONCE) return end;
  }
}

/**
 * Marks messages as read by their authors: the cursor of an author who has read everything before a message moves over
 * it, and for the others it is an exception.
 * @param rows messages to teams, those to one team in the order of their places
 * @param cursors of their authors in each team, locked
 */
export async function passOverOwn(
  tx: Tx,
  rows: readonly MessageRow[],
  cursors: ReadonlyMap<string, ReadonlyMap<string, { readonly read_seq: number | null }>>,
): Promise<void> {
  /** By author in a team. */
  const moved = new Map<object, TeamCursor & { to: number }>();
  const marks: ReturnType<typeof markOf>[] = [];
  for (const row of rows) {
    const cursor = { userId: row.author_id, teamId: row.team_id as string };
    const author = cursors.get(cursor.teamId)?.get(cursor.userId);
    // An application reads nothing.
    if (!author || author.read_seq === null) continue;
    const at = moved.get(author)?.to ?? author.read_seq;
    if (row.seq !== null && at === row.seq - 1) moved.set(author, { ...cursor, to: row.seq });
    else marks.push(markOf(cursor, row, 1));
  }
  await together([
    ...[...moved.values()].map((cursor) => setCursor.run(tx, cursor)),
    insertReadMarks(tx, marks),
  ]);
}

/** Counts of each user's unread messages, by team and by tag (part 2.8). */
export async function unreadCounts(
  db: Reader,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, UnreadCounts>> {
  const rows = await listUnreadCounts.all(db, { userIds });
  const marking = rows.filter(({ kind }) => kind === 'marked').map(({ user_id }) => user_id);
  const sent = marking.length === 0 ? [] : await listUnreadSent.all(db, { userIds: marking });
  const counted = new Map(userIds.map((id) => [id, newCounts()]));
  for (const { user_id, kind, team_id, unread_count } of rows) {
    const counts = counted.get(user_id) as Counts;
    counts.of[kind as Kind] += Number(unread_count);
    if (kind === 'team') counts.teams[team_id] = Number(unread_count);
  }
  for (const { user_id, kind, unread_count } of sent) {
    (counted.get(user_id) as Counts).of[kind as Kind] += Number(unread_count);
  }
  return new Map([...counted].map(([id, counts]) => [id, byTag(counts)]));
}

const newCounts = () => ({
  teams: {} as Record<string, number>,
  of: { team: 0, direct: 0, note: 0, marked: 0, sent: 0, sent_direct: 0 },
});
type Counts = ReturnType<typeof newCounts>;
type Kind = keyof Counts['of'];

function byTag({ teams, of }: Counts): UnreadCounts {
  const sent = of.sent + of.sent_direct + of.note;
  const other = of.team - of.sent;
  const total = of.team + of.direct + of.sent_direct;
  return {
    teams,
    user: { total, direct: of.direct },
    tags: { _sent: sent, _other: other, _inbox: other + of.direct, _direct: of.direct, _unread: total },
  };
}
