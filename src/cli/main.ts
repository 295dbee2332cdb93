#!/usr/bin/env node
import { Command } from 'commander';
import { SchemaRefused } from '#platform/db/schema-refused.ts';
import { ConfigError } from '../process/config-error.ts';
import { addCommands } from './commands.ts';
import { Refusal } from './refusal.ts';

/** Errors whose message is for the operator. */
const EXPECTED = [ConfigError, Refusal, SchemaRefused];

// New files are private to the user who runs this: database, keys, uploads, backups, exports.
process.umask(0o077);
// A reader that closes early, as in "audit | head", is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const program = new Command('parley')
  .description('A self-hosted team-collaboration platform.')
  .option('-V, --version', 'the version, and the newest migration of the database that it knows')
  .showHelpAfterError();
addCommands(program);
// A hook, because what it prints is loaded only then.
program.hook('preAction', async () => {
  if (program.opts().version !== true) return;
  (await import('./version.ts')).printVersion();
  process.exit();
});

try {
  refuseUnknownCommand(process.argv[2]);
  await program.parseAsync();
} catch (error) {
  const expected = EXPECTED.some((kind) => error instanceof kind);
  process.stderr.write(
    `${expected ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`,
  );
  process.exitCode = 1;
}

/** Without a command the server starts, so an unknown word would count as an argument of "start". */
function refuseUnknownCommand(word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return;
  const names = program.commands.map((command) => command.name());
  if (!names.includes(word)) throw new Refusal(`Unknown command: ${word}. There are: ${names.join(', ')}.`);
}
