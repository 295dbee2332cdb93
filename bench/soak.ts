/**
 * An hour of a busy cluster: three servers on PostgreSQL, thousands of streams of live events, posts at a steady rate, and a
 * server that is killed at random every minute. Each acknowledged post must be stored once, without a gap in its team, and
 * each stream must have brought every message of its team once, in order.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import { Client } from '../test/support/client.ts';
import { type Cluster, startCluster } from '../test/support/cluster.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { chances } from '../test/support/receivers.ts';
import { openPostgres, withDatabases } from './databases.ts';
import { memoryOf, type Subject, startSubject } from './process.ts';
import { insert, userRow } from './seed.ts';
import { seedSessions } from './sessions-seed.ts';
import { chained } from './soak-audit.ts';
import type { Figure } from './table.ts';

const NODES = 3;
const TEAM_SIZE = 4;
const KILL_EVERY_MS = 60_000;
const RETRY_MS = 100;
const MOST_UNDER_WAY = 500;
/** The streams have failed when nothing more is heard for so long. */
const STILL_MS = 60_000;
const COOKIE_KEY = Buffer.alloc(32, 3);

interface Options {
  readonly minutes: number;
  readonly streams: number;
  /** Posts a second. */
  readonly rate: number;
  readonly settings: NodeJS.ProcessEnv;
}

/** Four people, each with a stream. */
interface Team {
  readonly id: string;
  readonly cookies: readonly string[];
}

/** @throws when a post or an event is lost, doubled or out of order */
export function benchSoak({ minutes, streams, rate, settings }: Options): Promise<Figure[]> {
  return withDatabases(async (_, postgres) => {
    const url = await createDatabase(postgres.url);
    const folder = mkdtempSync(join(tmpdir(), 'parley-soak-'));
    const cluster = await startCluster(NODES, url, {
      ...settings,
      COOKIE_KEY: COOKIE_KEY.toString('base64'),
      // All streams come from one address.
      MAX_CONNECTIONS_PER_NETWORK: String(2 * streams + MOST_UNDER_WAY),
    });
    const db = await openPostgres(url);
    const teams = await seedTeams(db, Math.ceil(streams / TEAM_SIZE));
    const files = { COOKIES_FILE: join(folder, 'cookies'), HEARD_FILE: join(folder, 'heard') };
    writeFileSync(files.COOKIES_FILE, teams.flatMap(({ cookies }) => cookies).join('\n'));
    const listeners = await startSubject(['bench/soak-streams.ts'], {
      URLS: cluster.urls.join(','),
      ...files,
    });
    const posts = new Posts(cluster, teams, rate);
    const faults = new Faults(cluster);
    try {
      const begun = performance.now();
      await pause(minutes * 60_000);
      await faults.stop();
      const acknowledged = await posts.stop();
      const seconds = (performance.now() - begun) / 1000;
      const expected = await expectStored(db, acknowledged);
      const reconnected = await expectHeard(listeners, files.HEARD_FILE, teams, expected);
      const figure = (name: string, value: number, unit = ''): Figure => ({
        name,
        value,
        unit,
        below: undefined,
      });
      return [
        figure('posts acknowledged, all there once, without a gap', acknowledged.size),
        figure('posts a second', acknowledged.size / seconds),
        figure('tries that were refused or cut off', posts.refused),
        figure('servers killed', faults.kills),
        figure('streams, each with every message of its team once and in order', streams),
        figure('times that a stream went on elsewhere', reconnected),
        figure('largest server in the first third', faults.largest(0, 1 / 3), 'MiB'),
        figure('largest server in the last third', faults.largest(2 / 3, 1), 'MiB'),
      ];
    } finally {
      await faults.stop();
      await posts.stop();
      await listeners.stop();
      await cluster.stop();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function seedTeams(db: Database, count: number): Promise<Team[]> {
  const now = Date.now();
  const made = { created_at: now, updated_at: now };
  const users = Array.from({ length: count * TEAM_SIZE }, (_, index) => userRow(index + 1));
  const ids: string[] = [];
  await db.write(
    async (tx) => {
      for (const user of users) await insert(tx, 'users', user);
      for (let n = 0; n < count; n++) {
        const id = newId();
        ids.push(id);
        const look = { name: `Team ${n}`, color: '#1f6feb', icon: '', num_members: TEAM_SIZE };
        await insert(tx, 'teams', { id, ...look, active: 1, message_seq: 0, ...made });
        for (const { id: user_id } of users.slice(n * TEAM_SIZE, (n + 1) * TEAM_SIZE)) {
          const member = {
            membership_type: 2,
            is_muted: 0,
            is_favorite: 0,
            inviter_id: user_id,
            read_seq: 0,
          };
          await insert(tx, 'memberships', { team_id: id, user_id, ...member, ...made });
        }
      }
    },
    { patient: true },
  );
  // PostgreSQL counts new rows a minute later, and reads whole tables until then.
  await db.all('ANALYZE', []);
  const cookies = await seedSessions(
    db,
    users.map(({ id }) => id),
    COOKIE_KEY,
  );
  return ids.map((id, n) => ({ id, cookies: cookies.slice(n * TEAM_SIZE, (n + 1) * TEAM_SIZE) }));
}

/** Posts to the teams in turns, at a steady rate. Each is repeated under its key, at another server, until it is acknowledged. */
class Posts {
  refused = 0;
  readonly #acknowledged = new Set<string>();
  readonly #cluster: Cluster;
  readonly #teams: readonly Team[];
  readonly #underWay = new Set<Promise<void>>();
  readonly #done: Promise<void>;
  #running = true;

  constructor(cluster: Cluster, teams: readonly Team[], rate: number) {
    this.#cluster = cluster;
    this.#teams = teams;
    this.#done = this.#post(rate);
  }

  /** @returns the ids of all that were acknowledged */
  async stop(): Promise<ReadonlySet<string>> {
    this.#running = false;
    await this.#done;
    await Promise.all(this.#underWay);
    return this.#acknowledged;
  }

  async #post(rate: number): Promise<void> {
    const start = performance.now();
    for (let n = 0; this.#running; ) {
      const due = ((performance.now() - start) / 1000) * rate;
      for (; n < due && this.#underWay.size < MOST_UNDER_WAY; n++) {
        const one = this.#one(n).finally(() => this.#underWay.delete(one));
        this.#underWay.add(one);
      }
      await pause(5);
    }
  }

  async #one(n: number): Promise<void> {
    const { id: team, cookies } = this.#teams[n % this.#teams.length] as Team;
    const Cookie = cookies[n % TEAM_SIZE] as string;
    const body = { text: `Post ${n}`, addressed_teams: [team] };
    for (let turn = n; ; turn++) {
      const url = this.#cluster.urls[turn % NODES] as string;
      // The address in the settings, which all servers have.
      const client = new Client(url, { Cookie, Origin: this.#cluster.urls[0] as string });
      const sent = client.post('/v1/messages', body, { 'Idempotency-Key': `post-${n}` });
      const answer = await sent.catch(() => undefined);
      if (answer?.status === 200) return void this.#acknowledged.add(answer.data[0].id);
      if (answer && answer.status < 500) throw new Error(`a post was refused with ${answer.text}`);
      this.refused++;
      await pause(RETRY_MS);
    }
  }
}

/** Kills a server at random every minute, starts another one in its place, and notes how large the servers are. */
class Faults {
  kills = 0;
  readonly #cluster: Cluster;
  readonly #sizes: number[] = [];
  readonly #chance = chances(1);
  readonly #stopped = new AbortController();
  readonly #done: Promise<void>;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#done;
  }

  /** In MiB. @param from and to: parts of the time so far */
  largest(from: number, to: number): number {
    const { length } = this.#sizes;
    return Math.max(...this.#sizes.slice(Math.floor(from * length), Math.ceil(to * length)));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    for (;;) {
      await pause(KILL_EVERY_MS, undefined, { signal }).catch(() => undefined);
      const sizes = this.#cluster.nodes.map(({ child }) => memoryOf(child.pid as number).now);
      this.#sizes.push(Math.max(...sizes));
      if (signal.aborted) return;
      await this.#cluster.replace(Math.floor(this.#chance() * NODES), 'SIGKILL');
      this.kills++;
    }
  }
}

/** The messages that each stream of a team should have brought. */
interface Expected {
  count: number;
  chain: string;
}

/** @throws when a post is missing or there twice, or a place has a gap @returns by team, what its streams should have heard */
async function expectStored(
  db: Database,
  acknowledged: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Expected>> {
  const expected = new Map<string, Expected>();
  const rows = await db.all<{ id: string; team_id: string; seq: number }>(
    'SELECT id, team_id, seq FROM messages ORDER BY team_id, seq',
    [],
  );
  for (const { id, team_id, seq } of rows) {
    const { count, chain } = expected.get(team_id) ?? { count: 0, chain: '' };
    if (seq !== count + 1) throw new Error(`after place ${count} of a team comes ${seq}`);
    expected.set(team_id, { count: seq, chain: chained(chain, id) });
  }
  const stored = new Set(rows.map(({ id }) => id));
  const lost = [...acknowledged].filter((id) => !stored.has(id)).length;
  if (lost > 0 || rows.length !== acknowledged.size)
    throw new Error(`of ${acknowledged.size} acknowledged posts ${lost} are lost; ${rows.length} are stored`);
  return expected;
}

/** Waits until the streams have brought everything. @throws when one lacks a message, or has it twice or out of order */
async function expectHeard(
  listeners: Subject,
  file: string,
  teams: readonly Team[],
  expected: ReadonlyMap<string, Expected>,
): Promise<number> {
  const wanted = teams.flatMap(({ id, cookies }) =>
    cookies.map(() => expected.get(id) ?? { count: 0, chain: '' }),
  );
  const total = wanted.reduce((sum, { count }) => sum + count, 0);
  for (let [before, since] = [-1, Date.now()]; ; ) {
    await listeners.ask('SIGUSR2', /written (\d+)\./);
    const [reconnected = '', ...lines] = readFileSync(file, 'utf8').split('\n');
    const counts = lines.map((line) => Number.parseInt(line, 10));
    const heard = counts.reduce((sum, count) => sum + count, 0);
    if (heard >= total || Date.now() - since > STILL_MS) {
      const wrong = lines.filter((line, n) => line !== `${wanted[n]?.count} ${wanted[n]?.chain}`).length;
      if (wrong > 0) throw new Error(`${wrong} streams brought something else: ${heard} of ${total} events`);
      return Number(reconnected);
    }
    if (heard !== before) [before, since] = [heard, Date.now()];
    await pause(1000);
  }
}
