import type { Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MailJobRow } from '#schema';
import { type PrefName, prefsOf } from '../../people/users/index.ts';
import { listMemberIds } from '../../teams/index.ts';
import { deleteJob, moveJobOn } from './job.store.ts';
import { mentionedNames } from './mentions.ts';
import {
  findIdsByUsername,
  findPosted,
  findRepliers,
  insertNotifications,
  listReachable,
  listReplierIds,
  listSidebarIds,
  openBatches,
  type Posted,
  type Reachable,
} from './notification.store.ts';

/** How many people one transaction deals with. */
const PEOPLE = 200;

/** Decides, some people at a time, who is notified of a message. @returns how many people it looked at */
export function expansion(deps: { clock: Clock; batchMs: number }) {
  const { clock, batchMs } = deps;

  return async function expand(tx: Tx, job: MailJobRow): Promise<number> {
    const message = job.message_id === null ? undefined : await findPosted.first(tx, { id: job.message_id });
    if (!message || message.deleted_at !== null || message.space_active === 0) {
      await deleteJob.run(tx, { id: job.id });
      return 0;
    }
    const names = mentionedNames(message.text);
    const ids = await concerned(tx, message, names, job.cursor);
    await notify(tx, message, names, ids);
    const last = ids.at(-1);
    if (last === undefined || ids.length < PEOPLE) await deleteJob.run(tx, { id: job.id });
    else await moveJobOn.run(tx, { id: job.id, cursor: last, now: clock() });
    return ids.length;
  };

  async function notify(tx: Tx, message: Posted, names: Set<string>, ids: readonly string[]): Promise<void> {
    const reachable = await listReachable(tx, message, ids);
    const repliers = await repliersAmong(tx, message, ids);
    const rows = reachable.flatMap((person) => {
      const reason = reasonFor(message, person, names, repliers);
      if (!reason) return [];
      const { id: user_id } = person;
      return [{ user_id, message_id: message.id, reason, created_at: clock(), collected_at: null }];
    });
    openBatches(tx, await insertNotifications(tx, rows), message.created_at + batchMs);
  }
}

/** A page of the people whom a message may concern, by their ids. */
async function concerned(
  tx: Reader,
  message: Posted,
  names: ReadonlySet<string>,
  after: string,
): Promise<string[]> {
  const { sidebar_id: sidebarId, root_id: rootId, space_id: teamId } = message;
  const page = { after, limit: PEOPLE };
  const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);
  if (sidebarId !== null) return ids(await listSidebarIds.all(tx, { sidebarId, ...page }));
  if (rootId === null && teamId !== null) return ids(await listMemberIds.all(tx, { teamId, ...page }));
  if (rootId === null) return firstOf(after, addressees(message.addressed_users_json));
  if (teamId === null) {
    return firstOf(after, [message.root_author_id ?? '', ...addressees(message.root_addressed_users_json)]);
  }
  const repliers = await listReplierIds.all(tx, { rootId, before: placeOf(message), ...page });
  const mentioned = ids(await findIdsByUsername.all(tx, { keys: [...names] }));
  return firstOf(after, [message.root_author_id ?? '', ...ids(repliers), ...mentioned]);
}

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

/** The cursor of a new job: every id comes after it. */

/** The reason for a mail: the first preference that applies and is on. */
function reasonFor(
  message: Posted,
  person: Reachable,
  names: ReadonlySet<string>,
  repliers: ReadonlySet<string>,
): PrefName | undefined {
  const prefs = prefsOf(person);
  const reasons = plainReasons(message, person.id, repliers);
  if (names.has(person.username_key)) reasons.unshift('email_on_at_mention');
  return reasons.find((reason) => prefs[reason]);
}

function plainReasons(message: Posted, userId: string, repliers: ReadonlySet<string>): PrefName[] {
  const isDirect = message.space_id === null;
  if (message.sidebar_id !== null) return ['email_on_sidebar_message'];
  if (message.root_id === null) return [isDirect ? 'email_on_direct_message' : 'email_on_team_message'];
  const isAuthor = message.root_author_id === userId;
  if (isDirect && isAuthor) return ['email_on_reply_to_your_direct_message'];
  const reasons: PrefName[] = isAuthor ? ['email_on_reply_to_your_message'] : [];
  if (repliers.has(userId)) return [...reasons, 'email_on_reply_to_message_you_replied_to'];
  // For an addressee who has not replied yet it is one more direct message.
  return isDirect ? ['email_on_direct_message'] : reasons;
}
