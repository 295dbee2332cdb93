import { resolve } from 'node:path';
import { waitAtMost } from '#platform/pause.ts';
import { type Config, readConfig } from '../process/config.ts';
import { closeToOthers, makeDataFolder } from '../process/data-folder.ts';
import type { Log, LogRecord } from '../process/log.ts';
import { claimPort } from '../process/port.ts';
import { countProcesses, type OwnProcess, ownProcess } from '../process/processes.ts';
import { stopOnSignal } from '../process/signals.ts';
import { type Ready, Supervisor, tellReady } from '../process/supervisor.ts';

/** How long a signal waits for the start to end. */
const STARTING_MS = 500;

/** A terminal that closes sends it to all. Otherwise it restarts the processes. */
const RESTARTS = 'SIGHUP';

export async function start(): Promise<void> {
  // A server does not end because nobody can read its warnings.
  process.stderr.on('error', () => undefined);
  const config = readConfig(process.env);
  const own = ownProcess(process.env);
  if (own === undefined) prepare(config);
  const count = own === undefined ? countProcesses(config) : 1;
  return count > 1 ? startSeveral(config, count) : startOne(config, own);
}

function prepare(config: Config): void {
  for (const warning of config.warnings)
    process.stderr.write(`Warning: ${warning}
`);
  makeDataFolder(config.DATA_DIR);
  const open = closeToOthers(config.DATA_DIR);
  if (open !== undefined) process.stderr.write(`Warning: ${open}\n`);
}

/** Serves in this process. @param own which one it is, where a supervisor runs several */
async function startOne(config: Config, own: OwnProcess | undefined): Promise<void> {
  // A setting or a folder that cannot be used is refused before the server's modules are loaded.
  const { startServer } = await import('../app/start.ts');
  const { openLog } = await import('../process/log.ts');
  const log = openLog(config, own);
  const starting = startServer(config, { logger: log.logger, own });
  // A start may wait long, as for another server's migration. It can be broken off at any point, as by a crash.
  const stop = async () => (await waitAtMost(STARTING_MS, starting))?.stop();
  // From here on: as the first process of a container it would not be ended by a signal without a listener.
  if (own === undefined) stopOnSignal(stop, () => tellStop(log));
  else {
    // None outlives its supervisor, which ends the others.
    process.on('disconnect', () => process.exit(0));
    // The signals of a terminal reach all its processes. The supervisor decides what they mean.
    for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
    stopOnSignal(stop, undefined, ['SIGTERM']);
  }
  const server = await starting;
  if (own === undefined) log.say(welcome(server, config), readyRecords(server));
  else tellReady(server);
}

/** Runs several processes of the server, and prints once what each would. */
async function startSeveral(config: Config, count: number): Promise<void> {
  const { openLog } = await import('../process/log.ts');
  const log = openLog(config);
  const leave = await claimPort(config);
  const supervisor = new Supervisor(count, log.logger);
  const isInTerminal = process.stdin.isTTY || process.stdout.isTTY;
  stopOnSignal(
    () => supervisor.stop(),
    () => tellStop(log),
    ['SIGINT', 'SIGTERM', ...(isInTerminal ? ([RESTARTS] as const) : [])],
  );
  if (!isInTerminal) process.on(RESTARTS, () => void supervisor.restart());
  process.exitCode = await supervisor.run((ready) => {
    leave();
    log.say(welcome(ready, config, count), readyRecords(ready));
  });
}

function tellStop(log: Log): void {
  const text = 'Stopping: requests under way are finished first. Ctrl-C again stops at once.';
  if (log.isText) log.say(text, []);
}

/** For a person at a terminal. */
function welcome({ url, setUpUrl }: Ready, config: Config, processes = 1): string {
  const where = `Parley is ready at ${url}`;
  const open =
    setUpUrl === undefined
      ? [`  Open it in your browser:  ${url}`]
      : [
          '  This server is new. Open this link in your browser to make the first account, which administers',
          '  the server, and keep the link secret until then:',
          '',
          `    ${setUpUrl}`,
        ];
  const facts = [
    ['Data', describeData(config)],
    ['Reached from', config.reachable ? 'other machines too' : 'this machine only (docs/operations/run.md)'],
    ...(processes > 1 ? [['Processes', String(processes)]] : []),
    ['Interface', `${url}/docs`],
    ['Stop', 'Ctrl-C'],
  ];
  const list = facts.map(([name = '', fact]) => `  ${`${name}:`.padEnd(14)}${fact}`);
  return ['', where, '', ...open, '', ...list, ''].join('\n');
}

function describeData({ DATABASE_URL, DATA_DIR, S3_BUCKET }: Config): string {
  const folder = resolve(DATA_DIR);
  if (DATABASE_URL === undefined && S3_BUCKET === undefined) return folder;
  const database = DATABASE_URL === undefined ? `database in ${folder}` : 'PostgreSQL (DATABASE_URL)';
  const uploads = S3_BUCKET === undefined ? `uploads in ${folder}` : `uploads in the bucket ${S3_BUCKET}`;
  return `${database}, ${uploads}`;
}

/** For programs, and for who reads the log of a service. */
function readyRecords({ url, setUpUrl }: Ready): LogRecord[] {
  const ready = { message: `Parley is ready at ${url} (interface: ${url}/docs)`, fields: { url } };
  if (setUpUrl === undefined) return [ready];
  const message =
    'This server is new. The first account administers it. Create it with this link, and keep the link secret ' +
    `until then: ${setUpUrl}`;
  return [ready, { message }];
}
