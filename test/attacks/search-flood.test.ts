/*
 * A member, or an application with tokens of many people, sends searches, each of which reads far more than other
 * requests do, so that others wait. Few run at once, few of one user or application may wait, and they take turns:
 * other reads go on, and the search of another person is the next or nearly.
 */
import { get } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { authorize, install, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const AT_ONCE = 2;
const WAITING = 50;
const { server, host, eve, ada } = scene({ people: ['Eve', 'Ada'], environment: { RATE_LIMIT: 'off' } });
let running: number;
let impatient: TestServer | undefined;
let goOn: PromiseWithResolvers<void>;

/** Searches stop at their statement until they may go on. */
function hold({ running: { db } }: TestServer): void {
  const all = db.all.bind(db);
  running = 0;
  goOn = Promise.withResolvers();
  vi.spyOn(db, 'all').mockImplementation(async (sql, parameters) => {
    if (!/words (MATCH|@@)/.test(sql)) return all(sql, parameters);
    running++;
    await goOn.promise;
    return all(sql, parameters);
  });
}

beforeEach(() => hold(server));
afterEach(async () => {
  goOn.resolve();
  vi.restoreAllMocks();
  await impatient?.stop();
  impatient = undefined;
});

const search = ({ client }: Person) => client.get('/v1/messages?q=word');

it('searches of one user wait behind each other, not before those of others', async () => {
  const order: string[] = [];
  const refused: Response['headers'][] = [];
  const flood = Array.from({ length: AT_ONCE + WAITING + 8 }, async () => {
    const { status, headers } = await search(eve);
    if (status === 429) refused.push(headers);
    else order.push(`eve ${status}`);
  });
  await until(() => refused.length === 8 && running >= AT_ONCE);
  expect(refused.every((headers) => Number(headers.get('retry-after')) > 0)).toBe(true);
  expect(running).toBe(AT_ONCE);

  const others = search(ada).then(({ status }) => order.push(`ada ${status}`));
  // Sent after the search, which therefore waits by now.
  expect((await ada.client.get('/v1/users/me')).status).toBe(200);
  goOn.resolve();
  await Promise.all([...flood, others]);
  expect(order.filter((one) => one === 'eve 200').length).toBe(AT_ONCE + WAITING);
  expect(order.indexOf('ada 200')).toBeLessThan(10);
});

it('searches of an application take no places of the people whose tokens it has, nor of others', async () => {
  const team = await makeTeam(eve, [ada]);
  const application = await register(eve, host, { scopes: ['messages:read'] });
  await install(eve, team, application);
  const token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
  const order: string[] = [];
  const refused: number[] = [];
  const flood = Array.from({ length: AT_ONCE + WAITING + 3 }, async () => {
    const { status } = await token.get('/v1/messages?q=word');
    if (status === 429) refused.push(status);
    else order.push(`application ${status}`);
  });
  await until(() => refused.length === 3);
  const others = [ada, eve].map((person) =>
    search(person).then(({ status }) => order.push(`person ${status}`)),
  );
  expect((await ada.client.get('/v1/users/me')).status).toBe(200);
  goOn.resolve();
  await Promise.all([...flood, ...others]);
  expect(order.filter((one) => one === 'person 200').length).toBe(2);
  expect(order.lastIndexOf('person 200')).toBeLessThan(10);
});

it('a search that waited leaves its turn to the next one, also when it fails', async () => {
  const answers = Array.from({ length: 10 }, () => search(eve));
  await until(() => running === AT_ONCE);
  goOn.reject(new Error('the database failed'));
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([500]));
  vi.restoreAllMocks();
  expect((await search(eve)).status).toBe(200);
});

it('claim: searches-end — one whose turn does not come in time is refused, and all else goes on', async () => {
  impatient = await startTestServer({}, { searchTurnMs: 50 });
  const flora = await signUp(impatient, 'Flora');
  const team = await makeTeam(flora);
  hold(impatient);
  const held = Array.from({ length: AT_ONCE }, () => search(flora));
  await until(() => running === AT_ONCE);
  const refused = await Promise.all([search(flora), search(flora)]);
  for (const { status, headers, body } of refused) {
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect(body.errors).toMatchObject([{ code: 5030, reason: 'searches' }]);
  }
  expect(running).toBe(AT_ONCE);
  const others = [
    await flora.client.post('/v1/messages', { text: 'a word', addressed_teams: [team] }),
    await flora.client.get(`/v1/messages?team=${team}`),
  ];
  expect(others.map(({ status, data }) => [status, data.length])).toEqual([
    [200, 1],
    [200, 1],
  ]);
  // The places are free again: what was refused holds none of them.
  goOn.resolve();
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(200));
  expect((await search(flora)).data).toHaveLength(1);
});

it('people who come amid a flood of searches are let in before most of it has run', async () => {
  const people = [eve, ada];
  const ben = await signUp(server, 'Ben');
  goOn.resolve();
  const begun = running;
  const flood = people.flatMap((person) => Array.from({ length: WAITING }, () => search(person)));
  // On a connection of their own, behind those of the flood.
  const status = await new Promise((resolve, reject) => {
    const headers = { Cookie: ben.client.cookie };
    get(`${server.url}/v1/users/me`, { agent: false, headers }, (answer) =>
      resolve(answer.resume().statusCode),
    ).on('error', reject);
  });
  const before = running - begun;
  expect(status).toBe(200);
  expect((await Promise.all(flood)).map((answer) => answer.status)).toEqual(flood.map(() => 200));
  expect(before).toBeLessThan(flood.length / 2);
});
