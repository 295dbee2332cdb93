/**
 * One team that everybody posts to, on PostgreSQL beside SQLite in the same run: how many posts, and how long somebody
 * else waits meanwhile. Afterwards each acknowledged post is looked for.
 */
import { join } from 'node:path';
import { Cipher } from '#platform/crypto/index.ts';
import { SqliteDatabase } from '#platform/db/index.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { audit, noting, type Written } from './acknowledged.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { compare, measure, median, type Target } from './load.ts';
import { SERVER, startSubject } from './process.ts';
import { type Seed, seed } from './seed.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const SIZE = 10;
const QUIET = 4;
const SUBJECTS = Array.from({ length: 50 }, (_, n) => `Subject ${n}`);

/** A server with a hot team. */
interface Hot extends Written {
  readonly seeded: Seed;
}

export function benchHotTeam(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  const { seconds, rounds, settings } = options;
  const key = Buffer.from(settings.ENCRYPTION_KEY as string, 'base64');
  const started: Hot[] = [];
  const start = async (open: Hot['open'], environment: NodeJS.ProcessEnv) => {
    const db = await open();
    const seeded = await seed(db, [SIZE, QUIET], new Cipher(key).encrypt('bench'));
    await db.close();
    const server = await startSubject(SERVER, { ...settings, ...environment });
    const hot = { server, seeded, open, headers: headersOf(seeded, SIZE), acknowledged: new Map() };
    started.push(hot);
    return hot;
  };
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const onPostgres = await start(() => openPostgres(DATABASE_URL), {
      DATA_DIR: join(folder, 'postgres'),
      DATABASE_URL,
    });
    const openSqlite = async () => new SqliteDatabase(join(folder, 'parley.db'));
    const onSqlite = await start(openSqlite, { DATA_DIR: folder });
    const posts = await compare(posting(onPostgres), posting(onSqlite), seconds, rounds);
    const line = lineOf(posts, {
      name: 'POST to one hot team',
      database: 'PostgreSQL',
      reference: 'SQLite',
      target: 0.6,
    });
    const lines = [line];
    for (const [database, hot] of [
      ['PostgreSQL', onPostgres],
      ['SQLite', onSqlite],
    ] as const) {
      const both = await compare(posting(hot, SUBJECTS), posting(hot), seconds, rounds);
      const name = `POST about ${SUBJECTS.length} subjects`;
      lines.push(lineOf(both, { name, database, reference: 'about none', target: 0.8 }));
    }
    const figures = [...(await neighbours(onPostgres, onSqlite, { seconds, rounds }))];
    let total = 0;
    for (const one of started) total += await audit(one);
    figures.push({ name: 'hot team, posts audited', value: total, unit: '', below: undefined });
    return { lines, figures };
  });
}

const headersOf = (seeded: Seed, size: number) => ({
  Authorization: `Bearer ${seeded.tokens[size]}`,
  'Content-Type': 'application/json',
});

const posting = (hot: Hot, subjects: readonly (string | null)[] = [null]): Target =>
  noting(hot, {
    url: `${hot.server.url}/v1/messages`,
    method: 'POST',
    headers: hot.headers,
    bodies: subjects.map((subject) =>
      JSON.stringify({
        text: 'Message [<id>] of a hot team.',
        addressed_teams: [hot.seeded.teams[SIZE]],
        subject,
      }),
    ),
  });

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
  const quiet = headersOf(hot.seeded, QUIET);
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
