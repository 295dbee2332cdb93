import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { authorize, install, makeTeam, type Person, register } from '../../../../test/support/people.ts';
import { recordStatements } from '../../../../test/support/plans.ts';
import { converse } from '../../../../test/support/reach.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { until } from '../../../../test/support/until.ts';

const { server, host, ada, bob, cy } = scene({ people: ['Ada', 'Bob', 'Cy'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
});

const say = async (author: Person, text: string, to: object = { addressed_teams: [team] }): Promise<string> =>
  (await author.client.post('/v1/messages', { text, ...to })).data[0].id;
const quote = (client: Client, ...ids: string[]) => client.get(`/v1/quotes?messages=${ids.join(',')}`);
const idsOf = async (client: Client, ...ids: string[]) =>
  (await quote(client, ...ids)).data.map((message) => message?.id ?? null);

it('answers the messages that the caller may read, in the order asked for', async () => {
  const [one, other] = [await say(ada, 'one'), await say(bob, 'two')];
  const reply = (await bob.client.post(`/v1/messages/${one}/replies`, { text: 'three' })).data[0].id;
  const answer = await quote(bob.client, other, reply, one, other.toUpperCase());
  expect(answer.data.map(({ text }) => text)).toEqual(['two', 'three', 'one', 'two']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.data[2]).toEqual((await bob.client.get(`/v1/messages/${one}`)).data[0]);
});

it('gives null for every other one, in the same bytes', async () => {
  const direct = await say(ada, 'secret', { addressed_users: [bob.id] });
  const told = await say(ada, 'secret');
  const answers = [
    direct,
    told,
    randomUUID(),
    `${randomUUID().slice(0, 14)}0${randomUUID().slice(15)}`,
    'no',
  ].map(async (id) => (await quote(cy.client, id)).text.replace(/"time":[^}]+/, ''));
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['{"meta":{},"data":[null],}']));
  const mixed = await say(cy, 'mine', { addressed_users: [cy.id] });
  expect(await idsOf(cy.client, direct, mixed, told)).toEqual([null, mixed, null]);
});

it('says that a message was edited or deleted to those who could read it', async () => {
  const [edited, deleted] = [await say(ada, 'before'), await say(ada, 'gone for good')];
  await ada.client.patch(`/v1/messages/${edited}`, { text: 'after' });
  await ada.client.delete(`/v1/messages/${deleted}`);
  const { data, text } = await quote(bob.client, edited, deleted);
  expect(data).toMatchObject([
    { text: 'after', events: [{ type: 'edited' }] },
    { text: '', events: [{ type: 'deleted' }], author: { id: ada.id } },
  ]);
  expect(text).not.toContain('gone for good');
  expect(await idsOf(cy.client, edited, deleted)).toEqual([null, null]);
});

it('shows a token what is within its reach', async () => {
  const other = await makeTeam(ada, [bob]);
  const here = await converse(ada, bob, { addressed_teams: [team] });
  const direct = await say(ada, 'between us', { addressed_users: [bob.id] });
  const asked = [
    here.root,
    here.reply,
    here.aside,
    direct,
    await say(ada, 'elsewhere', { addressed_teams: [other] }),
  ];
  const tokenWith = async (...scopes: string[]) => {
    const app = await register(ada, host, { scopes });
    await install(ada, team, app);
    return server.anonymous().withToken((await authorize(bob, team, app)).access_token);
  };
  const seenWith = async (...scopes: string[]) =>
    (await idsOf(await tokenWith(...scopes), ...asked)).map((id) => id !== null);
  expect((await idsOf(bob.client, ...asked)).every((id) => id !== null)).toBe(true);
  expect(await seenWith('messages:read')).toEqual([true, true, false, false, false]);
  expect(await seenWith('direct:read')).toEqual([false, false, false, true, false]);
  expect(await seenWith('messages:read', 'direct:read')).toEqual([true, true, true, true, false]);
  expect((await quote(await tokenWith('files:read'), ...asked)).code).toBe(4031);
});

it('is not looked up when the text is posted', async () => {
  const told = await say(ada, 'told');
  // The background work of the message itself has ended.
  const { db } = server.running;
  for (const table of ['notice_jobs', 'message_index_queue'])
    await until(async () => (await runSql(db, `SELECT 1 FROM ${table}`)).length === 0);
  const end = recordStatements(db);
  await say(bob, `See ${server.running.url}/messages/${told}#quote=0-4`);
  const asked = end();
  expect(asked.length).toBeGreaterThan(1);
  const named = asked.flatMap(({ values }) => values.map(String)).filter((value) => value.includes(told));
  expect(named.filter((value) => !value.includes(`/messages/${told}`))).toEqual([]);
});

it.each([
  ['nothing', ''],
  ['no parameter', undefined],
  ['more than an answer holds', Array.from({ length: 21 }, () => randomUUID()).join()],
])('refuses %s', async (_, messages) => {
  const query = messages === undefined ? '' : `?messages=${messages}`;
  const { code, body } = await ada.client.get(`/v1/quotes${query}`);
  expect([code, body.errors[0].reason]).toEqual([4002, 'messages']);
});
