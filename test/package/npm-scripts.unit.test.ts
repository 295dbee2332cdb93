import { spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { freePair, root } from '../support/process.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What runs until it is stopped, or long enough; the demo's example listens on the next port. */
const RUNNING = [
  { script: 'start', ready: 'ready at', ports: 1 },
  { script: 'demo', ready: 'demo is ready', ports: 2 },
  { script: 'web', ready: 'Local', ports: 0 },
  { script: 'test -- --project sqlite test/interface/authorization.test.ts', ready: 'RUN', ports: 0 },
];
/** A terminal sends its signals to all of its processes, another program to npm alone. */
const SIGNALS = [
  { signal: 'SIGTERM', all: false },
  { signal: 'SIGINT', all: true },
  { signal: 'SIGHUP', all: true },
] as const;

/**
 * Starts a server, or what else serves, and waits until its output fits.
 * @returns a promise of when the last process that writes to its output has ended
 */
async function begin(command: string, args: string[], port: number, ready: string) {
  const { PATH, HOME } = process.env;
  const program = spawn(command, args, {
    cwd: root,
    env: {
      PATH,
      HOME,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let isOver = false;
  const ended = new Promise<void>((resolve) =>
    program.once('close', () => {
      isOver = true;
      resolve();
    }),
  );
  onTestFinished(() => {
    if (!isOver) process.kill(-Number(program.pid), 'SIGKILL');
  });
  await new Promise<void>((resolve, reject) => {
    let output = '';
    program.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes(ready)) resolve();
    });
    program.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}: ${output}`)));
  });
  return { pid: Number(program.pid), ended };
}

const ask = async (port: number) => (await fetch(`http://localhost:${port}/`)).text();

describe.skipIf(process.platform === 'win32').each(RUNNING)('npm run $script', ({ script, ready, ports }) => {
  it.each(SIGNALS)(
    'ends with all that it has started at $signal (claim: npm-start)',
    async ({ signal, all }) => {
      const port = await freePair();
      const { pid, ended } = await begin('npm', ['run', ...script.split(' ')], port, ready);
      const served = [port, port + 1].slice(0, ports);
      for (const one of served) expect(await ask(one)).toEqual(expect.any(String));
      process.kill(all ? -pid : pid, signal);
      await ended;
      for (const one of served) await expect(ask(one)).rejects.toThrow();
    },
  );
});

describe.skipIf(process.platform === 'win32')('a server', () => {
  it.each([
    { command: process.execPath, args: ['bootstrap.cjs', 'start'] },
    { command: 'npm', args: ['start'] },
  ])(
    'ends with the program that has started it, be that killed: $args (claim: ends-with-parent)',
    async ({ command, args }) => {
      const port = await freePair();
      const { pid, ended } = await begin(command, args, port, 'ready at');
      process.kill(pid, 'SIGKILL');
      await ended;
      await expect(ask(port)).rejects.toThrow();
      // It ended in order: SQLite removes its log with the last connection.
      expect(existsSync(join(folder, 'data/parley.db-wal'))).toBe(false);
    },
  );
});
