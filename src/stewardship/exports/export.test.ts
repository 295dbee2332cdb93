import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesFolder } from '../../../test/support/files.ts';
import {
  ApplicationHost,
  authorize,
  install,
  makeTeam,
  type Person,
  register,
  signUp,
} from '../../../test/support/people.ts';
import { TestS3 } from '../../../test/support/s3.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

/** The files of the table in docs/operations/administration.md; the folder of uploads comes only with an upload. */
function toldInTheDocuments(): string[] {
  const page = readFileSync(new URL('../../../docs/operations/administration.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## Taking everything along');
  const cells = section.split('\n## ')[0]?.match(/^\| `.*?\|/gm) ?? [];
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string))
    .filter((name) => !name.endsWith('/'))
    .sort();
}

let server: TestServer;
let host: ApplicationHost;
let ada: Person;
let bob: Person;

beforeEach(async () => {
  server = await startTestServer({}, { housekeepingMs: 100 });
  host = await new ApplicationHost().start();
  ada = await signUp(server, 'Ada');
  bob = await signUp(server, 'Bob');
});
afterEach(async () => {
  await server.stop();
  await host.stop();
});

type Files = Record<string, string>;

/** The archive as it comes: the test's client reads text. */
async function download({ client }: Person): Promise<Response> {
  return fetch(`${server.url}/v1/users/me/export`, { headers: { Cookie: client.cookie } });
}

async function filesOf(response: Response): Promise<Files> {
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [
      name,
      name.endsWith('.webp') ? 'picture' : strFromU8(bytes),
    ]),
  );
}

async function upload({ client }: Person, content: string | Uint8Array, name: string): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), name);
  return (await client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

/** More than what the sockets between here and the server hold. */
async function giveLargePicture({ id }: Person): Promise<void> {
  const content = Array.from({ length: 20_000 }, () => Math.random().toString(36)).join('');
  const large = Buffer.from(content.repeat(60)).toString('base64');
  await runSql(
    server.running.db,
    "INSERT INTO user_images (user_id, variant, content_type, content) VALUES (?, 'original', 'image/webp', ?)",
    [id, large],
  );
}

const parse = (text: string | undefined) => JSON.parse(text ?? 'null');
const parseLines = (text: string | undefined) =>
  (text ?? '')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('an export', () => {
  it('holds what is the person’s, and neither secrets nor what others wrote', async () => {
    const team = await makeTeam(ada, [bob], 'Harbour');
    const application = await register(ada, host);
    await install(ada, team, application);
    const tokens = await authorize(ada, team, application);
    const picture = sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } });
    const raw = new FormData();
    raw.set('file', new Blob([new Uint8Array(await picture.png().toBuffer())]), 'me.png');
    await ada.client.ask('PUT', '/v1/users/me/image', { raw });
    const toTeam = await ada.client.post('/v1/messages', { text: 'To the team', addressed_teams: [team] });
    const toBob = await ada.client.post('/v1/messages', { text: 'To Bob', addressed_users: [bob.id] });
    await bob.client.post('/v1/messages', { text: 'What Bob wrote', addressed_teams: [team] });
    await bob.client.post('/v1/messages', { text: 'What Bob told', addressed_users: [ada.id] });
    const root = toTeam.data[0].id;
    const { db } = server.running;
    await ada.client.post(`/v1/messages/${root}/replies`, { text: 'A reply' });
    const besides = await ada.client.post(`/v1/messages/${root}/sidebars`, {
      text: 'Aside',
      users: [bob.id],
    });
    const sidebar = besides.data[0].id;
    await bob.client.post(`/v1/sidebars/${sidebar}/messages`, { text: 'What Bob said aside' });
    await ada.client.put(`/v1/messages/${root}/high_five`);
    await ada.client.put(`/v1/messages/${root}/mute`);
    await ada.client.put(`/v1/users/me/saved/${root}`);
    await ada.client.put(`/v1/teams/${team}/pins/${root}`);
    await ada.client.patch(`/v1/users/me/teams/${team}`, { is_favorite: true });

    const response = await download(ada);
    expect(response.headers.get('content-type')).toBe('application/zip');
    const files = await filesOf(response);
    expect(Object.keys(files).sort()).toEqual([
      'applications.json',
      'attachments.json',
      'audit.json',
      'blocked_applications.json',
      'emoji.json',
      'grants.json',
      'inbox.json',
      'installations.json',
      'memberships.json',
      'message_states.json',
      'messages.ndjson',
      'mutes.json',
      'notifications.json',
      'picture.webp',
      'pins.json',
      'profile.json',
      'reactions.json',
      'saved.json',
      'scheduled.json',
      'sessions.json',
      'subjects.json',
    ]);
    expect(Object.keys(files).sort()).toEqual(toldInTheDocuments());
    expect(parse(files['profile.json'])).toMatchObject({ id: ada.id, email: ada.email, first_name: 'Ada' });
    expect(parse(files['memberships.json'])).toMatchObject([
      { team: { id: team, name: 'Harbour' }, is_favorite: true, is_muted: false },
    ]);
    expect(parse(files['message_states.json'])).toEqual([
      { message: root, is_muted: true, is_unread: false, replies_read: 0 },
    ]);
    const messages = parseLines(files['messages.ndjson']);
    expect(messages.map(({ text }) => text).sort()).toEqual(['A reply', 'Aside', 'To Bob', 'To the team']);
    expect(messages.find(({ id }) => id === toBob.data[0].id)).toMatchObject({
      addressed_users: [bob.id],
      addressed_teams: [],
    });
    expect(messages.find(({ text }) => text === 'A reply').reply_to).toBe(root);
    expect(messages.find(({ text }) => text === 'Aside').sidebar).toEqual({
      id: sidebar,
      message: root,
      users: [ada.id, bob.id].sort(),
    });
    expect(parse(files['notifications.json'])).toMatchObject({ content: 'all', direct: true });
    expect(parse(files['reactions.json'])).toEqual([
      { message: root, emoji: '🙌', created_at: expect.any(Number) },
    ]);
    const at = expect.any(Number);
    expect(parse(files['saved.json'])).toEqual([{ message: root, saved_at: at }]);
    expect(parse(files['pins.json'])).toEqual([{ message: root, team, pinned_at: at }]);
    expect(parse(files['applications.json'])).toMatchObject([{ id: application.id, name: 'Tracker' }]);
    expect(parse(files['installations.json'])).toMatchObject([{ application: application.id, team }]);
    expect(parse(files['grants.json'])).toMatchObject([
      {
        application: { id: application.id, name: 'Tracker' },
        team,
        scopes: [],
        last_used_at: expect.any(Number),
      },
    ]);
    expect(parse(files['sessions.json']).map(Object.keys)).toEqual([
      ['id', 'user_agent', 'address', 'created_at', 'seen_at', 'expires_at'],
    ]);
    const actions = parse(files['audit.json']).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(expect.arrayContaining(['account.created', 'team.created', 'account.exported']));
    const everything = Object.values(files).join('\n');
    const hashes = await runSql<{ hash: string }>(
      db,
      'SELECT token_hash AS hash FROM sessions UNION SELECT password_hash FROM users',
    );
    for (const secret of [application.secret, tokens.access_token, ...hashes.map(({ hash }) => hash)])
      expect(everything).not.toContain(secret);
    expect(everything).not.toMatch(/What Bob/);
  });

  it('holds the files that the person uploaded, whether a message has them or not', async () => {
    const team = await makeTeam(ada, [bob]);
    const ready = await upload(ada, 'In a message', 'notes.txt');
    await ada.client.post('/v1/messages', { addressed_teams: [team], attachments: { files: [ready] } });
    const loose = await upload(ada, 'In none', 'notes.txt');
    const lost = await upload(ada, 'Lost', '../lost.txt');
    await upload(bob, 'What Bob uploaded', 'bob.txt');
    const [row] = await runSql<{ file: string }>(
      server.running.db,
      'SELECT file FROM attachments WHERE id = ?',
      [lost],
    );
    rmSync(join(filesFolder(server), String(row?.file)));
    const files = await filesOf(await download(ada));
    expect(Object.entries(files).filter(([name]) => name.startsWith('attachments/'))).toEqual([
      [`attachments/${ready}/notes.txt`, 'In a message'],
      [`attachments/${loose}/notes.txt`, 'In none'],
    ]);
    expect(parse(files['attachments.json'])).toMatchObject([
      { id: ready, file: `attachments/${ready}/notes.txt`, type: 'text/plain', size: 12 },
      { id: loose, file: `attachments/${loose}/notes.txt` },
      { id: lost, file: null, name: 'lost.txt' },
    ]);
    expect(parse((await filesOf(await download(bob)))['attachments.json'])).toHaveLength(1);
  });

  it.each(['a folder', 'S3'])('takes large files from %s while it is read', async (kind) => {
    const s3 = kind === 'S3' ? await new TestS3().start() : undefined;
    if (s3) {
      await server.stop();
      server = await startTestServer(s3.environment, { housekeepingMs: 100 });
      ada = await signUp(server, 'Ada');
    }
    const large = new Uint8Array(8_000_000);
    for (let at = 0; at < large.length; at += 65_536)
      crypto.getRandomValues(large.subarray(at, Math.min(at + 65_536, large.length)));
    const ids = [await upload(ada, large, 'one.bin'), await upload(ada, large, 'two.bin')];
    const broken = await download(ada);
    await broken.body?.cancel();
    const { db } = server.running;
    await until(async () => (await runSql(db, 'SELECT user_id FROM export_leases')).length === 0);
    const files = unzipSync(new Uint8Array(await (await download(ada)).arrayBuffer()));
    for (const [index, name] of ['one.bin', 'two.bin'].entries())
      expect(Buffer.compare(files[`attachments/${ids[index]}/${name}`] as Uint8Array, large)).toBe(0);
    await server.running.stop();
    await s3?.stop();
  });

  it('holds every message of a long history', async () => {
    const team = await makeTeam(ada);
    for (let n = 0; n < 250; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, m) =>
          ada.client.post('/v1/messages', { text: `${n + m}`, addressed_teams: [team] }),
        ),
      );
    const files = await filesOf(await download(ada));
    const numbers = parseLines(files['messages.ndjson']).map(({ text }) => Number(text));
    expect(numbers.sort((one, other) => one - other)).toEqual(Array.from({ length: 250 }, (_, n) => n));
    expect(parse(files['reactions.json'])).toEqual([]);
  });

  it('is made one at a time for each person, and ends with a reader who goes away', async () => {
    const { db } = server.running;
    await giveLargePicture(ada);
    const first = await download(ada);
    const second = await download(ada);
    expect([second.status, await second.text()]).toEqual([429, expect.stringContaining('"export"')]);
    expect((await filesOf(await download(bob)))['profile.json']).toContain(bob.email);
    await first.body?.cancel();
    await until(
      async () =>
        (await runSql(db, 'SELECT user_id FROM export_leases WHERE user_id = ?', [ada.id])).length === 0,
    );
    const third = await download(ada);
    expect(Object.keys(await filesOf(third))).toContain('messages.ndjson');
    expect((await filesOf(await download(ada)))['profile.json']).toContain(ada.email);
  });

  it('does not keep a server from stopping', async () => {
    await giveLargePicture(ada);
    const broken = await download(ada);
    expect(broken.status).toBe(200);
    await server.running.stop();
    await expect(broken.arrayBuffer()).rejects.toThrow();
  });

  it('of a server that was killed in the middle blocks the next one for a while only', async () => {
    await runSql(
      server.running.db,
      'INSERT INTO export_leases (user_id, token, expires_at) VALUES (?, ?, ?)',
      [ada.id, 'lost', server.clock.now() + 60_000],
    );
    expect(await (await download(ada)).text()).toContain('4290');
    server.clock.advance(61);
    expect((await filesOf(await download(ada)))['profile.json']).toContain(ada.email);
  });
});
