import { copyFileSync, fstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { DatabaseUnavailable, type Tx } from './database.ts';
import { SqliteDatabase } from './sqlite.ts';

let folder: string;
let db: SqliteDatabase;
/** The syncs that are under way, to be ended by the test. */
let syncs: PromiseWithResolvers<void>[];
/** The syncs of the set-up. */
let setUp: ('folder' | 'log')[];

beforeEach(async () => {
  folder = newFolder();
  syncs = [];
  let isReady = false;
  setUp = [];
  db = new SqliteDatabase(join(folder, 'parley.db'), {
    sync: async (file) => {
      if (!isReady) {
        setUp.push(fstatSync(file).isDirectory() ? 'folder' : 'log');
        return;
      }
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      await sync.promise;
    },
  });
  await db.write((tx) => tx.all('CREATE TABLE notes (text TEXT)', []));
  isReady = true;
});

afterEach(async () => {
  for (const { resolve } of syncs) resolve();
  await db.close();
  rmSync(folder, { recursive: true });
});

const note = (text: string) => (tx: Tx) => tx.all(`INSERT INTO notes VALUES ('${text}')`, []);
const notes = async () =>
  (await db.all<{ text: string }>('SELECT text FROM notes', [])).map(({ text }) => text);
/** Long enough for all that does not wait for a sync. */
const turns = async () => {
  for (let n = 0; n < 10; n++) await new Promise(setImmediate);
};

test('the first write syncs the name of the log as well', () => {
  expect(setUp).toEqual(['log', 'folder']);
});

test('a write is answered, and seen by readers, only after the sync', async () => {
  const seen: string[] = [];
  const written = db.write(note('one')).then(() => seen.push('answered'));
  await turns();
  const read = notes().then((found) => seen.push(`read ${found}`));
  await turns();
  expect(seen).toEqual([]);
  syncs[0]?.resolve();
  await Promise.all([written, read]);
  expect(seen.sort()).toEqual(['answered', 'read one']);
});

test('writes that come during a sync share the next one', async () => {
  const writes = [db.write(note('one'))];
  await turns();
  for (const text of ['two', 'three', 'four']) writes.push(db.write(note(text)));
  await turns();
  expect(syncs.length).toBe(1);
  syncs[0]?.resolve();
  await turns();
  expect(syncs.length).toBe(2);
  syncs[1]?.resolve();
  await Promise.all(writes);
  expect(await notes()).toEqual(['one', 'two', 'three', 'four']);
});

test('after a failed sync nothing is acknowledged any more, and nothing is shown that may be lost', async () => {
  const written = db.write(note('one')).catch((error: Error) => error.name);
  await turns();
  const waiting = db.write(note('two')).catch((error: Error) => error.name);
  const read = notes().catch((error: Error) => error.name);
  syncs[0]?.reject(new Error('EIO'));
  expect(await Promise.all([written, waiting, read])).toEqual(Array(3).fill('DatabaseUnavailable'));
  const refusal = 'check it, and start the server again';
  await expect(db.write(note('three'))).rejects.toThrow(refusal);
  await expect(notes()).rejects.toThrow(refusal);
  expect(syncs.length).toBe(1);
});

test.each([
  ['removed', (file: string) => rmSync(file)],
  ['moved away', (file: string) => renameSync(file, `${file}.away`)],
  [
    'replaced',
    (file: string) => {
      copyFileSync(file, `${file}.other`);
      renameSync(`${file}.other`, file);
    },
  ],
])(
  'a write to a file that was %s is not answered, and nothing after it (claim: file-removed)',
  async (_, change) => {
    const before = db.write(note('before'));
    await turns();
    syncs.splice(0)[0]?.resolve();
    await before;
    change(join(folder, 'parley.db'));
    const after = db.write(note('after'));
    await turns();
    syncs.splice(0)[0]?.resolve();
    await expect(after).rejects.toThrow('was removed or replaced while the server ran');
    await expect(notes()).rejects.toThrow(DatabaseUnavailable);
    await expect(db.write(note('later'))).rejects.toThrow(DatabaseUnavailable);
  },
);
