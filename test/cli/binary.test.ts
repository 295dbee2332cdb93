import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { Mailbox } from '../support/mailbox.ts';
import { runBinary } from '../support/process.ts';

/*
 * The commands as programs. Other tests run them in their own process (`runCommand`): they cannot see a command that does
 * not end, an exit code that is lost, and a part that the bundle lacks.
 */

let folder: string;
let mailbox: Mailbox;
beforeEach(async () => {
  folder = newFolder();
  mailbox = await new Mailbox().start();
});
afterEach(async () => {
  await mailbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ADA = 'ada@example.org';

it('each kind of command ends with its code, and leaves nothing behind but its work', async () => {
  const environment = {
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'parley@example.org',
  };
  const ended = async (args: string[], input = '') => {
    const { code, output } = await runBinary(args, { cwd: folder, environment, input });
    expect(output).not.toContain('    at ');
    return [args.slice(0, 2).join(' '), code, output];
  };
  const steps: [args: string[], code: number, output: RegExp, input?: string][] = [
    [['user', 'list'], 1, /^There is no database .+\n$/],
    [['migrate'], 0, /^The database is up to date\.\n$/],
    [['user', 'create', ADA], 0, /^Made the account ada@example\.org\.\n$/, 'a long password'],
    [['user', 'list'], 0, / {2}ada@example\.org {2}/],
    [['user', 'sessions', ADA, '--end'], 0, /is signed out everywhere/],
    [['user', 'password', ADA], 0, /has a new password/, 'another password'],
    [['user', 'export', ADA, 'ada.zip'], 0, /^Exported the data of /],
    [['user', 'delete', ADA, '--yes'], 1, /needs an administrator/],
    [['invite', 'Crew', 'bo@example.org'], 1, /^There is no team /],
    [['application', 'list'], 0, /^$/],
    [['mail', 'test', ADA], 0, / took the mail from /],
    [['backup', 'all.zip'], 0, /all\.zip/],
    [['restore', 'all.zip', '--check'], 0, /./],
    [['move', '--to', 'moved'], 0, /the same in both/],
    [['keys', 'reset'], 1, /nothing to reset/],
    [['doctor'], 0, /^ok {7}database /m],
    [['audit', '--action', 'account.created'], 0, /^\{.+\}\n$/],
    [['settings'], 0, /^# ?PORT=/m],
    [['user', 'lost'], 1, /unknown command/],
  ];
  for (const [args, code, output, input] of steps)
    expect(await ended(args, input)).toEqual([
      args.slice(0, 2).join(' '),
      code,
      expect.stringMatching(output),
    ]);
  expect(readdirSync(folder).sort()).toEqual(['ada.zip', 'all.zip', 'data', 'moved']);
});
