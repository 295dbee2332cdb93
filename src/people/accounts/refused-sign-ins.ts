import { randomBytes } from 'node:crypto';
import { attribute, RateLimiter } from '#api';
import { sign } from '#platform/crypto/index.ts';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../../stewardship/audit/index.ts';
import { emailKey } from '../users/index.ts';

/** Audit entries a minute that refused sign-ins may cause: for one account, and in all. */
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
  /** Counts each refusal, including those that the audit log omits. */
  readonly onRefused: (reason: Reason) => void;
}

export type RefusedSignIns = ReturnType<typeof refusedSignIns>;

/** Records refused sign-ins in the audit log, without letting a guesser flood it. */
export function refusedSignIns({ db, clock, record, onRefused }: RefusedSignInsDeps) {
  const limits = new RateLimiter(clock);
  // An address without an account appears as a keyed hash, so that repeated attempts can be matched. The key lives as
  // long as the process, so the address cannot be recovered afterwards.
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
