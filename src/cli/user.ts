import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Static, Type } from 'typebox';
import { ApiError, readFields } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { writeWhole } from '#platform/files/index.ts';
import { leaseKeeper } from '#platform/jobs/index.ts';
import type { UserRow } from '#schema';
import { exportParts } from '../app/exports.ts';
import { tellAccessEnd } from '../conversation/live/index.ts';
import { tokenRevocation } from '../integration/oauth/index.ts';
import {
  passwordReplacement,
  passwordService,
  refuseWeakPassword,
  sessionEnding,
} from '../people/accounts/index.ts';
import {
  checkEmail,
  findUser,
  MIN_PASSWORD,
  type NewUser,
  SignUp,
  type UserService,
  userPresenter,
  userService,
} from '../people/users/index.ts';
import { openFileStore } from '../process/files.ts';
import { expectNewFile } from '../process/new-file.ts';
import { print } from '../process/printable.ts';
import { Refusal } from '../process/refusal.ts';
import { withDatabase } from '../process/with-database.ts';
import { exportService } from '../stewardship/exports/index.ts';
import { OPERATOR, record, writeAsOperator } from './as-operator.ts';
import { accountMailsOf } from './mails.ts';
import { readPassword } from './prompt.ts';
import { withServices } from './with-services.ts';

/** The servers close the streams of the account. */
const endSessions = sessionEnding(async (tx, userId) => tellAccessEnd(tx, userId, Date.now()));
const OPERATOR_AT_WORK = { source: 'operator', known: true };

function usersOf(db: Database): UserService {
  const nothing = { unreadCounts: notHere, developersAmong: notHere, areConnected: notHere };
  const present = userPresenter({ clock: Date.now, imageKey: Buffer.alloc(32), baseUrl: () => '' });
  const onChange = () => Promise.resolve();
  return userService({
    ...{ db, clock: Date.now, present, facts: nothing, profiles: 'everyone' },
    ...{ onChange, onWhereabouts: onChange, countWhereabouts: () => undefined },
  });
}

function notHere(): never {
  throw new Error('the command line presents no users');
}

/** Runs one change of one account in a transaction. @throws Refusal when there is no such account */
async function changeUser(
  db: Database,
  email: string,
  change: (tx: Tx, users: UserService, user: UserRow) => Promise<unknown>,
): Promise<void> {
  const users = usersOf(db);
  await writeAsOperator(db, async (tx) => change(tx, users, await mustFind(tx, users, email))).catch(
    (error: unknown) => {
      throw error instanceof ApiError ? new Refusal(`${email}: ${error.message}.`) : error;
    },
  );
}

async function mustFind(reader: Reader, users: UserService, email: string): Promise<UserRow> {
  const user = await users.byEmail(reader, email);
  if (!user) throw new Refusal(`There is no account with the address ${email}.`);
  return user;
}

/** Says who administers the server, and closes and opens accounts, by the same rules as over HTTP. */
async function changeWhereabouts(
  email: string,
  changes: { active?: boolean; superuser?: boolean },
): Promise<void> {
  await withServices(({ standing }, db) =>
    changeUser(db, email, (tx, _, user) => standing.change(tx, user.id, changes)),
  );
}

export async function createUser(
  given: string,
  options: { firstName?: string; lastName: string; superuser?: boolean },
): Promise<void> {
  const { email, ...names } = readAccount({
    email: given,
    first_name: options.firstName ?? given.split('@')[0]?.slice(0, LONGEST_NAME) ?? '',
    last_name: options.lastName,
  });
  const owner = { email, ...names, first_name: options.firstName ?? '' };
  const passwordHash = await passwordService().hash(await newPassword(owner), OPERATOR_AT_WORK);
  // The first administrator of a new server may be made before its first start.
  await withDatabase(
    async (db) => {
      const users = usersOf(db);
      await writeAsOperator(db, async (tx) => {
        const user = await makeUser(tx, users, { email, passwordHash, ...names });
        const superuser = options.superuser === true || user.superuser === 1;
        if (options.superuser) await users.setSuperuser(tx, user.id, true);
        await record(tx, { action: 'account.created', target: ['user', user.id], detail: { superuser } });
      });
    },
    { mayMake: true },
  );
  print(`Made the account ${email}.`);
}

const Account = Type.Pick(SignUp, ['email', 'first_name', 'last_name']);
const { maxLength: LONGEST_NAME } = SignUp.properties.first_name as { maxLength?: number };

/** The rules of a sign-up, before a password is asked for. @throws Refusal */
function readAccount(given: Static<typeof Account>): Static<typeof Account> {
  try {
    const fields = readFields(Account, given);
    checkEmail(fields.email);
    return fields;
  } catch (error) {
    throw error instanceof ApiError ? new Refusal(`${error.reason}: ${error.message}.`) : error;
  }
}

async function makeUser(tx: Tx, users: UserService, user: NewUser): Promise<UserRow> {
  try {
    return await users.create(tx, user);
  } catch (error) {
    throw error instanceof ApiError ? new Refusal(`${user.email}: ${error.message}.`) : error;
  }
}

export async function makeSuperuser(email: string): Promise<void> {
  await changeWhereabouts(email, { superuser: true });
  print(`${email} administers the server.`);
}

export async function deactivate(email: string): Promise<void> {
  await changeWhereabouts(email, { active: false });
  print(`${email} is deactivated; its sessions and tokens have ended.`);
}

export async function reactivate(email: string): Promise<void> {
  await changeWhereabouts(email, { active: true });
  print(`${email} is open again.`);
}

export async function exportTo(email: string, file: string): Promise<void> {
  expectNewFile(file);
  await withDatabase(async (db, config) => {
    const { id } = await mustFind(db, usersOf(db), email);
    const files = await openFileStore(config);
    try {
      // A failed renewal is retried by the next one, or the export itself fails.
      const keepLease = leaseKeeper({ db, clock: Date.now, onError: () => undefined });
      const exports = exportService({
        db,
        clock: Date.now,
        record,
        keepLease,
        findUser: (tx, userId) => findUser.first(tx, { id: userId }),
        parts: exportParts({ db, clock: Date.now, files }),
      });
      await writeWhole(file, async (part) => {
        const output = createWriteStream(part, { flags: 'wx', mode: 0o600 });
        // The export is claimed once there is a place for it.
        await once(output, 'open');
        const archive = await exports.open(id, OPERATOR).catch((error: unknown) => {
          output.destroy();
          throw error instanceof ApiError ? new Refusal(`${email}: ${error.message}.`) : error;
        });
        await pipeline(archive, output).finally(exports.settle);
      });
    } finally {
      await files.close();
    }
  });
  print(`Exported the data of ${email} to ${file}.`);
}

/** Revokes and announces the same as a reset by mail. */
export async function setPassword(email: string, options: { keepApplications?: boolean }): Promise<void> {
  const owner = { email, first_name: '', last_name: '' };
  const hash = await passwordService().hash(await newPassword(owner), OPERATOR_AT_WORK);
  const applications = options.keepApplications === true ? 'keep' : 'end';
  await withServices(async ({ applications: theirs }, db, config) => {
    const { tellPasswordChanged } = await accountMailsOf(db, config);
    await changeUser(db, email, async (tx, users, user) => {
      const replace = passwordReplacement({
        users,
        endSessions,
        endGrants: tokenRevocation(Date.now).ofUser,
        suspendOwned: (...of) => theirs.suspendOwned(...of, 'owner_reset'),
        // An unproved address may belong to a stranger.
        tellPasswordChanged: async (...told) => {
          if (user.email_verified === 1) await tellPasswordChanged(...told);
        },
      });
      await replace(tx, user, { hash, applications });
      await record(tx, { action: 'password.changed', target: ['user', user.id], detail: { applications } });
    });
  });
  const kept = applications === 'keep' ? '' : ', and applications must ask again';
  print(`${email} has a new password; its sessions have ended${kept}.`);
}

async function newPassword(owner: Parameters<typeof refuseWeakPassword>[1]): Promise<string> {
  const password = await readPassword('New password: ');
  if (password.length < MIN_PASSWORD) throw new Refusal(`A password has ${MIN_PASSWORD} characters or more.`);
  await refuseWeakPassword(password, owner).catch((error: unknown) => {
    throw error instanceof ApiError ? new Refusal(`The password ${error.message}.`) : error;
  });
  return password;
}
