import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { compiled, freePort, main, startPlatform } from '../support/process.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
let folder: string;
let data: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  environment = {
    DATA_DIR: data,
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl')) }),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command. */
const parley = (
  args: string[],
  { more, ...options }: { input?: string; more?: NodeJS.ProcessEnv; closeAfter?: boolean } = {},
) => runCommand(args, { ...options, cwd: folder, environment: { ...environment, ...more } });

async function serve(more: NodeJS.ProcessEnv = {}) {
  const platform = await startPlatform({ ...environment, ...more, PORT: String(await freePort()) });
  return { platform, client: new Client(platform.found.replace('localhost', '127.0.0.1')) };
}

it('a reader that has read enough is no failure', async () => {
  for (let n = 0; n < 3; n++)
    await parley(['user', 'create', `a${n}@example.org`], { input: 'a long password' });
  expect(await parley(['audit'], { closeAfter: true })).toMatchObject({
    code: 0,
    output: expect.not.stringContaining('EPIPE'),
  });
});

it('a command goes on to its end when nobody reads what it says', async () => {
  const own = { cwd: folder, environment: { DATA_DIR: data } };
  const there = join(folder, 'there');
  await runCommand(['migrate'], own);
  expect((await runCommand(['move', '--to', there], { ...own, closeAfter: true })).code).toBe(0);
  const begun = await runCommand(['migrate'], { ...own, environment: { DATA_DIR: there } });
  expect([begun.code, begun.output]).toEqual([0, expect.stringContaining('up to date')]);
});

it.each([
  [['backup', ''], 'name of the file is empty'],
  [['backup', '/no/such/folder/a.zip'], 'There is no folder /no/such/folder.'],
  [['user', 'export', 'ada@example.org', '/no/such/folder/a.zip'], 'There is no folder /no/such/folder.'],
  [['audit', '--since', 'hello 3'], '"hello 3" is not a time'],
  [['audit', '--since=-1'], '"-1" is not a time'],
  [['audit', '--until', '2026-02-31'], '"2026-02-31" is not a time'],
  [['audit', '--until', '2026-02-28T25:00:00Z'], '"2026-02-28T25:00:00Z" is not a time'],
  [['restore', '--from', 'copy', '--at', '2026-01-01', '--at', '2026-01-02'], 'It is given twice.'],
  [['move', '--to', 'one', '--to', 'two'], 'It is given twice.'],
  [['move', '--files-from', '/no/such/folder'], '--files-from: there is no folder /no/such/folder.'],
])('%j is refused with one sentence, and makes nothing', async (args, sentence) => {
  const { code, output } = await parley(args);
  expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
  expect(output).not.toContain('    at ');
  expect(readdirSync(folder)).toEqual([]);
});

const ADA = 'ada@example.org';
it.each([
  [['backup', 'a.db']],
  [['backup', 'a.zip']],
  [['user', 'list']],
  [['user', 'superuser', ADA]],
  [['user', 'delete', ADA, '--yes']],
  [['invite', 'Crew', ADA]],
  [['audit']],
  [['application', 'list']],
  [['keys', 'reset']],
])('%j makes no database where there is none', async (args) => {
  const { code, output } = await parley(args);
  expect([code, output]).toEqual([
    1,
    sqlite
      ? `There is no database ${join(data, 'parley.db')}: run this in the folder of the server, or set DATA_DIR as the server has it.\n`
      : 'The database of DATABASE_URL has no tables of Parley: run "parley migrate", or look at DATABASE_URL.\n',
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

it('a database is made by migrate', async () => {
  expect(await parley(['migrate'])).toEqual({ code: 0, output: 'The database is up to date.\n' });
  expect((await parley(['user', 'list'])).code).toBe(0);
});

it.runIf(existsSync('/dev/full'))('a server starts where its warnings cannot be written', async () => {
  const warned = { ...environment, MAIL_FROM: 'parley@example.org', PORT: String(await freePort()) };
  const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>/dev/full', process.execPath, main, 'start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...warned },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let output = '';
  for await (const chunk of child.stdout as Readable) {
    output += chunk;
    if (output.includes('is ready at')) child.kill('SIGTERM');
  }
  expect([(await ended)[0], output]).toEqual([0, expect.stringContaining('is ready at')]);
});

/** Runs a program while a folder can only be read, in a name space of its own. */
const readingOnly = (of: string, program: string[], env: NodeJS.ProcessEnv = {}) =>
  spawnSync(
    'unshare',
    [
      '-rm',
      'sh',
      '-c',
      'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"',
      of,
      ...program,
    ],
    { encoding: 'utf8', env: { PATH: process.env.PATH, ...env }, cwd: folder },
  );
const mayMount = process.platform === 'linux' && readingOnly(tmpdir(), ['true']).status === 0;

describe.runIf(sqlite && mayMount)('a disk that can only be read', () => {
  it('is named by each command, with how to save what is there (claim: read-only-disk)', async () => {
    await parley(['user', 'create', 'ada@example.org'], { input: 'a long password' });
    const run = (...words: string[]) => {
      const program = [process.execPath, '--disable-warning=ExperimentalWarning', main, ...words];
      const { status, stdout, stderr } = readingOnly(data, program, {
        ...environment,
        ...compiled,
        PORT: '0',
      });
      return { status, output: stdout + stderr };
    };
    const advice = expect.stringMatching(/ can only be read now, .+ parley\.db always with parley\.db-wal/);
    for (const words of [['backup', 'saved.db'], ['audit'], ['user', 'list'], ['start'], ['doctor']])
      expect(run(...words)).toEqual({ status: 1, output: advice });
    // The copy is whole.
    cpSync(data, join(folder, 'copy'), { recursive: true });
    const listed = await parley(['user', 'list'], { more: { DATA_DIR: join(folder, 'copy') } });
    expect([listed.code, listed.output]).toEqual([0, expect.stringContaining('ada@example.org')]);
  });
});

describe('a lost encryption key', () => {
  it('is reported; no new one replaces it, and the server can be reset to go on without it (claim: keys-reset)', async () => {
    const { platform, client } = await serve();
    const person = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', person);
    const made = await client.post('/v1/applications', {
      name: 'Tracker',
      base_url: 'https://tracker.example',
      preinstall_url: 'https://tracker.example/install',
      redirect_uris: ['https://tracker.example/cb'],
    });
    const { id, client_secret: old } = made.data[0];
    const used = await parley(['keys', 'reset']);
    expect([used.code, used.output]).toEqual([1, expect.stringContaining('stop it first')]);
    await platform.end('SIGTERM');
    rmSync(join(data, 'encryption.key'));

    const refused = await parley(['start'], { more: { LOG_LEVEL: 'silent' } });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('"parley keys reset" gives up'),
    ]);
    expect(existsSync(join(data, 'encryption.key'))).toBe(false);

    expect((await parley(['keys', 'reset'])).output).toContain('New client secrets: 1.');
    expect((await parley(['keys', 'reset'])).output).toContain('there is nothing to reset');
    const again = await serve();
    expect((await again.client.post('/v1/sessions', person)).status).toBe(200);
    const objects = (secret: string) =>
      again.client.withCredentials(id, secret).get(`/v1/applications/${id}/objects`);
    expect((await objects(old)).status).toBe(401);
    const rotated = await again.client.post(`/v1/applications/${id}/secret`, { overlap_seconds: 0 });
    expect([rotated.status, rotated.text]).toEqual([200, rotated.text]);
    expect((await objects(rotated.data[0].client_secret)).status).toBe(200);
    await again.platform.end('SIGTERM');
  });
});

it.runIf(sqlite)(
  'a restore numbers what it replaces, and tells of a missing key (claim: restore-keeps)',
  async () => {
    await parley(['user', 'create', 'a@example.org'], { input: 'a long password' });
    const file = join(folder, 'backup.db');
    await parley(['backup', file]);
    for (let n = 0; n < 3; n++) {
      const { code, output } = await parley(['restore', file]);
      expect([code, output]).toEqual([0, expect.stringContaining('Warning: there is no encryption.key')]);
    }
    const kept = readdirSync(data).filter((name) => name.includes('before'));
    expect(kept.sort()).toEqual(['parley.db.before', 'parley.db.before.2', 'parley.db.before.3']);
  },
);

it.runIf(sqlite)(
  'a restore keeps the log of a database that was moved away (claim: restore-keeps)',
  async () => {
    await parley(['user', 'create', 'a@example.org'], { input: 'a long password' });
    const file = join(folder, 'backup.db');
    await parley(['backup', file]);
    const database = join(data, 'parley.db');
    for (const kept of [`${database}.before-wal`, `${database}.before.2-wal`]) {
      rmSync(database);
      writeFileSync(`${database}-wal`, `what goes to ${kept}`);
      const { code, output } = await parley(['restore', file]);
      expect([code, output]).toEqual([0, expect.stringContaining(`it is in ${kept} now.`)]);
      expect(readFileSync(kept, 'utf8')).toBe(`what goes to ${kept}`);
      expect((await parley(['user', 'list'])).output).toContain('a@example.org');
    }
    // A database that is replaced takes none of the names beside which such a log is.
    expect((await parley(['restore', file])).output).toContain(`is in ${database}.before.3:`);
  },
);
