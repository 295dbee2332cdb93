import {
  Conflict,
  InvalidFields,
  listPage,
  lookUp,
  type Page,
  timeKeyOf,
  timestamp,
  type UserPrincipal,
  viewerOf,
} from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, newId } from '#platform/ids.ts';
import { isTimeZone } from '#platform/time-zone.ts';
import { instantOf } from '#platform/wall-time.ts';
import type { ScheduledRow } from '#schema';
import { lockUser } from '../../people/users/index.ts';
import type { Message, MessageFinder } from '../messages/index.ts';
import { type Needs, needsAt, needsOfReminder, reachOf } from './reach.ts';
import {
  MOST_OF_APPLICATION,
  MOST_UNSENT,
  type NewReminder,
  type Reminder,
  type ScheduledChange,
  type ScheduledMessage,
  type WallTime,
} from './scheduled.schema.ts';
import {
  changeScheduled,
  countUnsent,
  deleteScheduled,
  findNaming,
  insertScheduled,
  listScheduled,
  listTimesNear,
  lockScheduled,
  markSent,
} from './scheduled.store.ts';
import { type GivenMessage, type GivenReminder, type Sending, Unsendable } from './sending.ts';

const DAY_MS = 24 * 3600 * 1000;
/** In so long, a person has no more than `mostAtOnce` sent to one conversation. */
export const SPAN_MS = 5 * 60_000;
/** An upload waits for so long beyond the time of its message, for what its author decides. */
export const FILES_WAIT_MS = 30 * DAY_MS;
/** Where reminders are counted. */
const NOTES = 'notes';

/** Undoes a transaction that only tried. */
class Tried extends Error {}

/** Tells the windows of a person what they have scheduled. */
export type TellScheduled = (
  tx: Tx,
  userId: string,
  row: Pick<ScheduledRow, 'id' | 'kind' | 'status'>,
) => Promise<void>;

export type ScheduledService = ReturnType<typeof scheduledService>;

export function scheduledService(deps: {
  db: Database;
  clock: Clock;
  sending: Sending;
  finder: MessageFinder;
  /** Keeps uploads that no message holds yet. */
  keepFiles: (tx: Tx, of: { userId: string; ids: readonly string[]; until: number }) => Promise<unknown>;
  /** An upload that no message holds waits no longer. */
  releaseFile: (tx: Tx, of: { userId: string; id: string }) => Promise<unknown>;
  tell: TellScheduled;
  longestMs: number;
  mostAtOnce: number;
}) {
  const { db, clock, sending, finder, keepFiles, releaseFile, tell, longestMs, mostAtOnce } = deps;

  /** @throws InvalidFields */
  async function readTime({ local, zone }: WallTime, field: string): Promise<Time> {
    if (!isTimeZone(zone)) throw wrong(`${field}.zone`, 'must be the name of a time zone, as Europe/Berlin');
    const at = await instantOf(local, zone);
    if (at === undefined)
      throw wrong(`${field}.local`, 'must be a time without seconds and zone, as 2026-12-01T09:00');
    const now = clock();
    if (at <= now) throw wrong(`${field}.local`, 'must be in the future');
    if (at > now + longestMs) throw wrong(`${field}.local`, `must be in the next ${longestMs / DAY_MS} days`);
    return { local_time: local, zone, send_at: at };
  }

  /**
   * Posts it and takes that back: what posting refuses now is refused at once, for the same reasons.
   * @throws as posting does @returns where it would be
   */
  async function attempt(author: UserPrincipal, given: GivenMessage): Promise<At> {
    let at: At | undefined;
    try {
      await db.write(async (tx) => {
        const { message, teamId } = await sending.post(tx, author, given);
        at = { place: placeOf(message), ...needsAt(author, message, teamId) };
        throw new Tried();
      });
    } catch (error) {
      if (!(error instanceof Tried)) throw error;
    }
    return at as At;
  }

  /**
   * Two requests of one person are counted one after the other. What applications have scheduled takes none of the room of
   * the person, or a token that may do little could keep them from it. @throws Conflict
   */
  async function expectRoom(tx: Tx, author: UserPrincipal, row: ScheduledRow, isNew: boolean): Promise<void> {
    await lockUser.first(tx, { id: row.user_id });
    if (isNew) await expectFewer(tx, author, row);
    const { id, user_id: userId, place, send_at } = row;
    const onlyOwn = row.through === null ? 1 : 0;
    const near = { id, userId, place, onlyOwn, from: send_at - SPAN_MS, to: send_at + SPAN_MS } as const;
    const times = await listTimesNear.all(tx, { ...near, limit: 2 * mostAtOnce });
    if (mostWithin([...times.map((one) => one.send_at), send_at]) > mostAtOnce)
      throw new Conflict('too_many_at_once', `At most ${mostAtOnce} go to one conversation in five minutes`);
  }

  async function expectFewer(tx: Tx, author: UserPrincipal, row: ScheduledRow): Promise<void> {
    const { user_id: userId, through } = row;
    const [applicationId = ''] = through?.split(':') ?? [];
    const unsent = await countUnsent.first(tx, { userId, applicationId });
    if (!author.itself && Number(unsent?.by_application) >= MOST_OF_APPLICATION)
      throw new Conflict(
        'too_many_scheduled',
        `At most ${MOST_OF_APPLICATION} of one application may wait or be unsent`,
      );
    if (Number(through === null ? unsent?.own : unsent?.by_applications) >= MOST_UNSENT)
      throw new Conflict('too_many_scheduled', `At most ${MOST_UNSENT} may wait or be unsent`);
  }

  async function add(
    tx: Tx,
    author: UserPrincipal,
    of: Pick<ScheduledRow, 'kind'> & { at: At; time: Time; body: object },
  ): Promise<ScheduledRow> {
    const { through, grantId } = reachOf(author);
    const row: ScheduledRow = {
      id: newId(),
      user_id: author.userId,
      kind: of.kind,
      through,
      grant_id: grantId,
      ...of.at,
      ...of.time,
      body_json: JSON.stringify(of.body),
      status: 'pending',
      reason: null,
      message_id: null,
      num_failures: 0,
      due_at: of.time.send_at,
      settled_at: null,
      created_at: clock(),
    };
    await expectRoom(tx, author, row, true);
    await insertScheduled(tx, [row]);
    await tell(tx, row.user_id, row);
    return row;
  }

  /** Checks a message before a transaction begins. @throws InvalidFields, and as posting does */
  async function readMessage(author: UserPrincipal, given: { send_at: WallTime; message: unknown }) {
    const time = await readTime(given.send_at, 'send_at');
    const { message, fileIds } = sending.readGiven(given.message);
    return { time, message, fileIds, at: await attempt(author, message) };
  }

  async function addMessage(
    tx: Tx,
    author: UserPrincipal,
    { message, fileIds, ...of }: Awaited<ReturnType<typeof readMessage>>,
  ): Promise<ScheduledMessage> {
    // This locks the author, and so comes before the files, which an edit locks after its message.
    const row = await add(tx, author, { kind: 'message', ...of, body: message });
    await keep(tx, author.userId, fileIds, of.time.send_at);
    return presentMessage(row);
  }

  async function keep(tx: Tx, userId: string, ids: readonly string[], at: number): Promise<void> {
    if (ids.length > 0) await keepFiles(tx, { userId, ids, until: at + FILES_WAIT_MS });
  }

  /** Checks what a change brings, before a transaction begins. */
  async function readChange(author: UserPrincipal, { send_at, message, send_now }: ScheduledChange) {
    if (send_now && send_at) throw wrong('send_now', 'goes without send_at');
    const time = send_at && (await readTime(send_at, 'send_at'));
    const given = message === undefined ? undefined : sending.readGiven(message);
    const at = given && (await attempt(author, given.message));
    return { time, given, at, sendNow: send_now === true };
  }

  /**
   * Changes it, or sends it now. A sender that has it waits, or is waited for.
   * @throws NotFound @throws Conflict once it is sent, and as posting does
   */
  async function change(
    tx: Tx,
    author: UserPrincipal,
    id: string,
    asked: Awaited<ReturnType<typeof readChange>>,
  ): Promise<ScheduledMessage> {
    const { time, given, at, sendNow } = asked;
    const row = await access(tx, author, 'message', id);
    if (row.status === 'sent') {
      // Sent by a repeated request, or a moment before.
      if (sendNow && !given) return presentMessage(row);
      throw alreadySent();
    }
    const isMoved = time !== undefined;
    const changed: ScheduledRow = {
      ...row,
      ...time,
      ...at,
      ...(given && { body_json: JSON.stringify(given.message) }),
      // What a token has written is sent with its own rights.
      ...(given && author.grant && { grant_id: author.grant.id }),
      ...(isMoved && {
        status: 'pending' as const,
        reason: null,
        num_failures: 0,
        due_at: time.send_at,
        settled_at: null,
      }),
    };
    if (sendNow) {
      const messageId = await sending.send(tx, changed, { by: author }).catch((error: unknown) => {
        throw error instanceof Unsendable
          ? new Conflict('access_ended', 'The application may not act for the person any more')
          : error;
      });
      await markSent.run(tx, { id: row.id, messageId, now: clock() });
      const sent = { ...changed, ...SENT, message_id: messageId };
      await tell(tx, row.user_id, sent);
      return presentMessage(sent);
    }
    if (isMoved || at) await expectRoom(tx, author, changed, false);
    if (given) await keep(tx, row.user_id, given.fileIds, changed.send_at);
    else if (isMoved) await keep(tx, row.user_id, filesOf(changed), changed.send_at);
    await changeScheduled.run(tx, changed);
    await tell(tx, row.user_id, changed);
    return presentMessage(changed);
  }

  const filesOf = (row: ScheduledRow) => sending.readGiven(JSON.parse(row.body_json ?? '{}')).fileIds;

  /** @throws NotFound for another's, one that another application has scheduled, and one beyond the reach of a token */
  const access = (tx: Tx, author: UserPrincipal, kind: ScheduledRow['kind'], id: string) =>
    lookUp(id, (known) => lockScheduled.first(tx, { ...owned(author, kind), id: known }));

  /** @throws NotFound @throws Conflict once it is sent */
  async function remove(
    tx: Tx,
    author: UserPrincipal,
    kind: ScheduledRow['kind'],
    id: string,
  ): Promise<void> {
    const row = await access(tx, author, kind, id);
    // Sent a moment before: who believes that it is cancelled would not look for the message.
    if (row.status === 'sent') throw alreadySent();
    await deleteScheduled.run(tx, { id: row.id });
    // What no message holds is cleared away as any other upload.
    if (kind === 'message') {
      for (const file of filesOf(row)) await letGo(tx, row.user_id, file);
    }
    await tell(tx, row.user_id, row);
  }

  /** Of a file that no other message of the person waits with. */
  async function letGo(tx: Tx, userId: string, file: string): Promise<void> {
    if (await findNaming.first(tx, { userId, file })) return;
    await releaseFile(tx, { userId, id: file });
  }

  /** The next ones first. */
  async function list<Shown>(
    author: UserPrincipal,
    kind: ScheduledRow['kind'],
    page: Page,
    present: (row: ScheduledRow) => Shown,
  ) {
    const reader = await db.forLists();
    const { at, id } = timeKeyOf(page) ?? { at: 0, id: LOWEST_ID };
    const { rows, next } = await listPage(
      page,
      (limit) => listScheduled.all(reader, { ...owned(author, kind), at, id, limit }),
      (row) => [String(row.send_at), row.id],
    );
    return { shown: rows.map(present), next };
  }

  /** @throws InvalidFields @throws NotFound for a message that the person does not see */
  async function readReminder(author: UserPrincipal, given: NewReminder) {
    const time = await readTime(given.at, 'at');
    const text = given.text?.trim() ?? '';
    const message = given.message ?? undefined;
    if (text === '' && message === undefined) throw wrong('text', 'or a message is required');
    const about = message === undefined ? undefined : await finder.get(db, viewerOf(author, 'read'), message);
    const body: GivenReminder = { ...(about && { message: about.id }), ...(text !== '' && { text }) };
    return { time, body, at: { place: NOTES, ...needsOfReminder(author, about) } };
  }

  const addReminder = async (
    tx: Tx,
    author: UserPrincipal,
    of: Awaited<ReturnType<typeof readReminder>>,
  ): Promise<Reminder> => presentReminder(await add(tx, author, { kind: 'reminder', ...of }));

  return {
    readMessage,
    addMessage,
    readChange,
    change,
    remove,
    readReminder,
    addReminder,
    messages: (author: UserPrincipal, page: Page) => list(author, 'message', page, presentMessage),
    reminders: (author: UserPrincipal, page: Page) => list(author, 'reminder', page, presentReminder),
    /** Of a repeated request. */
    again: async (tx: Tx, author: UserPrincipal, id: string) =>
      presentMessage(await access(tx, author, 'message', id)),
    reminderAgain: async (tx: Tx, author: UserPrincipal, id: string) =>
      presentReminder(await access(tx, author, 'reminder', id)),
  };
}

type Time = Pick<ScheduledRow, 'local_time' | 'zone' | 'send_at'>;

const SENT = { status: 'sent', reason: null, body_json: null, due_at: null } as const;

const alreadySent = () => new Conflict('already_sent', 'It was sent already');

const wrong = (field: string, message: string) => new InvalidFields({ field, message });

/** Where something goes: for counting, and for tokens. */
type At = Pick<ScheduledRow, 'place'> & Needs;

const owned = (author: UserPrincipal, kind: ScheduledRow['kind']) => ({
  userId: author.userId,
  kind,
  ...reachOf(author),
});

function placeOf(message: Message): string {
  const { reply_to, sidebar, addressed_teams, addressed_users, author } = message;
  const [team] = addressed_teams;
  if (sidebar !== undefined) return `sidebar ${sidebar}`;
  if (reply_to !== undefined) return `thread ${reply_to}`;
  if (team !== undefined) return `team ${team}`;
  const application = message.addressed_application ?? '';
  return `direct ${hashToken([application, ...new Set([author.id, ...addressed_users])].sort().join(' '))}`;
}

/** The most of some times that lie in one span. */
function mostWithin(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const counts = sorted.map((from, at) => sorted.slice(at).filter((to) => to < from + SPAN_MS).length);
  return Math.max(...counts);
}

const shownTime = ({ local_time: local, zone }: ScheduledRow): WallTime => ({ local, zone });

const presentMessage = (row: ScheduledRow): ScheduledMessage => ({
  id: row.id,
  at: timestamp(row.send_at),
  status: row.status,
  reason: row.reason,
  send_at: shownTime(row),
  message: row.body_json === null ? null : (JSON.parse(row.body_json) as object),
  message_id: row.message_id,
  application: row.through?.split(':')[0] ?? null,
});

function presentReminder(row: ScheduledRow): Reminder {
  const { message, text } = JSON.parse(row.body_json ?? '{}') as GivenReminder;
  return {
    id: row.id,
    at: timestamp(row.send_at),
    status: row.status,
    reason: row.reason,
    send_at: shownTime(row),
    message: message ?? null,
    text: text ?? null,
    message_id: row.message_id,
  };
}
