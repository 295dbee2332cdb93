import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allPlaced, asyncapi, expectDescribed } from '../test/support/feed.ts';
import {
  install,
  join,
  makeTeam,
  type RegisteredApplication,
  register,
  signUp,
} from '../test/support/people.ts';
import { scene } from '../test/support/scene.ts';
import { type EventKind, ParleyApplication, type ParleyEvent, type WebhookHandler } from './index.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });
const kinds = Object.values(asyncapi.components.messages).map(({ name }) => name as EventKind);
let registered: RegisteredApplication;
let team: string;
let handle: WebhookHandler;
const receiver = createServer((request, response) => void handle(request, response));

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  registered = await register(dev, host, {
    name: 'Task Tracker',
    scopes: ['messages:read', 'messages:write', 'members:read', 'direct:app'],
    link_prefixes: ['https://tasks.example/'],
  });
  team = await makeTeam(ada, [bob]);
  await install(ada, team, registered);
});
afterAll(() => receiver.close());

/** An application that notes what it hears. */
function hearing(): { app: ParleyApplication; heard: ParleyEvent[] } {
  const { id, secret } = registered;
  const app = new ParleyApplication({ baseUrl: server.url, clientId: id, clientSecret: secret });
  const heard: ParleyEvent[] = [];
  const ids = new Set<string>();
  for (const kind of kinds)
    app.on(kind, (event) => {
      // One whose acknowledgement was late comes again.
      if (!ids.has(event.id)) heard.push(event);
      ids.add(event.id);
    });
  return { app, heard };
}

const ofPeople = /^(interaction|application\.opened|direct\..+)$/;

/** The events in the series whose order is promised: those of a team, and beside them what each person asked for. */
const inSeries = (events: readonly ParleyEvent[]) =>
  Object.groupBy(
    events.map(({ id, type, data }) => ({ id, type, team: data.team, user: 'user' in data && data.user })),
    ({ type, team, user }) => (ofPeople.test(type) ? `${team} ${user}` : team),
  );

const post = async (text: string): Promise<string> =>
  (await ada.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;

it('the same handlers hear every kind by a stream, by a webhook and by pages, as asyncapi.json describes it', async () => {
  const [streamed, called] = [hearing(), hearing()];
  await allPlaced(server);
  const listening = await streamed.app.listen();
  const webhook = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`, batch: 3 };
  const { key = '' } = await called.app.subscriptions.create({ kinds: called.app.kinds, webhook });
  handle = called.app.webhook({ key });

  const root = await post('first');
  const reply = (await bob.client.post(`/v1/messages/${root}/replies`, { text: 'an answer' })).data[0].id;
  await post('ask @tasktracker, please');
  await post('see https://tasks.example/1');
  await ada.client.patch(`/v1/messages/${root}`, { text: 'second' });
  await bob.client.put(`/v1/messages/${root}/high_five`);
  await bob.client.delete(`/v1/messages/${root}/high_five`);
  await bob.client.put(`/v1/messages/${root}/reactions/${encodeURIComponent('👍')}`);
  await bob.client.delete(`/v1/messages/${root}/reactions/${encodeURIComponent('👍')}`);
  await bob.client.put(`/v1/teams/${team}/pins/${root}`);
  await ada.client.delete(`/v1/teams/${team}/pins/${root}`);
  const begun = { text: 'begun', addressed_teams: [team], subject: 'Launch' };
  const { subject_id } = (await ada.client.post('/v1/messages', begun)).data[0];
  await ada.client.patch(`/v1/teams/${team}/subjects/${subject_id}`, { name: 'Start', closed: true });
  await ada.client.patch(`/v1/teams/${team}/subjects/${subject_id}`, { closed: false });
  const carol = await signUp(server, 'Carol');
  await join(ada, team, carol);
  await ada.client.patch(`/v1/teams/${team}/users/${carol.id}`, { membership_type: 1 });
  await ada.client.delete(`/v1/teams/${team}/users/${carol.id}`);
  await bob.client.delete(`/v1/messages/${reply}`);
  // The webhook's subscription and that of the stream are there: before, nobody hears of it.
  await bob.client.patch('/v1/users/me', { status: { emoji: '🌴', text: 'On holiday' } });
  const object = await streamed.app.createObject({ name: 'Task', team, type: 'task', url: '/tasks/1' });
  await bob.client.post(`/v1/objects/${object.id}/openings`);
  const text = { type: 'plain_text' as const, text: 'Approve' };
  const asked = await streamed.app.inTeam(team).postMessage({
    addressed_teams: [team],
    blocks: [{ type: 'actions', block_id: 'ask', elements: [{ type: 'button', action_id: 'yes', text }] }],
  });
  const act = { block_id: 'ask', action_id: 'yes', click: randomUUID() };
  await bob.client.post(`/v1/messages/${asked.id}/interactions`, act);
  await dev.client.patch(`/v1/applications/${registered.id}`, { has_home: true });
  const opening = await bob.client.post(`/v1/applications/${registered.id}/home/openings?team=${team}`, {
    click: randomUUID(),
  });
  expect(opening.data[0].status).toBe('pending');
  const approved = [{ type: 'header' as const, text: { ...text, text: 'Approved' } }];
  await streamed.app.inTeam(team).editMessage(asked.id, { blocks: approved });
  expect((await bob.client.get(`/v1/messages/${asked.id}`)).data[0]).toMatchObject({ blocks: approved });
  const direct = { text: 'to you', addressed_application: registered.id, team };
  const written = (await bob.client.post('/v1/messages', direct)).data[0].id;
  await bob.client.patch(`/v1/messages/${written}`, { text: 'to you alone' });
  await bob.client.delete(`/v1/messages/${written}`);
  const second = await makeTeam(ada);
  await install(ada, second, registered);
  await ada.client.put(`/v1/teams/${second}/applications/${registered.id}/scopes`, { scopes: [] });
  await ada.client.delete(`/v1/teams/${second}/applications/${registered.id}`);

  // All that there is to hear is in the log by now.
  await allPlaced(server);
  const [{ id = '' } = {}] = (await streamed.app.subscriptions.list()).filter((one) => one.webhook === null);
  const pages: ParleyEvent[] = [];
  for await (const event of streamed.app.subscriptions.events(id, { limit: 2 })) pages.push(event);
  expect(new Set(pages.map(({ type }) => type)).size).toBe(kinds.length);
  await expect.poll(() => streamed.heard.length).toBe(pages.length);
  await expect.poll(() => called.heard.length).toBe(pages.length);
  expect(inSeries(called.heard)).toEqual(inSeries(streamed.heard));
  streamed.heard.forEach(expectDescribed);
  expect(inSeries(pages)).toEqual(inSeries(streamed.heard));

  // Handled events are acknowledged; the next program of the group begins after them.
  await listening.stop();
  await post('third');
  const next = hearing();
  const again = await next.app.listen();
  await expect.poll(() => next.heard.length).toBe(1);
  expect(next.heard).toMatchObject([{ type: 'message.posted', data: { message: { text: 'third' } } }]);
  await again.stop();
});

it('an event with a field that is not described is found, at every depth', () => {
  const at = { id: randomUUID(), timestamp: new Date().toISOString() };
  const emoji = {
    type: 'reaction.added',
    ...at,
    data: { team, message: { id: team }, emoji: '👍', user: team },
  };
  expectDescribed(emoji);
  for (const more of [
    { ...emoji, more: 1 },
    { ...emoji, data: { ...emoji.data, more: 1 } },
    { ...emoji, data: { ...emoji.data, message: { id: team, more: 1 } } },
  ])
    expect(() => expectDescribed(more)).toThrow('must NOT have additional properties');
});

it('the server shows the description that the repository has', async () => {
  expect((await server.anonymous().get('/asyncapi.json')).body).toEqual(asyncapi);
});

it('shows what a link leads to, as the application itself', async () => {
  const { id, secret } = await register(dev, host, {
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://cards.example/'],
  });
  const app = new ParleyApplication({ baseUrl: server.url, clientId: id, clientSecret: secret });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: id });
  const url = 'https://cards.example/7';
  const posted = await ada.client.post('/v1/messages', { text: `See ${url}`, addressed_teams: [team] });
  const message = posted.data[0].id;
  const bot = app.inTeam(team);
  const shown = await bot.unfurl(message, [
    { url, title: 'Seven', fields: [{ name: 'State', value: 'open' }] },
  ]);
  expect(shown.unfurls).toMatchObject([{ url, title: 'Seven', text: '', application: { id } }]);
  expect((await bob.client.get(`/v1/messages/${message}`)).data[0].unfurls).toEqual(shown.unfurls);
  expect((await bot.unfurl(message, [])).unfurls).toBeUndefined();
  await expect(bot.unfurl(message, [{ url: 'https://else.example/', title: 'x' }])).rejects.toMatchObject({
    code: 4002,
    reason: 'unfurls.0.url',
  });
});

it('an application schedules as itself, lists, changes, sends and cancels what waits', async () => {
  const app = new ParleyApplication({
    baseUrl: server.url,
    clientId: registered.id,
    clientSecret: registered.secret,
  });
  const bot = app.inTeam(team);
  const zone = 'Etc/UTC';
  const local = new Date(server.clock.now() + 3_600_000).toISOString().slice(0, 16);
  const message = { text: 'Good morning', addressed_teams: [team] };
  const first = await bot.schedule(message, { local, zone }, 'once');
  expect(await bot.schedule(message, { local, zone }, 'once')).toEqual(first);
  expect(first).toMatchObject({ status: 'pending', send_at: { local, zone }, message });
  const root = await post('Who opens?');
  const later = { local: new Date(server.clock.now() + 7_200_000).toISOString().slice(0, 16), zone };
  // An instant is on a wall in UTC, with the next minute.
  const instant = new Date(Date.parse(`${later.local}Z`) - 30_000);
  const answer = await bot.schedule({ text: 'I do', reply_to: root }, instant);
  expect(answer.send_at).toEqual(later);
  const waiting = [];
  for await (const { id } of bot.scheduled()) waiting.push(id);
  expect(waiting).toEqual([first.id, answer.id]);
  expect(await bot.changeScheduled(first.id, { send_at: later })).toMatchObject({ send_at: later, message });
  const sent = await bot.changeScheduled(answer.id, { send_now: true });
  expect(sent).toMatchObject({ status: 'sent', message: null });
  expect(await bot.message(sent.message_id ?? '')).toMatchObject({ text: 'I do', reply_to: root });
  await bot.cancelScheduled(first.id);
  await expect(bot.cancelScheduled(first.id)).rejects.toMatchObject({ code: 4040 });
  const past = { local: '2020-01-01T09:00', zone };
  await expect(bot.schedule(message, past)).rejects.toMatchObject({ code: 4002, reason: 'send_at.local' });
});

it('an application posts an upload of its own, and lists the reactions', async () => {
  const scopes = ['messages:write', 'files:write', 'reactions:read'];
  const made = await register(dev, host, { scopes });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: made.id });
  const app = new ParleyApplication({
    baseUrl: server.url,
    clientId: made.id,
    clientSecret: made.secret,
  });
  const bot = app.inTeam(team);
  const file = await bot.upload({ name: 'build.log', content: 'passed' });
  const { id } = await bot.postMessage({ addressed_teams: [team], attachments: { files: [file.id] } });
  expect((await bob.client.get(`/v1/messages/${id}`)).data[0].attachments).toMatchObject([{ id: file.id }]);
  await bob.client.put(`/v1/messages/${id}/reactions/${encodeURIComponent('🎉')}`);
  const reactions = [];
  for await (const one of bot.reactions(id)) reactions.push(one);
  expect(reactions).toMatchObject([{ emoji: '🎉', user: { id: bob.id } }]);
});

it('an application reads why it got no token', async () => {
  const { id, secret } = await register(dev, host, { scopes: ['messages:write'] });
  const app = new ParleyApplication({ baseUrl: server.url, clientId: id, clientSecret: secret });
  await expect(app.inTeam(team).message(team)).rejects.toMatchObject({ error: 'invalid_target' });
  expect(await app.tokenFailures()).toMatchObject([{ reason: 'unknown_team', count: 1 }]);
});

it('an application pins a message of its team as itself, and lists what is pinned', async () => {
  const app = new ParleyApplication({
    baseUrl: server.url,
    clientId: registered.id,
    clientSecret: registered.secret,
  });
  const bot = app.inTeam(team);
  const message = await post('The door code is on the door');
  expect((await bot.pin(message))?.pinned).toBe(true);
  const pins = [];
  for await (const pin of bot.pins()) pins.push(pin);
  expect(pins).toMatchObject([{ message: { id: message, pinned: true }, user: { id: expect.any(String) } }]);
  expect((await bot.unpin(message))?.pinned).toBeUndefined();
});
