import { type Database, type Reader, type Tx, UniqueViolation } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { emailKey } from './email.ts';
import { changeUserKey, type KeyChange, type PageOfKeys, pageOfUsers } from './email-keys.store.ts';

const AT_ONCE = 200;

/** The rows of other domains that hold keys of addresses. */
export interface KeyHolders {
  /** Changes the rows that go with a user, in the transaction that changes the user. */
  readonly ofUser: (tx: Tx, change: KeyChange) => Promise<void>;
  /** Rows of addresses without an account. */
  readonly others: {
    page(db: Reader, page: PageOfKeys): Promise<{ id: string; email_key: string }[]>;
    change(tx: Tx, change: KeyChange): Promise<void>;
  };
}

/**
 * Release 0.1.0 compared domains as typed. Gives accounts and invitations from then the present key, each in its own
 * transaction, so that an interrupted start continues with the next one.
 * @returns the ids of accounts that keep their key, because another account has the present one
 */
export async function renewEmailKeys(db: Database, { ofUser, others }: KeyHolders): Promise<string[]> {
  const kept: string[] = [];
  for await (const change of outdated((after) => pageOfUsers.all(db, { after, limit: AT_ONCE }))) {
    if (!(await changeUser(db, change, ofUser))) kept.push(change.id);
  }
  for await (const change of outdated((after) => others.page(db, { after, limit: AT_ONCE }))) {
    await db.write((tx) => others.change(tx, change));
  }
  return kept;
}

async function* outdated(
  pageAfter: (after: string) => Promise<{ id: string; email_key: string }[]>,
): AsyncGenerator<KeyChange> {
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
async function changeUser(
  db: Database,
  change: KeyChange,
  changeOthers: KeyHolders['ofUser'],
): Promise<boolean> {
  const inside = async (tx: Tx) => {
    const changed = await changeUserKey.first(tx, change);
    if (changed) await changeOthers(tx, change);
    return changed !== undefined;
  };
  return db.write(inside).catch((error: unknown) => {
    // Another node created an account with this address meanwhile.
    if (error instanceof UniqueViolation) return false;
    throw error;
  });
}
