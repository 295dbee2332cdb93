import { spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { root } from '../../../test/support/process.ts';
import { SqliteDatabase } from './sqlite.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

/**
 * In a process of its own: the file descriptors of the database's file are closed under SQLite, and so the disk refuses
 * what its reader has not read yet.
 */
const PROGRAM = `
import { closeSync, readdirSync, readlinkSync } from 'node:fs';
import { SqliteDatabase } from './src/platform/db/sqlite.ts';
const file = process.argv[1];
const filling = new SqliteDatabase(file);
await filling.write(async (tx) => {
  await tx.all('CREATE TABLE notes (text TEXT)', []);
  for (let n = 0; n < 50; n++) await tx.all("INSERT INTO notes VALUES (printf('%.*c', 4000, 'x'))", []);
});
await filling.close();
const db = new SqliteDatabase(file);
await db.all('SELECT count(*) FROM sqlite_schema', []);
const targetOf = (fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch { return undefined; } };
for (const fd of readdirSync('/proc/self/fd')) if (targetOf(fd) === file) closeSync(Number(fd));
for (let n = 0; n < 2; n++) {
  await db.all('SELECT sum(length(text)) FROM notes', []).catch((error) => console.log(error.name));
  await new Promise(setImmediate);
}
process.exit(0);
`;

test.runIf(process.platform === 'linux')('a read that the disk refuses costs only its request', () => {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module'];
  const args = [...flags, '--eval', PROGRAM, join(folder, 'parley.db')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['DatabaseUnavailable\nDatabaseUnavailable\n', '']);
});

test('a log that a reader kept from being brought in gives its room back', async () => {
  const file = join(folder, 'parley.db');
  const db = new SqliteDatabase(file);
  const size = () => statSync(`${file}-wal`).size;
  const add = (times: number) =>
    db.write(async (tx) => {
      for (let n = 0; n < times; n++)
        await tx.all("INSERT INTO notes VALUES (printf('%.*c', 4000, 'x'))", []);
    });
  await db.write((tx) => tx.all('CREATE TABLE notes (text TEXT)', []));
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('BEGIN; SELECT count(*) FROM notes;');
  reader.prepare('SELECT count(*) FROM notes').get();
  for (let n = 0; n < 12; n++) await add(1000);
  const most = size();
  reader.exec('COMMIT');
  reader.close();
  // One brings the log in, and the next begins it again.
  for (let n = 0; n < 3; n++) await add(1);
  expect(most).toBeGreaterThan(32 * 1024 * 1024);
  expect(size()).toBeLessThan(most / 2);
  await db.close();
});
