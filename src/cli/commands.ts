import { type Command, InvalidArgumentError } from 'commander';
import { Refusal } from '../process/refusal.ts';

/*
 * The commands and their options. Each command loads its module when it runs, so that help and refusals start fast.
 */

export function addCommands(program: Command): void {
  addServerCommands(program);
  addDatabaseCommands(program);
  addKeyCommands(program);
  addUserCommands(program);
  addInviteCommand(program);
  addMailCommands(program);
  addApplicationCommands(program);
  addAuditCommand(program);
  addSettingsCommand(program);
  refuseRepeated(program);
}

/** Of a value that is given twice the last one would be taken: a restore to another time, a move to another place. */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (!option.required || option.variadic) continue;
    let isGiven = false;
    option.argParser((value) => {
      if (isGiven) throw new InvalidArgumentError('It is given twice.');
      isGiven = true;
      return value;
    });
  }
  for (const one of command.commands) refuseRepeated(one);
}

function addServerCommands(program: Command): void {
  program
    .command('start', { isDefault: true })
    .description('run the server')
    .action(async () => (await import('./server.ts')).start());
  program
    .command('doctor')
    .description(
      'check settings, database, data folder, mail server, uploads and BASE_URL without changing anything',
    )
    .option('--json', 'one JSON object')
    .action(async (options) => (await import('./doctor.ts')).examineServer(options));
}

function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to date')
    .action(async () => {
      await (await import('../process/with-database.ts')).makeDatabase();
      await (await import('./migrate.ts')).migrateNow();
    });
  program
    .command('backup <file>')
    .description(
      'back up the database to a file of SQLite, or with the uploads to an archive (FILE.zip); servers may run',
    )
    .action(async (file) => (await import('./backup.ts')).backUp(file));
  program
    .command('restore [file]')
    .description(
      'restore a backup over the database, or into an empty PostgreSQL database; stop the server first',
    )
    .option('--check', 'only check that it can be restored')
    .option('--from <place>', 'instead of a file: the continuous copy at COPY_TO, into an empty DATA_DIR')
    .option(
      '--at <time>',
      'with --from: restore to this time, such as 2026-01-31T12:00:00Z; default: the newest commit',
    )
    .option(
      '--line <line>',
      'with --from: the line to restore, where several servers have copied to one place',
    )
    .action(async (file, options) => {
      const { from, at, line } = options;
      if (file !== undefined && [from, at, line].every((one) => one === undefined))
        return (await import('./restore.ts')).restoreBackup(file, options);
      return (await import('./restore.ts')).restoreFromCopy(file, options);
    });
  program
    .command('move')
    .description('copy the database to another one, or the uploads to another store, and compare both')
    .option(
      '--to <address-or-folder>',
      'the database: postgres://… of an empty one, or a new data folder; stop the servers first',
    )
    .option('--files-from <folder>', 'the uploads: from this folder to the bucket of the settings')
    .option('--files-to <folder>', 'the uploads: from the bucket of the settings to this folder')
    .action(async (options) => {
      const { to, filesFrom, filesTo } = options;
      if ([to, filesFrom, filesTo].filter((one) => one !== undefined).length !== 1)
        throw new Refusal('Give one of --to, --files-from and --files-to.');
      // It would mean this folder, as with a variable of a script that is not set.
      if ([to, filesFrom, filesTo].includes(''))
        throw new Refusal('--to, --files-from and --files-to need a place: it is empty.');
      if (to === undefined) return (await import('./move-uploads.ts')).moveUploads(options);
      return (await import('../../ops/transfer/move.ts')).move(options);
    });
}

function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('the keys of the server');
  keys
    .command('reset')
    .description(
      'continue without a lost encryption key: applications get new client secrets, kept mails are deleted; stop the server first',
    )
    .action(async () => (await import('./keys.ts')).resetKeys());
  keys
    .command('rotate')
    .description(
      'replace the encryption key, as one that others may know, and encrypt all with the new one; stop the server first',
    )
    .action(async () => (await import('./rotate-keys.ts')).rotateKeys());
}

function addUserCommands(program: Command): void {
  const user = program.command('user').description('accounts');
  user
    .command('create <email>')
    .description('make an account; the password is read from standard input')
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name', '')
    .option('--superuser', 'let it administer the server')
    .action(async (email, options) => (await import('./user.ts')).createUser(email, options));
  user
    .command('superuser <email>')
    .description('let an account administer the server')
    .action(async (email) => (await import('./user.ts')).makeSuperuser(email));
  user
    .command('deactivate <email>')
    .description('end an account’s sessions and tokens, and close it')
    .action(async (email) => (await import('./user.ts')).deactivate(email));
  user
    .command('reactivate <email>')
    .description('reopen a deactivated account')
    .action(async (email) => (await import('./user.ts')).reactivate(email));
  user
    .command('list')
    .description('all accounts, by name')
    .option('--query <text>', 'only accounts whose name or email address contains this')
    .option('--json', 'one JSON object a line')
    .action(async (options) => (await import('./account.ts')).listAccounts(options));
  user
    .command('sessions <email-or-id>')
    .description('where an account is signed in')
    .option('--end', 'end all its sessions; the account stays open')
    .action(async (account, options) => (await import('./account.ts')).showSessions(account, options));
  user
    .command('delete <email-or-id>')
    .description('delete an account for good; refused in the same cases as for an administrator')
    .option('--yes', 'do not ask for confirmation')
    .action(async (account, options) => (await import('./account.ts')).deleteAccount(account, options));
  user
    .command('export <email> <file>')
    .description(
      'export a person’s data to a ZIP archive, without what others wrote (docs/operations/administration.md)',
    )
    .action(async (email, file) => (await import('./user.ts')).exportTo(email, file));
  user
    .command('password <email>')
    .description(
      'set a new password, read from standard input, and mail the person; ends the sessions, and what applications may do',
    )
    .option('--keep-applications', 'keep what applications may do for the account')
    .action(async (email, options) => (await import('./user.ts')).setPassword(email, options));
}

function addInviteCommand(program: Command): void {
  program
    .command('invite <team> <email...>')
    .description('invite people to a team, by its id or its name, and print the links')
    .option(
      '--as <email-or-id>',
      'the admin of the team who invites; default: the one with the oldest account',
    )
    .option('--admin', 'as admins of the team')
    .action(async (team, emails, options) => (await import('./invite.ts')).invite(team, emails, options));
}

function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('the mail server');
  mail
    .command('test <address>')
    .description('send a mail with the present settings, and print the mail server’s response')
    .action(async (address) => (await import('./mail.ts')).testMail(address));
}

function addApplicationCommands(program: Command): void {
  const application = program.command('application').description('third-party applications');
  application
    .command('create <name>')
    .description('register an application, and print its secret, which is shown only once')
    .requiredOption('--owner <email>', 'its owner’s email address')
    .option('--base-url <url>', 'the URL under which its objects are')
    .option('--preinstall-url <url>', 'called before a team installs it; without one it is installed at once')
    .option('--redirect-uri <url...>', 'where the browser is sent when a member opens it')
    .option('--uninstall-url <url>', 'called after a team uninstalled it')
    .option('--team-update-url <url>', 'called when members or roles change')
    .option('--listed', 'show it in the directory')
    .action(async (name, options) => (await import('./application.ts')).createApplication(name, options));
  application
    .command('list')
    .description('all applications')
    .action(async () => (await import('./application.ts')).listApplications());
  application
    .command('owner <application> <email>')
    .description(
      'give an application to another account; it is suspended until the new owner takes it over with a new secret',
    )
    .action(async (id, email) => (await import('./application.ts')).giveApplication(id, email));
  application
    .command('suspend <application>')
    .description('suspend an application: it may do nothing, and calls to it wait')
    .action(async (id) => (await import('./application.ts')).suspendApplication(id));
  application
    .command('wake <application>')
    .description('resume a suspended application')
    .action(async (id) => (await import('./application.ts')).wakeApplication(id));
}

function addAuditCommand(program: Command): void {
  program
    .command('audit')
    .description('print the audit log, the oldest first, one JSON object a line')
    .option('--since <time>', 'from this time on, such as 2026-01-31 or 2026-01-31T12:00:00Z')
    .option('--until <time>', 'up to this time')
    .option('--action <action>', 'one action, such as sign_in.refused, or all of a kind, such as sign_in.')
    .action(async (options) => (await import('./audit.ts')).printAudit(options));
}

function addSettingsCommand(program: Command): void {
  program
    .command('settings')
    .description('every setting with its default')
    .action(async () => {
      const { environmentExample } = await import('../process/config.ts');
      process.stdout.write(`${environmentExample()}\n`);
    });
}
