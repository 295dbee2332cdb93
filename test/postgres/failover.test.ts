import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { ask, type Cluster, startCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command.ts';
import { EventStream } from '../support/event-stream.ts';
import { newFolder } from '../support/folder.ts';
import { type Forwarding, startForwarding } from '../support/forwarding.ts';
import { broughtBy, expectNothingLost, type Load, startLoad } from '../support/load.ts';
import {
  createDatabase,
  type PostgresServer,
  startPostgres,
  startSynchronousReplica,
} from '../support/postgres.ts';
import { until } from '../support/until.ts';

const portOf = (server: PostgresServer) => Number(new URL(server.url).port);

/** Two servers of PostgreSQL behind two addresses that the platform knows. SQLite has no standby. */
describe('a fail-over of PostgreSQL', () => {
  let running: PostgresServer[];
  let addresses: Forwarding[];
  let primary: PostgresServer;
  let standby: PostgresServer;
  let path: string;
  let cluster: Cluster;
  let load: Load | undefined;

  beforeEach(async () => {
    load = undefined;
    primary = await startPostgres();
    running = [primary];
    const { pathname } = new URL(await createDatabase(primary.url));
    path = pathname;
    standby = await follow(primary);
    addresses = [await startForwarding(portOf(primary)), await startForwarding(portOf(standby))];
    cluster = await startCluster(2, urlOf(addresses));
  });
  afterEach(async () => {
    await cluster.stop();
    await load?.stop();
    for (const address of addresses) address.stop();
    for (const server of running) await server.stop();
  });

  const urlOf = (hosts: readonly { port: number }[]) =>
    `postgres://postgres@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')}${path}`;
  const at = (server: PostgresServer) => new URL(path, server.url).href;

  async function follow(server: PostgresServer): Promise<PostgresServer> {
    const follower = await startSynchronousReplica(server);
    running.push(follower);
    return follower;
  }

  const promote = (server: PostgresServer) => ask(server.url, 'SELECT pg_promote()');
  const begin = () => {
    load = startLoad(
      Array.from({ length: 8 }, (_, n) => cluster.at(n % 2)),
      cluster.team,
    );
    return load;
  };
  const end = (server: PostgresServer, which: string) =>
    ask(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${which} AND pid <> pg_backend_pid()`,
    );
  const userList = (url: string) =>
    runCommand(['user', 'list'], { cwd: newFolder(), environment: { DATABASE_URL: url } });
  const isReady = async (node: number) => (await cluster.at(node).get('/readyz')).status === 200;

  it('loses nothing that was acknowledged, twice in a row, and all goes on by itself (claim: fail-over)', async () => {
    const streams = [await EventStream.open(cluster.at(0)), await EventStream.open(cluster.at(1))];
    const { more, stop, posted, refused, wrong } = begin();
    for (const turn of [0, 1]) {
      await more(30);
      await primary.crash();
      await promote(standby);
      await more(30);
      primary = standby;
      standby = await follow(primary);
      (addresses[turn] as Forwarding).target = portOf(standby);
    }
    await more(30);
    await stop();
    expect(wrong).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    await expectNothingLost(at(primary), posted);
    for (const stream of streams) {
      expect(await broughtBy(stream, posted)).toHaveLength(posted.length);
      stream.close();
    }
    for (const node of cluster.nodes) {
      expect(node.child.exitCode).toBeNull();
      await node.written(/PostgreSQL has another primary/);
      expect(node.output()).not.toContain('"stack"');
    }
  });

  it('of a primary that answers nothing more, but is not gone, is one too (claim: frozen-primary)', async () => {
    const stream = await EventStream.open(cluster.at(1));
    const { more, stop, posted, wrong } = begin();
    await more(30);
    addresses[0]?.freeze();
    await promote(standby);
    await more(30);
    // What it still has to say comes too late.
    addresses[0]?.thaw();
    await more(30);
    await stop();
    expect(wrong).toEqual([]);
    await expectNothingLost(at(standby), posted);
    expect(await broughtBy(stream, posted)).toHaveLength(posted.length);
    stream.close();
  });

  it('leaves a former primary alone that takes writes again, even if it is the only one (claim: former-primary)', async () => {
    const post = () => cluster.at(0).post('/v1/messages', { text: 'Hello', addressed_teams: [cluster.team] });
    await primary.crash();
    await promote(standby);
    await until(async () => (await post()).status === 200);
    await primary.recover();
    // Else it would acknowledge nothing.
    await ask(primary.url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await ask(primary.url, 'SELECT pg_reload_conf()');
    const count = async (server: PostgresServer) => (await ask(at(server), 'SELECT id FROM messages')).length;
    const [before, stored] = [await count(primary), await count(standby)];
    expect((await post()).status).toBe(200);
    await standby.crash();
    const looks = addresses[0]?.connections ?? 0;
    await until(async () => !(await isReady(0)) && (addresses[0]?.connections ?? 0) > looks + 6);
    expect((await post()).code).toBe(5030);
    expect(await isReady(0)).toBe(false);
    await standby.recover();
    await until(async () => (await isReady(0)) && (await isReady(1)));
    expect((await post()).status).toBe(200);
    expect([await count(primary), await count(standby)]).toEqual([before, stored + 2]);
  });

  it('leaves a former primary alone to which the only address leads (claim: former-primary-behind-address)', async () => {
    const proxy = await startForwarding(portOf(primary));
    addresses.push(proxy);
    await cluster.stop();
    path = new URL(await createDatabase(primary.url)).pathname;
    cluster = await startCluster(1, urlOf([proxy]));
    const post = () => cluster.at(0).post('/v1/messages', { text: 'Hello', addressed_teams: [cluster.team] });
    const isServed = async () => (await post()).status === 200;
    expect(await isServed()).toBe(true);
    await promote(standby);
    // Else it would acknowledge nothing.
    await ask(primary.url, 'ALTER SYSTEM RESET synchronous_standby_names');
    await ask(primary.url, 'SELECT pg_reload_conf()');
    const count = async (server: PostgresServer) => (await ask(at(server), 'SELECT id FROM messages')).length;
    const before = await count(primary);
    // All connections but this one still lead to the former primary.
    proxy.target = portOf(standby);
    await end(primary, "query LIKE 'LISTEN%'");
    await until(async () => (await isServed()) && (await count(standby)) > before);
    const kept = await count(primary);
    await Promise.all(Array.from({ length: 40 }, post));
    expect(await count(primary)).toBe(kept);
    proxy.target = portOf(primary);
    await end(standby, "application_name LIKE 'node%'");
    await until(async () => !(await isReady(0)));
    expect((await post()).code).toBe(5030);
    expect(await count(primary)).toBe(kept);
    proxy.target = portOf(standby);
    await until(isServed);
    expect(await count(primary)).toBe(kept);
  });

  it('acknowledges nothing that only the primary has (claim: wait-for-standby)', async () => {
    await standby.stop();
    running = [primary];
    const message = { text: 'Hello', addressed_teams: [cluster.team] };
    // The second one finds what the first one has stored: it must wait for the standby as well.
    for (let tries = 0; tries < 2; tries++) {
      let answer: Answer | undefined;
      void cluster
        .at(0)
        .post('/v1/messages', message, { 'Idempotency-Key': 'hello' })
        .then((given) => {
          answer = given;
        });
      // An administrator who sees sessions hang may end what they wait for. PostgreSQL then commits with a warning.
      await until(async () => {
        await ask(
          primary.url,
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        );
        return answer !== undefined;
      });
      expect(answer?.code).toBe(5030);
    }
    expect(await ask(at(primary), 'SELECT id FROM messages')).toHaveLength(1);
  });

  it('needs an address with the primary, at any place (claim: fail-over-address)', async () => {
    const [first, second] = addresses as [Forwarding, Forwarding];
    const nowhere = { port: 1 };
    const found = await userList(`${urlOf([nowhere, second, first])}?target_session_attrs=read-write`);
    expect([found.code, found.output]).toEqual([0, expect.stringContaining('ada@example.org')]);
    for (const [hosts, reason] of [
      [[second], 'the server is a standby'],
      [[second, second], 'it is a standby'],
      [[nowhere, second], /127\.0\.0\.1:1: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+: it is a standby/],
    ] as const) {
      const { code, output } = await userList(urlOf(hosts));
      expect(code).toBe(1);
      expect(output).toMatch(reason);
      expect(output).not.toContain('    at ');
    }
  });
});
