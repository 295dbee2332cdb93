/**
 * The primary of PostgreSQL is ended without a word while two servers take posts at a steady rate, and its synchronous
 * standby is promoted, again and again. In the end each acknowledged post must be there once, and its place without a gap.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ask, type Cluster, startCluster } from '../test/support/cluster.ts';
import { type Forwarding, startForwarding } from '../test/support/forwarding.ts';
import {
  createDatabase,
  type PostgresServer,
  startPostgres,
  startSynchronousReplica,
} from '../test/support/postgres.ts';
import { median } from './load.ts';
import type { Figure } from './table.ts';

const NODES = 2;
const LEAST_BETWEEN_MS = 5000;
/** Between two tries of one post. */
const RETRY_MS = 50;
const WITHIN_S = 15;

interface Options {
  /** How many fail-overs. */
  readonly times: number;
  /** Posts a second. */
  readonly rate: number;
  readonly settings: NodeJS.ProcessEnv;
}

/** @throws when an acknowledged post is lost, or stored twice */
export async function benchFailovers({ times, rate, settings }: Options): Promise<Figure[]> {
  let primary = await startPostgres({ fsync: true });
  const { pathname } = new URL(await createDatabase(primary.url));
  let standby = await startSynchronousReplica(primary);
  const addresses = [await startForwarding(portOf(primary)), await startForwarding(portOf(standby))];
  const hosts = addresses.map(({ port }) => `127.0.0.1:${port}`).join(',');
  const cluster = await startCluster(NODES, `postgres://postgres@${hosts}${pathname}`, settings);
  const posts = new Posts(cluster, rate);
  const waits: number[] = [];
  try {
    for (let turn = 0; turn < times; turn++) {
      await pause(LEAST_BETWEEN_MS);
      const began = performance.now();
      await primary.crash();
      await ask(standby.url, 'SELECT pg_promote()');
      await posts.acknowledgedByAllAfter(began);
      waits.push((performance.now() - began) / 1000);
      await primary.stop();
      primary = standby;
      standby = await startSynchronousReplica(primary);
      (addresses[turn % 2] as Forwarding).target = portOf(standby);
    }
    const acknowledged = await posts.stop();
    await audit(new URL(pathname, primary.url).href, acknowledged);
    return [
      { name: 'fail-overs', value: times, unit: '', below: undefined },
      { name: 'posts acknowledged, all there once', value: acknowledged.length, unit: '', below: undefined },
      { name: 'tries that were refused or cut off', value: posts.refused, unit: '', below: undefined },
      {
        name: 'from the end of the primary to writes at both servers, median',
        value: median(waits),
        unit: 's',
        below: undefined,
      },
      { name: 'the longest of them', value: Math.max(...waits), unit: 's', below: WITHIN_S },
    ];
  } finally {
    await posts.stop().catch(() => undefined);
    await cluster.stop();
    for (const address of addresses) address.stop();
    await standby.stop();
    await primary.stop();
  }
}

const portOf = (server: PostgresServer) => Number(new URL(server.url).port);

/** Posts at a steady rate, in turns at each server. Each is repeated under its key until it is acknowledged. */
class Posts {
  refused = 0;
  readonly #acknowledged: string[] = [];
  /** By server, when the last post that was acknowledged had been begun. */
  readonly #begun: number[] = Array.from({ length: NODES }, () => 0);
  readonly #underWay = new Set<Promise<void>>();
  readonly #cluster: Cluster;
  #running = true;

  constructor(cluster: Cluster, rate: number) {
    this.#cluster = cluster;
    void this.#post(rate);
  }

  async acknowledgedByAllAfter(time: number): Promise<void> {
    while (this.#begun.some((begun) => begun < time)) await pause(1);
  }

  /** @returns the ids of all that were acknowledged */
  async stop(): Promise<string[]> {
    this.#running = false;
    await Promise.all(this.#underWay);
    return this.#acknowledged;
  }

  async #post(rate: number): Promise<void> {
    const start = performance.now();
    for (let n = 0; this.#running; ) {
      for (const due = ((performance.now() - start) / 1000) * rate; n < due; n++) {
        const one = this.#one(n).finally(() => this.#underWay.delete(one));
        this.#underWay.add(one);
      }
      await pause(5);
    }
  }

  async #one(n: number): Promise<void> {
    const node = n % NODES;
    const body = { text: `Post ${n}`, addressed_teams: [this.#cluster.team] };
    for (;;) {
      const begun = performance.now();
      const answer = await this.#cluster
        .at(node)
        .post('/v1/messages', body, { 'Idempotency-Key': `post-${n}` })
        .catch(() => undefined);
      if (answer?.status === 200) {
        this.#acknowledged.push(answer.data[0].id);
        this.#begun[node] = Math.max(this.#begun[node] as number, begun);
        return;
      }
      this.refused++;
      await pause(RETRY_MS);
    }
  }
}

/** @throws when a post is missing or there twice, or a place in the team has a gap */
async function audit(database: string, acknowledged: readonly string[]): Promise<void> {
  const rows = await ask<{ id: string; seq: string }>(database, 'SELECT id, seq FROM messages ORDER BY seq');
  const stored = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !stored.has(id));
  const gap = rows.findIndex(({ seq }, index) => Number(seq) !== index + 1);
  if (lost.length > 0 || rows.length !== acknowledged.length || gap !== -1)
    throw new Error(
      `of ${acknowledged.length} acknowledged posts ${lost.length} are lost, ${rows.length} are stored; the first gap: ${gap}`,
    );
}
