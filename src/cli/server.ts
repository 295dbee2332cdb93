import type { Command } from 'commander';
import { readConfig } from '../process/config.ts';
import { closeToOthers, makeDataFolder } from '../process/data-folder.ts';
import { startServer } from '../process/start.ts';
import { runDemo } from './demo.ts';
import { stopOnSignal } from './signals.ts';

export function addServerCommands(program: Command): void {
  program.command('start', { isDefault: true }).description('run the server').action(start);
  program
    .command('demo')
    .description('run a server with a believable team, and the example application beside it')
    .action(runDemo);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  for (const warning of config.warnings)
    process.stderr.write(`Warning: ${warning}
`);
  makeDataFolder(config.DATA_DIR);
  const open = closeToOthers(config.DATA_DIR);
  if (open !== undefined) process.stderr.write(`Warning: ${open}\n`);
  const server = await startServer(config);
  process.stdout.write(`${welcome(server.url, server.setUpUrl)}
`);
  stopOnSignal(server.stop);
}

function welcome(url: string, setUpUrl: string | undefined): string {
  const ready = `Parley is ready at ${url}  (interface: ${url}/docs, stop with Ctrl-C)`;
  if (setUpUrl === undefined) return ready;
  return [
    ready,
    'This server is new. The first account administers it. Create it with this link, and keep the link secret until then:',
    `  ${setUpUrl}`,
  ].join('\n');
}
