import { randomBytes } from 'node:crypto';
import { attribute, RateLimiter } from '#api';
import { sign } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { emailKey } from '../users/index.ts';

/** How many entries a minute somebody who guesses can make: for one account, and in all. */
export const REFUSED_PER_ACCOUNT = { name: 'account', quota: 5 };
export const REFUSED_ALTOGETHER = { name: 'all', quota: 120 };

interface Attempt {
  readonly email: string;
  readonly user: UserRow | undefined;
  readonly address: string;
}

type Reason = 'unknown_account' | 'wrong_password' | 'deactivated';

export interface RefusedSignInsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly record: Recorder;
  /** Counts each, also those that the audit log leaves out. */
  readonly onRefused: (reason: Reason) => void;
}

export type RefusedSignIns = ReturnType<typeof refusedSignIns>;

/** Tells the audit log of sign-ins that were refused, without letting whoever guesses fill it. */
export function refusedSignIns({ db, clock, record, onRefused }: RefusedSignInsDeps) {
  const limits = new RateLimiter(clock);
  // An address without an account is told only so that two attempts can be seen to name the same one. The key is
  // forgotten with the process: afterwards nobody can find out what it was.
  const key = randomBytes(32);
  let untold = 0;

  return {
    async tell({ email, user, address }: Attempt): Promise<void> {
      const reason = reasonOf(user);
      onRefused(reason);
      const given = sign(key, emailKey(email)).slice(0, 16);
      if (limits.take(REFUSED_PER_ACCOUNT, given).exceeded || limits.take(REFUSED_ALTOGETHER, '').exceeded) {
        untold++;
        return;
      }
      const missing = untold;
      untold = 0;
      await db.write(async (tx) => {
        attribute(tx, { kind: 'user', id: null, address });
        await record(tx, {
          action: 'sign_in.refused',
          ...(user && { target: ['user', user.id] }),
          detail: {
            reason,
            ...(!user && { given }),
            ...(missing > 0 && { not_told_before: missing }),
          },
        });
      });
    },
  };
}

function reasonOf(user: UserRow | undefined): Reason {
  if (!user) return 'unknown_account';
  return user.active === 1 ? 'wrong_password' : 'deactivated';
}
