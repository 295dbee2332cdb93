import { ApiError, timestamp } from '#api';
import type { Database, Reader } from '#platform/db/index.ts';
import { parseId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { listSessions } from '../people/accounts/index.ts';
import { emailKey, findUser, findUserByEmail, listUsers } from '../people/users/index.ts';
import { print, printable, printableJson } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { withDatabase } from '../process/with-database.ts';
import { record, recordCommand, writeAsOperator } from './as-operator.ts';
import { askForYes } from './prompt.ts';
import { withServices } from './with-services.ts';

const AT_ONCE = 200;

/** @throws Refusal when there is no such account */
export async function mustFindAccount(reader: Reader, emailOrId: string): Promise<UserRow> {
  const id = parseId(emailOrId);
  const user =
    id === undefined
      ? await findUserByEmail.first(reader, { emailKey: emailKey(emailOrId) })
      : await findUser.first(reader, { id });
  if (user?.deleted_at === null) return user;
  const what = id === undefined ? `with the address ${printable(emailOrId)}` : `with the id ${id}`;
  throw new Refusal(`There is no account ${what}.`);
}

/** No name and no address is longer. */
const LONGEST_QUERY = 500;

/** Accounts by name: a line each, or a JSON object a line. */
export async function listAccounts({ query, json }: { query?: string; json?: boolean }): Promise<void> {
  if (query !== undefined && query.length > LONGEST_QUERY)
    throw new Refusal(`--query takes at most ${LONGEST_QUERY} characters.`);
  await withDatabase(async (db) => {
    await recordCommand(db, 'user list');
    for await (const user of everyAccount(db, query?.trim() || undefined))
      print(json === true ? printableJson(describe(user)) : asLine(user));
  });
}

async function* everyAccount(db: Database, text: string | undefined): AsyncGenerator<UserRow> {
  let after: readonly string[] | undefined;
  for (;;) {
    const users = await listUsers(db, { text, after, limit: AT_ONCE });
    yield* users;
    const last = users.at(-1);
    if (!last || users.length < AT_ONCE) return;
    after = [last.name_key, last.id];
  }
}

const describe = (user: UserRow) => ({
  id: user.id,
  email: user.email,
  email_verified: user.email_verified === 1,
  username: user.username,
  first_name: user.first_name,
  last_name: user.last_name,
  active: user.active === 1,
  superuser: user.superuser === 1,
  created_at: timestamp(user.created_at),
});

function asLine(user: UserRow): string {
  const marks = [user.superuser === 1 && 'superuser', user.active === 0 && 'deactivated'].filter(Boolean);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return printable([user.id, user.email, name, ...marks].join('  '));
}

/** Lists the sessions of an account, or ends all of them. */
export async function showSessions(emailOrId: string, { end }: { end?: boolean }): Promise<void> {
  await (end === true ? endSessions(emailOrId) : listSessionsOf(emailOrId));
}

async function listSessionsOf(emailOrId: string): Promise<void> {
  await withDatabase(async (db) => {
    const user = await mustFindAccount(db, emailOrId);
    await writeAsOperator(db, (tx) =>
      record(tx, {
        action: 'operator.command',
        target: ['user', user.id],
        detail: { command: 'user sessions' },
      }),
    );
    const sessions = await listSessions.all(db, { userId: user.id, now: Date.now() });
    for (const { id, seen_at, address, user_agent } of sessions)
      print(printable(`${id}  last seen ${new Date(seen_at).toISOString()}  ${address}  ${user_agent}`));
    if (sessions.length === 0) print(`${user.email} is signed in nowhere.`);
  });
}

async function endSessions(emailOrId: string): Promise<void> {
  const email = await withServices(async ({ standing }, db) => {
    const user = await mustFindAccount(db, emailOrId);
    await refusing(user, () => writeAsOperator(db, (tx) => standing.endSessions(tx, user.id)));
    return user.email;
  });
  print(`${printable(email)} is signed out everywhere.`);
}

/** Deletes an account by the same rules as an administrator does. */
export async function deleteAccount(emailOrId: string, { yes }: { yes?: boolean }): Promise<void> {
  await withServices(async ({ deletion }, db) => {
    const user = await mustFindAccount(db, emailOrId);
    const email = printable(user.email);
    if (yes !== true && !(await askForYes(`Delete the account ${email} (${user.id}) for good?`)))
      throw new Refusal('Nothing was deleted: the answer was not "yes". --yes deletes without asking.');
    await refusing(user, () => writeAsOperator(db, (tx) => deletion.erase(tx, user.id)));
    print(`Deleted the account ${email}. The servers erase the rest of its data within minutes.`);
  });
}

/** @throws Refusal with the reason of the service */
async function refusing(user: UserRow, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => {
    throw error instanceof ApiError ? new Refusal(printable(`${user.email}: ${error.message}.`)) : error;
  });
}
