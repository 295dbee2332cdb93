import { DatabaseDamaged } from '#platform/db/damaged.ts';
import { SchemaRefused } from '#platform/db/schema-refused.ts';
import { ConfigError } from './config-error.ts';
import { printable } from './printable.ts';
import { Refusal } from './refusal.ts';

/** Errors whose message is for the operator. */
const EXPECTED = [ConfigError, DatabaseDamaged, Refusal, SchemaRefused];

const RIGHTS = 'Give it to the user who runs this, or choose another place.';
/** Advice on errors of the operating system, by code. */
const SYSTEM: Record<string, string> = {
  ENOSPC: 'Make room on the disk.',
  EDQUOT: 'Make room on the disk.',
  EROFS: 'Choose a place that can be written.',
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  ENOENT: 'Check the path.',
  ENOTDIR: 'Check the path.',
  ENAMETOOLONG: 'Choose a shorter name.',
  EISDIR: 'Name a file.',
  EMFILE: 'Raise the number of files that this user may open (ulimit -n).',
};

/** Runs a program as its terminal expects: private files, a sentence for what fails, and no error when a reader closes early. */
export async function runInTerminal(work: () => Promise<unknown>): Promise<void> {
  // New files are private to the user who runs this: database, keys, uploads, backups, exports.
  process.umask(0o077);
  // A reader that closes early, as in "audit | head", is not an error. A command goes on, so that it has done what its exit code says.
  let unread: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') {
      unread = error;
      process.stdout.write = () => true;
      return;
    }
    process.stderr.write(`The output could not be written: ${error.message}.\n`);
    process.exit(1);
  });
  try {
    await work();
  } catch (error) {
    // A list that waited for its reader ends there.
    if (error === unread) return;
    process.stderr.write(`${sentenceFor(error)}\n`);
    process.exitCode = 1;
  }
}

/** The message of an error with advice; the stack of one that nobody expected. */
function sentenceFor(error: unknown): string {
  const { name, message, stack, code = '', syscall } = error as NodeJS.ErrnoException;
  if (EXPECTED.some((kind) => error instanceof kind)) return message.split('\n').map(printable).join('\n');
  if (name === 'DatabaseFull') return `The database has no room: ${message}. Make room on its disk.`;
  if (name === 'DatabaseUnavailable')
    return `The database does not answer: ${message}. See that it runs and that no other program holds it, and try again.`;
  if (syscall !== undefined && code in SYSTEM) return `${message}. ${SYSTEM[code]}`;
  return stack ?? String(error);
}
