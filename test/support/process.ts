import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program as `npm test` has built it. */
export const main = join(root, 'build/server/main.js');

/** The demo, which runs from the sources. */
export const demo = join(root, 'examples/demo/main.ts');

/** A shared compile cache: a command starts in half the time. */
export const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };

/** Has a program note the statements it asks PostgreSQL, where the suite looks for that (`executed.ts`). */
const recording = process.env.STATEMENTS_FOLDER
  ? ['--import', new URL('executed-child.ts', import.meta.url).href]
  : [];

/** The environment of a program, and what this suite adds to each. */
const environmentOf = (given: NodeJS.ProcessEnv) => {
  const { STATEMENTS_FOLDER } = process.env;
  return { ...compiled, ...(STATEMENTS_FOLDER && { STATEMENTS_FOLDER }), ...given };
};

/** A program in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** The pattern's match in the output. */
  readonly found: string;
  /**
   * Everything that it has written so far. Its two streams, and its answers, come in no order: while it runs, look with
   * `written` for what has to come.
   */
  output(): string;
  /** Waits until whole lines of its output fit. @throws when it ends before */
  written(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it with a signal, and waits for the rest of its output. @returns its exit code, or null when the signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program and waits until its output fits `ready`. `environment` adds to a clean one. */
export async function startProgram(
  args: string[],
  environment: NodeJS.ProcessEnv,
  ready: RegExp,
): Promise<Program> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...recording, ...args], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...environmentOf(environment) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      for (const look of watchers) look();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const written = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const look = () => {
        // A line that is there in part may hold a part of what is looked for.
        const found = pattern.exec(output.slice(0, output.lastIndexOf('\n') + 1));
        if (!found) return;
        watchers.delete(look);
        resolve(found);
      };
      watchers.add(look);
      void ended.then((code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)));
      look();
    });
  const [whole, part] = await written(ready);
  return {
    child,
    found: part ?? whole,
    output: () => output,
    written,
    end: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the platform as the command line does. `found` is its address. */
export function startPlatform(environment: NodeJS.ProcessEnv): Promise<Program> {
  return startProgram(
    [main, 'start'],
    {
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      REGISTRATION: 'open',
      ADMIN_BACKUP: 'on',
      // However many processors a machine has: what a test kills or freezes is the server.
      PROCESSES: '1',
      ...environment,
    },
    /ready at (\S+)/,
  );
}

/** Below the ports that systems give to connections, and above those that Chromium refuses. */
const [FIRST_PORT, NUM_PORTS] = [11_000, 20_000];
/** Workers begin at different places, and none hands out a port twice in a row: what starts a moment later still finds it free. */
let place = process.pid * 1009;

/** A port that is free. */
export async function freePort(): Promise<number> {
  for (;;) {
    place += 1;
    const port = FIRST_PORT + (place % NUM_PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const listens = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
}

/** A port that is free, and the one after it, where the example listens. */
export async function freePair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if ((await freePort()) === port + 1) return port;
  }
}

export interface RunOptions {
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Its standard input. */
  readonly input?: string;
  /** Closes its output after the first chunk, as "head" does. */
  readonly closeAfter?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs one command of the command line in a process of its own, to its end: several at once, or one that starts a server. */
export const runBinary = (args: string[], options: RunOptions) => runProgram([main, ...args], options);

/** Runs a program to its end. */
export function runProgram(
  args: string[],
  { cwd, environment, input = '', closeAfter }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...recording, ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...environmentOf(environment) },
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (closeAfter) child.stdout.destroy();
    });
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.end(input);
  });
}
