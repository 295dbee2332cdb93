import type { Reader, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import type { NoticeJobRow } from '#schema';
import { deleteJob, EARLIER_RELEASE, moveJobOn, NAMED, READERS } from './job.store.ts';
import { mentionedNames } from './mentions.ts';
import {
  findIdsByUsername,
  findPosted,
  findRepliers,
  listReachable,
  listReplierIds,
  listSidebarIds,
  type Posted,
  type Reachable,
} from './notice.store.ts';
import type { Notice, NoticeListener, NoticeReason } from './notice.ts';

/** Hears of messages to teams that servers of an earlier release posted: those note nothing else for mails. */
export type OnEarlier = (tx: Tx, message: Posted) => void;

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
  onEarlier: OnEarlier;
}) {
  const { clock, listeners, wakeReaders, onEarlier } = deps;

  async function expand(tx: Tx, job: NoticeJobRow): Promise<number> {
    const message = await findPosted.first(tx, { id: job.message_id });
    if (!message || message.deleted_at !== null || message.space_active === 0) {
      await deleteJob.run(tx, { id: job.id });
      return 0;
    }
    if (job.kind === 'high_five') {
      await deleteJob.run(tx, { id: job.id });
      await tellOfHighFive(tx, message);
      return 1;
    }
    if (job.source === EARLIER_RELEASE) onEarlier(tx, message);
    const names = mentionedNames(message.text);
    const ids = await (job.lane === NAMED
      ? concerned(tx, message, names, job.cursor)
      : readersOf(tx, message, job.cursor));
    const notices = await noticesOf(tx, message, names, ids);
    // Those who are named were told in the first lane.
    await tell(
      tx,
      notices.filter(({ reasons }) => (reasons[0] === 'team') === (job.lane === READERS)),
    );
    await moveOn(tx, job, message, ids);
    return ids.length;
  }

  async function moveOn(tx: Tx, job: NoticeJobRow, message: Posted, ids: readonly string[]): Promise<void> {
    const { id, lane } = job;
    const last = ids.at(-1);
    if (last !== undefined && ids.length >= PEOPLE)
      return moveJobOn.run(tx, { id, lane, cursor: last, now: clock() });
    if (lane !== NAMED || !opensInTeam(message) || !isWanted(message)) return deleteJob.run(tx, { id });
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

  async function tellOfHighFive(tx: Tx, message: Posted): Promise<void> {
    if (message.num_high_fives === 0) return;
    const [user] = await listReachable(tx, message, [message.author_id]);
    if (user && !user.is_muted) {
      await tell(tx, [{ user, message, reasons: ['high_five'], isMuted: false }]);
    }
  }

  return expand;
}

async function noticesOf(
  tx: Reader,
  message: Posted,
  names: ReadonlySet<string>,
  ids: readonly string[],
): Promise<Notice[]> {
  const others = ids.filter((id) => id !== message.author_id);
  const reachable = await listReachable(tx, message, others);
  const repliers = await repliersAmong(tx, message, others);
  return reachable.flatMap((user) => {
    const [first, ...more] = reasonsFor(message, user, names, repliers);
    if (first === undefined) return [];
    return [{ user, message, reasons: [first, ...more], isMuted: Boolean(user.is_muted) }];
  });
}

/** A page of the people whom a message may concern by name, by their ids. */
async function concerned(
  tx: Tx,
  message: Posted,
  names: ReadonlySet<string>,
  after: string,
): Promise<string[]> {
  const { sidebar_id: sidebarId, root_id: rootId, space_id: teamId } = message;
  const page = { after, limit: PEOPLE };
  const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);
  const named = async () => ids(await findIdsByUsername.all(tx, { keys: [...names] }));
  if (sidebarId !== null) return ids(await listSidebarIds.all(tx, { sidebarId, ...page }));
  if (opensInTeam(message)) return firstOf(after, await named());
  if (rootId === null) return firstOf(after, addressees(message.addressed_users_json));
  if (teamId === null) {
    return firstOf(after, [message.root_author_id ?? '', ...addressees(message.root_addressed_users_json)]);
  }
  const repliers = await listReplierIds.all(tx, { rootId, before: placeOf(message), ...page });
  return firstOf(after, [message.root_author_id ?? '', ...ids(repliers), ...(await named())]);
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

function reasonsFor(
  message: Posted,
  user: Reachable,
  names: ReadonlySet<string>,
  repliers: ReadonlySet<string>,
): NoticeReason[] {
  const plain = plainReasons(message, user.id, repliers);
  if (names.has(user.username_key)) return ['mention', ...plain];
  return user.is_muted ? [] : plain;
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
