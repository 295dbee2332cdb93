import { Command } from 'commander';
import { Refusal } from '../process/refusal.ts';
import { runInTerminal } from '../process/terminal.ts';
import { addCommands } from './commands.ts';
import { hasSources, SOURCE_COMMANDS } from './sources.ts';

/** Runs the command in `process.argv`, and sets the exit code of this process. */
export async function runProgram(): Promise<void> {
  const program = new Command('parley')
    .description('A self-hosted team-collaboration platform.')
    .option('-V, --version', 'the version, and the newest migration of the database that it knows')
    .showHelpAfterError();
  addCommands(program);
  // A hook, because what it prints is loaded only then.
  program.hook('preAction', async () => {
    if (program.opts().version !== true) return;
    (await import('./version.ts')).printVersion();
    // An error of writing the output arrives in a later turn.
    await new Promise(() => setImmediate(() => process.exit()));
  });
  await runInTerminal(async () => {
    refuseUnknownCommand(program, process.argv[2]);
    await program.parseAsync();
  });
}

/** Without a command the server starts, so an unknown word would count as an argument of "start". */
function refuseUnknownCommand(program: Command, word: string | undefined): void {
  if (word === undefined || word.startsWith('-') || word === 'help') return;
  const names = program.commands.map((command) => command.name());
  if (!hasSources && SOURCE_COMMANDS.includes(word))
    throw new Refusal(`"${word}" needs the sources of Parley, which are not here.`);
  if (!names.includes(word)) throw new Refusal(`Unknown command: ${word}. There are: ${names.join(', ')}.`);
}
