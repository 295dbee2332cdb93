/** Measures each case beside its reference in the same run, or carries out one of the longer trials. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cipher } from '#platform/crypto/index.ts';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { benchClicks } from './clicks.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { benchDay } from './day.ts';
import { benchDisk } from './disk.ts';
import { benchDyingReceivers } from './dying-receivers.ts';
import { benchFailovers } from './failovers.ts';
import { postsWithOneFsyncEach } from './fsync.ts';
import { benchHearing } from './hearing.ts';
import { benchHotTeam } from './hot-team.ts';
import { type Comparison, compare, measure, median, type Target } from './load.ts';
import { benchManyTeams } from './many-teams.ts';
import { record } from './measured.ts';
import { seedMessages } from './messages-seed.ts';
import { benchMessaging } from './messaging.ts';
import { benchNodes } from './nodes.ts';
import { benchPowerCuts } from './power-cuts.ts';
import { SERVER, type Subject, startSubject } from './process.ts';
import { benchProcesses } from './processes.ts';
import { type Seed, seed } from './seed.ts';
import { benchSoak } from './soak.ts';
import { type Figure, type Line, lineOf, machine, print } from './table.ts';
import { benchWeb } from './web.ts';
import { benchWriting } from './writing.ts';

const USAGE = `npm run bench -- [--json FILE] [--seconds N] [--rounds N] [--no-postgres]
  measures each case beside its reference; compare ratios, since figures of different machines or days are not comparable
--record                      keeps what was measured in bench/measured.json, for the documents
--messaging [--messages N]    reading, searching and live events
--clicks                      from a click in a message to the application's answer
--disk                        what a message takes of the disk
--web                         waiting times in a browser
--hearing [--minutes N] [--rate N]
                              kills receivers of events, and compares what they have in the end
--failovers [--times N] [--rate N]
                              ends the primary of PostgreSQL again and again
--power-cuts [--times N]      takes back writes that SQLite had not synced
--day [--seconds N]           a working day of 600 people, 1,200 and so on, until notices are late; 20 seconds of each
--soak [--minutes N] [--streams N] [--rate N]
                              kills servers of a cluster
`;
const options = {
  help: { type: 'boolean', default: false },
  json: { type: 'string' },
  record: { type: 'boolean', default: false },
  seconds: { type: 'string' },
  rounds: { type: 'string', default: '9' },
  'no-postgres': { type: 'boolean', default: false },
  messaging: { type: 'boolean', default: false },
  clicks: { type: 'boolean', default: false },
  disk: { type: 'boolean', default: false },
  web: { type: 'boolean', default: false },
  hearing: { type: 'boolean', default: false },
  minutes: { type: 'string', default: '10' },
  failovers: { type: 'boolean', default: false },
  'power-cuts': { type: 'boolean', default: false },
  day: { type: 'boolean', default: false },
  soak: { type: 'boolean', default: false },
  streams: { type: 'string', default: '10000' },
  times: { type: 'string', default: '20' },
  rate: { type: 'string' },
  messages: { type: 'string', default: '1000000' },
} as const;

const NUMBERS = ['seconds', 'rounds', 'minutes', 'streams', 'times', 'rate', 'messages'] as const;

const values = readOptions();
const seconds = numberOf('seconds', 1);
const rounds = numberOf('rounds');

// Whatever was begun ends with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(128 + constants.signals[signal]));

const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
const key = randomBytes(32);
const SECRET = 'a67ee2e2-5e6c-4a3e-8d8c-2a4f1c7e9b10';
const SMALL = 10;
const MIDDLE = 1000;
const LARGE = 10_000;
const STARTS = 5;
const MESSAGES = 1000;

/** The least acceptable ratio on each database. */
type Targets = { readonly sqlite?: number; readonly postgres?: number };

const lines: Line[] = [];
const figures: Figure[] = [];

try {
  if (values.web) {
    const result = await benchWeb({ rounds, seconds, postgres: !values['no-postgres'] });
    lines.push(...result.lines);
    figures.push(...result.figures);
  } else if (values.disk) {
    figures.push(...(await benchDisk({ seconds, settings: settings() })));
  } else if (values.clicks) {
    const result = await benchClicks({ rounds, seconds, settings: settings() });
    lines.push(...result.lines);
    figures.push(...result.figures);
  } else if (values.hearing) {
    const [minutes, rate] = [numberOf('minutes'), numberOf('rate', 200)];
    const postgres = !values['no-postgres'];
    figures.push(...(await benchDyingReceivers({ minutes, rate, postgres, settings: settings() })));
  } else if (values.failovers) {
    const [times, rate] = [numberOf('times'), numberOf('rate', 300)];
    figures.push(...(await benchFailovers({ times, rate, settings: settings() })));
  } else if (values.day) {
    const postgres = !values['no-postgres'];
    figures.push(...(await benchDay({ seconds: numberOf('seconds', 20), postgres, settings: settings() })));
  } else if (values.soak) {
    const [minutes, streams, rate] = [numberOf('minutes'), numberOf('streams'), numberOf('rate', 280)];
    figures.push(...(await benchSoak({ minutes, streams, rate, settings: settings() })));
  } else if (values['power-cuts']) {
    figures.push(...(await benchPowerCuts({ times: numberOf('times') })));
  } else if (values.messaging) {
    const messages = numberOf('messages');
    const result = await benchMessaging({ messages, inbox: messages / 10, seconds, rounds });
    lines.push(...result.lines);
    figures.push(...result.figures);
  } else {
    await benchSqlite();
    if (!values['no-postgres']) {
      await benchPostgres();
      const hot = await benchHotTeam({ seconds, rounds, settings: settings() });
      lines.push(...hot.lines);
      figures.push(...hot.figures);
      const writing = await benchWriting({ seconds, rounds, settings: settings() });
      lines.push(...writing.lines);
      figures.push(...writing.figures);
      const hearing = await benchHearing({ seconds, rounds, settings: settings() });
      lines.push(...hearing.lines);
      figures.push(...hearing.figures);
      const nodes = await benchNodes({ seconds, rounds, settings: settings() });
      lines.push(...nodes.lines);
      figures.push(...nodes.figures);
      const processes = await benchProcesses({ seconds, rounds, settings: settings() });
      lines.push(...processes.lines);
      figures.push(...processes.figures);
      lines.push(...(await benchManyTeams({ seconds: 4 * seconds, rounds, settings: settings() })));
    }
  }
  print(lines, figures);
  if (values.record) record(lines, figures);
  if (values.json)
    writeFileSync(values.json, JSON.stringify({ machine: machine(), lines, figures }, null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function benchSqlite(): Promise<void> {
  const data = join(folder, 'sqlite');
  const environment = { DATA_DIR: data, ...settings() };
  const first = await startSubject(SERVER, environment);
  await first.stop();
  const seeded = await withSeed(new SqliteDatabase(join(data, 'parley.db')));
  const starts: number[] = [];
  for (let n = 0; n < STARTS; n++) {
    const subject = await startSubject(SERVER, environment);
    starts.push(subject.startedInMs);
    if (n === 0)
      figures.push({ name: 'memory at rest', value: subject.memory().now, unit: 'MiB', below: 150 });
    await subject.stop();
  }
  figures.push({ name: 'from node to listening', value: median(starts), unit: 'ms', below: 1000 });
  await benchServer('SQLite', environment, seeded);
}

function benchPostgres(): Promise<void> {
  return withDatabases(async (data, postgres) => {
    const DATABASE_URL = process.env.BENCH_DATABASE_URL ?? (await createDatabase(postgres.url));
    const seeded = await withSeed(await openPostgres(DATABASE_URL));
    await benchServer('PostgreSQL', { DATA_DIR: data, DATABASE_URL, ...settings() }, seeded);
  });
}

function settings(): NodeJS.ProcessEnv {
  return {
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'info',
    REFRESH_GRACE: '600',
    ENCRYPTION_KEY: key.toString('base64'),
    NODE_COMPILE_CACHE: join(folder, 'compile'),
  };
}

async function withSeed(db: Database): Promise<Seed> {
  try {
    const seeded = await seed(db, [SMALL, MIDDLE, LARGE], new Cipher(key).encrypt(SECRET));
    await seedMessages(db, MESSAGES, seeded.userIds[1] as string, { team: seeded.teams[SMALL] as string });
    return seeded;
  } finally {
    await db.close();
  }
}

async function benchServer(database: string, environment: NodeJS.ProcessEnv, seeded: Seed): Promise<void> {
  const server = await startSubject(SERVER, environment);
  const onSqlite = database === 'SQLite';
  const headers = (size: number) => ({
    Authorization: `Bearer ${seeded.tokens[size]}`,
    'Content-Type': 'application/json',
  });
  const get = (path: string, size = SMALL): Target => ({ url: server.url + path, headers: headers(size) });
  const post = (size: number): Target => ({
    url: `${server.url}/v1/messages`,
    method: 'POST',
    headers: headers(size),
    body: JSON.stringify({
      text: 'A message of ordinary length, as people write them.',
      addressed_teams: [seeded.teams[size]],
    }),
  });
  const add = (name: string, both: Comparison, reference: string, targets: Targets = {}) =>
    lines.push(
      lineOf(both, { name, database, reference, target: targets[onSqlite ? 'sqlite' : 'postgres'] }),
    );

  const ofReads: Record<string, Targets> = {
    '/v1/users/me': { sqlite: 0.45, postgres: 0.2 },
    '/v1/oauth2/test/app_as_user': { sqlite: 0.65, postgres: 0.35 },
  };
  for (const [path, targets] of Object.entries(ofReads)) {
    add(`GET ${path}`, await beside(get(path), ['bench/bare.ts'], {}), 'bare node:http', targets);
  }
  // Further ones would be refused: whole lists are read a few at a time, and only some wait.
  const members = { ...get(`/v1/teams/${seeded.teams[MIDDLE]}/users`, MIDDLE), connections: 16 };
  const listed = await beside(members, ['bench/bare.ts'], { SERIALISE: '1' }, 4 * seconds);
  add('GET 1,000 members', listed, 'serialising alone', { sqlite: 0.7, postgres: 0.7 });
  const messages = get(`/v1/messages?team=${seeded.teams[SMALL]}&limit=50`);
  const newest = await beside(messages, ['bench/bare.ts'], { SERIALISE: '1' });
  add('GET 50 newest of a team', newest, 'serialising alone', { sqlite: 0.5, postgres: 0.5 });
  const posted = await beside(post(SMALL), ['bench/no-storage.ts'], {});
  add('POST to a team, durable', posted, 'without storage', { sqlite: 0.5, postgres: 0.3 });
  if (onSqlite) {
    const file = join(folder, 'by-hand.db');
    const own = { DATABASE_FILE: file, TOKEN: seeded.tokens[SMALL], TEAM: seeded.teams[SMALL] };
    const byHand = await beside(post(SMALL), ['bench/by-hand.ts'], own);
    add('POST to a team, durable', byHand, 'written by hand');
    const each = async () => postsWithOneFsyncEach(join(folder, 'fsync.db'), seconds);
    const paced = await compare(post(SMALL), each, seconds, rounds);
    add('POST to a team, durable', paced, 'one fsync each', { sqlite: 2 });
  }
  const sizes = await compare(post(LARGE), post(SMALL), seconds, rounds);
  add('POST to 10,000 members', sizes, 'POST to 10', { sqlite: 0.83, postgres: 0.83 });
  const form = { grant_type: 'refresh_token', refresh_token: seeded.refreshToken };
  const refresh: Target = {
    url: `${server.url}/v1/oauth2/token`,
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ ...form, client_id: seeded.clientId, client_secret: SECRET })),
  };
  const refreshed = await compare(refresh, post(SMALL), seconds, rounds);
  add('POST token, refresh', refreshed, 'POST to 10');
  figures.push({
    name: `peak memory, ${database}`,
    value: server.memory().peak,
    unit: 'MiB',
    below: undefined,
  });
  await server.stop();
}

/** Measures a target beside a reference server that answers (or is made from) the same bytes. */
async function beside(
  target: Target,
  program: string[],
  environment: NodeJS.ProcessEnv,
  turn = seconds,
): Promise<Comparison> {
  const { url, method = 'GET', headers = {}, body } = target;
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const file = join(folder, 'answer.json');
  writeFileSync(file, await answer.text());
  const reference: Subject = await startSubject(program, { BODY_FILE: file, ...environment });
  try {
    await measure(target, 1);
    return await compare(target, { ...target, url: reference.url + new URL(url).pathname }, turn, rounds);
  } finally {
    await reference.stop();
  }
}

function numberOf(name: (typeof NUMBERS)[number], usual?: number): number {
  return Number(values[name] ?? usual);
}

function readOptions() {
  try {
    const { values: given } = parseArgs({ options });
    for (const name of NUMBERS)
      if (given[name] !== undefined && !(Number(given[name]) > 0))
        throw new Error(`--${name} takes a number above 0, and not "${given[name]}".`);
    if (!given.help) return given;
    process.stdout.write(USAGE);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(1);
  }
}
