#!/usr/bin/env node
/*
 * Packs the SDK as npm installs it: `node deploy/sdk.cjs FOLDER`. One file of CommonJS, which every Node.js and every
 * setting of TypeScript loads by `import` and by `require`, with declarations for each source.
 */
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { packed } = require('./tape.cjs');

const sdk = path.join(__dirname, '..', 'sdk');
/** As `npm pack` writes it: the same sources give the same bytes. */
const SECONDS = Date.UTC(1985, 9, 26, 8, 15) / 1000;

/** @returns the name of the archive, and its bytes */
async function sdkArchive() {
  const { type: _, ...manifest } = JSON.parse(fs.readFileSync(path.join(sdk, 'package.json'), 'utf8'));
  const files = new Map([
    ['package.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['README.md', fs.readFileSync(path.join(sdk, 'README.md'))],
    ['dist/index.js', Buffer.from(await bundled())],
    ...(await declarations()),
  ]);
  return { name: `${manifest.name}-${manifest.version}.tgz`, bytes: packed(files, SECONDS) };
}

async function main(to) {
  const { name, bytes } = await sdkArchive();
  fs.mkdirSync(to, { recursive: true });
  fs.writeFileSync(path.join(to, name), bytes);
}

async function bundled() {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({ cwd: sdk, input: 'index.ts', platform: 'node' });
  const { output } = await build.generate({ format: 'cjs' });
  return output[0].code;
}

/** Of one source each, by itself: so no compiler is needed where a server is built. */
async function declarations() {
  const { isolatedDeclarationSync } = await import('rolldown/experimental');
  const sources = fs.readdirSync(sdk).filter((name) => /(?<!\.test)\.ts$/.test(name));
  return sources.map((name) => {
    const { code, errors } = isolatedDeclarationSync(name, fs.readFileSync(path.join(sdk, name), 'utf8'));
    if (errors.length > 0) throw new Error(`sdk/${name}: ${errors[0].message}`);
    return [
      `dist/${name.replace(/ts$/, 'd.ts')}`,
      Buffer.from(code.replace(/(from ['"]\.\/[\w-]+)\.ts/g, '$1.js')),
    ];
  });
}

module.exports = { sdkArchive };

if (require.main === module)
  main(process.argv[2]).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
