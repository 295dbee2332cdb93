import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { ApplicationHost, authorize, makeTeam, type Person, register } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, startPlatform } from '../support/process.ts';
import { until } from '../support/until.ts';

const ROUNDS = 4;
const WRITERS = 16;
/** How many acknowledged posts of a round to wait for, so that the kill hits the others midway. */
const POSTS_BEFORE_KILL = 60;

const sqlite = process.env.TEST_DATABASE === 'sqlite';
const folder = mkdtempSync(join(tmpdir(), 'parley-crash-'));
let platform: Program | undefined;
const host = new ApplicationHost();

afterAll(async () => {
  await platform?.end('SIGKILL');
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A post that was sent; it may have been stored without an answer. */
interface Sent {
  readonly text: string;
  /** The message's id, once it was acknowledged. */
  id: string | undefined;
}

it('killed again and again, it keeps what it acknowledged, exactly once', async () => {
  await host.start();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PORT: String(port),
    BASE_URL: url,
    CALLBACK_TIMEOUT: '1',
    DATA_DIR: folder,
    ...(!sqlite && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
  platform = await startPlatform(environment);
  const ada = await signUpAt(url);
  const team = await makeTeam(ada);
  const sent: Sent[] = [];
  const uninstalled: string[] = [];
  const interrupted: string[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    const application = await register(ada, host);
    await ada.client.post(`/v1/teams/${team}/applications`, { application: application.id });
    const extra = await register(ada, host);
    let acknowledged = 0;
    let running = true;
    let kill: () => void = () => undefined;
    const enough = new Promise<void>((resolve) => {
      kill = resolve;
    });
    const write = async (writer: number) => {
      for (let n = 0; running; n++) {
        const one: Sent = { text: `round ${round}, writer ${writer}, post ${n}`, id: undefined };
        sent.push(one);
        one.id = await post(ada.client, team, one.text);
        if (one.id === undefined) return;
        if (++acknowledged === POSTS_BEFORE_KILL) kill();
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    // Meanwhile one application is uninstalled and another installed.
    const removal = ada.client.delete(`/v1/teams/${team}/applications/${application.id}`).then(
      ({ status }) => status === 200 && uninstalled.push(application.id),
      () => undefined,
    );
    await enough;
    host.silent = true;
    const calls = host.received.length;
    const installing = ada.client
      .post(`/v1/teams/${team}/applications`, { application: extra.id })
      .catch(() => undefined);
    await host.next((call) => host.received.indexOf(call) >= calls && call.path === '/install');
    await platform.end('SIGKILL');
    host.silent = false;
    running = false;
    await Promise.all([...writers, removal, installing]);
    platform = await startPlatform(environment);
    if (sqlite) await expectFailed(ada.client, team, extra.id);
    interrupted.push(extra.id);
  }
  for (const id of interrupted) await expectInstallable(ada.client, team, id);

  // Unacknowledged posts may be repeated: with its key each ends as one message.
  for (const one of sent) one.id ??= await post(ada.client, team, one.text);
  const texts = await allTexts(ada.client, team);
  expect(texts.length).toBe(sent.length);
  expect(new Set(texts)).toEqual(new Set(sent.map(({ text }) => text)));

  // Callbacks that were due go on.
  for (const id of uninstalled) {
    await host.next(
      (call) => call.path === '/uninstall' && call.raw.includes(team) && isDelivered(call.headers),
    );
    const { data } = await ada.client.get(`/v1/applications/${id}/deliveries`);
    expect(data.map(({ kind }) => kind)).toContain('uninstall');
  }
  await platform.end('SIGTERM');
  if (sqlite) {
    const database = new DatabaseSync(join(folder, 'parley.db'));
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    database.close();
  }
});

it('killed while the messages of a renamed object are indexed anew, it goes on', async () => {
  const MENTIONS = 1000;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: join(folder, 'renamed'),
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  };
  const apps = await new ApplicationHost().start();
  platform = await startPlatform(environment);
  const ada = await signUpAt(url);
  const team = await makeTeam(ada);
  const app = await register(ada, apps, { scopes: ['messages:read', 'messages:write'] });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: app.id });
  const token = new Client(url).withToken((await authorize(ada, team, app)).access_token);
  const fields = { name: 'before', team, type: 'task', url: '/tasks/1' };
  const [{ id }] = (await app.credentials.post(`/v1/applications/${app.id}/objects`, fields)).data;
  const message = { text: '{0}', addressed_teams: [team], mentions: [{ type: 'appobject', id }] };
  for (let posted = 0; posted < MENTIONS; posted += 20)
    await Promise.all(Array.from({ length: 20 }, () => token.post('/v1/messages', message)));
  const isFound = async (word: string) =>
    (await ada.client.get(`/v1/messages?q=${word}&limit=1`)).data.length === 1;
  await until(() => isFound('before'));
  await app.credentials.patch(`/v1/applications/${app.id}/objects/${id}`, { name: 'after' });
  await until(() => isFound('after'));
  await platform.end('SIGKILL');
  platform = await startPlatform(environment);
  expect(await isFound('before')).toBe(true);
  await until(async () => !(await isFound('before')));
  await platform.end('SIGTERM');
  await apps.stop();
});

const isDelivered = (headers: Record<string, unknown>) => typeof headers['webhook-id'] === 'string';

async function signUpAt(url: string): Promise<Person> {
  const client = new Client(url);
  const email = 'ada@example.org';
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}

/** @returns the id, or undefined when the server died before it answered */
async function post(client: Client, team: string, text: string): Promise<string | undefined> {
  try {
    const answer = await client.post(
      '/v1/messages',
      { text, addressed_teams: [team] },
      { 'Idempotency-Key': text },
    );
    return answer.data?.[0]?.id;
  } catch {
    return undefined;
  }
}

/** The installation in progress at the crash: on the embedded database it has failed by the next start. */
async function expectFailed(client: Client, team: string, application: string): Promise<void> {
  expect(await statusesOf(client, team, application)).toEqual(['failed']);
}

/** With PostgreSQL another node might still run it, so it fails once its time is over. */
async function expectInstallable(client: Client, team: string, application: string): Promise<void> {
  await until(async () => {
    const { status, code } = await client.post(`/v1/teams/${team}/applications`, { application });
    if (status !== 200) expect(code).toBe(4090);
    return status === 200;
  });
  expect(await statusesOf(client, team, application)).toEqual(['active', 'failed']);
}

async function statusesOf(client: Client, team: string, application: string): Promise<unknown[]> {
  const { data } = await client.get(`/v1/teams/${team}/applications`);
  return data.filter((one) => one.application.id === application).map(({ status }) => status);
}

async function allTexts(client: Client, team: string): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await client.get(`/v1/messages?team=${team}&limit=200${cursor && `&cursor=${cursor}`}`);
    texts.push(...page.data.map(({ text }) => text));
    cursor = page.body.meta.next_cursor ?? '';
    if (cursor === '') return texts;
  }
}
