import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unzipSync } from 'fflate';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../../test/support/command.ts';
import { newFolder } from '../../../test/support/folder.ts';
import { type Person, signUp } from '../../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { until } from '../../../test/support/until.ts';
import type { StartOptions } from '../../app/start.ts';

const OWN = /^parley-[0-9a-f]{8}-\d{8}T\d{6}Z\.zip$/;
const TOKEN = 'let-me-see';
const HOUR = 3600;
const PASSWORD = 'a password of length';

let folder: string;
let servers: TestServer[];
beforeEach(() => {
  folder = join(newFolder(), 'backups');
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.stop();
});

async function start(settings: NodeJS.ProcessEnv = {}, options: StartOptions = {}): Promise<TestServer> {
  const server = await startTestServer(
    { BACKUP_DIR: folder, BACKUP_EVERY: '12h', BACKUP_KEEP: '2', METRICS_TOKEN: TOKEN, ...settings },
    // What is not scheduled needs no rounds, which would take a copy under way for a leftover: the time is moved.
    { housekeepingMs: settings.BACKUP_DIR === '' ? 3_600_000 : 20, ...options },
  );
  servers.push(server);
  return server;
}

const made = () => (existsSync(folder) ? readdirSync(folder).filter((name) => OWN.test(name)) : []);
const stateOf = async ({ client }: Person) => (await client.get('/v1/admin/server')).data[0].backup;
const metric = async (server: TestServer, name: string) => {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const { text } = await server.anonymous().get('/metrics', { headers });
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
};

it('are made by themselves, and old ones are deleted, but nothing else (claim: backup-schedule)', async () => {
  const server = await start();
  const root = await signUp(server, 'Root');
  await until(() => made().length === 1);
  const [first = ''] = made();
  expect(statSync(join(folder, first)).mode & 0o077).toBe(0);
  const names = Object.keys(unzipSync(readFileSync(join(folder, first))));
  expect(names).toEqual(['README.txt', 'parley.db', 'manifest.json']);
  // Another server's, and what somebody put there.
  const others = ['parley-01234567-20200101T000000Z.zip', `${first}.old`, 'parley-backup.zip', 'a.zip'];
  const hidden = [`.${first.slice(0, 'parley-01234567'.length)}-notes.txt`];
  for (const name of [...others, ...hidden]) writeFileSync(join(folder, name), 'theirs');
  const inside = `.${first}.theirs`;
  mkdirSync(join(folder, inside));
  for (const count of [2, 3, 4]) {
    server.clock.advance(13 * HOUR);
    await until(
      async () => (await root.client.get('/v1/admin/audit?action=backup.made')).data.length === count,
    );
  }
  expect(made().filter((name) => !others.includes(name))).toHaveLength(2);
  expect(made()).not.toContain(first);
  for (const name of others) expect(readFileSync(join(folder, name), 'utf8')).toBe('theirs');
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([...hidden, inside].sort());
  const { data } = await root.client.get('/v1/admin/audit?action=backup.made');
  expect(data[0]).toMatchObject({ actor_kind: 'system', detail: { scheduled: true, files: 0 } });
  expect(data[0].detail.bytes).toBeGreaterThan(1000);
  expect(await stateOf(root)).toMatchObject({
    state: 'ok',
    scheduled: true,
    failed: false,
    every_seconds: 12 * HOUR,
  });
  expect(await metric(server, 'parley_backup_late_after_seconds')).toBe(24 * HOUR);
  expect(await metric(server, 'parley_backup_failures_total')).toBe(0);
});

it('begin under another name after a restore, beside those of the server before (claim: backup-name)', async () => {
  await signUp(await start(), 'Root');
  await until(() => made().length === 1);
  const DATA_DIR = newFolder();
  const archive = join(folder, made()[0] as string);
  const { code, output } = await runCommand(['restore', archive], {
    cwd: DATA_DIR,
    environment: { DATA_DIR },
  });
  expect(code, output).toBe(0);
  const db = new DatabaseSync(join(DATA_DIR, 'parley.db'), { readOnly: true });
  const rows = db.prepare("SELECT name FROM server_state WHERE name = 'backup_schedule'").all();
  db.close();
  expect(rows).toEqual([]);
});

it('that fail are told of, counted, and tried again within the hour', async () => {
  mkdirSync(join(folder, '..'), { recursive: true });
  writeFileSync(folder, 'no folder');
  const server = await start();
  const root = await signUp(server, 'Root');
  const failures = async () => (await root.client.get('/v1/admin/audit?action=backup.failed')).data.length;
  await until(async () => (await failures()) === 1);
  expect(await stateOf(root)).toMatchObject({ state: 'ok', failed: true, last_at: null });
  expect(await metric(server, 'parley_backup_failures_total')).toBe(1);
  server.clock.advance(HOUR / 2);
  rmSync(folder);
  expect(await failures()).toBe(1);
  server.clock.advance(HOUR / 2 + 1);
  await until(async () => (await stateOf(root)).last_at !== null);
  expect(made()).toHaveLength(1);
  expect(await stateOf(root)).toMatchObject({ state: 'ok', failed: false });
  expect(await failures()).toBe(1);
});

it.runIf(process.env.TEST_DATABASE === 'postgres')('are made by one server among several', async () => {
  const first = await start();
  const { DATABASE_URL, DATA_DIR } = first.environment;
  const second = await start({ DATABASE_URL, DATA_DIR });
  const root = await signUp(first, 'Root');
  // Once it is told of, its claim is over: one that is cut off by the time is another server's to repeat.
  await until(async () => (await root.client.get('/v1/admin/audit?action=backup.made')).data.length === 1);
  for (const count of [2, 3]) {
    for (const { clock } of [first, second]) clock.advance(13 * HOUR);
    await until(
      async () => (await root.client.get('/v1/admin/audit?action=backup.made')).data.length >= count,
    );
    expect((await root.client.get('/v1/admin/audit?action=backup.made')).data).toHaveLength(count);
  }
});

it('that are missing or late are shown to administrators, unless they are made elsewhere', async () => {
  const server = await start({ BACKUP_DIR: '' });
  const root = await signUp(server, 'Root');
  expect(await stateOf(root)).toMatchObject({ state: 'ok', scheduled: false, last_at: null });
  server.clock.advance(25 * HOUR);
  expect(await stateOf(root)).toMatchObject({ state: 'missing' });
  expect(await metric(server, 'parley_last_backup_timestamp_seconds')).toBeUndefined();
  await root.client.post('/v1/sessions', { email: root.email, password: PASSWORD });
  const answer = await root.client.get('/v1/admin/backup');
  expect(answer.status).toBe(200);
  await until(async () => (await stateOf(root)).state === 'ok');
  server.clock.advance(25 * HOUR);
  expect(await stateOf(root)).toMatchObject({ state: 'late' });

  const elsewhere = await start({ BACKUP_DIR: '', BACKUP_EVERY: '0' });
  const admin = await signUp(elsewhere, 'Admin');
  elsewhere.clock.advance(1000 * HOUR);
  await admin.client.post('/v1/sessions', { email: admin.email, password: PASSWORD });
  expect(await stateOf(admin)).toMatchObject({ state: 'ok', every_seconds: 0 });
  expect(await metric(elsewhere, 'parley_backup_late_after_seconds')).toBeUndefined();
});

it('come in time where the server looks after other work more seldom', async () => {
  const server = await start({ BACKUP_EVERY: '10' }, { housekeepingMs: 3_600_000 });
  await until(() => made().length === 1);
  server.clock.advance(10);
  await until(() => made().length === 2);
  expect(new Set(made()).size).toBe(2);
});

it('go on after the clock was ahead, and the newest one stays (claim: backup-clock)', async () => {
  const ahead = 100 * HOUR;
  const server = await start({ BACKUP_KEEP: '1' });
  const root = await signUp(server, 'Root');
  await until(() => made().length === 1);
  server.clock.advance(ahead);
  const told = async () => (await root.client.get('/v1/admin/audit?action=backup.made')).data.length;
  await until(async () => (await told()) === 2);
  const [future = ''] = made();
  server.clock.advance(-ahead);
  await until(async () => (await told()) === 3);
  const names = made();
  expect(names).toHaveLength(1);
  expect(names).not.toContain(future);
  expect((await stateOf(root)).last_at).toBeLessThan(server.clock.now() / 1000 + HOUR);
  expect(await stateOf(root)).toMatchObject({ state: 'ok', failed: false });
});

it('that fail for their folder are one line in the log, which says what to do', async () => {
  writeFileSync(folder, 'no folder');
  const lines: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
  await start({}, { logger });
  await until(() => lines.length > 0);
  const { msg, err } = JSON.parse(lines[0] as string);
  expect(msg).toBe(
    `The backup failed: BACKUP_DIR "${folder}" is not a folder. Set BACKUP_DIR to a folder that the server may write.`,
  );
  expect(err).toBeUndefined();
});

it('that are under way end with the server, and leave nothing', async () => {
  const server = await start();
  await signUp(server, 'Root');
  await until(() => made().length === 1);
  server.clock.advance(13 * HOUR);
  await server.running.stop();
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});
