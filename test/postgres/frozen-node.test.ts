import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { EventStream } from '../support/event-stream.ts';
import { broughtBy, expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase } from '../support/postgres.ts';
import { until } from '../support/until.ts';

let cluster: Cluster;
let database: string;

/** On SQLite a frozen process holds the only file lock: several servers need PostgreSQL. */
describe('a server that freezes in a transaction', () => {
  beforeEach(async () => {
    database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
    cluster = await startCluster(3, database);
  });
  afterEach(() => cluster.stop());

  it('stops no other server, and goes on when it is thawed (claim: frozen-server)', async () => {
    const stream = await EventStream.open(cluster.at(0));
    const load = startLoad(
      Array.from({ length: 8 }, (_, n) => cluster.at(n % 2)),
      cluster.team,
    );
    const there = startLoad(
      Array.from({ length: 4 }, () => cluster.at(2)),
      cluster.team,
    );
    await there.more(10);
    const frozen = cluster.nodes[2]?.child;
    for (;;) {
      frozen?.kill('SIGSTOP');
      if (await holdsRows()) break;
      frozen?.kill('SIGCONT');
      await there.more(1);
    }
    // PostgreSQL releases its locks, and the others go on.
    const reading = read();
    await until(async () => !(await holdsRows()));
    await load.more(200);
    expect(new Set(await reading)).toEqual(new Set([200]));
    frozen?.kill('SIGCONT');
    await there.more(10);
    await Promise.all([load.stop(), there.stop()]);
    expect([...load.wrong, ...there.wrong]).toEqual([]);
    const posted = [...load.posted, ...there.posted];
    await expectNothingLost(database, posted);
    const brought = await broughtBy(stream, posted);
    expect(brought).toHaveLength(posted.length);
    stream.close();
    for (const node of cluster.nodes) expect(node.child.exitCode).toBeNull();
  });

  /** Whether PostgreSQL waits for the next statement of a transaction of the frozen server. */
  async function holdsRows(): Promise<boolean> {
    const silent = `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND application_name = 'node2' AND state = 'idle in transaction'`;
    return (await ask(database, silent)).length > 0;
  }

  /** Statuses of reads on the two other servers, all the while. */
  async function read(): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < 200; n++) {
      statuses.push((await cluster.at(n % 2).get('/v1/users/me/teams')).status);
    }
    return statuses;
  }
});
