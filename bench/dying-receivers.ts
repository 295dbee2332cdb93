/**
 * Receivers that are killed at random while a server posts at a steady rate, on both databases: one by webhook, two that
 * share a stream, one by pages. In the end, the journal of each way must have every event of the log once, in the order of
 * each team.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Cipher } from '#platform/crypto/index.ts';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { ParleyApplication } from '#sdk';
import { createDatabase } from '../test/support/postgres.ts';
import { freePort } from '../test/support/process.ts';
import { chances, faultsOf, type HeardId } from '../test/support/receivers.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { Journal } from './journal.ts';
import { SERVER, startSubject } from './process.ts';
import { type Seed, seed } from './seed.ts';
import type { Figure } from './table.ts';

const SECRET = 'dying';
/** Six teams, by their sizes. */
const SIZES = [3, 4, 5, 6, 7, 8];
const LONGEST_LIFE_MS = 20_000;
const LONGEST_DEATH_MS = 1000;
const MOST_UNDER_WAY = 200;
/** Recovery has failed when no event is handled for so long. */
const STILL_MS = 120_000;
const WAYS = ['webhook', 'stream', 'pull'] as const;

interface Options {
  readonly minutes: number;
  /** Posts a second. */
  readonly rate: number;
  readonly postgres: boolean;
  /** Of each server. */
  readonly settings: NodeJS.ProcessEnv;
}

/** @throws when a receiver has not handled each event once, in order */
export function benchDyingReceivers(options: Options): Promise<Figure[]> {
  return withDatabases(async (folder, postgres) => {
    const sqlite = async () => new SqliteDatabase(join(folder, 'parley.db'));
    const figures = await survive('SQLite', sqlite, { DATA_DIR: folder }, options);
    if (!options.postgres) return figures;
    const DATABASE_URL = await createDatabase(postgres.url);
    const environment = { DATA_DIR: join(folder, 'postgres'), DATABASE_URL };
    const others = await survive('PostgreSQL', () => openPostgres(DATABASE_URL), environment, options);
    return [...figures, ...others];
  });
}

async function survive(
  database: string,
  open: () => Promise<Database>,
  environment: { DATA_DIR: string } & NodeJS.ProcessEnv,
  { minutes, rate, settings }: Options,
): Promise<Figure[]> {
  const db = await open();
  const cipher = new Cipher(Buffer.from(settings.ENCRYPTION_KEY as string, 'base64'));
  const seeded = await seed(db, SIZES, cipher.encrypt(SECRET));
  await db.close();
  const server = await startSubject(SERVER, { ...settings, ...environment });
  const app = new ParleyApplication({
    baseUrl: server.url,
    clientId: seeded.clientId,
    clientSecret: SECRET,
  });
  const { receivers, subscriptions } = await startReceivers(app, environment.DATA_DIR);
  const journals = WAYS.map((way) => new Journal(journalOf(environment.DATA_DIR, way)));
  try {
    const end = Date.now() + minutes * 60_000;
    const dying = Promise.all(receivers.map((receiver) => receiver.dieUntil(end)));
    const posted = await post(server.url, seeded, { rate, end });
    await dying;
    const recovering = Date.now();
    // The owner resumes it once the receiver is well: the server would wait for its next attempt.
    await app.subscriptions.change(subscriptions.webhook, { resume: true });
    await recover(journals, posted.size);
    const recovered = Date.now();
    const log = await readLog(app, subscriptions.pull, posted);
    const faults = WAYS.flatMap((way, index) =>
      faultsOf(journals[index]?.handled ?? [], log).map((fault) => `by ${way}, ${fault}`),
    );
    if (faults.length > 0) throw new Error(`${database}:\n${faults.join('\n')}`);
    const figure = (name: string, value: number, unit = ''): Figure => {
      return { name: `${name}, ${database}`, value, unit, below: undefined };
    };
    return [
      figure('events that each of three ways handled once and in order', log.length),
      figure('posts a second', posted.size / (minutes * 60)),
      figure(
        'kills',
        receivers.reduce((sum, { kills }) => sum + kills, 0),
      ),
      figure('recovery after the last kill', (recovered - recovering) / 1000, 's'),
    ];
  } finally {
    await Promise.all(receivers.map((receiver) => receiver.kill()));
    await server.stop();
  }
}

const journalOf = (folder: string, way: string) => join(folder, `${way}.journal`);

async function startReceivers(app: ParleyApplication, folder: string) {
  const port = await freePort();
  const kinds = ['message.posted' as const];
  const webhook = { url: `http://127.0.0.1:${port}/events`, batch: 100 };
  const [called, streamed, pulled] = [
    await app.subscriptions.create({ kinds, webhook }),
    await app.subscriptions.create({ kinds }),
    await app.subscriptions.create({ kinds }),
  ];
  const subscriptions = { webhook: called.id, stream: streamed.id, pull: pulled.id };
  const { cursor } = await app.subscriptions.pull(pulled.id);
  await app.subscriptions.moveGroup(pulled.id, 'puller', { cursor });
  const { baseUrl: PARLEY, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = app.options;
  const ways = [...WAYS, 'stream' as const];
  const receivers = ways.map((way, index) => {
    return new Receiver(chances(index + 1), {
      PARLEY,
      CLIENT_ID,
      CLIENT_SECRET,
      HEARS_BY: way,
      SUBSCRIPTION: subscriptions[way],
      JOURNAL: journalOf(folder, way),
      ...(way === 'webhook' && { PORT: String(port), KEY: called.key ?? '' }),
    });
  });
  return { receivers, subscriptions };
}

/** A receiver in a process of its own. */
class Receiver {
  kills = 0;
  readonly #chance: () => number;
  readonly #environment: NodeJS.ProcessEnv;
  #child: ChildProcess;

  constructor(chance: () => number, environment: NodeJS.ProcessEnv) {
    this.#chance = chance;
    this.#environment = environment;
    this.#child = this.#start();
  }

  /** Is killed at random moments, and started again; it lives in the end. @throws when it ended by itself */
  async dieUntil(end: number): Promise<void> {
    for (;;) {
      const lifeMs = this.#chance() * LONGEST_LIFE_MS;
      if (Date.now() + lifeMs > end) return;
      await pause(lifeMs);
      await this.kill();
      this.kills += 1;
      await pause(this.#chance() * LONGEST_DEATH_MS);
      this.#child = this.#start();
    }
  }

  /** As a crash does. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child.signalCode !== null) return;
    if (child.exitCode !== null) throw new Error(`a receiver ended by itself with ${child.exitCode}`);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  #start(): ChildProcess {
    const program = fileURLToPath(new URL('receiver.ts', import.meta.url));
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.removeListener('exit', end));
    return child;
  }
}

/** Posts to the teams in turns, at a steady rate. @returns the ids of the acknowledged messages */
async function post(
  url: string,
  { tokens, teams }: Seed,
  { rate, end }: { rate: number; end: number },
): Promise<Set<string>> {
  const posted = new Set<string>();
  const underWay = new Set<Promise<void>>();
  const one = async (n: number): Promise<void> => {
    const size = SIZES[n % SIZES.length] as number;
    const answer = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens[size]}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: `Message ${n}, heard in three ways.`, addressed_teams: [teams[size]] }),
    });
    const { data } = (await answer.json()) as { data?: { id: string }[] };
    if (!data?.[0]) throw new Error(`a post was refused with ${answer.status}`);
    posted.add(data[0].id);
  };
  let refusal: unknown;
  const begun = Date.now();
  for (let n = 0; Date.now() < end; ) {
    const due = ((Date.now() - begun) / 1000) * rate;
    for (; n < due && underWay.size < MOST_UNDER_WAY; n++) {
      const sent = one(n)
        .catch((error: unknown) => (refusal ??= error))
        .then(() => void underWay.delete(sent));
      underWay.add(sent);
    }
    await pause(10);
    if (refusal !== undefined) throw refusal;
  }
  await Promise.all(underWay);
  if (refusal !== undefined) throw refusal;
  return posted;
}

/** Waits until each journal has as many events. @throws when one stands still */
async function recover(journals: readonly Journal[], wanted: number): Promise<void> {
  let [before, since] = ['', Date.now()];
  for (;;) {
    for (const journal of journals) journal.refresh();
    if (journals.every(({ size }) => size >= wanted)) return;
    const sizes = journals.map(({ size }, index) => `${WAYS[index]} ${size}`).join(', ');
    if (sizes !== before) [before, since] = [sizes, Date.now()];
    if (Date.now() - since > STILL_MS) throw new Error(`of ${wanted} events, handled: ${sizes}`);
    await pause(200);
  }
}

/** The log as pages tell it from the beginning. @throws when it has not each acknowledged message once */
async function readLog(
  app: ParleyApplication,
  subscription: string,
  posted: ReadonlySet<string>,
): Promise<HeardId[]> {
  const log: HeardId[] = [];
  const messages = new Set<string>();
  for await (const { id, type, data } of app.subscriptions.events(subscription, { limit: 200 })) {
    if (type !== 'message.posted') throw new Error(`the log has an event of the kind ${type}`);
    log.push({ id, team: data.team });
    messages.add(data.message.id);
  }
  const isWhole = log.length === posted.size && [...posted].every((id) => messages.has(id));
  if (!isWhole) throw new Error(`the log has ${log.length} events, acknowledged were ${posted.size}`);
  return log;
}
