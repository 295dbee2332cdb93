#!/usr/bin/env node
import { Command } from 'commander';
import { ConfigError } from '../config.ts';
import { addApplicationCommands } from './application.ts';
import { addAuditCommands } from './audit.ts';
import { addDatabaseCommands } from './database.ts';
import { addDocumentCommands } from './documents.ts';
import { Refusal } from './refusal.ts';
import { addServerCommands } from './server.ts';
import { addUserCommands } from './user.ts';

const program = new Command('parley')
  .description('A self-hosted team-collaboration platform.')
  .showHelpAfterError();
addServerCommands(program);
addDatabaseCommands(program);
addUserCommands(program);
addApplicationCommands(program);
addAuditCommands(program);
addDocumentCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof Refusal || isPortTaken(error);
  process.stderr.write(`${expected ? explain(error as Error) : ((error as Error).stack ?? String(error))}\n`);
  process.exitCode = 1;
}

function isPortTaken(error: unknown): boolean {
  return ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function explain(error: Error): string {
  if (!isPortTaken(error)) return error.message;
  return `${error.message}. Another program uses this port, or it may not be used: choose another one with PORT=….`;
}
