import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program as `npm test` has built it. */
export const main = join(root, 'build/server/main.js');

/** A shared compile cache: a command starts in half the time. */
export const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };

/** A program in a process of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** The pattern's match in the output. */
  readonly found: string;
  /** Everything that it has written. */
  output(): string;
  /** Ends it with a signal. @returns its exit code, or null when the signal ended it */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a program and waits until its output fits `ready`. `environment` adds to a clean one. */
export async function startProgram(
  args: string[],
  environment: NodeJS.ProcessEnv,
  ready: RegExp,
): Promise<Program> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, ...compiled, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  const found = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const match = ready.exec(output);
      if (match) resolve(match[1] ?? match[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)));
  });
  return {
    child,
    found,
    output: () => output,
    end: (signal) =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
        child.once('exit', (code) => resolve(code));
        child.kill(signal);
      }),
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
      ...environment,
    },
    /ready at (\S+)/,
  );
}

/** A port that is free now, and may be taken a moment later. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A port that is free, and the one after it, where the example listens. */
export async function freePair(): Promise<number> {
  for (;;) {
    const port = await freePort();
    const next = createServer().listen(port + 1, '127.0.0.1');
    const isFree = await once(next, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    await new Promise((resolve) => next.close(resolve));
    return port;
  }
}

/**
 * Runs one command of the command line to its end. @param options.input its standard input
 * @param options.closeAfter closes its output after the first chunk, as "head" does
 */
export function runCommand(
  args: string[],
  options: { cwd: string; environment: NodeJS.ProcessEnv; input?: string; closeAfter?: boolean },
): Promise<{ code: number | null; output: string }> {
  const { cwd, environment, input = '', closeAfter } = options;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
      cwd,
      env: { PATH: process.env.PATH, ...compiled, ...environment },
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
