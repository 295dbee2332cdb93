import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/db/index.ts';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { broughtBy, expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const TIMES = 4;

let cluster: Cluster;
let database: string;

/** SQLite has no connections that another one could end. */
describe('a connection that PostgreSQL ends', () => {
  beforeEach(async () => {
    database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    cluster = await startCluster(1, database, { DATABASE_CONNECTIONS: '4' });
  });
  afterEach(() => cluster.stop());

  it.each([
    ['in a transaction', "state = 'idle in transaction'"],
    ['active', "state = 'active'"],
    ['idle', "state = 'idle' AND query NOT LIKE 'LISTEN%'"],
    ['listening', "query LIKE 'LISTEN%'"],
  ])(
    'while it is %s neither ends the server nor loses anything (claim: postgres-restart)',
    async (_, which) => {
      const stream = await EventStream.open(cluster.person.client);
      const load = startLoad(
        Array.from({ length: 6 }, () => cluster.at(0)),
        cluster.team,
      );
      for (let time = 0; time < TIMES; time++) {
        await load.more(5);
        await endOne(which);
      }
      await load.more(20);
      await load.stop();
      expect(load.wrong).toEqual([]);
      expect(cluster.nodes[0]?.child.exitCode).toBeNull();
      await expectNothingLost(database, load.posted);
      const brought = await broughtBy(stream, load.posted);
      expect(brought).toHaveLength(load.posted.length);
      stream.close();
    },
  );

  it('hundreds of reads at once share the few connections for reading', async () => {
    const paths = ['/v1/users/me', '/v1/users/me/teams', '/v1/messages'];
    const asked = Array.from({ length: 300 }, (_, n) => cluster.at(0).get(paths[n % 3] as string));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    const open = await ask<{ connections: number }>(
      database,
      `SELECT count(*)::int AS connections FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'node0' AND query NOT LIKE 'LISTEN%'`,
    );
    expect(open[0]?.connections).toBeLessThanOrEqual(4);
  });

  /** Looks until there is such a connection, and ends it. */
  async function endOne(which: string): Promise<void> {
    const sql = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'node0' AND ${which} LIMIT 1`;
    await until(async () => (await ask(database, sql)).length > 0);
  }
});

it('a connection that PostgreSQL ends again and again, while nothing is asked on it, counts as the absence of the database', async () => {
  const own = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  const server = await startTestServer({ DATABASE_URL: own });
  const writing = server.running.db.write(async (tx) => {
    const [row] = await tx.all<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
    await ask(own, `SELECT pg_terminate_backend(${row?.pid}, 5000)`);
    // By now its end is known here as well.
    await ask(own, 'SELECT 1');
  });
  await expect(writing).rejects.toThrow(DatabaseUnavailable);
  await server.stop();
});
