/** So many requests in each window. */
export interface Policy {
  readonly name: string;
  readonly quota: number;
}

/** What is left of a policy for one caller. */
export interface Allowance {
  readonly policy: Policy;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Counts requests in windows of a minute, which begin with the minute so that all nodes have the same ones. */
export interface RateLimits {
  /** Costs nothing; with several nodes, the others' counts are a second or two old. */
  take(policy: Policy, caller: string): Allowance;
  /** Counted once for all nodes: for what guesses at passwords and tokens would call. */
  takeExact(policy: Policy, caller: string): Promise<Allowance>;
}

export const WINDOW_MS = 60_000;

export const windowAt = (now: number) => Math.floor(now / WINDOW_MS);
export const callerKey = (policy: Policy, caller: string) => `${policy.name} ${caller}`;

/** @param count with the request that is asked about */
export function allowance(policy: Policy, count: number, now: number): Allowance {
  return {
    policy,
    remaining: Math.max(0, policy.quota - count),
    reset: Math.ceil(((windowAt(now) + 1) * WINDOW_MS - now) / 1000),
    exceeded: count > policy.quota,
  };
}

/** Counts in this process: for the embedded database, which has no other nodes. A restart begins anew. */
export class RateLimiter implements RateLimits {
  readonly #now: () => number;
  #window = 0;
  #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  take(policy: Policy, caller: string): Allowance {
    const now = this.#now();
    if (windowAt(now) !== this.#window) {
      this.#window = windowAt(now);
      this.#counts = new Map();
    }
    const key = callerKey(policy, caller);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return allowance(policy, count, now);
  }

  async takeExact(policy: Policy, caller: string): Promise<Allowance> {
    return this.take(policy, caller);
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what is left, and what the policy is. */
export function rateLimitHeaders({ policy, remaining, reset }: Allowance): Record<string, string> {
  return {
    RateLimit: `"${policy.name}";r=${remaining};t=${reset}`,
    'RateLimit-Policy': `"${policy.name}";q=${policy.quota};w=${WINDOW_MS / 1000}`,
  };
}
