/**
 * Reading, searching and live delivery on SQLite, with a million messages: npm run bench -- --messaging. Latencies
 * are those of one client at a time; references were measured in the same run.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Cipher } from '#platform/crypto/index.ts';
import { SqliteDatabase } from '#platform/db/index.ts';
import { type Comparison, compare, median, percentile } from './load.ts';
import { pickWord, randomNumbers, seedMessages, vocabulary } from './messages-seed.ts';
import { SERVER, startSubject } from './process.ts';
import { seed } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const SMALL = 10;
const LARGE = 10_000;
const SEARCHES = 400;
const POSTS = 20;

export async function benchMessaging(options: {
  messages: number;
  inbox: number;
  seconds: number;
  rounds: number;
}): Promise<{ lines: Line[]; figures: Figure[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-messages-'));
  const [lines, figures] = [[] as Line[], [] as Figure[]];
  const [encryptionKey, cookieKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    // All streams come from this machine.
    MAX_CONNECTIONS_PER_NETWORK: String(2 * LARGE),
    MAIL_NOTIFICATIONS: 'off',
    ENCRYPTION_KEY: encryptionKey.toString('base64'),
    COOKIE_KEY: cookieKey.toString('base64'),
  };
  try {
    const file = join(folder, 'parley.db');
    const db = new SqliteDatabase(file);
    const seeded = await seed(db, [SMALL, LARGE], new Cipher(encryptionKey).encrypt('bench'));
    const [reader, author] = seeded.userIds as [string, string];
    const team = seeded.teams[SMALL] as string;
    await seedMessages(db, options.messages - options.inbox, author, { team });
    await seedMessages(db, options.inbox, author, { user: reader });
    const cookies = await seedSessions(db, seeded.userIds, cookieKey);
    await db.close();
    const server = await startSubject(SERVER, environment);
    const headers = { Authorization: `Bearer ${seeded.tokens[SMALL]}` };
    for (const [name, path] of [
      ['GET 50 newest of a team', `/v1/messages?team=${team}&limit=50`],
      [`GET 50 of an inbox of ${options.inbox}`, '/v1/messages?tag=_inbox&limit=50'],
      [`GET 50 unread of ${options.inbox}`, '/v1/messages?tag=_unread&limit=50'],
    ] as const) {
      const both = await besideSerialising(server.url + path, headers, folder, options);
      lines.push(lineOf(both, { name, database: 'SQLite', reference: 'serialising alone', target: 0.5 }));
    }
    figures.push(...(await searches(server.url, headers, file, team)));
    figures.push(...(await deliveries(server, cookies, seeded.teams[LARGE] as string, folder)));
    await server.stop();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { lines, figures };
}

async function besideSerialising(
  url: string,
  headers: Record<string, string>,
  folder: string,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Comparison> {
  const file = join(folder, 'answer.json');
  writeFileSync(file, await (await fetch(url, { headers })).text());
  const reference = await startSubject(['bench/bare.ts'], { BODY_FILE: file, SERIALISE: '1' });
  try {
    return await compare({ url, headers }, { url: reference.url }, seconds, rounds);
  } finally {
    await reference.stop();
  }
}

/** Words from everywhere in the vocabulary, common and rare, whole and begun, alone and two at once. */
function queries(): string[] {
  const words = vocabulary(20_000);
  const random = randomNumbers(7);
  return Array.from({ length: SEARCHES }, (_, n) => {
    const word = pickWord(words, random);
    if (n % 4 === 1) return word.slice(0, 3);
    return n % 4 === 2 ? `${word} ${pickWord(words, random)}` : word;
  });
}

async function searches(
  url: string,
  headers: Record<string, string>,
  file: string,
  team: string,
): Promise<Figure[]> {
  const bare = new DatabaseSync(file, { readOnly: true });
  const statement = bare.prepare(
    'SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT 51',
  );
  const [ours, alone] = [[] as number[], [] as number[]];
  for (const q of queries()) {
    const begun = performance.now();
    const answer = await fetch(`${url}/v1/messages?q=${encodeURIComponent(q)}`, { headers });
    await answer.text();
    if (answer.status !== 200) throw new Error(`a search was answered with ${answer.status}`);
    const between = performance.now();
    const terms = q.split(' ').map((word) => `"${word}" *`);
    statement.all(`scope : ("t${team.replaceAll('-', '')}") AND words : (${terms.join(' AND ')})`);
    ours.push(between - begun);
    alone.push(performance.now() - between);
  }
  bare.close();
  return [
    { name: 'search, median', value: median(ours), unit: 'ms', below: undefined },
    { name: 'search, p99', value: percentile(ours, 99), unit: 'ms', below: 30 },
    { name: 'bare FTS5 query, median', value: median(alone), unit: 'ms', below: undefined },
    { name: 'bare FTS5 query, p99', value: percentile(alone, 99), unit: 'ms', below: undefined },
  ];
}

/** Posts to a team whose every member has a stream open, and sees when each of them hears of it. */
async function deliveries(
  server: Awaited<ReturnType<typeof startSubject>>,
  cookies: readonly string[],
  team: string,
  folder: string,
): Promise<Figure[]> {
  const cookiesFile = join(folder, 'cookies');
  writeFileSync(cookiesFile, cookies.join('\n'));
  const before = server.memory().now;
  const streams = await startSubject(['bench/streams.ts'], { URL: server.url, COOKIES_FILE: cookiesFile });
  await setTimeout(2000);
  const memory = server.memory().now;
  const headers = { Cookie: cookies[0] as string, Origin: server.url, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ text: 'A message to everybody.', addressed_teams: [team] });
  const latencies: number[] = [];
  for (let n = 0; n < POSTS; n++) {
    const begun = performance.timeOrigin + performance.now();
    await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body });
    await setTimeout(1000);
    const heard = await streams.ask('SIGUSR2', /heard (\[.*\])\n$/);
    const times = JSON.parse(heard) as number[];
    if (times.length !== cookies.length)
      throw new Error(`${times.length} of ${cookies.length} streams heard it`);
    latencies.push(...times.map((time) => time - begun));
  }
  await streams.stop();
  const of = `of ${cookies.length} streams`;
  return [
    { name: `delivery to all ${of}, median`, value: median(latencies), unit: 'ms', below: undefined },
    { name: `delivery to all ${of}, p99`, value: percentile(latencies, 99), unit: 'ms', below: undefined },
    { name: `memory ${of}`, value: memory - before, unit: 'MiB', below: undefined },
  ];
}
