import { beforeAll, describe, expect, it } from 'vitest';
import { allPlaced, pathOf, subscribe } from '../../../test/support/feed.ts';
import {
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

/** Each is as long as a text may be; on one page there is room for 20 of them. */
const LENGTH = 100_000;
const MESSAGES = 30;

const { server, host, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  environment: { MAX_TEXT_LENGTH: String(LENGTH) },
});
let team: string;
let app: RegisteredApplication;
let subscription: string;
const ids: string[] = [];

beforeAll(async () => {
  team = await makeTeam(ada);
  app = await register(ada, host, { scopes: ['messages:read'] });
  await install(ada, team, app);
  subscription = (await subscribe(app)).id;
  for (let at = 0; at < MESSAGES; at++) ids.push(await post('/v1/messages', { addressed_teams: [team] }));
  for (let at = 0; at < MESSAGES; at++) await post(`/v1/messages/${ids[0]}/replies`, {});
});

async function post(path: string, fields: object): Promise<string> {
  const { data } = await ada.client.post(path, { text: `long ${'x'.repeat(LENGTH - 5)}`, ...fields });
  return data[0].id;
}

const idsOf = (data: readonly { id: string }[]) => data.map(({ id }) => id);

/** Follows the cursors to the end. @returns the pages */
async function pages(path: string, way: 'next_cursor' | 'previous_cursor', begin = ''): Promise<string[][]> {
  const found: string[][] = [];
  for (let cursor: string | null = begin; cursor !== null; ) {
    const { data, body } = await ada.client.get(`${path}${cursor && `&cursor=${cursor}`}`);
    found.push(idsOf(data));
    cursor = body.meta[way] ?? null;
  }
  return found;
}

it.each(['newest', 'oldest'])(
  'pages of long messages end early, and none is left out: %s first',
  async (order) => {
    const inOrder = order === 'newest' ? ids.toReversed() : ids;
    const path = `/v1/messages?team=${team}&limit=200&order=${order}`;
    const onwards = await pages(path, 'next_cursor');
    expect(onwards.map((page) => page.length)).toEqual([20, 10]);
    expect(onwards.flat()).toEqual(inOrder);
    const first = await ada.client.get(path);
    const last = await ada.client.get(`${path}&cursor=${first.body.meta.next_cursor}`);
    const back = await pages(path, 'previous_cursor', last.body.meta.previous_cursor);
    expect(back.flat()).toEqual(inOrder.slice(0, 20));
  },
);

it('a page around a message has it, and cursors to what is on both sides', async () => {
  const middle = ids[15] as string;
  const path = `/v1/messages?team=${team}&limit=200`;
  const { data, body } = await ada.client.get(`${path}&around=${middle}`);
  const around = idsOf(data);
  expect(around.length).toBe(20);
  expect(around).toContain(middle);
  const before = await pages(path, 'previous_cursor', body.meta.previous_cursor);
  const after = await pages(path, 'next_cursor', body.meta.next_cursor);
  expect([...before.toReversed().flat(), ...around, ...after.flat()]).toEqual(ids.toReversed());
});

it('so do pages of replies and of what is found', async () => {
  const replies = await pages(`/v1/messages/${ids[0]}/replies?limit=200`, 'next_cursor');
  expect(replies.map((page) => page.length)).toEqual([20, 10]);
  const found = await pages(`/v1/messages?team=${team}&q=long&limit=200`, 'next_cursor');
  expect(found.map((page) => page.length)).toEqual([20, 20, 20]);
  expect(new Set(found.flat()).size).toBe(2 * MESSAGES);
});

describe('many pages of long messages at once let others in between:', () => {
  const MANY = 30;

  it.each([
    ['a list', () => `/v1/messages?team=${team}&limit=200`],
    ['replies', () => `/v1/messages/${ids[0]}/replies?limit=200`],
    ['what is found', () => `/v1/messages?team=${team}&q=long&limit=200`],
  ])('%s', async (_, pathOfPage) => {
    const path = pathOfPage();
    const answered: string[] = [];
    const ask = async (person: Person, what: string) => {
      const { status, body } = await person.client.get(what);
      // A search that waits for long on a busy machine is refused.
      if (status !== 200) expect([status, body.errors[0].reason]).toEqual([503, 'searches']);
      answered.push(person.email);
    };
    const askAll = () => Array.from({ length: MANY }, () => ask(ada, path));
    // Connections that are open: all requests come in the same turn.
    await Promise.all([...askAll(), ask(bob, '/v1/users/me')]);
    answered.length = 0;
    const pages = askAll();
    await ask(bob, '/v1/users/me');
    expect(answered.length).toBeLessThan(MANY / 2);
    await Promise.all(pages);
  });
});

it('so do pages of events', async () => {
  await allPlaced(server);
  const heard: string[] = [];
  for (let [after, more] = ['', true]; more; ) {
    const { data, body } = await app.credentials.get(`${pathOf(app, subscription)}/events?limit=200${after}`);
    expect(data.length).toBeLessThanOrEqual(20);
    heard.push(...data.map(({ data: { message } }) => message.id));
    [after, more] = [`&after=${body.meta.next_cursor}`, body.meta.more];
  }
  expect(heard).toEqual(ids);
});
