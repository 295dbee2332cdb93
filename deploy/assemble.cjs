#!/usr/bin/env node
/*
 * Copies what a running server needs into a folder: the bundle, the web application, and the packages that the bundle
 * loads from node_modules. The other packages are only for building. `node deploy/assemble.cjs FOLDER`, after
 * `node bootstrap.cjs build`.
 */
'use strict';

const fs = require('node:fs');
const path = require('node:path');

/** Packages that `server.vite.config.ts` leaves out of the bundle. */
const UNBUNDLED = ['@fastify/swagger-ui', '@node-rs/argon2', 'sharp'];
const PARTS = [
  'package.json',
  path.join('build', 'server'),
  path.join('build', 'guides'),
  path.join('web', 'dist'),
  // The threads that copy a database, and the process that decodes pictures, are loaded from their sources.
  path.join('src', 'platform', 'db', 'copy.worker.ts'),
  path.join('src', 'platform', 'db', 'fill.worker.ts'),
  path.join('ops', 'copy', 'log.worker.ts'),
  path.join('ops', 'copy', 'log-frames.ts'),
  path.join('ops', 'copy', 'parcel.ts'),
  path.join('src', 'platform', 'pictures', 'decoder.ts'),
];
const root = path.join(__dirname, '..');
const [target] = process.argv.slice(2);
if (!target) fail('Name the folder to fill: node deploy/assemble.cjs FOLDER');
const to = path.resolve(target);
if (fs.existsSync(to) && fs.readdirSync(to).length > 0) fail(`${to} is not empty.`);
if (to.startsWith(root + path.sep) && !to.startsWith(path.join(root, 'build') + path.sep))
  fail('Name a folder outside of the sources, or one in build/.');

for (const part of PARTS) {
  if (!fs.existsSync(path.join(root, part)))
    fail(`${part} is missing: run "node bootstrap.cjs build" first.`);
  copy(part);
}
const copied = new Set();
for (const name of UNBUNDLED) copyPackage(name, root);

/** With the packages that it needs. Optional ones that are not there belong to another system or processor. */
function copyPackage(name, from, optional = false) {
  const folder = findPackage(name, from);
  if (folder === undefined) return optional ? undefined : fail(`The package ${name} is not installed.`);
  if (copied.has(folder)) return;
  copied.add(folder);
  copy(path.relative(root, folder));
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    fs.readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  for (const one of Object.keys(dependencies)) copyPackage(one, folder, one in optionalDependencies);
  for (const one of Object.keys(optionalDependencies)) copyPackage(one, folder, true);
}

/** As Node finds it: in the nearest node_modules, upwards to that of the sources. */
function findPackage(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const found = path.join(folder, 'node_modules', name);
    if (fs.existsSync(path.join(found, 'package.json'))) return found;
    if (folder === root) return undefined;
  }
}

function copy(part) {
  fs.cpSync(path.join(root, part), path.join(to, part), { recursive: true, preserveTimestamps: true });
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
