import { type RateLimits, TooManyRequests } from '../api/index.ts';

/** Counts one attempt at the password of one account. @throws TooManyRequests */
export type CountAttempt = (account: string) => Promise<void>;

/** @param quota attempts a minute for one account; undefined for no limit */
export function attemptCounter(limiter: RateLimits, quota: number | undefined): CountAttempt {
  return async (account) => {
    if (quota === undefined) return;
    const { exceeded, reset } = await limiter.takeExact({ name: 'account', quota }, account);
    if (exceeded) throw new TooManyRequests('account', reset);
  };
}
