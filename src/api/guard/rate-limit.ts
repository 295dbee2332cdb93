/** A number of requests per window. */
export interface Policy {
  readonly name: string;
  readonly quota: number;
}

/** A caller's remaining quota under a policy. */
export interface Allowance {
  readonly policy: Policy;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  readonly exceeded: boolean;
}

/** Counts requests in windows of one minute. Windows start on the minute, so all nodes share them. */
export interface RateLimits {
  /** Costs nothing. With several nodes, the counts of the others lag by a second or two. */
  take(policy: Policy, caller: string): Allowance;
  /** One exact count across all nodes, for routes on which passwords and tokens could be guessed. */
  takeExact(policy: Policy, caller: string): Promise<Allowance>;
}

export const WINDOW_MS = 60_000;

export const windowAt = (now: number) => Math.floor(now / WINDOW_MS);
export const callerKey = (policy: Policy, caller: string) => `${policy.name} ${caller}`;

/** @param count includes the current request */
export function allowance(policy: Policy, count: number, now: number): Allowance {
  return {
    policy,
    remaining: Math.max(0, policy.quota - count),
    reset: Math.ceil(((windowAt(now) + 1) * WINDOW_MS - now) / 1000),
    exceeded: count > policy.quota,
  };
}

/** Counts in this process, for the embedded database, which has a single node. A restart resets the counts. */
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

/** The headers of draft-ietf-httpapi-ratelimit-headers: the remaining quota and the policy. */
export function rateLimitHeaders({ policy, remaining, reset }: Allowance): Record<string, string> {
  return {
    RateLimit: `"${policy.name}";r=${remaining};t=${reset}`,
    'RateLimit-Policy': `"${policy.name}";q=${policy.quota};w=${WINDOW_MS / 1000}`,
  };
}
