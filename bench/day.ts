/**
 * A working day of a company on one server, a few seconds of it: people write, read, search and listen, programs post and
 * hear, mails go out, and each step is n times the mix of the one before. In the end each event, count, upload, mail and call
 * is compared with what was acknowledged. The figure is how many people are served with notices on time.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { query } from '#schema';
import { readConfig } from '../src/process/config.ts';
import { Mailbox, refusal } from '../test/support/mailbox.ts';
import { ApplicationHost, signUp } from '../test/support/people.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { chances } from '../test/support/receivers.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { auditDay } from './day-audit.ts';
import { DayLoad } from './day-load.ts';
import { addPrograms, type Company, type Programs, type Size, seedCompany } from './day-people.ts';
import { DayStreams } from './day-streams.ts';
import { percentile } from './load.ts';
import { SERVER, type Subject, startSubject } from './process.ts';
import type { Figure } from './table.ts';

const SIZE: Size = { people: 600, teams: 60, members: 75 };
const STREAMS = 500;
const FACTORS = [1, 2, 4, 8, 12];
/** A server that has just started plans its statements and compiles its code: a day begins long after that. */
const WARM_UP_S = 5;
/** When a day is held. */
const POSTS_P99_MS = 250;
const MENTIONS_P99_MS = 300;
const OLDEST_NOTICE_S = 2;
/** What is missing so long after the load is lost. */
const SETTLED_WITHIN_MS = 60_000;
const AUDITED_EVERY_MS = 500;
const DROP_EVERY_MS = 10_000;
const DROPPED = 0.02;
const FAILING_CALLS = 0.01;
const REFUSED_MAILS = 0.1;
/** As shipped: the day has the mails of a usual server. */
const MAIL_BATCH_MS = readConfig({}, '').MAIL_BATCH_SECONDS * 1000;
const METRICS_TOKEN = 'bench-day-metrics-token';

/** What takes part beside the server. */
export class Surroundings {
  readonly mailbox = new Mailbox();
  readonly host = new ApplicationHost();
  readonly chance = chances(7);

  async start(): Promise<this> {
    await this.mailbox.start();
    await this.host.start();
    this.mailbox.onMail = () => {
      if (this.chance() < REFUSED_MAILS) throw refusal(451);
    };
    return this;
  }

  /** A receiver that fails now and then. Until it is called, calls succeed. */
  failNowAndThen(): void {
    this.host.beforeAnswer = async () => {
      this.host.status = this.chance() < FAILING_CALLS ? 500 : 200;
    };
  }

  /** Calls that were answered with a failure are made again. */
  succeed(): void {
    this.host.beforeAnswer = undefined;
    this.host.status = 200;
  }

  settings(cookieKey: Buffer): NodeJS.ProcessEnv {
    return {
      COOKIE_KEY: cookieKey.toString('base64'),
      SMTP_URL: this.mailbox.url,
      MAIL_FROM: 'Parley <parley@example.org>',
      ALLOW_LOOPBACK_APPS: 'yes',
      METRICS_TOKEN,
      RATE_LIMIT: 'off',
    };
  }

  async stop(): Promise<void> {
    await this.host.stop();
    await this.mailbox.stop();
  }
}

export interface DayOptions {
  readonly url: string;
  readonly db: Database;
  readonly company: Company;
  readonly programs: Programs;
  readonly surroundings: Surroundings;
  readonly streams: number;
  readonly seconds: number;
  readonly factor: number;
}

/** What a day was like. */
export interface DayResult {
  readonly faults: readonly string[];
  readonly load: DayLoad;
  /** The age of the oldest notice that waited, the most that was seen, in seconds. */
  readonly oldestNotice: number;
  readonly events: number;
  readonly resumed: number;
}

/** Carries out a day, waits until all of it is heard, and audits it. */
export async function runDay(options: DayOptions): Promise<DayResult> {
  const { url, db, company, programs, surroundings, seconds, factor } = options;
  const { chance, host, mailbox } = surroundings;
  const load = new DayLoad(url, company, programs, chance);
  const people = company.people.slice(0, options.streams);
  const streams = new DayStreams(url, people, (user, conversation) => load.noticed(user, conversation));
  let oldestNotice = 0;
  const dropping = setInterval(() => streams.drop(DROPPED, chance), Math.min(DROP_EVERY_MS, seconds * 200));
  const looking = setInterval(() => {
    void oldestNoticeOf(url).then((age) => {
      oldestNotice = Math.max(oldestNotice, age);
    });
  }, 500);
  try {
    await streams.open();
    surroundings.failNowAndThen();
    await load.run(seconds, factor);
    clearInterval(looking);
    clearInterval(dropping);
    surroundings.succeed();
    const day = { url, db, load, streams, programs, host, mailbox };
    const faults = await settled(() => auditDay(day));
    const events = streams.heard.reduce((sum, { places }) => sum + places.length, 0);
    return { faults, load, oldestNotice, events, resumed: streams.resumed };
  } finally {
    clearInterval(dropping);
    clearInterval(looking);
    streams.close();
  }
}

/** Audits until nothing is amiss twice in a row, or the time is over: what follows from a request may still be on its way. */
async function settled(audit: () => Promise<string[]>): Promise<string[]> {
  const end = performance.now() + SETTLED_WITHIN_MS;
  for (let clean = 0; ; await pause(AUDITED_EVERY_MS)) {
    const faults = await audit();
    clean = faults.length === 0 ? clean + 1 : 0;
    if (clean === 2 || performance.now() > end) return faults;
  }
}

/** On a day that began long ago, people's mails are due at all moments of the time for which each is collected. */
async function spreadMails(db: Database, chance: () => number): Promise<void> {
  await db.write(async (tx) => {
    const waiting = await query(tx, (q) => q.selectFrom('mail_batches').selectAll());
    for (const { user_id, due_at } of waiting)
      await query(tx, (q) =>
        q
          .updateTable('mail_batches')
          .set({ due_at: Math.round(due_at - chance() * MAIL_BATCH_MS) })
          .where('user_id', '=', user_id)
          .returning('user_id'),
      );
  });
}

async function oldestNoticeOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  }).catch(() => undefined);
  const text = (await answer?.text()) ?? '';
  const ages = [...text.matchAll(/^parley_queue_oldest_seconds\{[^}]*queue="notices[^}]*\} (\S+)$/gm)];
  return Math.max(0, ...ages.map(([, age]) => Number(age)));
}

/** Milliseconds until a stream told of a mention. Some people have none open, or have read it before. */
const noticedAfter = ({ mentions }: DayLoad): number[] =>
  [...mentions.values()].flatMap(({ sentAt, noticedAt }) =>
    noticedAt === undefined ? [] : [noticedAt - sentAt],
  );

/** @throws when something was lost, doubled or out of order @returns people served on each database */
export function benchDay(options: {
  seconds: number;
  postgres: boolean;
  settings: NodeJS.ProcessEnv;
}): Promise<Figure[]> {
  return withDatabases(async (_, postgres) => {
    const figures = await onDatabase('SQLite', options, undefined);
    if (!options.postgres) return figures;
    return [...figures, ...(await onDatabase('PostgreSQL', options, await createDatabase(postgres.url)))];
  });
}

async function onDatabase(
  name: string,
  { seconds, settings }: { seconds: number; settings: NodeJS.ProcessEnv },
  DATABASE_URL: string | undefined,
): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-day-'));
  const surroundings = await new Surroundings().start();
  const cookieKey = randomBytes(32);
  const environment = {
    ...settings,
    ...surroundings.settings(cookieKey),
    REGISTRATION: 'open',
    MAX_CONNECTIONS_PER_NETWORK: '10000',
    DATA_DIR: folder,
    ...(DATABASE_URL !== undefined && { DATABASE_URL }),
  };
  const open = async (): Promise<Database> =>
    DATABASE_URL === undefined ? new SqliteDatabase(join(folder, 'parley.db')) : openPostgres(DATABASE_URL);
  let server: Subject | undefined;
  let db: Database | undefined;
  try {
    server = await startSubject(SERVER, environment);
    const owner = await signUp({ url: server.url } as Parameters<typeof signUp>[0], 'Owner');
    await server.stop();
    db = await open();
    const company = await seedCompany(db, owner.id, cookieKey, SIZE);
    server = await startSubject(SERVER, environment);
    const { client } = owner;
    const moved = { ...owner, client: client.at(server.url) };
    moved.client.password = client.password;
    const programs = await addPrograms(moved, company, surroundings.host);
    const figures: Figure[] = [];
    let served = 0;
    const day = { url: server.url, db, company, programs, surroundings, streams: STREAMS };
    const audited = async (factor: number, duration: number) => {
      const result = await runDay({ ...day, factor, seconds: duration });
      if (result.faults.length === 0) return result;
      throw new Error(`${name}, ${factor} times:\n${result.faults.slice(0, 20).join('\n')}`);
    };
    await audited(1, WARM_UP_S);
    await spreadMails(db, surroundings.chance);
    for (const factor of FACTORS) {
      const result = await audited(factor, seconds);
      const posts = percentile(result.load.times.get('post') ?? [], 99);
      const mentions = percentile(noticedAfter(result.load), 99);
      const add = (what: string, value: number, unit: string, below: number | undefined) =>
        figures.push({ name: `${name}, ${factor} times: ${what}`, value, unit, below });
      add('posts, p99', posts, 'ms', POSTS_P99_MS);
      add('mentions noticed, p99', mentions, 'ms', MENTIONS_P99_MS);
      add('oldest notice', result.oldestNotice, 's', OLDEST_NOTICE_S);
      add('events compared', result.events, '', undefined);
      const isHeld =
        posts <= POSTS_P99_MS && mentions <= MENTIONS_P99_MS && result.oldestNotice <= OLDEST_NOTICE_S;
      if (!isHeld) break;
      served = factor * SIZE.people;
    }
    return [
      { name: `${name}: people served with notices on time`, value: served, unit: '', below: undefined },
      ...figures,
    ];
  } finally {
    await server?.stop();
    await db?.close();
    await surroundings.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
