import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { root } from '../support/process.ts';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

it('the server is built from what `npm start` installs, without the packages of development', () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['package.json', 'server.vite.config.ts']) cpSync(join(root, name), join(folder, name));
  // Copied: a link would lead to the packages beside the sources.
  for (const name of ['src', 'ops']) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(lock.packages)) {
    if (dev || !/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) || !existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
  expect(existsSync(join(folder, 'node_modules/fastify'))).toBe(true);
  expect(existsSync(join(folder, 'node_modules/openapi-typescript'))).toBe(false);
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const options = ['build', folder, '--config', join(folder, 'server.vite.config.ts'), '--logLevel', 'warn'];
  const { status, stderr } = spawnSync(process.execPath, [vite, ...options], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  expect(existsSync(join(folder, 'build/server/main.js'))).toBe(true);
});
