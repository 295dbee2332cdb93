#!/usr/bin/env node
/*
 * The packages that are in the program or build it, as CycloneDX, by npm from the lockfile alone: `npm run --silent sbom`.
 * Packages that only tests and checks need are left out here: npm's own `--omit=dev` also leaves out each package that a
 * test needs besides, as the driver of PostgreSQL.
 */
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

/** @param folder with package.json and package-lock.json */
function billOf(folder) {
  const bill = JSON.parse(npm(folder, ['sbom', '--package-lock-only', '--sbom-format=cyclonedx']));
  const components = bill.components.filter((part) => !isDevelopment(part));
  const kept = new Set(components.map((part) => part['bom-ref']));
  const own = bill.metadata.component['bom-ref'];
  const dependencies = bill.dependencies
    .filter(({ ref }) => ref === own || kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  return { ...bill, components, dependencies };
}

const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');

function npm(folder, args) {
  const script = process.env.npm_execpath;
  const viaNode = script !== undefined && path.basename(script) === 'npm-cli.js' && fs.existsSync(script);
  const windows = process.platform === 'win32';
  const [program, all] = viaNode
    ? [process.execPath, [script, ...args]]
    : [windows ? 'npm.cmd' : 'npm', args];
  const options = {
    cwd: folder,
    encoding: 'utf8',
    shell: windows && !viaNode,
    stdio: ['ignore', 'pipe', 2],
    maxBuffer: 64 * 1024 * 1024,
  };
  return execFileSync(program, [...all, '--offline', '--loglevel=error'], options);
}

module.exports = { billOf };
if (require.main === module)
  process.stdout.write(`${JSON.stringify(billOf(path.join(__dirname, '..')), null, 2)}\n`);
