import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { subscribe } from '../support/feed.ts';
import { newFolder } from '../support/folder.ts';
import { ApplicationHost, makeTeam, type Person, register } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, startPlatform } from '../support/process.ts';
import { until } from '../support/until.ts';

const ROUNDS = 4;
const PEOPLE = 4;
const MESSAGES = 15;
const BUTTONS = 5;
/** Of one person: together they press 50 times a second. */
const BETWEEN_CLICKS_MS = (1000 * PEOPLE) / 50;
/** The clicks that are answered in a round before the kill, which the others then meet midway. */
const CLICKS_BEFORE_KILL = 60;

const folder = newFolder();
const host = new ApplicationHost();
let platform: Program | undefined;

afterAll(async () => {
  await platform?.end('SIGKILL');
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('killed again and again at 50 clicks a second, each click is told once (claim: clicks-once)', async () => {
  await host.start();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    PORT: String(port),
    BASE_URL: url,
    DATA_DIR: folder,
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    }),
  };
  platform = await startPlatform(environment);
  const people: Person[] = [];
  for (let at = 0; at < PEOPLE; at++) people.push(await signUpAt(url, `person${at}@example.org`));
  const [ada, ...others] = people as [Person, ...Person[]];
  const team = await makeTeam(ada, others);
  const app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: app.id });
  await subscribe(app, { kinds: ['interaction'], webhook: { url: `${host.url}/clicks` } });
  const messages = await postAsks(app.credentials, url, team);

  const answered: string[] = [];
  let isKilled = Promise.withResolvers<void>();
  /** Presses until it is answered: after the first time, it is the same click. */
  const press = async (client: Client, message: string, button: number) => {
    const click = { block_id: 'ask', action_id: `b${button}`, click: randomUUID() };
    for (;;) {
      const sent = client.post(`/v1/messages/${message}/interactions`, click);
      const answer = await sent.catch(() => undefined);
      if (answer?.status === 200) return void answered.push(answer.data[0].id);
      if (answer) expect([answer.code, answer.headers.has('retry-after')]).toEqual([5030, true]);
      await isKilled.promise;
    }
  };
  const pressAll = async ({ client }: Person) => {
    const under: Promise<void>[] = [];
    for (const message of messages)
      for (let button = 0; button < BUTTONS; button++) {
        under.push(press(client, message, button));
        await pause(BETWEEN_CLICKS_MS);
      }
    await Promise.all(under);
  };
  isKilled.resolve();
  const pressing = Promise.all(people.map(pressAll));
  for (let round = 1; round <= ROUNDS; round++) {
    await until(() => answered.length >= round * CLICKS_BEFORE_KILL);
    isKilled = Promise.withResolvers();
    await platform.end('SIGKILL');
    platform = await startPlatform(environment);
    isKilled.resolve();
  }
  await pressing;

  const told = () => {
    const byEvent = new Map<string, string>();
    for (const { path, raw } of host.received)
      if (path === '/clicks') byEvent.set(JSON.parse(raw).id, JSON.parse(raw).data.id);
    return [...byEvent.values()];
  };
  const all = PEOPLE * MESSAGES * BUTTONS;
  expect(new Set(answered).size).toBe(all);
  await until(() => told().length >= all);
  expect(told().sort()).toEqual(answered.toSorted());
});

async function signUpAt(url: string, email: string): Promise<Person> {
  const client = new Client(url);
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}

async function postAsks(credentials: Client, url: string, team: string): Promise<string[]> {
  const { body } = await credentials.ask('POST', '/v1/oauth2/token', {
    form: { grant_type: 'client_credentials', team },
  });
  const bot = new Client(url).withToken(body.access_token);
  const elements = Array.from({ length: BUTTONS }, (_, at) => ({
    type: 'button',
    action_id: `b${at}`,
    text: { type: 'plain_text', text: `Choice ${at}` },
  }));
  const ids: string[] = [];
  for (let at = 0; at < MESSAGES; at++) {
    const blocks = [{ type: 'actions', block_id: 'ask', elements }];
    ids.push((await bot.post('/v1/messages', { addressed_teams: [team], blocks })).data[0].id);
  }
  return ids;
}
