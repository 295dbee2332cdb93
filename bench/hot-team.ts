/**
 * One team that everybody posts to, on PostgreSQL beside SQLite in the same run: how many posts, and how long somebody
 * else waits meanwhile. Afterwards each acknowledged post is looked for.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cipher } from '#platform/crypto/index.ts';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { readConfig } from '../src/process/config.ts';
import { openDatabase } from '../src/process/database.ts';
import { createDatabase, startPostgres } from '../test/support/postgres.ts';
import { compare, measure, median, type Target } from './load.ts';
import { SERVER, type Subject, startSubject } from './process.ts';
import { type Seed, seed } from './seed.ts';
import type { Figure, Line } from './table.ts';

const SIZE = 10;
const QUIET = 4;
const SAMPLE = 50;

/** A server with a hot team, and what it has acknowledged. */
interface Hot {
  readonly server: Subject;
  readonly seeded: Seed;
  readonly open: () => Promise<Database>;
  readonly acknowledged: Map<string, string>;
}

export async function benchHotTeam(options: {
  seconds: number;
  rounds: number;
  settings: NodeJS.ProcessEnv;
}): Promise<{ lines: Line[]; figures: Figure[] }> {
  const { seconds, rounds, settings } = options;
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-hot-'));
  const key = Buffer.from(settings.ENCRYPTION_KEY as string, 'base64');
  const postgres = await startPostgres({ fsync: true });
  const started: Hot[] = [];
  const start = async (open: Hot['open'], environment: NodeJS.ProcessEnv) => {
    const db = await open();
    const seeded = await seed(db, [SIZE, QUIET], new Cipher(key).encrypt('bench'));
    await db.close();
    const server = await startSubject(SERVER, { ...settings, ...environment });
    started.push({ server, seeded, open, acknowledged: new Map() });
    return started.at(-1) as Hot;
  };
  try {
    const url = await createDatabase(postgres.url);
    const config = readConfig({ DATABASE_URL: url }, '');
    const openPostgres = async () => (await openDatabase(config, () => undefined, Date.now())).db;
    const onPostgres = await start(openPostgres, { DATA_DIR: join(folder, 'postgres'), DATABASE_URL: url });
    const openSqlite = async () => new SqliteDatabase(join(folder, 'parley.db'));
    const onSqlite = await start(openSqlite, { DATA_DIR: folder });
    const posts = await compare(posting(onPostgres), posting(onSqlite), seconds, rounds);
    const line: Line = {
      name: 'POST to one hot team',
      database: 'PostgreSQL',
      subject: posts.subject,
      reference: { name: 'SQLite', rate: posts.reference.rate },
      ratio: posts.ratio,
      target: 0.6,
    };
    const figures = [...(await neighbours(onPostgres, onSqlite, { seconds, rounds }))];
    for (const one of started) await search(one);
    for (const one of started) await one.server.stop();
    for (const one of started) await audit(one);
    const total = started.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0);
    figures.push({ name: 'hot team, posts audited', value: total, unit: '', below: undefined });
    return { lines: [line], figures };
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const headersOf = ({ seeded }: Hot, size: number) => ({
  Authorization: `Bearer ${seeded.tokens[size]}`,
  'Content-Type': 'application/json',
});

function posting(hot: Hot): Target {
  return {
    url: `${hot.server.url}/v1/messages`,
    method: 'POST',
    headers: headersOf(hot, SIZE),
    body: JSON.stringify({
      text: 'Message [<id>] of a hot team.',
      addressed_teams: [hot.seeded.teams[SIZE]],
    }),
    onAnswer: (body) => {
      const [, id, text] = /"id":"([0-9a-f-]{36})".*?"text":"([^"]*)"/.exec(body) ?? [];
      if (id === undefined || text === undefined) throw new Error(`not a message: ${body.slice(0, 200)}`);
      hot.acknowledged.set(id, text);
    },
  };
}

/** The p99 of a person in another team while 64 connections post to the hot one, on PostgreSQL as a multiple of SQLite. */
async function neighbours(
  onPostgres: Hot,
  onSqlite: Hot,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Figure[]> {
  const waits = { read: [] as number[], post: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const [postgres, sqlite] = [await beside(onPostgres, seconds), await beside(onSqlite, seconds)];
    waits.read.push(postgres.read / sqlite.read);
    waits.post.push(postgres.post / sqlite.post);
  }
  return [
    { name: 'quiet neighbour, GET /v1/users/me, p99 as a multiple of SQLite', value: median(waits.read) },
    { name: 'quiet neighbour, POST, p99 as a multiple of SQLite', value: median(waits.post) },
  ].map((figure) => ({ ...figure, unit: 'times', below: 1.5 }));
}

async function beside(hot: Hot, seconds: number): Promise<{ read: number; post: number }> {
  const quiet = headersOf(hot, QUIET);
  const read: Target = { url: `${hot.server.url}/v1/users/me`, headers: quiet };
  const body = JSON.stringify({ text: 'A quiet one.', addressed_teams: [hot.seeded.teams[QUIET]] });
  const post: Target = { url: `${hot.server.url}/v1/messages`, method: 'POST', headers: quiet, body };
  const [, reads, posts] = await Promise.all([
    measure(posting(hot), seconds),
    measure(read, seconds, 1),
    measure(post, seconds, 1),
  ]);
  return { read: reads.p99, post: posts.p99 };
}

/** @throws when one of some acknowledged posts is not found by its words */
async function search(hot: Hot): Promise<void> {
  const all = [...hot.acknowledged];
  const sample = all.filter((_, index) => index % Math.ceil(all.length / SAMPLE) === 0);
  for (const [id, text] of sample) {
    const url = `${hot.server.url}/v1/messages?q=${encodeURIComponent(text)}`;
    const answer = (await (await fetch(url, { headers: headersOf(hot, SIZE) })).json()) as {
      data: { id: string }[];
    };
    if (!answer.data.some((one) => one.id === id)) throw new Error(`${text} is not found by search`);
  }
}

/** @throws when an acknowledged post is missing, or a place has a gap */
async function audit({ seeded, open, acknowledged, server }: Hot): Promise<void> {
  const db = await open();
  const team = seeded.teams[SIZE] as string;
  const rows = await db.all<{ id: string; seq: number; text: string }>(
    `SELECT id, seq, text FROM messages WHERE team_id = '${team}' ORDER BY seq`,
    [],
  );
  await db.close();
  const texts = new Map(rows.map(({ id, text }) => [id, text]));
  const lost = [...acknowledged].filter(([id, text]) => texts.get(id) !== text);
  if (lost.length > 0) throw new Error(`${server.url}: ${lost.length} acknowledged posts are missing`);
  if (rows.some(({ seq }, index) => seq !== index + 1)) throw new Error(`${server.url}: a place has a gap`);
}
