import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { root } from '../../../test/support/process.ts';

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
