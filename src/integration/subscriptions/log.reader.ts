import { createHash } from 'node:crypto';
import { type Database, together } from '#platform/db/index.ts';
import { Pace } from '#platform/jobs/index.ts';
import { mentionedNames } from '#platform/text/index.ts';
import type { EventRow, EventSubscriptionRow } from '#schema';
import {
  listEventsAt,
  listEventsOfTeam,
  listEventsOfTeams,
  listNews,
} from '../../conversation/live/index.ts';
import {
  findAtVersions,
  HIGH_FIVE,
  type MessageAt,
  type VersionOf,
} from '../../conversation/messages/index.ts';
import { type StatusColumns, whereaboutsOf } from '../../people/users/index.ts';
import { isBelow } from '../applications/index.ts';
import type { HeardKind } from './kinds.ts';
import { listMembersNow, listTypes } from './reach.store.ts';
import { findReach, type Reach } from './reach.ts';

/** An event as it is sent: `json` is the same in every way. */
export interface Heard {
  readonly id: string;
  readonly type: HeardKind;
  readonly team: string;
  readonly place: number;
  readonly json: string;
  /** The id of the click that it tells of. */
  readonly interaction?: string;
}

/** A page of the log, and how far it was read: what lies before `place` and was not given is none of the subscription's. */
export interface HeardPage {
  readonly events: readonly Heard[];
  readonly place: number;
  /** Whether there may be more before the end of the range. */
  readonly more: boolean;
}

/** Places that are looked at in one statement, at first; more while few of them are of the application's teams. */
const RANGE = 2000;
const LONGEST_RANGE = 128_000;
/** Links of a message that are compared: a page of long lists of links must not keep the others waiting. */
export const MOST_LINKS = 20;
/** The most characters of a page, but for its first event. */
const MOST_CHARACTERS = 256 * 1024;
/** Characters that are read in a turn of the event loop: those of one long text. */
const READ_PER_TURN = 16 * 1024;
/** Statements of one page: a page may be empty although more follows. */
const RANGES_AT_ONCE = 8;

/** The id of an event, from its row alone: a time and a hash (UUIDv8, RFC 9562 §5.8). */
export function idOf(row: EventRow): string {
  const hash = createHash('sha256').update(`${row.place} ${row.audience_id} ${row.kind} ${row.data_json}`);
  const bytes = hash.digest().subarray(0, 10);
  bytes[0] = ((bytes[0] as number) & 0x0f) | 0x80;
  bytes[2] = ((bytes[2] as number) & 0x3f) | 0x80;
  const hex = Number(row.created_at).toString(16).padStart(12, '0') + bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

export type LogReader = ReturnType<typeof logReader>;

/** Reads the log as a subscription hears it. What it may hear is decided at each reading. */
export function logReader(deps: {
  db: Database;
  clock: () => number;
  keptMs: number;
  /** A message's attachment as it is sent. */
  attachment: (stored: unknown) => unknown;
  /** Where an application answers a click: for its own eyes. */
  responseUrl: (interactionId: string) => string;
}) {
  const { db, clock, keptMs, attachment, responseUrl } = deps;

  const pace = new Pace(READ_PER_TURN);

  const reachOf = ({ application_id: applicationId }: EventSubscriptionRow, teamIds?: readonly string[]) =>
    findReach(db, { applicationId, since: clock() - keptMs, ...(teamIds && { teamIds }) });

  /** The teams that a subscription hears of now. */
  function teamsOf(subscription: EventSubscriptionRow, reach: Reach): readonly string[] {
    if (subscription.teams_json === null) return reach.teamIds;
    const wanted = new Set(JSON.parse(subscription.teams_json) as string[]);
    return reach.teamIds.filter((id) => wanted.has(id));
  }

  /** @returns the teams that a subscription hears of now, of some or of all */
  const listTeams = async (subscription: EventSubscriptionRow, among?: readonly string[]) =>
    teamsOf(subscription, await reachOf(subscription, among));

  /**
   * The events of one team in a range, the oldest first. @param upTo a place that was read before the subscription: what ends
   * or begins to be heard later is decided after all of the range @param limit how many rows are looked at
   */
  async function readTeam(
    subscription: EventSubscriptionRow,
    teamId: string,
    { after, upTo, limit }: { after: number; upTo: number; limit: number },
  ): Promise<HeardPage> {
    const [reach, rows] = await together([
      reachOf(subscription, [teamId]),
      listEventsOfTeam.all(db, { teamId, after, upTo, limit }),
    ]);
    if (reach.sleepsIn(teamId)) return { events: [], place: after, more: false };
    const end = Math.max(after, upTo);
    if (!teamsOf(subscription, reach).includes(teamId)) return { events: [], place: end, more: false };
    const more = rows.length === limit;
    const { events, cutAt } = await present(subscription, reach, rows);
    if (cutAt !== undefined) return { events, place: cutAt, more: true };
    return { events, place: more ? (rows.at(-1) as EventRow).place : end, more };
  }

  /** The teams with events in a range: a few of those that an application may be in. @returns undefined for a long range */
  async function teamsWithNews({ after, upTo }: { after: number; upTo: number }) {
    if (upTo - after > RANGE) return undefined;
    return (await listNews.all(db, { after, upTo })).map((row) => row.team_id);
  }

  /** The events of all its teams in a range, in one order. */
  async function readAll(
    subscription: EventSubscriptionRow,
    range: { after: number; upTo: number; limit: number },
  ): Promise<HeardPage> {
    const news = await teamsWithNews(range);
    if (news?.length === 0) return { events: [], place: Math.max(range.after, range.upTo), more: false };
    const reach = await reachOf(subscription, news);
    const teamIds = teamsOf(subscription, reach);
    let { after } = range;
    let length = RANGE;
    for (let turn = 0; turn < RANGES_AT_ONCE && after < range.upTo && teamIds.length > 0; turn++) {
      const upTo = Math.min(range.upTo, after + length);
      const rows = await listEventsOfTeams.all(db, { teamIds, after, upTo, limit: range.limit });
      const { events, cutAt } = await present(subscription, reach, rows);
      after = cutAt ?? (rows.length === range.limit ? (rows.at(-1) as EventRow).place : upTo);
      if (events.length > 0) return { events, place: after, more: after < range.upTo };
      if (rows.length * 8 < range.limit) length = Math.min(length * 8, LONGEST_RANGE);
    }
    if (teamIds.length === 0) after = Math.max(after, range.upTo);
    return { events: [], place: after, more: after < range.upTo };
  }

  /** @returns the events of some rows, and where long ones end the page early */
  async function present(
    subscription: EventSubscriptionRow,
    reach: Reach,
    rows: readonly EventRow[],
  ): Promise<{ events: Heard[]; cutAt?: number }> {
    const wanted = new Set(JSON.parse(subscription.kinds_json) as HeardKind[]);
    // To find one, a text is read.
    const asksForMentions = wanted.has('mention') || subscription.mentions_only === 1;
    const letOthers = (characters: number) => pace.turn(subscription.application_id, characters, true);
    const isHeard = (row: EventRow, { author, kinds }: Fact) =>
      (author === undefined || author !== reach.authorId || subscription.own_messages === 1) &&
      kinds.some((kind) => wanted.has(kind) && reach.allows(row, kind));
    const found: { row: EventRow; fact: Fact }[] = [];
    for (const row of rows) {
      await letOthers(row.data_json.length);
      const fact = factOf(row);
      if (fact && isHeard(row, fact)) found.push({ row, fact });
    }
    const versions = found.flatMap(({ fact }) => versionOf(fact) ?? []);
    const at = await findAtVersions(db, versions);
    const typeOf = await objectTypes(
      subscription,
      found.flatMap(({ fact }) => {
        if (fact.object !== undefined) return [fact.object];
        const version = versionOf(fact);
        const written = version && at(version);
        return written ? mentionedIds(written.row.mentions_json) : [];
      }),
    );
    const now = clock();
    const peopleNow = await membersNow(found);
    const heardAs = (row: EventRow, fact: Fact, message: MessageAt | undefined): Heard | undefined => {
      const isMention = asksForMentions && message !== undefined && mentions(message, reach.handle, typeOf);
      if (fact.message !== undefined && !passes(subscription, isMention, message, typeOf)) return undefined;
      if (fact.object !== undefined && !isOfType(subscription, [fact.object], typeOf)) return undefined;
      const links = wanted.has('link.posted')
        ? linksTo(reach.linkPrefixesIn(row.audience_id), fact, message)
        : [];
      const isOfKind: Partial<Record<HeardKind, boolean>> = {
        mention: isMention,
        'link.posted': links.length > 0,
      };
      const type = fact.kinds.find(
        (kind) => wanted.has(kind) && isOfKind[kind] !== false && reach.allows(row, kind),
      );
      if (type === undefined) return undefined;
      const person =
        fact.person === undefined ? undefined : peopleNow.get(memberKey(row.audience_id, fact.person));
      if (fact.person !== undefined && person === undefined) return undefined;
      const id = idOf(row);
      const timestamp = new Date(Number(row.created_at)).toISOString();
      const data = {
        team: row.audience_id,
        ...contentOf(fact, message),
        ...(person && howIs(person, now)),
        ...(type.startsWith('reaction.') && { emoji: fact.emoji }),
        ...(links.length > 0 && { links }),
        ...(fact.interaction !== undefined && { response_url: responseUrl(fact.interaction) }),
      };
      const json = JSON.stringify({ id, type, timestamp, data });
      const { interaction } = fact;
      return {
        ...{ id, type, team: row.audience_id, place: row.place, json },
        ...(interaction !== undefined && { interaction }),
      };
    };
    const events: Heard[] = [];
    let written = 0;
    for (const { row, fact } of found) {
      const version = versionOf(fact);
      const message = version && at(version);
      await letOthers(lengthOf(message));
      const event = heardAs(row, fact, message);
      if (event === undefined) continue;
      if (events.length > 0 && written + event.json.length > MOST_CHARACTERS)
        return { events, cutAt: (events.at(-1) as Heard).place };
      written += event.json.length;
      events.push(event);
    }
    return { events };
  }

  /** Those of whom some facts tell, by their teams, if they are members still. */
  async function membersNow(found: readonly { row: EventRow; fact: Fact }[]) {
    const told = found.flatMap(({ row, fact: { person } }) =>
      person === undefined ? [] : [{ team: row.audience_id, person }],
    );
    if (told.length === 0) return new Map<string, MemberNow>();
    const teamIds = [...new Set(told.map(({ team }) => team))];
    const userIds = [...new Set(told.map(({ person }) => person))];
    const rows: MemberNow[] = await listMembersNow.all(db, { teamIds, userIds });
    return new Map(rows.map((row) => [memberKey(row.team_id, row.user_id), row]));
  }

  /** The types of the application's own objects among these. */
  async function objectTypes(
    subscription: EventSubscriptionRow,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const rows = await listTypes.all(db, { ids, applicationId: subscription.application_id });
    return new Map(rows.map(({ id, type }) => [id, type]));
  }

  function contentOf(fact: Fact, at: MessageAt | undefined): object {
    const { message: id, version } = fact;
    if (id === undefined) return fact.about;
    if (at === undefined || version === undefined) return { message: { id }, ...fact.about };
    const { row, text, blocks_json } = at;
    const message = {
      id,
      version,
      text,
      ...(blocks_json !== null && { blocks: JSON.parse(blocks_json) as unknown[] }),
      author: row.author_id,
      author_type: row.is_application === 1 ? 'application' : 'user',
      via_app: row.application_id,
      reply_to: row.root_id,
      mentions: JSON.parse(row.mentions_json) as unknown[],
      attachments: (JSON.parse(row.attachments_json) as unknown[]).map(attachment),
      created_at: row.created_at / 1000,
    };
    return { message, ...fact.about };
  }

  /** Finds events of a subscription's teams by their ids. Those that are no more, or were never, are left out. */
  async function findByIds(subscription: EventSubscriptionRow, ids: readonly string[]): Promise<EventRow[]> {
    const wanted = new Set(ids);
    const times = new Set(ids.map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)));
    const rows = await listEventsAt.all(db, { times: [...times].filter(Number.isSafeInteger) });
    const found = rows.filter((row) => wanted.has(idOf(row)));
    const teamIds = [...new Set(found.map(({ audience_id }) => audience_id))];
    const heard = new Set(await listTeams(subscription, teamIds));
    return found.filter(({ audience_id }) => heard.has(audience_id));
  }

  return { listTeams, readTeam, readAll, findByIds };
}

/** A row of the log, before its hearers are known. */
interface Fact {
  /** The kinds that it can be, the most special one first. */
  readonly kinds: readonly HeardKind[];
  readonly message?: string;
  readonly object?: string;
  /** A member of whom it tells how they are. */
  readonly person?: string;
  readonly emoji?: string | undefined;
  readonly interaction?: string;
  /** The author of the post, of the edit or of the reaction. */
  readonly author?: string;
  /** The version of the message that it tells of; undefined where its content is not sent. */
  readonly version?: number;
  /** Its data beside the team and the message. */
  readonly about: object;
}

interface StoredData {
  readonly message: string;
  readonly author?: string;
  readonly root?: string;
  readonly change?: string;
  readonly version?: number;
  readonly user?: string;
  readonly emoji?: string;
  readonly installation?: string;
  readonly object?: string;
  readonly subject?: string;
  readonly name?: string;
}

const CHANGES: Readonly<Record<string, HeardKind>> = {
  deleted: 'message.deleted',
  reaction_added: 'reaction.added',
  reaction_removed: 'reaction.removed',
  pinned: 'message.pinned',
  unpinned: 'message.unpinned',
  member_added: 'member.joined',
  member_removed: 'member.left',
  role_changed: 'member.role_changed',
  installed: 'installation.created',
  scopes: 'installation.scopes_changed',
  removed: 'installation.removed',
};

/** The names that the interface has for reactions with 🙌. */
const OF_HIGH_FIVE: Partial<Record<HeardKind, HeardKind>> = {
  'reaction.added': 'high_five.given',
  'reaction.removed': 'high_five.withdrawn',
};

const versionOf = ({ message, version }: Fact): VersionOf | undefined =>
  message === undefined || version === undefined ? undefined : { message, version };

const lengthOf = (at: MessageAt | undefined) => (at?.text?.length ?? 0) + (at?.blocks_json?.length ?? 0);

const writtenBy = ({ message, author }: StoredData) => ({ message, ...(author !== undefined && { author }) });

function factOf(row: EventRow): Fact | undefined {
  const data = JSON.parse(row.data_json) as StoredData;
  if (row.kind === 'message.created') {
    const plain = data.root === undefined ? 'message.posted' : 'reply.posted';
    return { kinds: ['mention', 'link.posted', plain], ...writtenBy(data), version: 1, about: {} };
  }
  if (row.kind === 'message.updated' && data.change === 'edited')
    return { kinds: ['message.edited'], ...writtenBy(data), version: data.version ?? 1, about: {} };
  if (row.kind === 'object.opened')
    return {
      kinds: [row.kind],
      object: data.object as string,
      about: { object: data.object, user: data.user },
    };
  if (row.kind === 'whereabouts') {
    const user = data.user as string;
    return { kinds: ['person.changed'], person: user, about: { user } };
  }
  if (row.kind === 'click') {
    const {
      application: _,
      message,
      ...about
    } = data as Partial<StoredData> & {
      application: string;
      id: string;
      kind: string;
    };
    const { kind, ...opened } = about;
    if (kind === 'opened') return { kinds: ['application.opened'], interaction: about.id, about: opened };
    return {
      kinds: ['interaction'],
      interaction: about.id,
      about: { ...(message !== undefined && { message: { id: message } }), ...about },
    };
  }
  if (row.kind === 'direct') {
    const version = data.change === 'deleted' ? undefined : (data.version ?? 1);
    const told = { message: data.message, about: { user: data.user } };
    return {
      kinds: [`direct.${data.change}` as HeardKind],
      ...told,
      ...(version !== undefined && { version }),
    };
  }
  if (row.kind === 'subject.updated')
    return {
      kinds: [`subject.${data.change}` as HeardKind],
      about: { subject: { id: data.subject, name: data.name }, user: data.user },
    };
  const kind = CHANGES[data.change ?? ''];
  if (kind === undefined) return undefined;
  if (row.kind === 'message.updated')
    return {
      kinds: [...(data.emoji === HIGH_FIVE ? [OF_HIGH_FIVE[kind] ?? kind] : []), kind],
      message: data.message,
      emoji: data.emoji,
      ...(data.emoji !== undefined && data.user !== undefined && { author: data.user }),
      about: data.user === undefined ? {} : { user: data.user },
    };
  if (row.kind === 'team.members') return { kinds: [kind], about: { user: data.user } };
  if (row.kind === 'installation.updated')
    return { kinds: [kind], about: { installation: data.installation } };
  return undefined;
}

type MemberNow = StatusColumns & { readonly team_id: string; readonly user_id: string };

const memberKey = (teamId: string, userId: string) => `${teamId} ${userId}`;

/** A status that has ended is null. Being invisible is told to nobody. */
function howIs(member: MemberNow, now: number): object {
  const { status = null, do_not_disturb_until = null } = whereaboutsOf(member, now);
  return { status, do_not_disturb_until };
}

const mentionedIds = (json: string): string[] =>
  json === '[]' ? [] : (JSON.parse(json) as { id: string }[]).map(({ id }) => id);

function mentions(
  { row, text, format }: MessageAt,
  handle: string | undefined,
  typeOf: ReadonlyMap<string, string>,
): boolean {
  if (mentionedIds(row.mentions_json).some((id) => typeOf.has(id))) return true;
  return handle !== undefined && text?.includes('@') === true && mentionedNames(text, format).has(handle);
}

/** The links of a new message that are below these addresses. */
function linksTo(prefixes: readonly string[], fact: Fact, at: MessageAt | undefined): { url: string }[] {
  if (prefixes.length === 0 || !at?.text || !fact.kinds.includes('link.posted')) return [];
  return at
    .links()
    .slice(0, MOST_LINKS)
    .filter((url) => prefixes.some((prefix) => isBelow(url, prefix)))
    .map((url) => ({ url }));
}

function passes(
  { mentions_only, object_type }: EventSubscriptionRow,
  isMention: boolean,
  at: MessageAt | undefined,
  typeOf: ReadonlyMap<string, string>,
): boolean {
  if (mentions_only === 1 && !isMention) return false;
  return isOfType({ object_type }, at ? mentionedIds(at.row.mentions_json) : [], typeOf);
}

const isOfType = (
  { object_type }: Pick<EventSubscriptionRow, 'object_type'>,
  ids: readonly string[],
  typeOf: ReadonlyMap<string, string>,
) => object_type === null || ids.some((id) => typeOf.get(id) === object_type);
