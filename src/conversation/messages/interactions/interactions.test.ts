import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import {
  authorize,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
} from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';

const { server, host, dev, ada, bob, eve, zoe } = scene({
  people: ['Dev', 'Ada', 'Bob', 'Eve', 'Zoe'],
  options: { housekeepingMs: 50 },
});
let team: string;
let app: RegisteredApplication;
let other: RegisteredApplication;
let bot: Client;
const subscriptions = new Map<RegisteredApplication, string>();

const plain = (text: string) => ({ type: 'plain_text', text });
const option = (value: string) => ({ text: plain(value), value });
const ask = {
  type: 'actions',
  block_id: 'ask',
  elements: [
    { type: 'button', action_id: 'yes', text: plain('Approve'), value: 'holiday-7' },
    { type: 'static_select', action_id: 'day', options: [option('mon'), option('tue')] },
    { type: 'checkboxes', action_id: 'with', options: [option('a'), option('b')] },
  ],
};
const why = {
  type: 'input',
  block_id: 'why',
  label: plain('Why?'),
  element: { type: 'plain_text_input', action_id: 'text' },
};

async function tokenFor(of: RegisteredApplication): Promise<Client> {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await of.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

async function hearing(name: string): Promise<RegisteredApplication> {
  const made = await register(dev, host, { name, scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, made);
  subscriptions.set(made, (await subscribe(made, { kinds: ['interaction'] })).id);
  return made;
}

beforeAll(async () => {
  team = await makeTeam(ada, [bob, zoe]);
  app = await hearing('Holidays');
  other = await hearing('Other');
  bot = await tokenFor(app);
});

const post = async (blocks: object[], by = bot): Promise<string> =>
  (await by.post('/v1/messages', { addressed_teams: [team], blocks })).data[0].id;
const press = (id: string, fields: object = {}, by = bob.client) =>
  by.post(`/v1/messages/${id}/interactions`, {
    block_id: 'ask',
    action_id: 'yes',
    click: randomUUID(),
    ...fields,
  });
async function heard(of = app) {
  await allPlaced(server);
  const path = pathOf(of, subscriptions.get(of) as string);
  const { events } = await pullAll(of.credentials, path, 'limit=100');
  return events.map(({ data }) => data as unknown as Record<string, unknown> & { message: { id: string } });
}
const heardOf = async (id: string, of = app) => (await heard(of)).filter(({ message }) => message.id === id);
const refused = ({ code, body }: Awaited<ReturnType<Client['post']>>) => [code, body.errors?.[0]?.reason];

describe('a click', () => {
  it('is heard by the application that posted the message, once, with what it gave the button (claim: clicks-heard)', async () => {
    const id = await post([ask, why]);
    const click = randomUUID();
    const state = { ask: { with: ['b'] }, why: { text: 'Sun' } };
    const all = await Promise.all(
      Array.from({ length: 4 }, () => press(id, { click, state, value: 'forged' })),
    );
    const [interaction] = (await press(id, { click, state, value: 'forged' })).data;
    expect(interaction).toEqual({ id: expect.not.stringContaining(click), status: 'pending' });
    expect(all.map(({ data }) => data)).toEqual(all.map(() => [interaction]));
    expect(await heardOf(id)).toEqual([
      {
        team,
        kind: 'action',
        id: interaction.id,
        response_url: expect.stringMatching(
          new RegExp(`^http://localhost:\\d+/v1/interactions/${interaction.id}/[\\w-]{43}$`),
        ),
        message: { id },
        user: bob.id,
        block_id: 'ask',
        action_id: 'yes',
        value: 'holiday-7',
        state,
      },
    ]);
    expect(await heardOf(id, other)).toEqual([]);
  });

  it('says what was chosen, and lets the application answer by changing the message', async () => {
    const id = await post([ask]);
    expect((await press(id, { action_id: 'day', value: 'tue' })).status).toBe(200);
    expect((await press(id, { action_id: 'with', values: ['a', 'b'] })).status).toBe(200);
    expect((await heardOf(id)).map(({ value, values }) => value ?? values)).toEqual(['tue', ['a', 'b']]);
    await bot.patch(`/v1/messages/${id}`, { blocks: [{ type: 'header', text: plain('Approved by Bob') }] });
    expect(refused(await press(id))).toEqual([4002, 'action_id']);
    await bot.patch(`/v1/messages/${id}`, { text: 'over', blocks: null });
    expect(refused(await press(id))).toEqual([4090, 'no_blocks']);
    expect(await heardOf(id)).toHaveLength(2);
  });

  it.each<[string, object, string]>([
    ['an element that is not there', { action_id: 'none' }, 'action_id'],
    ['an element of another block', { block_id: 'why' }, 'action_id'],
    ['no option', { action_id: 'day', value: 'sun' }, 'value'],
    ['no value', { action_id: 'day' }, 'value'],
    ['options that are none', { action_id: 'with', values: ['a', 'z'] }, 'values'],
    ['a state that is none', { state: { why: { text: 7 } } }, 'state.why.text'],
    ['a large state', { state: { none: { of: 'x'.repeat(65_536) } } }, 'state'],
    ['no click', { click: 'x' }, 'click'],
  ])('with %s is refused', async (_, fields, field) => {
    const id = await post([ask, why]);
    expect(refused(await press(id, fields))).toEqual([4002, field]);
    expect(await heardOf(id)).toEqual([]);
  });
});

describe('a click does nothing, and says so (claim: clicks-refused)', () => {
  it('by somebody who does not see the message, by a token, and after the message', async () => {
    const id = await post([ask]);
    expect((await press(id, {}, eve.client)).code).toBe(4040);
    expect((await press(id, {}, bot)).code).toBe(4031);
    await bot.delete(`/v1/messages/${id}`);
    expect(refused(await press(id))).toEqual([4090, 'deleted']);
    expect(await heardOf(id)).toEqual([]);
  });

  it('in messages without blocks, and in private', async () => {
    const text = (await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'x' })).data[0].id;
    expect(refused(await press(text))).toEqual([4090, 'no_blocks']);
    const token = server.anonymous().withToken((await authorize(ada, team, app)).access_token);
    const direct = await token.post('/v1/messages', { addressed_users: [bob.id], blocks: [ask] });
    expect(refused(await press(direct.data[0].id))).toEqual([4030, 'private_place']);
  });

  it('where the application does not listen, or is gone', async () => {
    const deaf = await register(dev, host, { name: 'Deaf', scopes: ['messages:read', 'messages:write'] });
    await install(ada, team, deaf);
    const id = await post([ask], await tokenFor(deaf));
    expect(refused(await press(id))).toEqual([4030, 'no_listener']);
    await subscribe(deaf, { kinds: ['interaction'], teams: [await makeTeam(ada)] }).catch(() => undefined);
    expect(refused(await press(id))).toEqual([4030, 'no_listener']);
    await ada.client.delete(`/v1/teams/${team}/applications/${deaf.id}`);
    expect(refused(await press(id))).toEqual([4030, 'app_not_installed']);
  });
});

it('what somebody chose is erased with them (claim: clicks-erased)', async () => {
  const id = await post([ask, why]);
  await press(id, { state: { why: { text: 'Persimmon' } } }, zoe.client);
  const stored = () =>
    runSql(server.running.db, 'SELECT kind FROM events WHERE data_json LIKE ?', ['%Persimmon%']);
  expect(await stored()).toHaveLength(1);
  // Something newer stands in the log.
  await ada.client.post('/v1/messages', { addressed_teams: [team], text: 'later' });
  await allPlaced(server);
  const password = 'a password of length';
  expect((await zoe.client.ask('DELETE', '/v1/users/me', { json: { password } })).status).toBe(200);
  await expect.poll(stored, { timeout: 20_000 }).toEqual([]);
});
