import { RateLimiter, SharedRateLimiter } from '#api';
import type { AppParts } from './parts.ts';

/** Of one person in a minute. */
const STATUS_CHANGES = 20;

/** Counts requests in this process, on PostgreSQL together with the other nodes. */
export function joinLimits(
  parts: Pick<AppParts, 'config' | 'keys' | 'db' | 'clock' | 'rateExchangeMs'>,
  onError: (error: unknown) => void,
) {
  const { config, keys, db, clock, rateExchangeMs } = parts;
  const shared =
    config.DATABASE_URL === undefined
      ? undefined
      : new SharedRateLimiter({ db, now: clock, key: keys.cookie, onError });
  const perAccount = config.RATE_LIMIT === 'on';
  return {
    limiter: shared ?? new RateLimiter(clock),
    /** Bounds wrong passwords; undefined when limits are off. */
    guesses: perAccount
      ? { fromOne: config.RATE_LIMIT_ACCOUNT, fromUnknown: config.RATE_LIMIT_UNKNOWN_BROWSERS }
      : undefined,
    mailsPerAccount: perAccount ? config.RATE_LIMIT_MAIL : undefined,
    conversationsOfApplication: perAccount ? config.RATE_LIMIT_CONVERSATIONS : undefined,
    statusOfPerson: perAccount ? STATUS_CHANGES : undefined,
    start: () => shared?.start(rateExchangeMs),
    stop: async () => shared?.stop(),
  };
}
