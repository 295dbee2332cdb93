import type { Database, Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import { emailKey } from '../users/index.ts';
import type { NamedPace, Pace, Paces, Taken } from './pace.ts';

const MINUTE_MS = 60_000;
/** The interval between warnings to an owner about wrong passwords. */
export const WARNING_EVERY_MS = 24 * 60 * MINUTE_MS;
/** The interval between attempts for one account after too many wrong passwords, by kind of source. */
export const GUESS_EVERY_MS = { network: 10 * MINUTE_MS, unknown: 5 * MINUTE_MS, known: 3 * MINUTE_MS };

/** How many wrong passwords in a row are allowed before attempts slow down. */
export interface GuessLimits {
  /** For one account, from one network or one known browser. */
  readonly fromOne: number;
  /** For one account, from all browsers that have not signed in to it before. */
  readonly fromUnknown: number;
}

/** The source of a sign-in attempt. */
export interface Guesser {
  readonly email: string;
  readonly network: string;
  /** The browser's id, if it has signed in to this account before. */
  readonly device: string | undefined;
}

export type Guesses = ReturnType<typeof guesses>;

export interface GuessesDeps {
  readonly db: Database;
  readonly paces: Paces;
  /** Undefined when limits are off. */
  readonly limits: GuessLimits | undefined;
  /** Mails the owner. */
  readonly warn: (tx: Tx, user: UserRow) => Promise<void>;
}

/**
 * Bounds how often a password can be guessed, and locks no owner out: a browser that has signed in before has a pace of
 * its own, which others cannot use up (OWASP, "device cookies").
 */
export function guesses({ db, paces, limits, warn }: GuessesDeps) {
  const { fromOne = 1, fromUnknown = 1 } = limits ?? {};
  // A network's quota is smaller than the shared one, so one network cannot use that up alone.
  const ofNetwork: NamedPace = { name: 'account', burst: fromOne, everyMs: GUESS_EVERY_MS.network };
  const ofUnknown: NamedPace = {
    name: 'account_unknown',
    burst: fromUnknown,
    everyMs: GUESS_EVERY_MS.unknown,
  };
  const ofDevice: NamedPace = { name: 'account_device', burst: fromOne, everyMs: GUESS_EVERY_MS.known };
  const ofSession: NamedPace = { name: 'account_session', burst: fromOne, everyMs: GUESS_EVERY_MS.known };
  const ofWarnings: Pace = { name: 'warning', burst: 1, everyMs: WARNING_EVERY_MS };

  /** Counts a sign-in attempt before the password is checked. @throws TooManyRequests */
  async function begin({ email, network, device }: Guesser): Promise<readonly Taken[]> {
    if (!limits) return [];
    const account = emailKey(email);
    return db.write(async (tx) => {
      const known = device && (await paces.tryTake(tx, ofDevice, `${device} ${account}`));
      if (known) return [known];
      // The network first: a refusal there must not use up the account's quota.
      const here = await paces.take(tx, ofNetwork, `${network} ${account}`);
      return [here, await paces.take(tx, ofUnknown, account)];
    });
  }

  /** For a password entered within a session. @throws TooManyRequests */
  async function beginInSession(sessionId: string): Promise<readonly Taken[]> {
    if (!limits) return [];
    return db.write(async (tx) => [await paces.take(tx, ofSession, sessionId)]);
  }

  /** Warns the owner of many wrong passwords, at most once a day. */
  async function noteWrong(user: UserRow | undefined, taken: readonly Taken[]): Promise<void> {
    const many = taken.some(({ pace, used }) => pace === ofUnknown && used * 2 >= fromUnknown);
    if (!many || user?.active !== 1) return;
    await db.write(async (tx) => {
      if (await paces.tryTake(tx, ofWarnings, user.id)) await warn(tx, user);
    });
  }

  /** Returns the slots unless the password is wrong. */
  async function check(taken: readonly Taken[], verify: () => Promise<boolean>): Promise<boolean> {
    let wrong = false;
    try {
      wrong = !(await verify());
      return !wrong;
    } finally {
      if (!wrong && taken.length > 0) await db.write((tx) => paces.giveBack(tx, taken));
    }
  }

  return { begin, beginInSession, check, noteWrong };
}
