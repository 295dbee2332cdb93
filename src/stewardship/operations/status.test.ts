import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { install, makeTeam, register, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';
import { queueStates } from '../../app/queues.ts';
import { describeQueues } from './status.service.ts';
import { waitingForIndex } from './status.store.ts';

const { server, host, root } = scene({
  people: ['Root'],
  environment: { METRICS_TOKEN: 'a-secret-token', MAX_TEXT_LENGTH: '1234' },
  each: true,
});
let team: string;

beforeEach(async () => {
  team = await makeTeam(root, [await signUp(server, 'Member')]);
});

const status = async () => (await root.client.get('/v1/admin/server')).data[0];

describe('the state of the server', () => {
  it('tells what runs, on what, and how much there is', async () => {
    const application = await register(root, host);
    await install(root, team, application);
    await root.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
    // Messages are counted once they are in the index, and a search brings in what waits.
    expect((await root.client.get('/v1/messages?q=hello')).data).toHaveLength(1);
    const raw = new FormData();
    raw.set('file', new Blob(['12345']), 'a.txt');
    await root.client.ask('POST', '/v1/attachments', { raw });
    const idle = { waiting: 0, oldest_seconds: null, reason: null };
    expect(await status()).toEqual({
      version: expect.stringMatching(/^\d/),
      node: process.version,
      started_at: expect.any(Number),
      database: {
        kind: server.running.db.dialect,
        version: expect.stringMatching(/^\d/),
        size_bytes: expect.any(Number),
      },
      storage: { kind: 'folder', files: 1, bytes: 5, disk_free_bytes: expect.any(Number) },
      counts: { users: 2, active_users: 2, teams: 1, messages: 1, applications: 1, installations: 1 },
      queues: {
        callbacks: idle,
        webhooks: idle,
        icons: idle,
        mails: idle,
        mail_jobs: expect.any(Object),
        mail_streams: idle,
        notices: expect.any(Object),
        team_notices: idle,
        scheduled: idle,
        pushes: idle,
        previews: idle,
        events: expect.any(Object),
        search_index: idle,
        erasures: idle,
      },
      backup: { last_at: null, state: 'ok', scheduled: false, failed: false, every_seconds: 86_400 },
      streams: 0,
      memory: { rss_bytes: expect.any(Number) },
    });
    const { database, storage, memory } = await status();
    for (const bytes of [database.size_bytes, storage.disk_free_bytes, memory.rss_bytes]) {
      expect(bytes).toBeGreaterThan(10_000);
    }
  });

  it('counts open streams, and no closed accounts among the active ones', async () => {
    const stream = await EventStream.open(root.client);
    const other = await signUp(server, 'Other');
    await root.client.patch(`/v1/admin/users/${other.id}`, { active: false });
    expect(await status()).toMatchObject({ streams: 1, counts: { users: 3, active_users: 2 } });
    stream.close();
  });

  it('tells what waits, and how late it is', async () => {
    const far = server.clock.now() + 1e9;
    const put = (id: string, due: number) =>
      runSql(
        server.running.db,
        'INSERT INTO erasures (subject_id, kind, step, place, due_at, lease_until) VALUES (?, ?, 0, ?, ?, ?)',
        [id, 'team', '', due, far],
      );
    await put('00000000-0000-7000-8000-000000000001', far);
    expect((await status()).queues.erasures).toEqual({ waiting: 1, oldest_seconds: null, reason: null });
    await put('00000000-0000-7000-8000-000000000002', server.clock.now() - 5000);
    const { waiting, oldest_seconds, reason } = (await status()).queues.erasures;
    expect(waiting).toBe(2);
    // A worker has it, as it seems.
    expect(reason).toBe('slow');
    expect(oldest_seconds).toBeGreaterThanOrEqual(5);
    expect(oldest_seconds).toBeLessThan(60);
  });

  it('tells of messages for later in the metrics when their time has passed', async () => {
    const { db, url } = server.running;
    const metrics = async () =>
      (await fetch(`${url}/metrics`, { headers: { Authorization: 'Bearer a-secret-token' } })).text();
    const tomorrow = new Date(server.clock.now() + 24 * 3600 * 1000).toISOString();
    const planned = await root.client.post('/v1/users/me/scheduled_messages', {
      message: { text: 'later', addressed_teams: [team] },
      send_at: { local: tomorrow.slice(0, 16), zone: 'Etc/UTC' },
    });
    expect([planned.status, planned.text]).toEqual([200, planned.text]);
    expect(await metrics()).toContain('parley_queue_waiting{queue="scheduled"} 1');
    expect(await metrics()).not.toContain('parley_queue_behind{queue="scheduled"');
    // Its sender sees nothing of this transaction.
    await db.write(async (tx) => {
      const [row] = await tx.all<{ due_at: number }>('SELECT due_at FROM scheduled', []);
      const now = server.clock.now();
      await tx.all(`UPDATE scheduled SET due_at = ${now - 100_000}, num_failures = 1`, []);
      const { scheduled } = await describeQueues(tx, now, queueStates);
      expect(scheduled).toEqual({ waiting: 1, oldest_seconds: 100, reason: 'failing' });
      await tx.all(`UPDATE scheduled SET due_at = ${row?.due_at}, num_failures = 0`, []);
    });
  });

  it('tells why a queue is behind: its work failed, or nobody has come to it', async () => {
    const put = (failures: number, due: number) =>
      runSql(
        server.running.db,
        `INSERT INTO mails (id, kind, recipient, subject, body_ciphertext, message_id, status, num_attempts, num_failures,
          next_attempt_at, lease_until, created_at, updated_at) VALUES (?, 'security', '', '', '', ?, 'pending', 0, ?, ?, 0, 0, 0)`,
        [newId(), newId(), failures, due],
      );
    const now = server.clock.now();
    const mails = async () => (await status()).queues.mails;
    // This server has no mail server, so nobody sends them.
    await put(0, now - 100_000);
    expect(await mails()).toMatchObject({ waiting: 1, reason: 'backlog' });
    await put(3, now - 200_000);
    expect(await mails()).toMatchObject({ waiting: 2, reason: 'failing' });
    const headers = { Authorization: 'Bearer a-secret-token' };
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    expect(metrics).toContain('parley_queue_behind{queue="mails",reason="failing"} 1');
    expect(metrics).not.toContain('parley_queue_behind{queue="notices"');
    await runSql(server.running.db, 'DELETE FROM mails');
  });

  it('tells how long a message waits for the index, and not how old it is', async () => {
    const [message] = (await root.client.post('/v1/messages', { text: 'old', addressed_users: [root.id] }))
      .data;
    const waits = async () => (await status()).queues.search_index;
    await until(async () => (await waits()).waiting === 0);
    server.clock.advance(3600);
    const { db } = server.running;
    const now = server.clock.now();
    // Nobody indexes a row whose message is locked; on SQLite the state is read in the same transaction.
    await db.write(async (tx) => {
      await tx.all(
        `INSERT INTO message_index_queue (message_id, queued_at) VALUES ('${message.id}', ${now})`,
        [],
      );
      expect((await waitingForIndex.first(tx, {}))?.since).toBe(now);
      await tx.all('DELETE FROM message_index_queue', []);
    });
  });
});

describe('the settings', () => {
  it('are listed with what is in force, secrets masked', async () => {
    const answer = await root.client.get('/v1/admin/settings');
    const named = (name: string) => answer.data.find((setting) => setting.name === name);
    expect(named('METRICS_TOKEN')).toMatchObject({ value: '(set)', secret: true, default: false });
    expect(named('MAX_TEXT_LENGTH')).toEqual({
      name: 'MAX_TEXT_LENGTH',
      value: '1234',
      secret: false,
      default: false,
      help: expect.stringContaining('characters'),
    });
    expect(named('MAX_BODY_BYTES')).toMatchObject({ value: '262144', default: true });
    expect(named('BASE_URL')).toMatchObject({ value: '', default: true });
    expect(answer.text).not.toContain('a-secret-token');
  });
});

describe('the list of all applications', () => {
  it('names their owners and how often they are installed, page by page', async () => {
    const owner = await signUp(server, 'Owner');
    const [first, second] = [await register(owner, host), await register(owner, host, { listed: false })];
    await install(owner, await makeTeam(owner), first);
    const page = await root.client.get('/v1/admin/applications?limit=1');
    expect(page.data).toHaveLength(1);
    const rest = await root.client.get(`/v1/admin/applications?cursor=${page.body.meta.next_cursor}`);
    const all = [...page.data, ...rest.data];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const found = (id: string) => all.find((application) => application.id === id);
    expect(found(first.id)).toMatchObject({
      owner: { id: owner.id, email: owner.email },
      num_installations: 1,
    });
    expect(found(second.id)).toMatchObject({ listed: false, num_installations: 0 });
    expect(rest.body.meta.next_cursor).toBeNull();
  });
});
