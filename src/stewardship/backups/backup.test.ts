import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesFolder } from '../../../test/support/files.ts';
import { makeTeam, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server, root } = scene({ people: ['Root'], each: true });
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-backup-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
});

/** As it comes: the test's client reads text. */
const download = () => fetch(`${server.url}/v1/admin/backup`, { headers: { Cookie: root.client.cookie } });

const unpack = async (answer: Response) => unzipSync(new Uint8Array(await answer.arrayBuffer()));

async function upload(content: string): Promise<void> {
  const raw = new FormData();
  raw.set('file', new Blob([content]), 'a.txt');
  await root.client.ask('POST', '/v1/attachments', { raw });
}

/** Files of copies of the database that are being made. */
function leftovers(): string[] {
  return readdirSync(join(filesFolder(server), 'incoming'));
}

/** More than what the sockets between here and the server hold. */
async function makeLarge(megabytes = 24): Promise<void> {
  await runSql(
    server.running.db,
    'INSERT INTO user_images (user_id, variant, content_type, content) VALUES (?, ?, ?, ?)',
    [root.id, 'original', 'image/webp', randomBytes(megabytes * 1024 * 1024).toString('base64')],
  );
}

/** Asks for a backup, and reads nothing of it. @returns what goes away */
function begin(): Promise<{ leave: () => void }> {
  return new Promise((resolve, reject) => {
    const headers = { Cookie: root.client.cookie };
    const request = get(`${server.url}/v1/admin/backup`, { headers }, (response) => {
      // The reader gets an error when it goes away.
      response.on('error', () => undefined);
      resolve({ leave: () => request.destroy() });
    });
    request.once('error', reject);
  });
}

describe('a backup', () => {
  it('holds the database, the uploads and how to restore them, and no key', async () => {
    await upload('what was uploaded');
    const answer = await download();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(answer.headers.get('content-disposition')).toMatch(/parley-backup-\d{4}-\d\d-\d\d\.zip/);
    expect(answer.headers.get('parley-backup-lacks')).toBe('encryption.key, cookie.key');
    const files = await unpack(answer);
    const names = Object.keys(files);
    expect(names.slice(0, 2)).toEqual(['README.txt', 'parley.db']);
    expect(names.slice(2)).toEqual([
      expect.stringMatching(/^files\/[0-9a-f]{2}\/[0-9a-f]{40}$/),
      'manifest.json',
    ]);
    expect(JSON.parse(strFromU8(files['manifest.json'] as Uint8Array))).toMatchObject({
      format: 1,
      uploads: true,
      files: 1,
      deleted: [],
      lost: [],
    });
    expect(strFromU8(files[names[2] as string] as Uint8Array)).toBe('what was uploaded');
    const readme = strFromU8(files['README.txt'] as Uint8Array);
    expect(readme).toContain('encryption.key');
    expect(readme).toContain('restore FILE.zip');
    writeFileSync(join(folder, 'copy.db'), files['parley.db'] as Uint8Array);
    const copy = new DatabaseSync(join(folder, 'copy.db'), { readOnly: true });
    expect(copy.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(copy.prepare('SELECT email FROM users').all()).toEqual([{ email: root.email }]);
    copy.close();
    expect(leftovers()).toEqual([]);
    const log = await root.client.get('/v1/admin/audit?action=backup.downloaded');
    expect(log.data).toMatchObject([{ actor: root.id }]);
    expect((await root.client.get('/v1/admin/audit?action=backup.made')).data).toMatchObject([
      { actor: root.id },
    ]);
  });

  it('is one state of what is written meanwhile, and keeps nobody waiting for its end', async () => {
    const team = await makeTeam(root);
    await makeLarge(4);
    let posted = 0;
    let over = false;
    const writing = (async () => {
      while (!over) {
        const { status } = await root.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
        expect(status).toBe(200);
        posted++;
      }
    })();
    const files = await unpack(await download());
    over = true;
    await writing;
    expect(posted).toBeGreaterThan(1);
    writeFileSync(join(folder, 'copy.db'), files['parley.db'] as Uint8Array);
    const copy = new DatabaseSync(join(folder, 'copy.db'), { readOnly: true });
    const [counted] = copy
      .prepare('SELECT (SELECT count(*) FROM messages) AS rows, (SELECT message_seq FROM teams) AS newest')
      .all() as { rows: number; newest: number }[];
    expect(counted?.rows).toBe(counted?.newest);
    copy.close();
  });

  it('is made one at a time; a client that goes away leaves nothing behind', async () => {
    await makeLarge();
    const { leave } = await begin();
    expect(leftovers()).toEqual([]);
    const second = await root.client.get('/v1/admin/backup');
    expect([second.code, second.body.errors[0].reason]).toEqual([4290, 'backup']);
    leave();
    await until(async () => {
      const answer = await download();
      await answer.arrayBuffer();
      if (answer.status !== 200) expect(answer.status).toBe(429);
      return answer.status === 200;
    });
    expect(leftovers()).toEqual([]);
  });

  it('does not keep the server from stopping', async () => {
    await makeLarge();
    const { leave } = await begin();
    await server.running.stop();
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    leave();
  });

  it('that cannot be made is an error, and leaves nothing behind', async () => {
    const incoming = join(filesFolder(server), 'incoming');
    await upload('makes the folder');
    rmSync(incoming, { recursive: true });
    writeFileSync(incoming, 'no folder');
    expect((await root.client.get('/v1/admin/backup')).code).toBe(5000);
    rmSync(incoming);
    expect((await download()).status).toBe(200);
  });
});

describe('a backup is refused', () => {
  it('where the operator switched it off', async () => {
    const strict = await startTestServer({ ADMIN_BACKUP: 'off' });
    const admin = await signUp(strict, 'Admin');
    const answer = await admin.client.get('/v1/admin/backup');
    expect([answer.code, answer.body.errors[0].reason]).toEqual([4030, 'backup_off']);
    await strict.stop();
  });
});
