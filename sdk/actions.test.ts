import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { EventStream } from '../test/support/event-stream.ts';
import { EVERYTHING } from '../test/support/every-block.ts';
import { allPlaced } from '../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../test/support/people.ts';
import { scene } from '../test/support/scene.ts';
import { blocks, ParleyApplication, type WebhookHandler } from './index.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });
let registered: RegisteredApplication;
let team: string;
let handle: WebhookHandler;
const receiver = createServer((request, response) => void handle(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  registered = await register(dev, host, {
    name: 'Holidays',
    scopes: ['messages:read', 'messages:write', 'members:read'],
  });
  team = await makeTeam(ada, [bob]);
  await install(ada, team, registered);
});
// One that stays would keep the clicks of the next test for its stream.
afterEach(async () => {
  const { subscriptions } = application();
  for (const { id } of await subscriptions.list()) await subscriptions.delete(id);
});
afterAll(() => receiver.close());

const application = () => {
  const { id, secret } = registered;
  return new ParleyApplication({ baseUrl: server.url, clientId: id, clientSecret: secret });
};

const press = (message: string, click = randomUUID()) =>
  bob.client.post(`/v1/messages/${message}/interactions`, { block_id: 'ask', action_id: 'approve', click });

const question = () => [
  blocks.section(blocks.mrkdwn`*${'Ada'}* asks for Friday off`),
  blocks.withId('ask', blocks.actions(blocks.button('Approve', { action_id: 'approve', value: '7' }))),
];

it('the same handler answers a click by a stream and by a webhook, which everybody sees', async () => {
  await allPlaced(server);
  const handled: string[] = [];
  const answering = (name: string) => {
    const app = application();
    app.action('approve', async ({ user, value, bot, respond }) => {
      for await (const { user: one, membership_type: role } of bot.members())
        if (one.id === user) handled.push(`${name} ${value} ${one.first_name} ${role}`);
      await respond.replace({ blocks: [blocks.section(blocks.mrkdwn`Approved by ${blocks.person(user)}`)] });
    });
    return app;
  };
  const [streamed, called] = [answering('stream'), answering('webhook')];
  const webhook = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`, batch: 3 };
  const { key = '', id } = await called.subscriptions.create({ kinds: called.kinds, webhook });
  handle = called.webhook({ key });

  const bot = streamed.inTeam(team);
  const approved = [{ type: 'section', text: { type: 'mrkdwn', text: `Approved by <@${bob.id}>` } }];
  const blocksOf = async (message: string) =>
    (await ada.client.get(`/v1/messages/${message}`)).data[0].blocks;
  const first = await bot.postMessage({ addressed_teams: [team], blocks: question() });
  const click = randomUUID();
  expect((await press(first.id, click)).status).toBe(200);
  expect((await press(first.id, click)).status).toBe(200);
  await expect.poll(() => blocksOf(first.id)).toEqual(approved);

  await called.subscriptions.delete(id);
  const listening = await streamed.listen();
  const second = await bot.postMessage({ addressed_teams: [team], blocks: question() });
  await press(second.id);
  await expect.poll(() => blocksOf(second.id)).toEqual(approved);
  await listening.stop();
  expect(handled).toEqual(['webhook 7 Bob 2', 'stream 7 Bob 2']);
});

it('each answer goes where its name says', async () => {
  const app = application();
  app.action('approve', async ({ respond }) => {
    await respond.append({ blocks: [blocks.divider()] });
    await respond.reply('Noted');
    await respond.ephemeral('Only you read this');
  });
  const listening = await app.listen();
  const { id } = await app.inTeam(team).postMessage({ addressed_teams: [team], blocks: question() });
  await press(id);
  const told = async ({ client }: typeof bob) =>
    (await client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data.flatMap(({ message, text }) =>
      message === id ? text : [],
    );
  await expect.poll(() => told(bob)).toEqual(['Only you read this']);
  expect(await told(ada)).toEqual([]);
  expect((await ada.client.get(`/v1/messages/${id}`)).data[0].blocks.at(-1).type).toBe('divider');
  const replies = await ada.client.get(`/v1/messages/${id}/replies`);
  expect(replies.data.map(({ text }) => text)).toEqual(['Noted']);
  await listening.stop();
});

it('options are found as somebody types, and can then be chosen', async () => {
  const app = application();
  const chosen: unknown[] = [];
  app.offer('task', ({ value, user }) => {
    expect(user).toBe(bob.id);
    return [blocks.option(`Paint the ${value}`, 't7'), 'Sweep'];
  });
  app.action('task', ({ value }) => chosen.push(value));
  const listening = await app.listen();
  const menu = blocks.withId('find', blocks.actions(blocks.externalSelect({ action_id: 'task' })));
  const { id } = await app
    .inTeam(team)
    .postMessage({ addressed_teams: [team], blocks: [blocks.section('Which task?'), menu] });
  const at = { block_id: 'find', action_id: 'task' };
  const ask = async () =>
    (await bob.client.post(`/v1/messages/${id}/options`, { ...at, value: 'hall' })).data[0];
  expect((await ask()).status).toBe('pending');
  await expect.poll(async () => (await ask()).status).toBe('done');
  expect((await ask()).options.map(({ value }: { value: string }) => value)).toEqual(['t7', 'Sweep']);
  const click = { ...at, value: 't7', click: randomUUID() };
  expect((await bob.client.post(`/v1/messages/${id}/interactions`, click)).status).toBe(200);
  await expect.poll(() => chosen).toEqual(['t7']);
  await listening.stop();
});

it('commands and shortcuts come to their handlers, and what has none is reported', async () => {
  const app = application();
  const commands = [
    { name: 'standup', description: 'Say what you do' },
    { name: 'forgotten', description: 'Has no handler' },
  ];
  const shortcuts = [
    { action_id: 'round', name: 'Begin a round', on: 'team' },
    { action_id: 'bug', name: 'File a bug', on: 'message' },
  ];
  await dev.client.patch(`/v1/applications/${registered.id}`, { commands, shortcuts });
  const handled: unknown[] = [];
  const errors: string[] = [];
  app.command('standup', async ({ command, text, user, respond }) => {
    handled.push([command, text, user]);
    await respond.ephemeral('Noted');
    await respond.reply(`Bob: ${text}`);
  });
  app.shortcut(/round|bug/, async ({ action_id, message, user, respond }) => {
    if (message) await respond.append({ blocks: [blocks.section('A bug')] });
    handled.push([action_id, message?.id, user]);
  });
  const listening = await app.listen({ onError: (error) => errors.push(String(error)) });
  const { id } = await app.inTeam(team).postMessage({ addressed_teams: [team], text: 'It fails' });
  const give = (text: string) => bob.client.post(`/v1/teams/${team}/commands`, { text, click: randomUUID() });
  const choose = (fields: object) =>
    bob.client.post(`/v1/teams/${team}/shortcuts`, {
      ...{ application: registered.id, click: randomUUID() },
      ...fields,
    });
  expect((await give('/standup wrote tests')).status).toBe(200);
  expect((await choose({ action_id: 'round' })).status).toBe(200);
  expect((await choose({ action_id: 'bug', message: id })).status).toBe(200);
  expect((await give('/forgotten')).status).toBe(200);
  await expect
    .poll(() => errors)
    .toEqual(["UnknownActionError: No handler is for the command /forgotten: app.command('forgotten', …)"]);
  expect(handled).toEqual([
    ['standup', 'wrote tests', bob.id],
    ['round', undefined, bob.id],
    ['bug', id, bob.id],
  ]);
  await listening.stop();
  expect((await ada.client.get(`/v1/messages/${id}`)).data[0].blocks).toHaveLength(1);
  expect((await ada.client.get(`/v1/messages?team=${team}`)).data[0].text).toBe('Bob: wrote tests');
});

it('a form is opened, refused, laid on, changed and closed by its handlers', async () => {
  const app = application();
  await dev.client.patch(`/v1/applications/${registered.id}`, {
    commands: [{ name: 'holiday', description: 'Ask for a holiday' }],
  });
  const field = blocks.input('Why', blocks.textInput({ action_id: 'text' }));
  const form = (fields: object = {}) => ({
    ...{ title: 'Holiday', submit: 'Ask', callback_id: 'holiday', metadata: 'row 7' },
    blocks: [blocks.withId('why', field)],
    ...fields,
  });
  const handled: unknown[] = [];
  app.command('holiday', ({ respond }) => respond.form(form()));
  app.view('holiday', async ({ state, form: { metadata }, respond }) => {
    handled.push([state.why?.text, metadata]);
    if (state.why?.text === 'no') return respond.errors({ why: 'Say why' });
    return respond.push(form({ title: 'Sure?', callback_id: 'sure', notify_on_close: true }));
  });
  app.view('sure', ({ user, respond }) => respond.reply(`${user} is away`));
  app.viewClosed('sure', ({ form: { title } }) => handled.push(title));
  const listening = await app.listen();
  const window = await EventStream.open(bob.client);
  const ended = async ({ data: asked }: { data: { id: string }[] }) => {
    const mine = () => window.of('interaction').find(({ data }) => data.id === asked[0]?.id)?.data;
    await expect.poll(mine).toMatchObject({ status: 'done' });
    return mine()?.form as string;
  };
  const read = async (id: string) => (await bob.client.get(`/v1/forms/${id}`)).data[0];
  const submit = async (id: string, text: string) => {
    const given = { hash: (await read(id)).hash, state: { why: { text } } };
    return ended(await bob.client.post(`/v1/forms/${id}/submission`, given));
  };
  const command = { text: '/holiday', click: randomUUID() };
  const first = await ended(await bob.client.post(`/v1/teams/${team}/commands`, command));
  expect(await submit(first, 'no')).toBe(first);
  expect((await read(first)).errors).toEqual({ why: 'Say why' });
  const second = await submit(first, 'Sun');
  expect(await read(second)).toMatchObject({ title: 'Sure?', below: first });
  expect(await submit(second, 'Yes')).toBeUndefined();
  expect((await bob.client.get(`/v1/messages?team=${team}`)).data[0].text).toBe(`${bob.id} is away`);
  const third = await submit(first, 'Rain');
  await bob.client.delete(`/v1/forms/${third}`);
  await expect.poll(() => handled).toEqual([['no', 'row 7'], ['Sun', 'row 7'], ['Rain', 'row 7'], 'Sure?']);
  window.close();
  await listening.stop();
});

it('what is refused for good holds nobody up, is told to its person, and leaves a form open', async () => {
  const app = application();
  await dev.client.patch(`/v1/applications/${registered.id}`, {
    commands: ['late', 'why', 'slow', 'closed'].map((name) => ({ name, description: 'Does something' })),
  });
  let tried = 0;
  const passed = Promise.withResolvers<void>();
  const field = blocks.withId('why', blocks.input('Why', blocks.textInput({ action_id: 'text' })));
  const form = { title: 'Why', submit: 'Send', callback_id: 'why', blocks: [field] };
  app.command('late', ({ respond }) => {
    tried += 1;
    return respond.form({ ...form, title: 'A title of more than 24 letters' });
  });
  app.command('slow', () => passed.promise);
  app.command('why', ({ respond }) => respond.form(form));
  app.command('closed', ({ respond }) => respond.failed('The calendar is closed'));
  app.view('why', ({ respond }) => respond.errors({ nothing: 'There is no such block' }));
  const errors: string[] = [];
  const listening = await app.listen({ onError: (error) => errors.push(String(error)) });
  const give = async ({ client }: typeof bob, name: string, click = randomUUID()) => {
    const ask = async () =>
      (await client.post(`/v1/teams/${team}/commands`, { text: `/${name}`, click })).data[0];
    return { ask, first: await ask() };
  };
  const failed = { status: 'failed', reason: 'application_failed' };
  const slow = await give(ada, 'slow');
  await expect.poll((await give(bob, 'late')).ask).toMatchObject(failed);
  await expect.poll((await give(bob, 'closed')).ask).toMatchObject(failed);
  const { ask } = await give(bob, 'why');
  await expect.poll(async () => (await ask()).form).toBeDefined();
  const path = `/v1/forms/${(await ask()).form}`;
  const read = async () => (await bob.client.get(path)).data[0];
  const sent = { hash: (await read()).hash, state: { why: { text: 'Sun' } } };
  await bob.client.post(`${path}/submission`, sent);
  await expect.poll(() => errors.length).toBe(2);
  await expect.poll(async () => (await read()).submission).toBeUndefined();
  expect((await slow.ask()).status).toBe('pending');
  passed.resolve();
  await expect.poll(slow.ask).toMatchObject({ status: 'done' });
  expect([tried, errors]).toEqual([
    1,
    [
      expect.stringMatching(/^ParleyError: form\.title: .*\(4002\)/),
      expect.stringMatching(/^ParleyError: errors\.nothing: .*\(4002\)/),
    ],
  ]);
  const told = await bob.client.get(`/v1/users/me/ephemeral_answers?team=${team}`);
  expect(told.data.map(({ text }) => text)).toContain('The calendar is closed');
  await listening.stop();
});

it('a home is published as somebody opens it, and again when it changes', async () => {
  const app = application();
  await dev.client.patch(`/v1/applications/${registered.id}`, { has_home: true });
  app.home(({ user, publish }) => publish([blocks.section(`Tasks of ${user}`)]));
  const listening = await app.listen();
  const path = `/v1/applications/${registered.id}/home`;
  const shown = async () => (await bob.client.get(`${path}?team=${team}`)).data[0].blocks;
  expect(await shown()).toBeNull();
  await bob.client.post(`${path}/openings?team=${team}`, { click: randomUUID() });
  await expect.poll(shown).toMatchObject([{ text: { text: `Tasks of ${bob.id}` } }]);
  await app.publishHome({ user: bob.id, team, blocks: [blocks.section('None')] });
  expect(await shown()).toMatchObject([{ text: { text: 'None' } }]);
  await listening.stop();
});

it('what the builder makes is taken by the check of blocks, and can be posted', async () => {
  const all = Object.values(EVERYTHING);
  const checked = await registered.credentials.post('/v1/blocks/check', { blocks: all });
  expect(checked.body.errors).toBeUndefined();
  expect(checked.data[0].blocks).toHaveLength(all.length);
  const posted = await application()
    .inTeam(team)
    .postMessage({ addressed_teams: [team], blocks: all });
  expect(posted.text).toContain('Ada asks for Friday off');
});
