import { type Database, type Tx, UniqueViolation } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { emailKey } from './email.ts';
import {
  changeInvitationKey,
  changeTokenKeys,
  changeUserKey,
  pageOfInvitations,
  pageOfUsers,
} from './email-keys.store.ts';

const AT_ONCE = 200;

interface Change {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Release 0.1.0 compared domains as typed. Gives accounts and invitations from then the present key, each in its own
 * transaction, so that an interrupted start continues with the next one.
 * @returns the ids of accounts that keep their key, because another account has the present one
 */
export async function renewEmailKeys(db: Database): Promise<string[]> {
  const kept: string[] = [];
  for await (const change of outdated((after) => pageOfUsers.all(db, { after, limit: AT_ONCE }))) {
    if (!(await changeUser(db, change))) kept.push(change.id);
  }
  for await (const change of outdated((after) => pageOfInvitations.all(db, { after, limit: AT_ONCE }))) {
    await db.write((tx) => changeInvitationKey.run(tx, change));
  }
  return kept;
}

async function* outdated(
  pageAfter: (after: string) => Promise<{ id: string; email_key: string }[]>,
): AsyncGenerator<Change> {
  let page = await pageAfter(LOWEST_ID);
  while (page.length > 0) {
    for (const { id, email_key: from } of page) {
      const to = emailKey(from);
      if (to !== from) yield { id, from, to };
    }
    page = await pageAfter(page.at(-1)?.id ?? LOWEST_ID);
  }
}

/** @returns false where another account has the key */
async function changeUser(db: Database, change: Change): Promise<boolean> {
  const inside = async (tx: Tx) => {
    const changed = await changeUserKey.first(tx, change);
    if (changed) await changeTokenKeys.run(tx, change);
    return changed !== undefined;
  };
  return db.write(inside).catch((error: unknown) => {
    // Another node created an account with this address meanwhile.
    if (error instanceof UniqueViolation) return false;
    throw error;
  });
}
