import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { assertMigrated, type Migration, migrate } from '../../src/platform/db/index.ts';
import { readConfig } from '../../src/process/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { migrations } from '../../src/schema/index.ts';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const NODES = 3;
const TURNS = 6;

let database: string;
let cluster: Cluster;

describe('a rolling migration', () => {
  const later = (...statements: string[]): Migration => ({
    name: '9999-next',
    rolling: true,
    up: () => statements,
  });
  const open = async () =>
    (await openDatabase(readConfig({ DATABASE_URL: database }, ''), () => undefined, 0)).db;

  beforeEach(async () => {
    database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  });

  it('that ended between two statements goes on with the second one (claim: migration-killed)', async () => {
    const next = later(
      'ALTER TABLE teams ADD COLUMN extra text',
      'ALTER TABLE not_yet ADD COLUMN extra text',
      'CREATE TABLE third (id bigint)',
    );
    const [one, other] = [await open(), await open()];
    const all = [...migrations, next];
    await expect(migrate(one, all, 0)).rejects.toThrow('not_yet');
    await expect(assertMigrated(one, all)).rejects.toThrow('run "parley migrate"');
    await assertMigrated(other, migrations);
    await ask(database, 'CREATE TABLE not_yet (id bigint)');
    // Two servers start at once. Each statement fails if it is made twice.
    expect((await Promise.all([one, other].map((db) => migrate(db, all, 0)))).flat()).toContain('9999-next');
    await assertMigrated(one, all);
    expect(await migrate(one, all, 0)).toEqual([]);
    await Promise.all([one, other].map((db) => db.close()));
  });

  it('lets requests through while it waits for a table in use', async () => {
    const [one, other] = [await open(), await open()];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: holding, resolve: begun } = Promise.withResolvers<void>();
    const holder = other.write(async (tx) => {
      await tx.all('SELECT id FROM teams', []);
      begun();
      await held;
    });
    await holding;
    const next = later('ALTER TABLE teams ADD COLUMN extra text');
    const migrating = migrate(one, [...migrations, next], 0);
    const waiting = "SELECT 1 AS one FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'";
    await until(async () => (await ask(database, waiting)).length > 0);
    // It queues behind the migration, and is let through before the one that holds the table has ended.
    expect(await ask(database, 'SELECT id FROM teams')).toEqual([]);
    release();
    await holder;
    expect(await migrating).toEqual(['9999-next']);
    await Promise.all([one, other].map((db) => db.close()));
  });
});

/** With SQLite there is one server, which stops before another one starts. */
describe('servers that are replaced one by one', () => {
  beforeEach(async () => {
    database = await createDatabase(inject('postgresUrl'));
    cluster = await startCluster(NODES, database);
  });
  afterEach(() => cluster.stop());

  it('lose no post and no event, also while the schema grows (claim: rolling-upgrade)', async () => {
    const writers = Array.from({ length: 2 * NODES }, (_, n) => cluster.at(n % NODES));
    const followers = await Promise.all(cluster.nodes.map((_, node) => Follower.open(node)));
    const { more, stop, posted, wrong } = startLoad(writers, cluster.team, { roams: true });
    await readEverything();
    await grow();
    await readEverything();
    for (let node = 0; node < NODES; node++) expect((await cluster.at(node).get('/readyz')).status).toBe(200);
    // The servers that come are of this release too, and would refuse the newer schema.
    await ask(database, "DELETE FROM schema_migrations WHERE name = '9999-next'");
    await more(60);
    for (let node = 0; node < NODES; node++) {
      expect(await cluster.replace(node)).toBe(0);
      await more(60);
    }
    await stop();
    expect(wrong).toEqual([]);
    await expectNothingLost(database, posted);
    for (const follower of followers) {
      const heard = await follower.heard(posted.length);
      expect(heard).toHaveLength(posted.length);
      expect(new Set(heard)).toEqual(new Set(posted));
    }
  });
});

/** Does what the next release may do to the schema while servers of this one run: each table gets a column. */
async function grow(): Promise<void> {
  const { db } = await openDatabase(readConfig({ DATABASE_URL: database }, ''), () => undefined, Date.now());
  const tables = await ask<{ name: string }>(
    database,
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const next: Migration = {
    name: '9999-next',
    rolling: true,
    up: () => tables.map(({ name }) => `ALTER TABLE ${name} ADD COLUMN of_next_release text DEFAULT 'new'`),
  };
  await migrate(db, [...migrations, next], Date.now());
  await db.close();
}

/** Reads and writes at each server, so often that PostgreSQL has prepared the statements on every connection. */
async function readEverything(): Promise<void> {
  const { person, team } = cluster;
  const paths = [
    '/v1/users/me',
    '/v1/users/me/inbox',
    '/v1/users/me/teams',
    '/v1/users/me/connections',
    '/v1/sessions',
    '/v1/users/me/conversations',
    '/v1/users/me/grants',
    '/v1/users/me/mutes',
    `/v1/teams/${team}`,
    `/v1/teams/${team}/users`,
    `/v1/teams/${team}/invitations`,
    `/v1/teams/${team}/applications`,
    `/v1/messages?team=${team}`,
    `/v1/users/${person.id}`,
  ];
  for (const client of cluster.nodes.map((_, node) => cluster.at(node))) {
    for (let turn = 0; turn < TURNS; turn++) {
      const answers = await Promise.all([
        ...paths.map((path) => client.get(path)),
        client.patch(`/v1/teams/${team}`, { name: `Team ${turn}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  }
}

/** Hears events as a browser does: when a stream ends, it goes on elsewhere with the last id. */
class Follower {
  readonly #streams: EventStream[] = [];
  #lastId: number | undefined;
  #isOver = false;

  static async open(node: number): Promise<Follower> {
    const follower = new Follower();
    const first = await EventStream.open(cluster.at(node));
    void follower.#follow(node, first);
    return follower;
  }

  /** Waits for so many messages. @returns the ids of all that it heard of */
  async heard(count: number): Promise<string[]> {
    const heard = () =>
      this.#streams.flatMap((stream) => stream.of('message.created').map(({ data }) => data.message.id));
    await expect.poll(() => heard().length).toBeGreaterThanOrEqual(count);
    this.#isOver = true;
    this.#streams.at(-1)?.close();
    return heard();
  }

  async #follow(node: number, first: EventStream): Promise<void> {
    let stream: EventStream | undefined = first;
    for (let at = node + 1; ; at++) {
      if (stream) {
        this.#streams.push(stream);
        await stream.ended();
        if (this.#isOver) return;
        this.#lastId = stream.lastId || this.#lastId;
      }
      stream = await EventStream.open(cluster.at(at % NODES), this.#lastId).catch(() => undefined);
    }
  }
}
