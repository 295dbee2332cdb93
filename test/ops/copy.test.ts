import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { compiled, freePort, main, type Program, runBinary, startPlatform } from '../support/process.ts';
import { TestS3 } from '../support/s3.ts';
import { until } from '../support/until.ts';

/* The continuous copy of the embedded database, and restoring from it, as an operator does both. */

const TOKEN = 'let-me-see';
const PASSWORD = 'a password of length';
let folder: string;
let target: string;
let running: Set<Program>;

beforeEach(() => {
  folder = newFolder();
  target = join(folder, 'copy');
  mkdirSync(target);
  running = new Set();
});

afterEach(async () => {
  for (const program of running) await program.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const dataOf = (name: string) => join(folder, name);

async function start(name: string, environment: NodeJS.ProcessEnv = {}): Promise<Program> {
  const program = await startPlatform({
    PORT: String(await freePort()),
    DATA_DIR: dataOf(name),
    COPY_TO: target,
    METRICS_TOKEN: TOKEN,
    LOG_LEVEL: 'fatal',
    ...environment,
  });
  running.add(program);
  return program;
}

async function end(program: Program, signal: NodeJS.Signals): Promise<void> {
  await program.end(signal);
  running.delete(program);
}

const clientOf = (program: Program) => new Client(program.found, { Origin: program.found });

/** A person who administers the server, and their team. */
async function begin(program: Program) {
  const client = clientOf(program);
  await client.post('/v1/users', {
    email: 'ada@example.org',
    password: PASSWORD,
    first_name: 'Ada',
    last_name: '',
  });
  const team = (await client.post('/v1/teams', { name: 'Team' })).data[0].id as string;
  return { client, team };
}

/** The same person after a restart. */
async function signIn(program: Program): Promise<Client> {
  const client = clientOf(program);
  expect((await client.post('/v1/sessions', { email: 'ada@example.org', password: PASSWORD })).status).toBe(
    200,
  );
  return client;
}

async function post(client: Client, team: string, text: string): Promise<void> {
  expect((await client.post('/v1/messages', { text, addressed_teams: [team] })).status).toBe(200);
}

/** @returns the id of the attachment */
async function upload(client: Client, content: string): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([content]), 'a.txt');
  return (await client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

async function textsOf(client: Client, team: string): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.get(`/v1/messages?team=${team}&limit=200${cursor && `&cursor=${cursor}`}`);
    texts.push(...page.data.map(({ text }) => text as string));
    cursor = page.body.meta.next_cursor ?? '';
    if (cursor === '') return texts.sort();
  }
}

async function metric(program: Program, series: string): Promise<number> {
  const answer = await new Client(program.found).get('/metrics', {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  const line = answer.text.split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

/** Waits until all that was answered before is in the copy, which is made each second: asked seldom, the server is idle. */
async function copied(program: Program): Promise<void> {
  const now = Date.now() / 1000;
  const isCopied = async () => (await metric(program, 'parley_copy_until_timestamp_seconds')) > now;
  await vi.waitUntil(isCopied, { interval: 250, timeout: 50_000 });
}

const parley = (
  name: string,
  args: string[],
  environment: NodeJS.ProcessEnv = {},
  input = '',
  run = runCommand,
) => run(args, { cwd: folder, environment: { DATA_DIR: dataOf(name), ...environment }, input });

/** Restores into a new data folder, with the keys of the lost one. */
async function restore(
  name: string,
  args: string[] = [],
  environment: NodeJS.ProcessEnv = {},
  run = runCommand,
) {
  mkdirSync(dataOf(name), { recursive: true });
  for (const key of ['encryption.key', 'cookie.key'])
    copyFileSync(join(folder, key), join(dataOf(name), key));
  return parley(name, ['restore', '--from', target, ...args], environment, '', run);
}

/** What an operator keeps apart from the copy. */
function keepKeys(name: string): void {
  for (const key of ['encryption.key', 'cookie.key'])
    copyFileSync(join(dataOf(name), key), join(folder, key));
}

/** What a restored database has, without the start of a server on it. */
function restoredTexts(name: string): string[] {
  const db = new DatabaseSync(join(dataOf(name), 'parley.db'), { readOnly: true });
  const stored = db.prepare('SELECT text FROM messages').all() as { text: string }[];
  db.close();
  return stored.map(({ text }) => text).sort();
}

/** All rows, but for the audit log, which tells of the restore. */
function contentOf(name: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(dataOf(name), 'parley.db'), { readOnly: true });
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name")
    .all() as { name: string }[];
  const content = tables
    .filter(({ name: table }) => table !== 'audit_log')
    .map(({ name: table }) => [table, db.prepare(`SELECT * FROM ${table}`).all()] as const);
  db.close();
  return Object.fromEntries(content);
}

/** Another one each time that the log starts over. */
const saltOf = (name: string) => readFileSync(join(dataOf(name), 'parley.db-wal')).toString('hex', 16, 24);

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const segments = () => filesIn(target).filter((file) => file.includes('/segments/'));
const lines = () => readdirSync(join(target, 'lines')).sort();

describe.runIf(process.env.TEST_DATABASE === 'sqlite')('a copy', () => {
  it('has everything when the machine is lost, uploads as well (claim: copy)', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    const attachment = await upload(client, 'what was uploaded');
    await client.post('/v1/messages', {
      text: 'with a file',
      addressed_teams: [team],
      attachments: [attachment],
    });
    for (let n = 0; n < 20; n++) await post(client, team, `post ${n}`);
    const texts = await textsOf(client, team);
    await copied(program);
    await end(program, 'SIGKILL');
    keepKeys('data');
    rmSync(dataOf('data'), { recursive: true });

    const { code, output } = await restore('new');
    expect([code, output]).toEqual([0, expect.stringContaining('Put 1 file of uploads')]);
    expect(output).toMatch(/the last commit is of \d{4}-\d\d-\d\dT/);
    for (const file of filesIn(dataOf('new'))) expect(statSync(file).mode & 0o077).toBe(0);
    const again = await start('new', { COPY_TO: '' });
    const reader = await signIn(again);
    expect(await textsOf(reader, team)).toEqual(texts);
    expect((await reader.get(`/v1/attachments/${attachment}`)).text).toBe('what was uploaded');
  });

  it('gives back each moment, through kills, restarts, commands and checkpoints (claim: copy-moments)', async () => {
    // The log starts over after each mebibyte.
    const environment = { COPY_LOG_BYTES: '1048576' };
    let program = await start('data', environment);
    const { client: first, team } = await begin(program);
    keepKeys('data');
    const moments: { at: number; texts: string[] }[] = [];
    let client = first;
    for (let round = 0; round < 4; round++) {
      const salt = saltOf('data');
      for (let n = 0; n < 25; n++) await post(client, team, `${round} ${n} ${String(n % 10).repeat(15_000)}`);
      await until(async () => {
        await post(client, team, `${round} until the log starts over`);
        return saltOf('data') !== salt;
      });
      const made = await parley(
        'data',
        ['user', 'create', `guest${round}@example.org`],
        { COPY_TO: target },
        PASSWORD,
      );
      expect(made.code).toBe(0);
      await copied(program);
      moments.push({ at: Date.now(), texts: await textsOf(client, team) });
      // Reading may have written: marks of what was read.
      await copied(program);
      moments.push({ at: Date.now(), texts: await textsOf(client, team) });
      if (round % 2 === 0) await end(program, round === 0 ? 'SIGKILL' : 'SIGTERM');
      if (round % 2 === 0) program = await start('data', environment);
      client = await signIn(program);
    }
    await copied(program);
    await end(program, 'SIGTERM');
    // None of it cost a copy of the whole database, but the first.
    expect(filesIn(target).filter((file) => file.endsWith('/whole'))).toHaveLength(1);

    expect((await restore('last')).code).toBe(0);
    expect(contentOf('last')).toEqual(contentOf('data'));
    for (const [index, { at, texts }] of moments.entries()) {
      const { code, output } = await restore(`moment${index}`, ['--at', new Date(at).toISOString()]);
      expect([code, output]).toEqual([0, expect.stringContaining('Restored')]);
      const [, last = ''] = /the last commit is of (\S+)\./.exec(output) ?? [];
      expect(Date.parse(last)).toBeLessThanOrEqual(at);
      expect(restoredTexts(`moment${index}`)).toEqual(texts);
    }
  });

  it('has what was acknowledged and copied, wherever the server is killed', async () => {
    let program = await start('data');
    const { client: first, team } = await begin(program);
    keepKeys('data');
    let client = first;
    const known = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const sent: string[] = [];
      for (let n = 0; n < 10 + 7 * round; n++) {
        await post(client, team, `round ${round}, post ${n}`);
        sent.push(`round ${round}, post ${n}`);
      }
      await copied(program);
      for (const text of sent) known.add(text);
      // Killed amid others.
      const more = Array.from({ length: 20 }, (_, n) =>
        client
          .post('/v1/messages', { text: `round ${round}, late ${n}`, addressed_teams: [team] })
          .catch(() => undefined),
      );
      await Promise.race(more);
      await end(program, 'SIGKILL');
      await Promise.all(more);
      expect((await restore(`after${round}`)).code).toBe(0);
      expect(restoredTexts(`after${round}`)).toEqual(expect.arrayContaining([...known]));
      program = await start('data');
      client = await signIn(program);
    }
    // What was only in the log when it was killed was copied after the next start.
    await copied(program);
    const texts = await textsOf(client, team);
    await end(program, 'SIGKILL');
    expect((await restore('last')).code).toBe(0);
    expect(restoredTexts('last')).toEqual(texts);
  });

  it('goes on when its target comes back, and lets a long log go (claim: copy-away)', async () => {
    const program = await start('data', { COPY_LOG_BYTES: '1048576' });
    const { client, team } = await begin(program);
    keepKeys('data');
    await post(client, team, 'before');
    await copied(program);
    const before = Date.now();

    renameSync(target, `${target}.away`);
    await post(client, team, 'while it was away');
    await until(async () => (await metric(program, 'parley_copy_failures_total')) > 0);
    expect((await client.get('/readyz')).body.warnings).toEqual([expect.stringContaining('does not go on')]);
    renameSync(`${target}.away`, target);
    await copied(program);
    expect((await client.get('/readyz')).body).toEqual({ status: 'ready' });
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(0);
    expect(lines()).toHaveLength(1);

    renameSync(target, `${target}.away`);
    let n = 0;
    await until(async () => {
      await post(client, team, `${n++} ${'x'.repeat(15_000)}`);
      return (await metric(program, 'parley_copy_gaps_total')) === 1;
    });
    // The log starts over, although nothing was copied.
    const salt = saltOf('data');
    await until(async () => {
      await post(client, team, `${n++} after the log was let go`);
      return saltOf('data') !== salt;
    });
    renameSync(`${target}.away`, target);
    await copied(program);
    const texts = await textsOf(client, team);
    expect(lines()).toHaveLength(2);
    await end(program, 'SIGKILL');

    expect((await restore('last')).code).toBe(0);
    expect(restoredTexts('last')).toEqual(texts);
    expect((await restore('before', ['--at', new Date(before).toISOString()])).code).toBe(0);
    expect(restoredTexts('before')).toEqual(['before']);
  });

  it('is made again when its target has lost it (claim: copy-lost)', async () => {
    let program = await start('data');
    const { client: first, team } = await begin(program);
    let client = first;
    keepKeys('data');
    const attachment = await upload(client, 'what was uploaded');
    await client.post('/v1/messages', {
      text: 'on the disk',
      addressed_teams: [team],
      attachments: [attachment],
    });
    await copied(program);
    const onDisk = Date.now();

    // The disk is not mounted any more: its folder is there, empty.
    renameSync(target, `${target}.disk`);
    mkdirSync(target);
    await until(async () => {
      await post(client, team, 'beside the disk');
      return (await metric(program, 'parley_copy_gaps_total')) === 1;
    });
    await copied(program);
    expect((await client.get('/readyz')).body).toEqual({ status: 'ready' });
    const texts = await textsOf(client, team);
    expect((await restore('beside')).output).toContain('Put 1 file of uploads');
    expect(restoredTexts('beside')).toEqual(texts);

    renameSync(target, `${target}.beside`);
    renameSync(`${target}.disk`, target);
    await until(async () => {
      await post(client, team, 'on the disk again');
      return (await metric(program, 'parley_copy_gaps_total')) === 2;
    });
    await copied(program);
    const later = await textsOf(client, team);
    expect((await restore('early', ['--at', new Date(onDisk).toISOString()])).code).toBe(0);
    expect(restoredTexts('early')).toEqual(['on the disk']);

    // The same while no server runs.
    await end(program, 'SIGTERM');
    rmSync(target, { recursive: true });
    mkdirSync(target);
    program = await start('data');
    client = await signIn(program);
    await copied(program);
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(1);
    expect((await restore('last')).output).toContain('Put 1 file of uploads');
    expect(restoredTexts('last')).toEqual(later);
  });

  it.each([
    ['a segment', () => segments()[0] as string],
    [
      'a part of the database',
      () => filesIn(target).find((file) => /\/bases\/.+\/\d+$/.test(file)) as string,
    ],
    ['an upload', () => filesIn(join(target, 'files'))[0] as string],
  ])('is mended when %s was deleted from it', async (_, deleted) => {
    // It is compared each five seconds, and the whole database copied each 250.
    const program = await start('data', { COPY_RETENTION: '500' });
    const { client, team } = await begin(program);
    keepKeys('data');
    const attachment = await upload(client, 'what was uploaded');
    await client.post('/v1/messages', { text: 'one', addressed_teams: [team], attachments: [attachment] });
    await copied(program);
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(0);
    // It stands still meanwhile, so that it mends nothing before the look.
    program.child.kill('SIGSTOP');
    unlinkSync(deleted());
    const isWhole = async () => {
      rmSync(dataOf('new'), { recursive: true, force: true });
      const { code, output } = await restore('new');
      return code === 0 && output.includes('Put 1 file of uploads');
    };
    expect(await isWhole()).toBe(false);
    program.child.kill('SIGCONT');
    await until(isWhole);
    expect(restoredTexts('new')).toEqual(['one']);
    await copied(program);
    expect((await client.get('/readyz')).body).toEqual({ status: 'ready' });
  });

  it('goes on where it was when the disk is back before anything could be written', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    keepKeys('data');
    await post(client, team, 'one');
    await copied(program);
    // An empty folder in which the server can put nothing. A file in the place of a folder refuses the superuser, too.
    renameSync(join(target, 'lines'), join(folder, 'lines'));
    writeFileSync(join(target, 'probe'), '');
    await post(client, team, 'two');
    await until(async () => (await metric(program, 'parley_copy_failures_total')) > 0);
    expect((await client.get('/readyz')).body.warnings).toEqual([expect.stringContaining('does not go on')]);
    unlinkSync(join(target, 'probe'));
    renameSync(join(folder, 'lines'), join(target, 'lines'));
    await copied(program);
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(0);
    expect(lines()).toHaveLength(1);
    await end(program, 'SIGKILL');
    expect((await restore('new')).code).toBe(0);
    expect(restoredTexts('new')).toEqual(['one', 'two']);
  });

  it('that is damaged says until when it can be restored, and restores nothing (claim: copy-damaged)', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    for (const text of ['one', 'two', 'three']) {
      await post(client, team, text);
      await copied(program);
    }
    const made = Date.now();
    await end(program, 'SIGKILL');
    keepKeys('data');
    const whole = segments();
    const spoilt = whole.at(-2) as string;
    const bytes = readFileSync(spoilt);

    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 9] = (flipped[bytes.length - 9] as number) ^ 1;
    for (const spoil of [
      () => writeFileSync(spoilt, flipped),
      () => writeFileSync(spoilt, bytes.subarray(0, 20)),
      () => writeFileSync(spoilt, ''),
      () => copyFileSync(whole.at(-1) as string, spoilt),
      () => unlinkSync(spoilt),
    ]) {
      spoil();
      const { code, output } = await restore('spoilt');
      expect([code, output]).toEqual([1, expect.stringMatching(/can be restored until \S+Z: --at \S+Z\n/)]);
      expect(readdirSync(dataOf('spoilt')).sort()).toEqual(['cookie.key', 'encryption.key']);
      const [, at = ''] = /--at (\S+Z)/.exec(output) ?? [];
      rmSync(dataOf('rest'), { recursive: true, force: true });
      const rest = await restore('rest', ['--at', at]);
      expect([rest.code, rest.output]).toEqual([0, expect.stringContaining('Restored')]);
      const texts = restoredTexts('rest');
      expect(texts).toContain('one');
      expect(texts).not.toContain('three');
      writeFileSync(spoilt, bytes);
    }
    const base = filesIn(target).find((file) => /\/bases\/.+\/\d+$/.test(file)) as string;
    appendFileSync(base, 'x');
    expect((await restore('spoilt')).output).toContain('copy of the whole database');
    expect(existsSync(join(dataOf('spoilt'), 'parley.db'))).toBe(false);

    const early = await restore('spoilt', ['--at', '2001-01-01T00:00:00Z']);
    expect([early.code, early.output]).toEqual([
      1,
      expect.stringMatching(/begins at \d{4}-\S+: 2001-\S+ is before it/),
    ]);
    for (const [args, reason] of [
      [['--at', 'yesterday'], 'is not a time'],
      [['--line', 'other'], 'no line other'],
      [['backup.db'], 'Name what to restore'],
      [['--check'], 'Name what to restore'],
    ] as const)
      expect((await restore('spoilt', [...args])).output).toContain(reason);
    expect((await parley('spoilt', ['restore'])).output).toContain('Name what to restore');
    expect((await parley('spoilt', ['restore', '--at', new Date(made).toISOString()])).code).toBe(1);
    const none = await parley('spoilt', ['restore', '--from', join(folder, 'nowhere')]);
    expect([none.code, none.output]).toEqual([
      1,
      expect.stringMatching(/^\S+ cannot be read: \S+nowhere is not there: .+\n$/),
    ]);
    const unknown = await parley('spoilt', ['restore', '--from', 's3://x']);
    expect([unknown.code, unknown.output]).toEqual([
      1,
      expect.stringMatching(/^--from "s3:\/\/x" must be a /),
    ]);
    const filled = await parley('data', ['restore', '--from', target]);
    expect([filled.code, filled.output]).toEqual([1, expect.stringContaining('is there already')]);
  });

  it('goes on with a new line beside what is damaged, and restores the rest (claim: copy-garbled)', async () => {
    let program = await start('data');
    const { client: first, team } = await begin(program);
    keepKeys('data');
    await post(first, team, 'one');
    await copied(program);
    const early = new Date().toISOString();
    await end(program, 'SIGTERM');
    program = await start('data');
    let client = await signIn(program);
    await post(client, team, 'two');
    await copied(program);
    await end(program, 'SIGTERM');
    const doctor = async () =>
      /^(\w+) +copy +(.+)$/m.exec((await parley('data', ['doctor'], { COPY_TO: target })).output)?.slice(1);

    const [root, child] = lines().map((line) => join(target, 'lines', line, 'line.json')) as [string, string];
    const kept = readFileSync(child);
    for (const content of ['', 'garbled', 'null', '[]', '{"parent":{"line":"x","segment":-1}}']) {
      writeFileSync(child, content);
      rmSync(dataOf('rest'), { recursive: true, force: true });
      const rest = await restore('rest');
      expect([rest.code, rest.output]).toEqual([
        0,
        expect.stringMatching(/from \S+ on is not in it: lines\/\S+\/line.json in the copy is damaged/),
      ]);
      expect(await doctor()).toEqual(['warning', expect.stringContaining('/line.json is damaged')]);
    }
    expect(restoredTexts('rest')).toEqual(['one']);
    expect((await restore('early', ['--at', early, '--line', lines()[0] as string])).code).toBe(0);
    const wanted = await restore('wanted', ['--line', lines()[1] as string]);
    expect([wanted.code, wanted.output]).toEqual([1, expect.stringMatching(/Damaged there: \S+line\.json/)]);
    writeFileSync(child, kept);
    // The first of all says only that nothing is before it.
    const beginning = readFileSync(root);
    writeFileSync(root, '');
    expect((await restore('whole')).code).toBe(0);
    expect(restoredTexts('whole')).toEqual(['one', 'two']);
    writeFileSync(root, beginning);

    const whole = filesIn(target).find((file) => file.endsWith('/whole')) as string;
    for (const content of ['', '{}', '{"chunks":-1}', '{"chunks":0.5}']) {
      writeFileSync(whole, content);
      const none = await restore('none');
      expect([none.code, none.output]).toEqual([
        1,
        expect.stringMatching(/no whole copy of a database in \S+ Damaged there: lines\/\S+\/whole\./),
      ]);
      expect(await doctor()).toEqual(['failed', expect.stringContaining('/whole is damaged')]);
    }

    program = await start('data');
    client = await signIn(program);
    await post(client, team, 'three');
    await copied(program);
    const texts = await textsOf(client, team);
    expect((await restore('after')).code).toBe(0);
    expect(restoredTexts('after')).toEqual(texts);
    // The same beneath a server that runs.
    writeFileSync(join(target, 'lines', lines().at(-1) as string, 'line.json'), '');
    await until(async () => {
      await post(client, team, 'more');
      return (await metric(program, 'parley_copy_gaps_total')) === 2;
    });
    await copied(program);
    expect((await client.get('/readyz')).body).toEqual({ status: 'ready' });
  });

  it('names uploads in it that are damaged, and restores all else (claim: copy-uploads-damaged)', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    const attachments = [await upload(client, 'what was uploaded'), await upload(client, 'something else')];
    await client.post('/v1/messages', { text: 'one', addressed_teams: [team], attachments });
    await copied(program);
    await end(program, 'SIGKILL');
    keepKeys('data');
    const [spoilt = ''] = filesIn(join(target, 'files'));
    const name = spoilt.slice(join(target, 'files/').length);
    for (const spoil of [
      () => writeFileSync(spoilt, ''),
      () => writeFileSync(spoilt, 'of another size than it was'),
      () => unlinkSync(spoilt),
    ]) {
      spoil();
      rmSync(dataOf('new'), { recursive: true, force: true });
      const { code, output } = await restore('new');
      expect([code, output]).toEqual([1, expect.stringContaining('Put 1 file of uploads')]);
      expect(output).toMatch(
        new RegExp(`database was restored, but of the copy 1 file .* not found: ${name}\\.\n$`),
      );
      expect(existsSync(join(dataOf('new'), 'files', name))).toBe(false);
    }
    expect(restoredTexts('new')).toEqual(['one']);
    // One in the folder that is not whole is no reason to leave it so.
    const [kept = ''] = filesIn(join(target, 'files'));
    const there = join(dataOf('other'), 'files', kept.slice(join(target, 'files/').length));
    mkdirSync(dirname(there), { recursive: true });
    writeFileSync(there, '');
    expect((await restore('other')).output).toContain('Put 1 file of uploads');
    expect(readFileSync(there)).toEqual(readFileSync(kept));
  });

  it('says between which times it lacks what was committed (claim: copy-gap)', async () => {
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    let client: Client | undefined;
    let team = '';
    let between = '';
    for (const [text, place] of [
      ['one', target],
      ['two', elsewhere],
      ['three', target],
    ] as const) {
      const program = await start('data', { COPY_TO: place });
      if (client) client = await signIn(program);
      else ({ client, team } = await begin(program));
      await post(client, team, text);
      await copied(program);
      if (place === elsewhere) between = new Date().toISOString();
      await end(program, 'SIGTERM');
    }
    keepKeys('data');
    const { code, output } = await restore('gap', ['--at', between]);
    expect(code).toBe(0);
    const [, from = '', to = ''] = /committed between (\S+) and (\S+) is not in this copy/.exec(output) ?? [];
    expect(from < between && between < to, output).toBe(true);
    expect(output).toContain(`the last commit is of ${from}.`);
    expect(restoredTexts('gap')).toEqual(['one']);
    for (const args of [['--at', from], ['--at', to], []]) {
      rmSync(dataOf('well'), { recursive: true, force: true });
      const well = await restore('well', args);
      expect([well.code, args.includes(from) || !well.output.includes('is not in this copy')]).toEqual([
        0,
        true,
      ]);
    }
  });

  it('that is restored half-way starts no server (claim: copy-half)', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    await post(client, team, 'one');
    await copied(program);
    await end(program, 'SIGKILL');
    keepKeys('data');
    // A pipe that nobody writes to: the restore waits for it.
    const last = segments().at(-1) as string;
    renameSync(last, `${target}.kept`);
    execFileSync('mkfifo', [last]);
    mkdirSync(dataOf('half'));
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, 'restore', '--from', target],
      { env: { PATH: process.env.PATH, ...compiled, DATA_DIR: dataOf('half') } },
    );
    const gone = new Promise((resolve) => child.once('exit', resolve));
    await until(() => readdirSync(dataOf('half')).some((name) => name.startsWith('parley.db.arriving-')));
    child.kill('SIGKILL');
    await gone;
    const refused = await parley('half', ['start']);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('was interrupted: run it again'),
    ]);
    unlinkSync(last);
    renameSync(`${target}.kept`, last);
    // Two at once: one of them ends.
    const both = await Promise.all([1, 2].map(() => restore('half', [], {}, runBinary)));
    expect(both.map(({ code }) => code).sort(), both.map(({ output }) => output).join('')).toEqual([0, 1]);
    const again = await start('half', { COPY_TO: '' });
    expect(await textsOf(await signIn(again), team)).toEqual(['one']);
    expect(readdirSync(dataOf('half')).filter((name) => name.includes('arriving'))).toEqual([]);
  });

  it('lacks nothing when other programs bring the log into the database', async () => {
    let program = await start('data');
    const { client, team } = await begin(program);
    keepKeys('data');
    for (let n = 0; n < 30; n++) {
      await post(client, team, `post ${n}`);
      const other = new DatabaseSync(join(dataOf('data'), 'parley.db'));
      other.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      other.close();
    }
    await copied(program);
    const texts = await textsOf(client, team);
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(0);
    await end(program, 'SIGTERM');
    expect((await restore('new')).code).toBe(0);
    expect(restoredTexts('new')).toEqual(texts);

    // While no server runs, and without COPY_TO: the log is gone, and the copy starts over.
    expect((await parley('data', ['user', 'create', 'guest@example.org'], {}, PASSWORD)).code).toBe(0);
    expect(existsSync(join(dataOf('data'), 'parley.db-wal'))).toBe(false);
    program = await start('data');
    await copied(program);
    expect(await metric(program, 'parley_copy_gaps_total')).toBe(1);
    await end(program, 'SIGKILL');
    expect(filesIn(target).filter((file) => file.endsWith('/whole'))).toHaveLength(2);
    expect((await restore('newer')).code).toBe(0);
    expect((await parley('newer', ['user', 'list'])).output).toContain('guest@example.org');
  });

  it('of two servers in one place keeps both apart (claim: copy-two-servers)', async () => {
    const program = await start('data');
    const { client, team } = await begin(program);
    await post(client, team, 'both');
    await copied(program);
    await end(program, 'SIGKILL');
    keepKeys('data');
    cpSync(dataOf('data'), dataOf('twin'), { recursive: true });
    const texts: Record<string, string[]> = {};
    const [one, two] = [await start('data'), await start('twin')];
    for (const [name, server] of Object.entries({ data: one, twin: two })) {
      const writer = await signIn(server);
      await post(writer, team, `of ${name}`);
      await copied(server);
      texts[name] = await textsOf(writer, team);
    }
    const own = await signIn(one);
    await post(own, team, 'again');
    await copied(one);
    texts.data = await textsOf(own, team);
    for (const server of [one, two]) await end(server, 'SIGKILL');

    const { code, output } = await restore('which');
    expect([code, output]).toEqual([1, expect.stringContaining('Several servers')]);
    const restored: string[][] = [];
    for (const [, line = ''] of output.matchAll(/^ {2}(\S+) {2}from/gm)) {
      expect((await restore(line, ['--line', line])).code).toBe(0);
      restored.push(restoredTexts(line));
    }
    expect(restored).toHaveLength(2);
    expect(restored).toEqual(expect.arrayContaining(Object.values(texts)));
  });

  it('forgets what is older than it is kept, and keeps each moment since (claim: copy-kept)', async () => {
    const program = await start('data', { COPY_RETENTION: '10' });
    const { client, team } = await begin(program);
    keepKeys('data');
    const gone = await upload(client, 'to be deleted');
    await copied(program);
    const [file = ''] = filesIn(join(target, 'files'));
    await client.delete(`/v1/attachments/${gone}`);
    const early = Date.now();
    const oldest = segments()[0] as string;
    let n = 0;
    await until(async () => {
      await post(client, team, `post ${n++}`);
      return !existsSync(oldest);
    });
    // A file that was deleted stays for as long as a moment has it.
    await copied(program);
    const at = Date.now();
    const texts = await textsOf(client, team);
    await post(client, team, 'after');
    await copied(program);
    await end(program, 'SIGTERM');
    expect(file).not.toBe('');
    expect((await restore('late', ['--at', new Date(at).toISOString()])).code).toBe(0);
    expect(restoredTexts('late')).toEqual(texts);
    const refused = await restore('early', ['--at', new Date(early).toISOString()]);
    expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('is before it')]);
  });

  it('in a bucket is as good as one in a folder, with faults in between', async () => {
    const s3 = await new TestS3().start();
    try {
      const environment = {
        COPY_TO: `s3://${s3.bucket}/parley/copy`,
        COPY_S3_ENDPOINT: s3.endpoint,
        COPY_S3_REGION: s3.keys.region,
        COPY_S3_ACCESS_KEY: s3.keys.accessKey,
        COPY_S3_SECRET_KEY: s3.keys.secretKey,
      };
      const program = await start('data', environment);
      const { client, team } = await begin(program);
      await copied(program);
      for (let n = 0; n < 5; n++) {
        s3.faults.push(500, 503, 500, 403);
        await post(client, team, `post ${n}`);
      }
      await until(() => s3.faults.length === 0);
      await copied(program);
      const texts = await textsOf(client, team);
      expect(await metric(program, 'parley_copy_failures_total')).toBeGreaterThan(0);
      s3.objects.clear();
      await until(async () => (await metric(program, 'parley_copy_gaps_total')) === 1);
      await copied(program);
      await end(program, 'SIGKILL');
      keepKeys('data');
      expect([...s3.objects.keys()].every((name) => name.startsWith('parley/copy/'))).toBe(true);

      const { COPY_TO, ...keys } = environment;
      target = COPY_TO;
      expect((await restore('new', [], keys)).code).toBe(0);
      expect(restoredTexts('new')).toEqual(texts);
      const without = await parley('other', ['restore', '--from', COPY_TO]);
      expect([without.code, without.output]).toEqual([1, expect.stringContaining('COPY_S3_ENDPOINT')]);
      const doctor = await parley('data', ['doctor'], environment);
      expect(doctor.output).toMatch(/^ok +copy +The newest commit in s3:\/\/\S+ is of /m);
      s3.breaksOff = /\/bases\//;
      const broken = await restore('broken', [], keys);
      expect([broken.code, broken.output]).toEqual([
        1,
        expect.stringMatching(/^s3:\S+ broke off: .+ run it again\.\n$/),
      ]);
      s3.breaksOff = undefined;
      expect((await restore('broken', [], keys)).code).toBe(0);
      await s3.stop();
      const away = await parley('data', ['doctor'], environment);
      expect([away.code, away.output]).toEqual([1, expect.stringMatching(/^failed +copy .+cannot be used/m)]);
      expect((await restore('none', [], keys)).output).toMatch(/^s3:\S+ cannot be read: .+\n$/);
    } finally {
      await s3.stop();
    }
  });

  it('tells the doctor how old it is', async () => {
    const doctor = async () =>
      /^(\w+) +copy +(.+)$/m.exec((await parley('data', ['doctor'], { COPY_TO: target })).output)?.slice(1);
    const program = await start('data');
    const { client, team } = await begin(program);
    await post(client, team, 'one');
    await copied(program);
    expect(await doctor()).toEqual(['ok', expect.stringContaining('nothing is late')]);
    await post(client, team, 'two');
    await copied(program);
    await end(program, 'SIGTERM');
    const [oldest = ''] = segments();
    renameSync(oldest, join(folder, 'lost'));
    expect(await doctor()).toEqual(['failed', expect.stringContaining('lacks segment 1 of ')]);
    renameSync(join(folder, 'lost'), oldest);
    const newest = filesIn(target).filter((file) => /\d{13}$/.test(file));
    for (const file of newest) unlinkSync(file);
    expect(await doctor()).toEqual(['ok', expect.stringContaining('nothing is late')]);
    rmSync(join(target, 'lines'), { recursive: true });
    expect(await doctor()).toEqual(['warning', expect.stringContaining('no whole copy')]);
    rmSync(target, { recursive: true });
    expect(await doctor()).toEqual(['failed', expect.stringContaining('is not there: make it, or mount')]);
    expect((await parley('data', ['doctor'])).output).not.toMatch(/^\w+ +copy /m);
  });
});
