import { randomUUID } from 'node:crypto';
import { sign } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import { type Rounds, startRounds } from '#platform/jobs/index.ts';
import {
  type Allowance,
  allowance,
  callerKey,
  type Policy,
  type RateLimits,
  windowAt,
} from './rate-limit.ts';

export const EXCHANGE_MS = 1000;
/** Most callers never come near a limit: a node publishes only those who used this share of it. */
export const WORTH_TELLING = 0.01;
/** How many counts of other nodes a node keeps: the greatest. */
const MAX_REMEMBERED = 50_000;

/** The node name of totals over all nodes. */
const ALL_NODES = '';

const TELL = `INSERT INTO rate_counts (window_id, key, node, count)
  SELECT $1, told.key, $2, told.count FROM unnest($3::text[], $4::bigint[]) AS told (key, count)
  ON CONFLICT (window_id, key, node) DO UPDATE SET count = excluded.count`;
const HEAR = `SELECT key, sum(count)::bigint AS count FROM rate_counts
  WHERE window_id = $1 AND node NOT IN ($2, '${ALL_NODES}')
  GROUP BY key ORDER BY 2 DESC LIMIT ${MAX_REMEMBERED}`;
const COUNT = `INSERT INTO rate_counts (window_id, key, node, count) VALUES ($1, $2, '${ALL_NODES}', 1)
  ON CONFLICT (window_id, key, node) DO UPDATE SET count = rate_counts.count + 1 RETURNING count`;
const FORGOTTEN_AT_ONCE = 5000;
const FORGET = `DELETE FROM rate_counts WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM rate_counts WHERE window_id < $1 LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED)) RETURNING 1`;

interface Count {
  /** A hash that names the caller in the database, which sees no addresses. */
  readonly name: string;
  own: number;
}

/**
 * Shares the quota between the nodes on one PostgreSQL. Each node counts locally, and once a second publishes its
 * counts and reads those of the others. A caller who spreads over n nodes gets at most the quota, plus what n - 1
 * nodes admit in two seconds, plus n - 1 hundredths of the quota. Only `takeExact` asks the database each time.
 */
export class SharedRateLimiter implements RateLimits {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #key: Buffer;
  readonly #onError: (error: unknown) => void;
  readonly #node = randomUUID();
  #window = 0;
  /** The window at whose start old ones were deleted. */
  #forgotten = 0;
  #counts = new Map<string, Count>();
  #untold = new Set<Count>();
  #others = new Map<string, number>();
  #exchange: Rounds | undefined;

  constructor(deps: { db: Database; now: () => number; key: Buffer; onError: (error: unknown) => void }) {
    this.#db = deps.db;
    this.#now = deps.now;
    this.#key = deps.key;
    this.#onError = deps.onError;
  }

  start(everyMs = EXCHANGE_MS): void {
    const work = () => this.#tellAndHear();
    this.#exchange = startRounds({ work, intervalMs: everyMs, onError: this.#onError });
  }

  async stop(): Promise<void> {
    await this.#exchange?.stop();
  }

  take(policy: Policy, caller: string): Allowance {
    const now = this.#now();
    this.#turnTo(windowAt(now));
    const key = callerKey(policy, caller);
    let count = this.#counts.get(key);
    if (!count) {
      count = { name: this.#nameOf(key), own: 0 };
      this.#counts.set(key, count);
    }
    count.own++;
    if (count.own >= policy.quota * WORTH_TELLING) this.#untold.add(count);
    return allowance(policy, count.own + (this.#others.get(count.name) ?? 0), now);
  }

  async takeExact(policy: Policy, caller: string): Promise<Allowance> {
    const now = this.#now();
    const name = this.#nameOf(callerKey(policy, caller));
    const [row] = await this.#db.all<{ count: number }>(COUNT, [windowAt(now), name]);
    return allowance(policy, row?.count ?? 1, now);
  }

  #nameOf(key: string): string {
    return sign(this.#key, `rate ${key}`);
  }

  #turnTo(window: number): void {
    if (window === this.#window) return;
    this.#window = window;
    this.#counts = new Map();
    this.#untold = new Set();
    this.#others = new Map();
  }

  async #tellAndHear(): Promise<void> {
    this.#turnTo(windowAt(this.#now()));
    const window = this.#window;
    if (this.#forgotten !== window) {
      const forgotten = await this.#db.all(FORGET, [window - 1]);
      if (forgotten.length < FORGOTTEN_AT_ONCE) this.#forgotten = window;
    }
    await this.#tell(window);
    const heard = await this.#db.all<{ key: string; count: number }>(HEAR, [window, this.#node]);
    if (window === this.#window) this.#others = new Map(heard.map(({ key, count }) => [key, count]));
  }

  async #tell(window: number): Promise<void> {
    const told = [...this.#untold];
    this.#untold = new Set();
    if (told.length === 0) return;
    const [names, counts] = [told.map(({ name }) => name), told.map(({ own }) => own)];
    try {
      await this.#db.all(TELL, [window, this.#node, names, counts]);
    } catch (error) {
      // Published next time, unless the minute is over.
      if (window === this.#window) for (const count of told) this.#untold.add(count);
      throw error;
    }
  }
}
