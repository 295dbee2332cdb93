#!/usr/bin/env node
/*
 * Makes a release of the last commit: an archive for npm that needs no build, its bill of materials, its notes and their
 * digests. `node bootstrap.cjs release [FOLDER]`. The same commit gives the same bytes: nothing of the checkout goes in
 * but what is committed, and the packages, which bootstrap.cjs installs again before; times are those of the commit, and entries are sorted.
 */
'use strict';

const { execFileSync, spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { stripTypeScriptTypes } = require('node:module');
const path = require('node:path');
const { billOf } = require('./bill.cjs');
const { packed } = require('./tape.cjs');

/** Packages that `server.vite.config.ts` leaves out of the bundle. */
const UNBUNDLED = ['@fastify/swagger-ui', '@node-rs/argon2', 'sharp'];
/** How the server names the source of a thread, and that source what it needs itself. */
const THREAD = /import\.meta\.resolve\('#((?:ops|platform)\/[^']+)\.ts'\)/g;
/** Folders of TypeScript that the server is made of. */
const SOURCES = ['src', 'ops'];
const BESIDE = /(from '\.\/[^']+)\.ts'/g;
/** What is for people who run a server, as it stands in the sources. */
const KEPT = [
  '.env.example',
  'CHANGELOG.md',
  'README.md',
  'SECURITY.md',
  'asyncapi.json',
  'bootstrap.cjs',
  'openapi.json',
  'deploy/kubernetes',
  'deploy/monitoring',
  'deploy/proxy',
  'deploy/systemd',
  'docs',
  'sdk/python',
];
const STAMP = '.parley-stamp';

const root = path.join(__dirname, '..');
const builds = path.join(root, 'build');

function main(to) {
  const { name, version } = readJson(root, 'package.json');
  const commit = committed();
  const notes = notesOf(version);
  if (fs.existsSync(to) && fs.readdirSync(to).length > 0)
    throw new Error(`${to} is not empty: name another folder.`);
  // In build/, so that it finds the packages of this folder.
  fs.mkdirSync(builds, { recursive: true });
  const sources = fs.mkdtempSync(path.join(builds, 'commit-'));
  try {
    git(['clone', '--quiet', '--no-local', '--depth', '1', `file://${root}`, sources]);
    const files = filesOf(sources);
    fs.mkdirSync(to, { recursive: true });
    const made = new Map([
      [`${name}-${version}.tgz`, packed(files, commit.seconds)],
      [`${name}-${version}.cdx.json`, jsonOf(datedBill(sources, commit))],
      [`${name}-${version}.md`, Buffer.from(notes)],
    ]);
    const sums = [...made].map(([file, content]) => `${digest(content)}  ${file}\n`);
    for (const [file, content] of made) fs.writeFileSync(path.join(to, file), content);
    fs.writeFileSync(path.join(to, 'SHA256SUMS'), sums.join(''));
    process.stdout.write(`${to} has ${name} ${version} of commit ${commit.id}.\n`);
  } finally {
    fs.rmSync(sources, { recursive: true, force: true });
  }
}

/** The commit that is released. @throws for changes that are in no commit */
function committed() {
  const changed = git(['status', '--porcelain']);
  if (changed) throw new Error(`There are changes that are not committed:\n${changed}`);
  const [id, seconds] = git(['log', '-1', '--format=%H %ct']).split(' ');
  return { id, seconds: Number(seconds) };
}

function git(args) {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return stdout.trim();
  throw new Error(`A release is made from a checkout of git: ${error?.message ?? stderr.trim()}`);
}

/** The section of the CHANGELOG. @throws without one, or for one that is empty */
function notesOf(version) {
  const lines = fs.readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8').split('\n');
  const first = lines.findIndex((line) => line === `## ${version}` || line.startsWith(`## ${version} `));
  const length = lines.slice(first + 1).findIndex((line) => line.startsWith('## '));
  const section = lines.slice(first + 1, length < 0 ? undefined : first + 1 + length).join('\n');
  if (first < 0 || !section.trim())
    throw new Error(`CHANGELOG.md says nothing of ${version}: write "## ${version}".`);
  return `${section.trim()}\n`;
}

/** All that is in the archive, by path. */
function filesOf(sources) {
  vite(sources, ['build', path.join(sources, 'web')]);
  const config = path.join(sources, 'server.vite.config.ts');
  vite(sources, ['build', sources, '--config', config]);
  const guides = path.join(sources, 'deploy', 'guides.cjs');
  execFileSync(process.execPath, [guides, path.join(sources, 'build', 'guides')], {
    stdio: ['ignore', 2, 2],
  });
  const files = new Map();
  for (const part of [...KEPT, 'build/server', 'build/guides', 'web/dist'])
    for (const file of filesIn(path.join(sources, part)))
      files.set(posix(path.relative(sources, file)), fs.readFileSync(file));
  for (const [file, text] of threadsOf(sources)) files.set(file, Buffer.from(text));
  const { manifest, bundled } = installation(sources);
  files.set('package.json', jsonOf(manifest));
  for (const place of bundled)
    for (const file of filesIn(path.join(root, place), ['node_modules']))
      files.set(posix(path.relative(root, file)), fs.readFileSync(file));
  return files;
}

/** Threads are loaded from their sources. Node takes no types off in node_modules, so they are JavaScript here. */
function threadsOf(sources) {
  const made = new Map();
  const add = (name) => {
    const file = `${name}.js`;
    if (made.has(file)) return;
    const text = stripTypeScriptTypes(fs.readFileSync(path.join(sources, `${name}.ts`), 'utf8'));
    if (/from '[#.]/.test(text.replace(BESIDE, '')))
      throw new Error(`${name}.ts is loaded by itself, and may only import what is beside it.`);
    made.set(file, text.replace(BESIDE, "$1.js'"));
    for (const [, beside] of text.matchAll(BESIDE))
      add(path.posix.join(path.posix.dirname(name), beside.slice("from '".length)));
  };
  const files = SOURCES.flatMap((folder) => filesIn(path.join(sources, folder)));
  for (const file of files.filter((one) => /(?<!\.test)\.ts$/.test(one)))
    for (const [, name] of fs.readFileSync(file, 'utf8').matchAll(THREAD))
      add(name.replace(/^platform\//, 'src/platform/'));
  return made;
}

function vite(sources, args) {
  const program = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  execFileSync(process.execPath, [program, ...args, '--logLevel', 'warn'], {
    cwd: sources,
    // Another environment builds React for development, with the paths of this machine in it.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 2, 2],
  });
}

/**
 * The packages beside the bundle. npm reads the lockfile of no archive: so what is JavaScript alone is in it. A package with
 * parts for each system, which npm would leave out of an archive, comes from the registry in exactly its version, and with
 * it a Node.js for who has an older one.
 */
function installation(sources) {
  const { packages: all } = readJson(sources, 'package-lock.json');
  const runtime = readJson(path.join(sources, 'runtime'), 'package-lock.json').packages;
  const source = readJson(sources, 'package.json');
  const needed = UNBUNDLED.map((name) => closureOf(all, `node_modules/${name}`));
  const bundled = new Set(needed.filter(({ isNative }) => !isNative).flatMap(({ places }) => places));
  const own = new Set(
    needed.flatMap(({ places }) => places.filter((place) => place.lastIndexOf('node_modules/') === 0)),
  );
  const nameOf = (place) => place.slice('node_modules/'.length);
  const sorted = [...own].sort();
  const manifest = {
    name: source.name,
    version: source.version,
    private: true,
    description: source.description,
    license: source.license,
    type: source.type,
    engines: source.engines,
    bin: source.bin,
    imports: { '#platform/*.ts': './src/platform/*.js', '#ops/*.ts': './ops/*.js' },
    dependencies: Object.fromEntries(sorted.map((place) => [nameOf(place), all[place].version])),
    optionalDependencies: runtime[''].optionalDependencies,
    bundleDependencies: sorted.filter((place) => bundled.has(place)).map(nameOf),
  };
  return { manifest, bundled };
}

/** A package and those that it needs, but for the parts for one system and processor. */
function closureOf(all, first) {
  const places = [];
  let isNative = false;
  const add = (place) => {
    const { os, cpu, dependencies, optionalDependencies = {} } = all[place];
    if (os || cpu) isNative = true;
    if (os || cpu || places.includes(place)) return;
    places.push(place);
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = placeOf(all, name, place);
      if (found) add(found);
      else if (!(name in optionalDependencies))
        throw new Error(`package-lock.json lacks ${name}, which ${place} needs.`);
    }
  };
  add(first);
  return { places, isNative };
}

/** Where Node finds a package that another one needs. */
function placeOf(all, name, from) {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))) {
    const found = `${place && `${place}/`}node_modules/${name}`;
    if (all[found]) return found;
    if (!place) return undefined;
  }
}

/** The parts, with the Node.js of the archive; time and number are those of the commit. */
function datedBill(sources, commit) {
  const bill = billOf(sources);
  const number = createHash('sha256').update(commit.id).digest('hex');
  bill.serialNumber = `urn:uuid:${number.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')}`;
  bill.metadata.timestamp = new Date(commit.seconds * 1000).toISOString();
  bill.metadata.component.name = 'parley';
  const runtime = readJson(path.join(sources, 'runtime'), 'package-lock.json').packages;
  for (const [place, { version, integrity }] of Object.entries(runtime)) {
    if (!place) continue;
    const name = place.slice('node_modules/'.length);
    bill.components.push({
      'bom-ref': `${name}@${version}`,
      type: 'platform',
      name,
      version,
      scope: 'optional',
      purl: `pkg:npm/${name}@${version}`,
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.split('-')[1], 'base64').toString('hex') }],
    });
  }
  return bill;
}

/** @param but names of folders to leave out */
function filesIn(place, but = []) {
  if (!fs.statSync(place).isDirectory()) return path.basename(place) === STAMP ? [] : [place];
  return fs
    .readdirSync(place)
    .filter((name) => !but.includes(name))
    .flatMap((name) => filesIn(path.join(place, name), but));
}

const posix = (file) => file.split(path.sep).join('/');
const digest = (content) => createHash('sha256').update(content).digest('hex');
const jsonOf = (value) => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
const readJson = (folder, file) => JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));

try {
  main(path.resolve(process.argv[2] ?? path.join(builds, 'release')));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
