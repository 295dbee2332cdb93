/**
 * The attacker has another account on the machine of the server and reads the database, the keys and the uploads from a data folder
 * that was made beforehand for everybody to see, as container volumes are. What the server writes is for its user
 * alone, what is there already is closed at the start, and the operator is told of the wide folder.
 */
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { freePort, startPlatform } from '../support/process.ts';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = async (data: string) => startPlatform({ DATA_DIR: data, PORT: String(await freePort()) });

/** Everything in the folder that others may read or write. */
function open(data: string): string[] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0);
}

it('nothing in a wide data folder is readable by others (claim: file-modes)', async () => {
  const data = join(folder, 'data');
  mkdirSync(data);
  chmodSync(data, 0o755);
  const platform = await start(data);
  await platform.written(/Other users of this machine can look into DATA_DIR/);
  const client = new Client(platform.found.replace('localhost', '127.0.0.1'));
  const fields = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
  expect((await client.post('/v1/users', fields)).status).toBe(200);
  const raw = new FormData();
  raw.set('file', new Blob(['an upload']), 'a.txt');
  expect((await client.ask('POST', '/v1/attachments', { raw })).status).toBe(200);
  expect(open(data)).toEqual([]);
  await platform.end('SIGTERM');

  for (const name of ['parley.db', 'encryption.key', 'files']) chmodSync(join(data, name), 0o755);
  const again = await start(data);
  expect(open(data)).toEqual([]);
  await again.end('SIGTERM');
});
