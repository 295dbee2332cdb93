import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { broughtBy, expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase, type PostgresServer, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const CRASHES = 3;

let postgres: PostgresServer;
let database: string;
let cluster: Cluster;

/** A crash of SQLite is one of the server itself: test/faults/crash.test.ts. */
describe('PostgreSQL that crashes under load', () => {
  beforeEach(async () => {
    postgres = await startPostgres();
    database = await createDatabase(postgres.url);
    cluster = await startCluster(2, database);
  });
  afterEach(async () => {
    await cluster.stop();
    await postgres.stop();
  });

  it('ends no server, loses nothing that was acknowledged, and all goes on by itself (claim: postgres-restart)', async () => {
    const streams = [await EventStream.open(cluster.at(0)), await EventStream.open(cluster.at(1))];
    const load = startLoad(
      Array.from({ length: 8 }, (_, n) => cluster.at(n % 2)),
      cluster.team,
    );
    const mute = `/v1/users/me/mutes/team/${cluster.team}`;
    for (let crash = 0; crash < CRASHES; crash++) {
      await load.more(30);
      const muted = await cluster.at(0).put(mute, { until: Date.now() / 1000 + 3600 });
      expect(muted.status).toBe(200);
      await ask(database, 'UPDATE mutes SET muted_until = 0');
      await postgres.crash();
      await Promise.all([untilReady(0, 503), untilReady(1, 503)]);
      const refused = await cluster.at(crash % 2).get('/v1/users/me');
      expect([refused.code, refused.headers.has('retry-after')]).toEqual([5030, true]);
      expect((await cluster.at(1).put(mute, { until: null })).code).toBe(5030);
      await postgres.recover();
      await Promise.all([untilReady(0, 200), untilReady(1, 200)]);
      // The end of the mute has come meanwhile.
      await until(async () => (await cluster.at(1).get('/v1/users/me/mutes')).data.length === 0);
    }
    await load.more(30);
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect(load.refused.length).toBeGreaterThan(0);
    await expectNothingLost(database, load.posted);
    for (const stream of streams) {
      const brought = await broughtBy(stream, load.posted);
      expect(brought).toHaveLength(load.posted.length);
      stream.close();
    }
    for (const node of cluster.nodes) {
      expect(node.child.exitCode).toBeNull();
      // One line a second at most, and no stack traces, however many requests and workers fail.
      await node.written(/unavailable/);
      expect(node.output()).not.toContain('"stack"');
    }
  });

  it('and stays away keeps no server from stopping', async () => {
    const load = startLoad([cluster.at(0), cluster.at(1)], cluster.team);
    await load.more(5);
    await postgres.crash();
    expect(await Promise.all(cluster.nodes.map((node) => node.end('SIGTERM')))).toEqual([0, 0]);
    await load.stop();
  });

  async function untilReady(node: number, status: number): Promise<void> {
    await until(async () => (await cluster.at(node).get('/readyz')).status === status);
  }
});
