import { type Reader, type Tx, together } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import { mentionedNames, TEAM } from '#platform/text/index.ts';
import type { NoticeJobRow } from '#schema';
import { findInGroups, listInGroups } from '../../teams/index.ts';
import { namesOfVersions } from '../messages/index.ts';
import { deleteJob, moveJobOn, NAMED, READERS } from './job.store.ts';
import {
  findIdsByUsername,
  findPosted,
  findRepliers,
  listMemberIds,
  listReachable,
  listReplierIds,
  listSidebarIds,
  type Posted,
} from './notice.store.ts';
import type { Notice, NoticeListener, NoticeReason } from './notice.ts';

/** The most people that one transaction looks at. */
const PEOPLE = 200;

/**
 * Finds the people whom a message concerns, a page in each transaction, and passes a notice for each to the listeners.
 * @returns the size of the page
 */
export function expansion(deps: {
  clock: Clock;
  listeners: () => readonly NoticeListener[];
  /** Wakes the worker for those who want every message. */
  wakeReaders: () => void;
  /** Gives a message back to a person who has read it without their name. */
  markUnread: (tx: Tx, userId: string, messageId: string) => Promise<void>;
}) {
  const { clock, listeners, wakeReaders, markUnread } = deps;

  async function expand(tx: Tx, job: NoticeJobRow): Promise<number> {
    const message = await findPosted.first(tx, { id: job.message_id });
    if (!message || message.deleted_at !== null || message.space_active === 0) {
      await deleteJob.run(tx, { id: job.id });
      return 0;
    }
    if (job.kind === 'reaction') {
      await deleteJob.run(tx, { id: job.id });
      await tellOfReaction(tx, message);
      return 1;
    }
    if (job.kind === 'reminder') {
      await deleteJob.run(tx, { id: job.id });
      await tellOfReminder(tx, message);
      return 1;
    }
    const called = await callOf(tx, message, job);
    const ids = await (job.lane === READERS
      ? readersOf(tx, message, job.cursor)
      : job.kind === 'edit'
        ? named(tx, message, called, job.cursor)
        : concerned(tx, message, called, job.cursor));
    const notices = await noticesOf(tx, message, called, ids);
    // Those who are named were told in the first lane.
    const due = notices.filter(({ reasons: [reason] }) =>
      job.kind === 'edit' ? reason === 'mention' : (reason === 'team') === (job.lane === READERS),
    );
    if (job.kind === 'edit') for (const { user } of due) await markUnread(tx, user.id, message.id);
    await together([tell(tx, due), moveOn(tx, job, message, ids)]);
    return ids.length;
  }

  async function moveOn(tx: Tx, job: NoticeJobRow, message: Posted, ids: readonly string[]): Promise<void> {
    const { id, lane } = job;
    const last = ids.at(-1);
    if (last !== undefined && ids.length >= PEOPLE)
      return moveJobOn.run(tx, { id, lane, cursor: last, now: clock() });
    const isLast = lane !== NAMED || job.kind === 'edit';
    if (isLast || !opensInTeam(message) || !isWanted(message)) return deleteJob.run(tx, { id });
    await moveJobOn.run(tx, { id, lane: READERS, cursor: LOWEST_ID, now: clock() });
    tx.afterCommit(wakeReaders);
  }

  const isWanted = ({ space_id: teamId }: Posted) =>
    listeners().some(({ ofTeams }) => ofTeams?.wants(teamId as string));

  /** A page of the members who want every message of the team. */
  async function readersOf(tx: Tx, { space_id: teamId }: Posted, after: string): Promise<string[]> {
    if (teamId === null) return [];
    const found = listeners().map(({ ofTeams }) => ofTeams?.list(tx, { teamId, after, limit: PEOPLE }) ?? []);
    return firstOf(after, (await Promise.all(found)).flat());
  }

  async function tell(tx: Tx, notices: readonly Notice[]): Promise<void> {
    if (notices.length === 0) return;
    for (const { onNoticed } of listeners()) await onNoticed(tx, notices);
  }

  async function tellOfReaction(tx: Tx, message: Posted): Promise<void> {
    if (message.reactions_json === null) return;
    const [user] = await listReachable(tx, message, [message.author_id]);
    if (user && !user.is_muted) {
      await tell(tx, [{ user, message, reasons: ['reaction'], isMuted: false }]);
    }
  }

  /** Its author has not read it, although they have written it. */
  async function tellOfReminder(tx: Tx, message: Posted): Promise<void> {
    const [user] = await listReachable(tx, message, [message.author_id]);
    if (!user) return;
    await markUnread(tx, user.id, message.id);
    if (!user.is_muted) await tell(tx, [{ user, message, reasons: ['reminder'], isMuted: false }]);
  }

  return expand;
}

/** Whom a text calls. */
interface Call {
  /** User names, in lower case. */
  readonly names: ReadonlySet<string>;
  /** All members of the team. */
  readonly team: boolean;
  /** Names that groups of the team may have. */
  readonly groups: readonly string[];
}

/** An edit, as its job keeps it. */
export interface EditCall {
  /** The names that no earlier text had. */
  readonly names: readonly string[];
  readonly byProgram: boolean;
}

/** An edit that came before its message was looked at has a job of its own. */
async function namesAsPosted(
  tx: Reader,
  message: Posted,
  now: ReadonlySet<string>,
): Promise<Iterable<string>> {
  if (message.events_json === '[]') return now;
  const [first] = await namesOfVersions(tx, message.id);
  return first ?? now;
}

/** A program calls many only where the team's admins allow it. */
async function callOf(tx: Reader, message: Posted, { call_json }: NoticeJobRow): Promise<Call> {
  const now = mentionedNames(message.text, message.format);
  const edit = call_json === null ? undefined : (JSON.parse(call_json) as EditCall);
  const brought = edit?.names ?? (await namesAsPosted(tx, message, now));
  const names = new Set([...brought].filter((name) => now.has(name)));
  const isProgram = edit?.byProgram || message.application_id !== null || message.is_application === 1;
  const isInTeam = message.space_id !== null && message.sidebar_id === null;
  const callsMany = isInTeam && (!isProgram || message.space_programs_notify === 1);
  const team = callsMany && names.has(TEAM);
  return { names, team, groups: callsMany && !team ? [...names] : [] };
}

async function noticesOf(tx: Reader, message: Posted, call: Call, ids: readonly string[]): Promise<Notice[]> {
  const others = ids.filter((id) => id !== message.author_id);
  const [reachable, repliers, called] = await together([
    listReachable(tx, message, others),
    repliersAmong(tx, message, others),
    calledAmong(tx, message, call, others),
  ]);
  return reachable.flatMap((user) => {
    const plain = plainReasons(message, user.id, repliers);
    const isMuted = Boolean(user.is_muted);
    const isNamed = call.names.has(user.username_key);
    if (isMuted && !isNamed) return [];
    const [first, ...more] = isNamed || called.has(user.id) ? ['mention' as const, ...plain] : plain;
    return first === undefined ? [] : [{ user, message, reasons: [first, ...more], isMuted }];
  });
}

/** Which of these people are called together with others. */
async function calledAmong(
  tx: Reader,
  { space_id: teamId }: Posted,
  { team, groups: names }: Call,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (team) return new Set(ids);
  if (teamId === null || names.length === 0 || ids.length === 0) return new Set();
  return new Set(idsOf(await findInGroups.all(tx, { teamId, names, ids })));
}

const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

/** A page of the people whom a message calls in a team, by their ids. */
async function named(tx: Tx, message: Posted, call: Call, after: string): Promise<string[]> {
  const { sidebar_id: sidebarId, space_id: teamId } = message;
  if (sidebarId !== null || teamId === null) return [];
  const page = { teamId, after, limit: PEOPLE };
  if (call.team) return idsOf(await listMemberIds.all(tx, page));
  const { names, groups } = call;
  const people = idsOf(await findIdsByUsername.all(tx, { keys: [...names] }));
  const inGroups = groups.length === 0 ? [] : idsOf(await listInGroups.all(tx, { ...page, names: groups }));
  return firstOf(after, [...people, ...inGroups]);
}

/** A page of the people whom a message may concern by name, by their ids. */
async function concerned(tx: Tx, message: Posted, call: Call, after: string): Promise<string[]> {
  const { sidebar_id: sidebarId, root_id: rootId, space_id: teamId } = message;
  const page = { after, limit: PEOPLE };
  if (sidebarId !== null) return idsOf(await listSidebarIds.all(tx, { sidebarId, ...page }));
  const root = message.root_author_id ?? '';
  if (teamId === null) {
    const json = rootId === null ? message.addressed_users_json : message.root_addressed_users_json;
    return firstOf(after, [...(rootId === null ? [] : [root]), ...addressees(json)]);
  }
  const called = await named(tx, message, call, after);
  if (rootId === null || call.team) return called;
  const repliers = await listReplierIds.all(tx, { rootId, before: placeOf(message), ...page });
  return firstOf(after, [root, ...idsOf(repliers), ...called]);
}

const opensInTeam = ({ sidebar_id, root_id, space_id }: Posted) =>
  sidebar_id === null && root_id === null && space_id !== null;

const addressees = (json: string | null) => JSON.parse(json ?? '[]') as string[];

const placeOf = (message: Posted) => message.reply_seq ?? Number.MAX_SAFE_INTEGER;

function firstOf(after: string, ids: readonly string[]): string[] {
  return [...new Set(ids)]
    .filter((id) => id > after)
    .sort()
    .slice(0, PEOPLE);
}

async function repliersAmong(
  tx: Reader,
  message: Posted,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (message.root_id === null || message.sidebar_id !== null) return new Set();
  const asked = { rootId: message.root_id, before: placeOf(message), ids };
  const rows = await findRepliers.all(tx, asked);
  return new Set(rows.map((row) => row.id));
}

function plainReasons(message: Posted, userId: string, repliers: ReadonlySet<string>): NoticeReason[] {
  const isDirect = message.space_id === null;
  if (message.sidebar_id !== null) return ['sidebar'];
  if (message.root_id === null) return [isDirect ? 'direct' : 'team'];
  const isAuthor = message.root_author_id === userId;
  if (isDirect && isAuthor) return ['reply'];
  const reasons: NoticeReason[] = isAuthor ? ['reply'] : [];
  if (repliers.has(userId)) return [...reasons, 'followed'];
  // An addressee who has not replied yet gets it as a direct message.
  return isDirect ? ['direct'] : reasons;
}
