import { RateLimiter, SharedRateLimiter, TooManyRequests } from '#api';
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
  const limiter = shared ?? new RateLimiter(clock);
  /** A count of one person or application in a minute. @throws TooManyRequests */
  const counting = (name: 'conversations' | 'status', quota: number) => (of: string) => {
    if (!perAccount) return;
    const { exceeded, reset } = limiter.take({ name, quota }, of);
    if (exceeded) throw new TooManyRequests(name, reset);
  };
  return {
    limiter,
    /** Bounds wrong passwords; undefined when limits are off. */
    guesses: perAccount
      ? { fromOne: config.RATE_LIMIT_ACCOUNT, fromUnknown: config.RATE_LIMIT_UNKNOWN_BROWSERS }
      : undefined,
    mailsPerAccount: perAccount ? config.RATE_LIMIT_MAIL : undefined,
    countConversation: counting('conversations', config.RATE_LIMIT_CONVERSATIONS),
    countWhereabouts: counting('status', STATUS_CHANGES),
    start: () => shared?.start(rateExchangeMs),
    stop: async () => shared?.stop(),
  };
}
