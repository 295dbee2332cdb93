import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { root } from '../support/process.ts';
import { until } from '../support/until.ts';

/*
 * Starts from a checkout of its own, in which a small script stands for Vite: it makes a bundle of two files, the first
 * of which says what the source says, and can be held or broken between the two.
 */
const BUNDLER = `
const fs = require('node:fs');
const path = require('node:path');
const out = process.argv.includes('--outDir') ? process.argv[process.argv.indexOf('--outDir') + 1] : 'build/server';
const text = fs.readFileSync('src/main.ts', 'utf8');
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(path.join(out, 'main.js'), '');
fs.writeFileSync('begun-' + process.pid, '');
while (fs.existsSync('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
fs.writeFileSync(path.join(out, 'main.js'), 'require("./part-' + text + '.js")');
if (fs.existsSync('break')) process.exit(1);
fs.writeFileSync(path.join(out, 'part-' + text + '.js'), 'console.log("runs ' + text + '", ...process.argv.slice(3).map((name) => process.env[name]))');
`;

/** Stands for npm: it puts the packages away and back, as `npm ci` does, and fails where another one is at work. */
const NPM = `
const fs = require('node:fs');
if (fs.existsSync('installing')) process.exit(1);
fs.writeFileSync('installing', '');
fs.renameSync('node_modules', 'away');
fs.writeFileSync('installed-' + process.pid, '');
while (fs.existsSync('hold')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
fs.renameSync('away', 'node_modules');
fs.rmSync('installing');
`;

let folder: string;
const write = (file: string, text: string) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
};
const remove = (file: string) => rmSync(join(folder, file));

beforeEach(() => {
  folder = newFolder();
  copyFileSync(join(root, 'bootstrap.cjs'), join(folder, 'bootstrap.cjs'));
  write('package.json', '{}');
  write('package-lock.json', '{}');
  write('node_modules/.parley-stamp', `${createHash('sha256').update('{}').digest('hex')} all`);
  write('node_modules/vite/bin/vite.js', BUNDLER);
  write('server.vite.config.ts', '');
  write('src/main.ts', 'one');
  write('ops/doctor.ts', '');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @returns what the program says */
function start(
  args: string[] = [],
  environment: NodeJS.ProcessEnv = {},
  command = 'command',
): Promise<string> {
  const { PATH } = process.env;
  const program: ChildProcess = spawn(process.execPath, ['bootstrap.cjs', command, ...args], {
    cwd: folder,
    env: { PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  program.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve) =>
    program.once('close', (code) => resolve(output.trim() || `ended with ${code}`)),
  );
}

const begun = () => readdirSync(folder).filter((name) => name.startsWith('begun-')).length;

it('runs the present sources after a build that broke off, also those before it', async () => {
  expect(await start()).toBe('runs one');
  write('src/main.ts', 'two');
  write('break', '');
  expect(await start()).toBe('ended with 1');
  write('src/main.ts', 'one');
  expect(await start()).toBe('runs one');
  write('src/main.ts', 'two');
  remove('break');
  expect(await start()).toBe('runs two');
});

it.each(['constructor', '__proto__', 'toString'])(
  'hands an unknown command on to the program: %s',
  async (name) => {
    expect(await start([], {}, name)).toBe('runs one');
  },
);

it('builds beside the bundle that is there, which stays for those who run it', async () => {
  expect(await start()).toBe('runs one');
  write('src/main.ts', 'two');
  write('hold', '');
  const next = start();
  await until(() => begun() === 2);
  write('src/main.ts', 'one');
  expect(await start()).toBe('runs one');
  write('src/main.ts', 'two');
  remove('hold');
  expect(await next).toBe('runs two');
  expect(existsSync(join(folder, 'build/server/part-one.js'))).toBe(true);
});

it('two that build at the same moment both start', async () => {
  write('hold', '');
  const both = [start(), start()];
  await until(() => begun() === 2);
  remove('hold');
  expect(await Promise.all(both)).toEqual(['runs one', 'runs one']);
  expect(readdirSync(join(folder, 'build'))).toEqual(['server']);
});

const installs = () => readdirSync(folder).filter((name) => name.startsWith('installed-')).length;

it('installs once for two starts, of which the second waits, and after one that was killed', async () => {
  write('npm-cli.js', NPM);
  remove('node_modules/.parley-stamp');
  const npm = { npm_execpath: join(folder, 'npm-cli.js') };
  // Of a start that was killed: no process has this number.
  write('.parley-lock', '4194305');
  write('hold', '');
  const both = [start([], npm), start([], npm)];
  await until(() => installs() === 1);
  remove('hold');
  expect(await Promise.all(both)).toEqual(['runs one', 'runs one']);
  expect(installs()).toBe(1);
  expect(readdirSync(folder).filter((name) => name.startsWith('.parley-lock'))).toEqual([]);
});

it('installs all packages again for a release', async () => {
  write('npm-cli.js', NPM);
  write('deploy/release.cjs', 'console.log("released")');
  const npm = { npm_execpath: join(folder, 'npm-cli.js') };
  expect(await start([], npm)).toBe('runs one');
  expect(installs()).toBe(0);
  expect(await start([], npm, 'release')).toBe('released');
  expect(installs()).toBe(1);
});

it('gives the program more threads than slow work may take, or as many as the environment says', async () => {
  const name = 'UV_THREADPOOL_SIZE';
  expect(await start([name])).toBe('runs one 10');
  expect(await start([name], { [name]: '20' })).toBe('runs one 20');
});

it('hands on no number of a process: a server has a channel to it, as to a supervisor', async () => {
  const name = 'PARLEY_PROCESS';
  expect(await start([name], { [name]: '2/3' })).toBe('runs one undefined');
});
