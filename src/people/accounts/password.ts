import { hash, verify } from '@node-rs/argon2';
import { costlyWork } from '#api';
import type { Origin } from '#platform/jobs/index.ts';
import { madeOnce } from '#platform/made-once.ts';

/** The cost of an Argon2id hash: memory in KiB, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** OWASP's parameters for Argon2id, which is the library's default algorithm: 19 MiB, two passes. */
const COST: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

/** Hashing runs on the thread pool, which file access and name look-ups share, so only a few run at once. */
const LIMITS = { atOnce: 2, waitingOfSource: 30, waitingInLane: 100 };

/** The source of a hashing request: its network, and whether its browser has signed in before. */
export type { Origin as Waiting };

export type PasswordService = ReturnType<typeof passwordService>;

/** Hashes and verifies passwords, a few at once; those of different networks take turns. */
/** @param stopping aborted when the server stops */
export function passwordService(cost = COST, stopping?: AbortSignal) {
  const queued = costlyWork('passwords', LIMITS, stopping);
  const hashed = (password: string) => hash(password, { ...cost, parallelism: 1 });

  /** Compared with when the address is unknown, so that both cases take equally long. */
  const unknownHash = madeOnce(() => hashed('no account has this password'));

  return {
    hash: (password: string, waiting: Origin): Promise<string> => queued(waiting, () => hashed(password)),

    /** @param stored undefined for an unknown account: then it takes equally long and returns false */
    verify: async (stored: string | undefined, password: string, waiting: Origin): Promise<boolean> => {
      const matches = await queued(waiting, async () => {
        const instead = await unknownHash();
        return verify(stored ?? instead, password);
      });
      return matches && stored !== undefined;
    },
  };
}
