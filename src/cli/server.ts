import { readConfig } from '../process/config.ts';
import { closeToOthers, makeDataFolder } from '../process/data-folder.ts';
import { stopOnSignal } from './signals.ts';

export async function start(): Promise<void> {
  const config = readConfig(process.env);
  for (const warning of config.warnings)
    process.stderr.write(`Warning: ${warning}
`);
  makeDataFolder(config.DATA_DIR);
  const open = closeToOthers(config.DATA_DIR);
  if (open !== undefined) process.stderr.write(`Warning: ${open}\n`);
  // A setting or a folder that cannot be used is refused before the server's modules are loaded.
  const { startServer } = await import('../process/start.ts');
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
