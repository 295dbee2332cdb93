import type { Tx } from '#platform/db/index.ts';
import { deleteOtherSessions } from './session.store.ts';

/** Tells, in the transaction of the cause, that sessions of a user have ended: streams that they opened end with them. */
export type TellSessionsEnded = (tx: Tx, userId: string) => Promise<void>;

/** Ends the sessions of a user, all of them or all but one. */
export type EndSessions = (tx: Tx, userId: string, keep?: string) => Promise<void>;

const NO_SESSION = '00000000-0000-0000-0000-000000000000';

export function sessionEnding(tell: TellSessionsEnded): EndSessions {
  return async (tx, userId, keep = NO_SESSION) => {
    await deleteOtherSessions.run(tx, { userId, keep });
    await tell(tx, userId);
  };
}
