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

const WINDOW_MS = 60_000;

/**
 * Counts requests in fixed windows of a minute. The counts live in this process: with several nodes each one allows
 * the quota, and a restart begins a new window.
 */
export class RateLimiter {
  readonly #now: () => number;
  #windowEnd = 0;
  #counts = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  take(policy: Policy, caller: string): Allowance {
    const now = this.#now();
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + WINDOW_MS;
      this.#counts = new Map();
    }
    const key = `${policy.name} ${caller}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return {
      policy,
      remaining: Math.max(0, policy.quota - count),
      reset: Math.ceil((this.#windowEnd - now) / 1000),
      exceeded: count > policy.quota,
    };
  }
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what is left, and what the policy is. */
export function rateLimitHeaders({ policy, remaining, reset }: Allowance): Record<string, string> {
  return {
    RateLimit: `"${policy.name}";r=${remaining};t=${reset}`,
    'RateLimit-Policy': `"${policy.name}";q=${policy.quota};w=${WINDOW_MS / 1000}`,
  };
}
