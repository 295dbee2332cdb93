import type { Tx } from '#platform/db/index.ts';
import type { UserRow } from '#schema';
import type { UserService } from '../users/index.ts';
import type { NamedPace, Pace, Paces } from './pace.ts';

const HOUR_MS = 3_600_000;
/** The interval between notices to an owner about sign-ups with the address. */
export const SIGN_UP_NOTICE_EVERY_MS = 24 * HOUR_MS;
/** How many sign-ups with taken addresses one network may make in a row. */
export const TAKEN_IN_A_ROW = 5;
/** Afterwards, one per interval. */
export const TAKEN_EVERY_MS = HOUR_MS / TAKEN_IN_A_ROW;

const ofNetwork: NamedPace = { name: 'sign_up', burst: TAKEN_IN_A_ROW, everyMs: TAKEN_EVERY_MS };
const ofNotices: Pace = { name: 'sign_up_notice', burst: 1, everyMs: SIGN_UP_NOTICE_EVERY_MS };

export interface TakenAddressesDeps {
  readonly users: UserService;
  readonly paces: Paces;
  /** False when limits are off. */
  readonly limited: boolean;
  /** Mails the owner of the address. */
  readonly notify: (tx: Tx, user: UserRow) => Promise<void>;
}

export type TakenAddresses = ReturnType<typeof takenAddresses>;

/**
 * Bounds how many addresses a network can test by signing up. Signing up opens a session, so it cannot answer alike for
 * an address that has an account and for one that has none.
 */
export function takenAddresses({ users, paces, limited, notify }: TakenAddressesDeps) {
  /**
   * Takes the slot before the address is looked up, and other requests of the network wait for it, so concurrent
   * requests learn no more than sequential ones. The caller must commit when the result is true, or the attempt is
   * not counted.
   * @throws TooManyRequests for any address, once the network has used up its pace
   */
  async function isTaken(tx: Tx, email: string, network: string): Promise<boolean> {
    const place = limited ? await paces.take(tx, ofNetwork, network) : undefined;
    const owner = await users.byEmail(tx, email);
    if (!owner && place) await paces.giveBack(tx, [place]);
    if (owner?.active === 1 && (await paces.tryTake(tx, ofNotices, owner.id))) await notify(tx, owner);
    return owner !== undefined;
  }

  return { isTaken };
}
