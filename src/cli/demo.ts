import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../process/config.ts';
import { type RunningServer, startServer } from '../process/start.ts';
import { DEMO_PASSWORD, seedDemo, workInExample } from './demo-seed.ts';
import { stopOnSignal } from './signals.ts';
import { print } from './with-database.ts';

interface ExampleCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Runs a server of its own folder with a believable team, and the example application in a process beside it. */
export async function runDemo(): Promise<void> {
  const given = readConfig(process.env);
  const folder = `${given.DATA_DIR}-demo`;
  // The demo's addresses do not exist, so its mails are kept.
  const config = {
    ...given,
    DATA_DIR: folder,
    REGISTRATION: 'open' as const,
    SMTP_URL: undefined,
    // The example application runs beside it, and its developer looks at its answers.
    ...(given.loopbackApps && { ALLOW_LOOPBACK_APPS: 'yes' as const }),
  };
  const server = await startServer(config);
  const exampleUrl = `http://localhost:${new URL(server.url).port === '' ? 3001 : Number(new URL(server.url).port) + 1}`;
  const isNew = server.setUpUrl !== undefined;
  const example = await furnish(server, exampleUrl, folder).catch(async (error: unknown) => {
    await server.stop();
    // A later start would not complete it.
    if (isNew) rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  print(explain(server.url, exampleUrl));
  stopOnSignal(async () => {
    await stopChild(example);
    await server.stop();
  });
}

/** Starts the example application; a new server gets its people and messages first. @returns its process */
async function furnish(server: RunningServer, exampleUrl: string, folder: string): Promise<ChildProcess> {
  const file = join(folder, 'example.json');
  const seeded = server.setUpUrl !== undefined ? await seedDemo(server, exampleUrl) : undefined;
  if (seeded) writeFileSync(file, JSON.stringify(seeded.credentials), { mode: 0o600 });
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as ExampleCredentials;
  const example = await startExample(server, exampleUrl, credentials, folder);
  try {
    if (seeded) await workInExample(seeded);
    return example;
  } catch (error) {
    await stopChild(example);
    throw error;
  }
}

/** @returns the process, once it reports that it listens */
async function startExample(
  server: RunningServer,
  exampleUrl: string,
  credentials: ExampleCredentials,
  folder: string,
): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../examples/task-tracker/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: new URL(exampleUrl).port,
      PARLEY_URL: server.url,
      PARLEY_CLIENT_ID: credentials.clientId,
      PARLEY_CLIENT_SECRET: credentials.clientSecret,
      BASE_URL: exampleUrl,
      DATA_FILE: join(folder, 'task-tracker.db'),
    },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`the example application ended with ${code}`)));
  });
  return child;
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return Promise.resolve();
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
    'Jonas, Aiko and Samir have such addresses too, and the same password. With curl:',
    `  curl -c cookies.txt ${url}/v1/sessions -H 'Content-Type: application/json' \\`,
    `    -d '{"email":"mara@demo.example","password":"${DEMO_PASSWORD}"}'`,
    `  curl -b cookies.txt ${url}/v1/messages                    # tags, replies, high fives, sidebars, a picture`,
    `  curl -b cookies.txt '${url}/v1/messages?tag=_unread'`,
    `  curl -b cookies.txt '${url}/v1/messages?q=mill'`,
    `  curl -b cookies.txt -N ${url}/v1/events                   # what happens from now on, as it happens`,
  ].join('\n');
}
