/** The disk space of messages: while the log keeps their events, and afterwards. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, SqliteDatabase } from '#platform/db/index.ts';
import { ask as query } from '../test/support/cluster.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { measure } from './load.ts';
import { seedPerson } from './many-teams.ts';
import { SERVER, startSubject } from './process.ts';
import type { Figure } from './table.ts';

const COOKIE_KEY = Buffer.alloc(32, 2);
const WORDS = 2000;
const TEXTS = 500;
/** Characters of a text. */
const LENGTH = 100;

const wordOf = (index: number) => (index * 7919 + 46_656).toString(36);

/** Texts of words that come back, as in a language. The common ones come most. */
const texts = Array.from({ length: TEXTS }, (_, text) =>
  Array.from({ length: 20 }, (_, word) =>
    wordOf(Math.floor(WORDS * ((text * 20 + word) / (TEXTS * 20)) ** 2)),
  )
    .join(' ')
    .slice(0, LENGTH),
);

interface Options {
  readonly seconds: number;
  readonly settings: NodeJS.ProcessEnv;
}

/** How a database is opened, and how large it is once it is compact. */
interface Kind {
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly open: () => Promise<Database>;
  /** Runs statements. @returns its bytes */
  readonly size: (statements: readonly string[]) => Promise<number>;
}

export function benchDisk({ seconds, settings }: Options): Promise<Figure[]> {
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const file = join(folder, 'parley.db');
    const kinds: Kind[] = [
      {
        name: 'SQLite',
        environment: { DATA_DIR: folder },
        open: async () => new SqliteDatabase(file),
        size: async (statements) => {
          const db = new DatabaseSync(file);
          for (const statement of [...statements, 'PRAGMA wal_checkpoint(TRUNCATE)', 'VACUUM'])
            db.exec(statement);
          db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          db.close();
          return statSync(file).size;
        },
      },
      {
        name: 'PostgreSQL',
        environment: { DATA_DIR: join(folder, 'postgres'), DATABASE_URL },
        open: () => openPostgres(DATABASE_URL),
        size: async (statements) => {
          for (const statement of [...statements, 'VACUUM FULL']) await query(DATABASE_URL, statement);
          const [row] = await query(DATABASE_URL, 'SELECT pg_database_size(current_database()) AS bytes');
          return Number(row?.bytes);
        },
      },
    ];
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(...(await measureOne(kind, seconds, settings)));
    return figures;
  });
}

async function measureOne(
  { name, environment, open, size }: Kind,
  seconds: number,
  settings: NodeJS.ProcessEnv,
): Promise<Figure[]> {
  const db = await open();
  const { teams, headers: session } = await seedPerson(db, COOKIE_KEY);
  await db.close();
  const before = await size([]);
  const server = await startSubject(SERVER, {
    ...settings,
    ...environment,
    COOKIE_KEY: COOKIE_KEY.toString('base64'),
  });
  const headers = { ...session, Origin: server.url, 'Content-Type': 'application/json' };
  const url = `${server.url}/v1/messages`;
  const ask = async (path: string, method = 'GET', body?: object) => {
    const answer = await fetch(server.url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
    return (await answer.json()) as { data: { id: string }[] };
  };
  // Of a person who is up to date no row is written for what they write themselves.
  const { data } = await ask(`/v1/messages?team=${teams[0]}&limit=1`);
  await ask(`/v1/teams/${teams[0]}/read`, 'PUT', { up_to: data[0]?.id });
  let count = 0;
  const bodies = texts.map((text) => JSON.stringify({ text, addressed_teams: [teams[0]] }));
  await measure({ url, method: 'POST', headers, bodies, onAnswer: () => count++ }, seconds);
  // A search waits for all that is not indexed yet.
  await ask(`/v1/messages?q=${texts[0]?.split(' ')[0]}`);
  await server.stop();
  const kept = await size([]);
  const later = await size(['DELETE FROM events']);
  const figure = (what: string, bytes: number) => ({
    name: `disk for a message of ${LENGTH} characters, ${what}, ${name}`,
    value: (bytes - before) / count,
    unit: 'bytes',
    below: undefined,
  });
  return [figure('while its event is kept', kept), figure('afterwards', later)];
}
