import type { Database } from '#platform/db/index.ts';
import { Client } from '../test/support/client.ts';
import { pathOf, pullAll } from '../test/support/feed.ts';
import type { Mailbox } from '../test/support/mailbox.ts';
import type { ApplicationHost } from '../test/support/people.ts';
import { faultsOf } from '../test/support/receivers.ts';
import type { DayLoad } from './day-load.ts';
import type { Programs } from './day-people.ts';
import { AUDITED, type DayStreams, type Heard } from './day-streams.ts';

const SAMPLED_UPLOADS = 50;
const SAMPLED_PEOPLE = 40;

interface Day {
  readonly url: string;
  readonly db: Database;
  readonly load: DayLoad;
  readonly streams: DayStreams;
  readonly programs: Programs;
  readonly host: ApplicationHost;
  readonly mailbox: Mailbox;
}

interface Row {
  readonly id: string;
  readonly team_id: string | null;
  readonly root_id: string | null;
  readonly seq: number | null;
  readonly text: string;
  readonly deleted_at: number | null;
  readonly num_replies: number;
  readonly num_high_fives: number;
}

/** Compares all that a day left with what was acknowledged. The server still runs. @returns a sentence for each fault */
export async function auditDay(day: Day): Promise<string[]> {
  return [
    ...day.load.faults,
    ...(await auditMessages(day)),
    ...(await auditStreams(day)),
    ...(await auditMentions(day)),
    ...(await auditCounts(day)),
    ...(await auditUploads(day)),
    ...(await auditApplication(day)),
    ...auditMails(day),
  ];
}

async function auditMessages({ db, load }: Day): Promise<string[]> {
  const rows = await db.all<Row>(
    'SELECT id, team_id, root_id, seq, text, deleted_at, num_replies, num_high_fives FROM messages',
    [],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faults: string[] = [];
  for (const one of load.posted.values()) {
    const row = byId.get(one.id);
    if (!row) faults.push(`the ${one.kind} ${one.id} is lost`);
    else if (one.deleted !== (row.deleted_at !== null))
      faults.push(`${one.id} should be deleted: ${one.deleted}`);
    else if (!one.deleted && row.text !== one.text) faults.push(`${one.id} has another text`);
    else if (!one.deleted && Number(row.num_replies) !== one.replies)
      faults.push(`${one.id} has ${row.num_replies} replies, and not ${one.replies}`);
    else if (!one.deleted && Number(row.num_high_fives) !== one.highFives.size)
      faults.push(`${one.id} has ${row.num_high_fives} high fives, and not ${one.highFives.size}`);
  }
  const texts = rows.filter(({ deleted_at }) => deleted_at === null).map(({ text }) => text);
  if (new Set(texts).size < texts.length) faults.push('a message is stored twice');
  for (const [of, seqs] of grouped(
    rows.filter(({ seq }) => seq !== null),
    ({ team_id }) => team_id,
  )) {
    const places = new Set(seqs.map(({ seq }) => Number(seq)));
    if (places.size < seqs.length || Math.max(...places) !== seqs.length)
      faults.push(`the places of team ${of} have a gap`);
  }
  return faults;
}

interface Expected {
  /** The places of events in the log, by their audience. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Events of reactions that streams may leave out, since a later event of the same message stands for them. */
  readonly spared: ReadonlySet<number>;
}

interface LoggedEvent {
  readonly place: number;
  readonly kind: string;
  readonly audience_id: string;
  readonly data_json: string;
}

async function expectedOf(db: Database): Promise<Expected> {
  const rows = await db.all<LoggedEvent>(
    'SELECT place, kind, audience_id, data_json FROM events WHERE place IS NOT NULL ORDER BY place',
    [],
  );
  const audited = rows.filter(({ kind }) => AUDITED.includes(kind));
  const places = grouped(audited, ({ audience_id }) => audience_id);
  return {
    places: new Map([...places].map(([id, of]) => [id, of.map(({ place }) => Number(place))])),
    spared: sparedIn(rows.filter(({ kind }) => kind === 'message.updated')),
  };
}

function sparedIn(updates: readonly LoggedEvent[]): ReadonlySet<number> {
  const told = new Set<string>();
  const spared = new Set<number>();
  for (const { place, audience_id, data_json } of updates.toReversed()) {
    const { message, change } = JSON.parse(data_json) as { message: string; change?: string };
    const key = `${audience_id} ${message}`;
    if (change?.startsWith('reaction_') && told.has(key)) spared.add(Number(place));
    told.add(key);
  }
  return spared;
}

function placesFor({ person, from, places: heard }: Heard, { places, spared }: Expected): number[] {
  const known = new Set(heard);
  return [person.id, ...person.teams]
    .flatMap((id) => places.get(id) ?? [])
    .filter((place) => place > from && (known.has(place) || !spared.has(place)))
    .sort((one, other) => one - other);
}

async function auditStreams({ db, streams }: Day): Promise<string[]> {
  const expected = await expectedOf(db);
  const faults = streams.resets > 0 ? [`${streams.resets} streams had to begin again`] : [];
  for (const one of streams.heard) {
    const wanted = placesFor(one, expected);
    const first = wanted.findIndex((place, index) => place !== one.places[index]);
    if (first !== -1 || wanted.length !== one.places.length)
      faults.push(
        `the stream of ${one.person.name} brought ${one.places.length} of ${wanted.length} events, and differs from number ${first} on`,
      );
  }
  return faults;
}

/** A call by name is in the inbox. One that was edited away or deleted may never have come there. */
async function auditMentions({ db, load }: Day): Promise<string[]> {
  const rows = await db.all<{ user_id: string; root_id: string }>(
    'SELECT user_id, root_id FROM inbox_entries',
    [],
  );
  const entries = new Set(rows.map(({ user_id, root_id }) => `${user_id} ${root_id}`));
  const stands = (id: string, text: string) => {
    const message = load.posted.get(id);
    return message?.text === text && !message.deleted;
  };
  return [...load.mentions]
    .filter(([id, { userId, text }]) => stands(id, text) && !entries.has(`${userId} ${id}`))
    .map(([id, { userId }]) => `the mention ${id} is not in the inbox of ${userId}`);
}

/** What teams show as unread, beside a count of the rows. */
async function auditCounts({ url, db, streams }: Day): Promise<string[]> {
  const faults: string[] = [];
  for (const { person } of streams.heard.slice(0, SAMPLED_PEOPLE)) {
    const client = new Client(url, { Cookie: person.cookie, Origin: url });
    const { data } = await client.get('/v1/users/me/teams');
    const [mark, other] = db.dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2'];
    for (const { team } of data) {
      const { id, unread_count: shown } = team;
      const [row] = await db.all<{ count: number }>(
        `SELECT count(*) AS count FROM messages JOIN memberships ON memberships.team_id = messages.team_id
         AND memberships.user_id = ${mark}
         WHERE messages.team_id = ${other} AND seq > read_seq AND deleted_at IS NULL
         AND (author_id IS NULL OR author_id <> memberships.user_id)
         AND NOT EXISTS (SELECT 1 FROM read_marks WHERE read_marks.message_id = messages.id
           AND read_marks.user_id = memberships.user_id AND is_read = 1)`,
        [person.id, id],
      );
      if (Number(row?.count) !== shown)
        faults.push(`${person.name} is shown ${shown} unread, and not ${row?.count}`);
    }
  }
  return faults;
}

async function auditUploads({ url, load }: Day): Promise<string[]> {
  const faults: string[] = [];
  for (const [id, { bytes, by, message }] of [...load.uploads].slice(0, SAMPLED_UPLOADS)) {
    if (load.posted.get(message)?.deleted) continue;
    const headers = { Cookie: by.cookie };
    const answer = await fetch(`${url}/v1/attachments/${id}`, { headers });
    if (!Buffer.from(await answer.arrayBuffer()).equals(bytes)) faults.push(`the file ${id} has other bytes`);
  }
  return faults;
}

const subscriptionOf = ({ applicationId, subscription }: Programs) =>
  pathOf({ id: applicationId } as Parameters<typeof pathOf>[0], subscription);

/** The events that the webhook took: what it refused is sent again. */
const eventsHeard = ({ received }: ApplicationHost) =>
  received.filter(({ path }) => path === '/heard').flatMap(({ body }) => [body].flat());

async function auditApplication({ programs, host }: Day): Promise<string[]> {
  const { events } = await pullAll(programs.application, subscriptionOf(programs), 'limit=200');
  const log = events.map(({ id, data }) => ({ id, team: String(data.team) }));
  const seen = new Set<string>();
  const once = eventsHeard(host)
    .map(({ id, data }) => ({ id, team: String(data.team) }))
    .filter(({ id }) => !seen.has(id) && seen.add(id));
  return faultsOf(once, log).map((fault) => `webhook: ${fault}`);
}

/** No message is told twice to one person. */
function auditMails({ mailbox }: Day): string[] {
  const told = new Set<string>();
  const faults: string[] = [];
  for (const { to, text } of mailbox.received) {
    for (const [number] of text.matchAll(/Number \d+x/g)) {
      const one = `${to}: ${number}`;
      if (told.has(one)) faults.push(`a mail tells ${one} again`);
      told.add(one);
    }
  }
  return faults;
}

function grouped<T>(all: readonly T[], of: (one: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = of(one) ?? '';
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
