import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newFolder } from './support/folder.ts';
import { freePort, root } from './support/process.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'npm start ends with the server when it is told to stop (claim: npm-start)',
  async () => {
    const { PATH, HOME } = process.env;
    const port = await freePort();
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { PATH, HOME, DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => npm.once('close', resolve));
    await new Promise<void>((resolve, reject) => {
      let output = '';
      npm.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('ready at')) resolve();
      });
      npm.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${output}`)));
    });
    const health = () => fetch(`http://127.0.0.1:${port}/healthz`);
    expect((await health()).status).toBe(200);
    npm.kill('SIGTERM');
    // Its output closes when the last process that writes to it has ended: the server itself.
    await ended;
    await expect(health()).rejects.toThrow();
  },
);
