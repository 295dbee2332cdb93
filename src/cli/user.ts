import type { Command } from 'commander';
import type { Database, Tx } from '#platform/db/index.ts';
import { endSessions, hashPassword } from '../accounts/index.ts';
import { ApiError } from '../api/index.ts';
import { tokenRevocation } from '../oauth/index.ts';
import type { UserRow } from '../schema/index.ts';
import { checkEmail, type UserService, userPresenter, userService } from '../users/index.ts';
import { readPassword } from './prompt.ts';
import { Refusal } from './refusal.ts';
import { print, withDatabase } from './with-database.ts';

const MIN_PASSWORD = 10;

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('accounts');
  user
    .command('create <email>')
    .description('make an account; the password is read from standard input')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name', '')
    .option('--superuser', 'let it administer the server')
    .action(create);
  user.command('superuser <email>').description('let an account administer the server').action(makeSuperuser);
  user
    .command('deactivate <email>')
    .description('end an account’s sessions and tokens, and close it')
    .action(deactivate);
  user
    .command('password <email>')
    .description('set a new password, read from standard input; ends the sessions')
    .action(setPassword);
}

function usersOf(db: Database): UserService {
  const nothing = { unreadCounts: notHere, isDeveloper: notHere, areConnected: notHere };
  const present = userPresenter({ clock: Date.now, imageKey: Buffer.alloc(32), baseUrl: () => '' });
  return userService({ db, clock: Date.now, present, facts: nothing, profiles: 'everyone' });
}

function notHere(): never {
  throw new Error('the command line presents no users');
}

/** Runs one change of one account in a transaction. @throws Refusal when there is no such account */
async function changeUser(
  email: string,
  change: (tx: Tx, users: UserService, user: UserRow) => Promise<unknown>,
): Promise<void> {
  await withDatabase(async (db) => {
    const users = usersOf(db);
    await db.write(async (tx) => {
      const user = await users.byEmail(tx, email);
      if (!user) throw new Refusal(`There is no account with the address ${email}.`);
      await change(tx, users, user);
    });
  });
}

async function create(
  email: string,
  options: { firstName?: string; lastName: string; superuser?: boolean },
): Promise<void> {
  const passwordHash = await hashPassword(await newPassword());
  await withDatabase(async (db) => {
    const users = usersOf(db);
    await db.write(async (tx) => {
      const user = await makeUser(tx, users, email, passwordHash, options);
      if (options.superuser) await users.update(tx, user, { superuser: 1 });
    });
  });
  print(`Made the account ${email}.`);
}

async function makeUser(
  tx: Tx,
  users: UserService,
  email: string,
  passwordHash: string,
  options: { firstName?: string; lastName: string },
): Promise<UserRow> {
  try {
    checkEmail(email);
    const first_name = options.firstName ?? email.split('@')[0] ?? email;
    return await users.create(tx, { email, passwordHash, first_name, last_name: options.lastName });
  } catch (error) {
    throw error instanceof ApiError ? new Refusal(`${email}: ${error.message}.`) : error;
  }
}

async function makeSuperuser(email: string): Promise<void> {
  await changeUser(email, (tx, users, user) => users.update(tx, user, { superuser: 1 }));
  print(`${email} administers the server.`);
}

async function deactivate(email: string): Promise<void> {
  await changeUser(email, async (tx, users, user) => {
    await users.update(tx, user, { active: 0 });
    await endSessions(tx, user.id);
    await tokenRevocation(Date.now).ofUser(tx, user.id);
  });
  print(`${email} is deactivated; its sessions and tokens have ended.`);
}

async function setPassword(email: string): Promise<void> {
  const password_hash = await hashPassword(await newPassword());
  await changeUser(email, async (tx, users, user) => {
    await users.update(tx, user, { password_hash });
    await endSessions(tx, user.id);
  });
  print(`${email} has a new password; its sessions have ended.`);
}

async function newPassword(): Promise<string> {
  const password = await readPassword('New password: ');
  if (password.length < MIN_PASSWORD) throw new Refusal(`A password has ${MIN_PASSWORD} characters or more.`);
  return password;
}
