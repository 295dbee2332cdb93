import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '../../src/app/start.ts';
import { type Config, readConfig } from '../../src/process/config.ts';
import { print } from '../../src/process/printable.ts';
import { Refusal } from '../../src/process/refusal.ts';
import { stopOnSignal } from '../../src/process/signals.ts';
import { runInTerminal } from '../../src/process/terminal.ts';
import { StoryClock } from './clock.ts';
import { type DemoFolder, openDemoFolder } from './folder.ts';
import { DEMO_PASSWORD, seedDemo, workInExample } from './seed.ts';

interface ExampleCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The settings that a demo takes. Its password is public, so it must not reach what belongs to a real server. */
const TAKEN = ['PORT', 'LOG_LEVEL', 'LOG_FORMAT'] as const;

/** The bakery has talked for some days when the demo begins. */
const STORY_DAYS = 4;

/** A folder beside that of the settings, and the defaults of all but a few. */
function demoSettings(): Config {
  const given = readConfig(process.env);
  return readConfig(
    {
      ...Object.fromEntries(TAKEN.map((name) => [name, String(given[name])])),
      DATA_DIR: `${given.DATA_DIR}-demo`,
      REGISTRATION: 'open',
      // The example application runs beside it, and its developer looks at its answers.
      ALLOW_LOOPBACK_APPS: 'yes',
    },
    '',
  );
}

/** Runs a server of its own folder with a believable team, and the example application in a process beside it. */
async function runDemo(): Promise<void> {
  const config = demoSettings();
  const folder = openDemoFolder(config.DATA_DIR);
  const stops = [async () => folder.giveUp()];
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    for (let one = stops.pop(); one; one = stops.pop()) await one();
  };
  stopOnSignal(stop);
  try {
    const clock = new StoryClock();
    if (folder.isNew) clock.begin(clock.daysAgo(STORY_DAYS, '06:00'));
    const starting = startServer(config, { clock: clock.now });
    stops.push(async () => (await starting.catch(() => undefined))?.stop());
    const server = await starting;
    const { port } = new URL(server.url);
    const exampleUrl = `http://localhost:${port === '' ? 3001 : Number(port) + 1}`;
    await furnish(server, exampleUrl, { folder, clock }, (child) => stops.push(() => stopChild(child)));
    folder.complete();
    print(explain(server.url, exampleUrl));
  } catch (error) {
    // A step that is stopped half way fails, too.
    if (isStopping) return;
    await stop();
    throw error;
  }
}

/**
 * Starts the example application; a new server gets its people and messages first.
 * @param onStart given its process, which must be stopped
 */
async function furnish(
  server: RunningServer,
  exampleUrl: string,
  { folder, clock }: { folder: DemoFolder; clock: StoryClock },
  onStart: (example: ChildProcess) => void,
): Promise<void> {
  const seeded = folder.isNew ? await seedDemo(server, exampleUrl, clock) : undefined;
  if (seeded) writeFileSync(folder.credentials, JSON.stringify(seeded.credentials), { mode: 0o600 });
  const credentials = JSON.parse(readFileSync(folder.credentials, 'utf8')) as ExampleCredentials;
  await startExample(server, exampleUrl, credentials, folder, onStart);
  if (seeded) await workInExample(seeded);
}

/** Ends a process when the one that started it is gone, however that ended: the system closes its input then. */
const END_WITH_PARENT = "data:text/javascript,process.stdin.resume().on('close',()=>process.exit()).unref()";

/** @returns once it reports that it listens */
async function startExample(
  server: RunningServer,
  exampleUrl: string,
  credentials: ExampleCredentials,
  folder: DemoFolder,
  onStart: (example: ChildProcess) => void,
): Promise<void> {
  const main = fileURLToPath(new URL('../task-tracker/main.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning', '--import', END_WITH_PARENT];
  const child = spawn(process.execPath, [...flags, main], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: new URL(exampleUrl).port,
      PARLEY_URL: server.url,
      PARLEY_CLIENT_ID: credentials.clientId,
      PARLEY_CLIENT_SECRET: credentials.clientSecret,
      BASE_URL: exampleUrl,
      DATA_FILE: folder.tasks,
    },
  });
  onStart(child);
  let errors = '';
  const keep = (chunk: Buffer) => (errors += chunk);
  child.stderr.on('data', keep);
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('close', (code) => reject(new Refusal(whyEnded(errors, code, exampleUrl))));
  });
  child.stderr.off('data', keep).pipe(process.stderr, { end: false });
}

function whyEnded(errors: string, code: number | null, exampleUrl: string): string {
  const { port } = new URL(exampleUrl);
  if (errors.includes('EADDRINUSE'))
    return `Port ${port}, where the example application listens, is taken: set PORT to one whose next one is free, too.`;
  return `${errors}The example application ended with ${code}.`;
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

function explain(url: string, exampleUrl: string): string {
  return [
    `Parley's demo is ready at ${url}  (interface: ${url}/docs, stop with Ctrl-C)`,
    `The example application, a task tracker, runs at ${exampleUrl} and is installed on the team "Harbour Bakery".`,
    `Open it in a browser and sign in as mara@demo.example with the password "${DEMO_PASSWORD}".`,
    'Jonas, Aiko, Samir, Nell, Finn, Tomas and Priya have such addresses too, and the same password. With curl:',
    `  curl -c cookies.txt ${url}/v1/sessions -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"mara@demo.example","password":"${DEMO_PASSWORD}"}'`,
    `  curl -b cookies.txt ${url}/v1/messages                    # tags, replies, reactions, sidebars, pictures`,
    `  curl -b cookies.txt '${url}/v1/messages?tag=_unread'`,
    `  curl -b cookies.txt '${url}/v1/messages?q=mill'`,
    `  curl -b cookies.txt -N ${url}/v1/events                   # what happens from now on, as it happens`,
  ].join('\n');
}

await runInTerminal(runDemo);
