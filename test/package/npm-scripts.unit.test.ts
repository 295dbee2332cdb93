import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
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

describe.skipIf(process.platform === 'win32').each(RUNNING)('npm run $script', ({ script, ready, ports }) => {
  it.each(SIGNALS)(
    'ends with all that it has started at $signal (claim: npm-start)',
    async ({ signal, all }) => {
      const { PATH, HOME } = process.env;
      const port = await freePair();
      const npm = spawn('npm', ['run', ...script.split(' ')], {
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
      onTestFinished(() => {
        if (npm.exitCode === null && npm.signalCode === null) process.kill(-Number(npm.pid), 'SIGKILL');
      });
      const ended = new Promise<number | null>((resolve) => npm.once('close', resolve));
      await new Promise<void>((resolve, reject) => {
        let output = '';
        npm.stdout.on('data', (chunk) => {
          output += chunk;
          if (output.includes(ready)) resolve();
        });
        npm.once('exit', (code) => reject(new Error(`npm run ${script} ended with ${code}: ${output}`)));
      });
      const served = [port, port + 1].slice(0, ports);
      const ask = async (one: number) => (await fetch(`http://localhost:${one}/`)).text();
      for (const one of served) expect(await ask(one)).toEqual(expect.any(String));
      process.kill(all ? -Number(npm.pid) : Number(npm.pid), signal);
      // Its output closes when the last process that writes to it has ended.
      await ended;
      for (const one of served) await expect(ask(one)).rejects.toThrow();
    },
  );
});
