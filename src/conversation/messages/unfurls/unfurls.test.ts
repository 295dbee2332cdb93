import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import { install, makeTeam, type RegisteredApplication, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob, admin } = scene({ people: ['Dev', 'Ada', 'Bob', 'Admin'] });
const LINK = 'https://tasks.example/tasks/7';
const OTHER = 'https://tasks.example/tasks/8';
let team: string;
let app: RegisteredApplication;
let bot: Client;

async function tokenFor(of: RegisteredApplication, scope?: string): Promise<Client> {
  const form = { grant_type: 'client_credentials', team, ...(scope !== undefined && { scope }) };
  const { body } = await of.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

const registered = (fields: object = {}) =>
  register(dev, host, {
    name: 'Tasks',
    icon: '✅',
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://tasks.example/tasks'],
    ...fields,
  });

beforeAll(async () => {
  team = await makeTeam(admin, [ada, bob]);
  app = await registered();
  await install(admin, team, app);
  bot = await tokenFor(app);
});

const post = async (text = `Who takes ${LINK} and ${OTHER}?`): Promise<string> =>
  (await ada.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
const put = (id: string, unfurls: object[], by = bot) => by.put(`/v1/messages/${id}/unfurls`, { unfurls });
const card = (url = LINK, fields: object = {}) => ({ url, title: 'Paint the fence', ...fields });
const seen = async (id: string, by = bob.client) => (await by.get(`/v1/messages/${id}`)).data[0];
const titles = async (id: string) =>
  (await seen(id)).unfurls?.map(({ title }: { title: string }) => title) ?? [];

describe('previews of links', () => {
  it('are shown to all who read the message, and in every list (claim: previews-shown)', async () => {
    const id = await post();
    const plain = await post('nothing here');
    const reply = (await bob.client.post(`/v1/messages/${id}/replies`, { text: `or ${OTHER}` })).data[0].id;
    expect(await seen(id)).not.toHaveProperty('unfurls');
    const fields = [{ name: 'State', value: 'open' }];
    const answer = await put(id, [
      card(OTHER, { title: 'Second' }),
      card(LINK, { text: 'It is red.', fields }),
    ]);
    const application = { id: app.id, name: 'Tasks', icon: '✅', url: `${host.url}/` };
    const unfurls = [
      {
        id: expect.any(String),
        url: LINK,
        title: 'Paint the fence',
        text: 'It is red.',
        fields,
        application,
      },
      { id: expect.any(String), url: OTHER, title: 'Second', text: '', fields: [], application },
    ];
    expect(answer.data[0].unfurls).toEqual(unfurls);
    await put(reply, [card(OTHER)]);
    expect((await seen(id)).unfurls).toEqual(unfurls);
    const listed = (await bob.client.get(`/v1/messages?team=${team}`)).data;
    expect(listed.find((one) => one.id === id).unfurls).toEqual(unfurls);
    expect(listed.find((one) => one.id === plain)).not.toHaveProperty('unfurls');
    expect((await bob.client.get(`/v1/messages/${id}/replies`)).data[0].unfurls).toHaveLength(1);
    const found = (await bob.client.get('/v1/messages?q=takes')).data.find((one) => one.id === id);
    expect(found.unfurls).toEqual(unfurls);
    const { updated_at, created_at, num_replies } = await seen(id);
    expect([updated_at, num_replies]).toEqual([created_at, 1]);
  });

  it('are replaced as a whole, and a repeated request changes nothing and tells nobody', async () => {
    const id = await post();
    const stream = await EventStream.open(bob.client);
    const counts = () => stream.of('message.updated').map(({ data }) => data.message.unfurls?.length ?? 0);
    // An event shows the message as it is when the stream reads it, so each is awaited before the next change.
    const told = (...expected: number[]) => expect.poll(counts, { timeout: 30_000 }).toEqual(expected);
    const first = (await put(id, [card(), card(OTHER)])).data[0].unfurls;
    await told(2);
    expect((await put(id, [card(), card(OTHER)])).data[0].unfurls).toEqual(first);
    const second = (await put(id, [card(LINK, { title: 'Painted' })])).data[0].unfurls;
    expect(second).toEqual([{ ...first[0], title: 'Painted' }]);
    await told(2, 1);
    const both = await Promise.all([put(id, [card(), card(OTHER)]), put(id, [card(), card(OTHER)])]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await seen(id)).unfurls).toHaveLength(2);
    await told(2, 1, 2);
    expect((await bot.delete(`/v1/messages/${id}/unfurls`)).data[0]).not.toHaveProperty('unfurls');
    expect((await bot.delete(`/v1/messages/${id}/unfurls`)).status).toBe(200);
    await post('the end');
    await stream.until((events) => events.some(({ data }) => data.message?.text === 'the end'));
    // One for each change: two requests at once are one.
    expect(counts()).toEqual([2, 1, 2, 0]);
    stream.close();
  });

  it('are told to no subscription', async () => {
    const kinds = ['link.posted', 'message.posted', 'message.edited', 'message.deleted'];
    const path = pathOf(app, (await subscribe(app, { kinds })).id);
    const id = await post();
    await put(id, [card()]);
    const { unfurls } = await seen(id);
    await ada.client.delete(`/v1/messages/${id}/unfurls/${unfurls[0].id}`);
    await ada.client.delete(`/v1/messages/${id}`);
    await allPlaced(server);
    // A deleted message has no links any more.
    const { events } = await pullAll(app.credentials, path, 'since=0');
    const about = events.filter(({ data }) => data.message.id === id);
    expect(about.map(({ type }) => type)).toEqual(['message.posted', 'message.deleted']);
    await app.credentials.delete(path);
  });

  it('go with the link, with the message, and with the installation (claim: previews-go)', async () => {
    const [edited, deleted, kept] = [await post(), await post(), await post()];
    for (const id of [edited, deleted, kept]) await put(id, [card(), card(OTHER, { title: 'Second' })]);
    await ada.client.patch(`/v1/messages/${edited}`, { text: `Only ${OTHER} is left` });
    expect(await titles(edited)).toEqual(['Second']);
    // As the link of a longer address it is another one.
    await ada.client.patch(`/v1/messages/${edited}`, { text: `See ${OTHER}0` });
    expect(await seen(edited)).not.toHaveProperty('unfurls');
    await ada.client.patch(`/v1/messages/${edited}`, { text: `Again ${OTHER}` });
    expect(await seen(edited)).not.toHaveProperty('unfurls');
    await ada.client.delete(`/v1/messages/${deleted}`);
    expect(await seen(deleted)).not.toHaveProperty('unfurls');
    expect((await put(deleted, [card()])).body.errors).toMatchObject([{ code: 4090, reason: 'deleted' }]);
    expect((await bot.delete(`/v1/messages/${deleted}/unfurls`)).status).toBe(200);

    await admin.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    expect(await seen(kept)).not.toHaveProperty('unfurls');
    await install(admin, team, app);
    bot = await tokenFor(app);
    expect(await seen(kept)).not.toHaveProperty('unfurls');
    await put(kept, [card()]);
    expect(await titles(kept)).toEqual(['Paint the fence']);

    const gone = await registered({ name: 'Gone' });
    await install(admin, team, gone);
    await put(kept, [card(LINK, { title: 'Of another' })], await tokenFor(gone));
    expect((await titles(kept)).sort()).toEqual(['Of another', 'Paint the fence']);
    await dev.client.delete(`/v1/applications/${gone.id}`);
    expect(await titles(kept)).toEqual(['Paint the fence']);
  });

  it('stand in the order of their links, also where one begins like another, or stands in code before', async () => {
    const [long, short] = [`${LINK}0`, LINK];
    const id = await post(`\`${short}\` was ${long}, then ${OTHER} and at last ${short}`);
    await put(id, [
      card(short, { title: 'third' }),
      card(OTHER, { title: 'second' }),
      card(long, { title: 'first' }),
    ]);
    expect(await titles(id)).toEqual(['first', 'second', 'third']);
  });

  it('stay when a scope is taken back, as what the application wrote does (claim: previews-narrowed)', async () => {
    const narrowed = await registered();
    await install(admin, team, narrowed);
    const reader = await tokenFor(narrowed);
    const id = await post();
    expect((await put(id, [card()], reader)).status).toBe(200);
    const scopes = (left: string[]) =>
      admin.client.put(`/v1/teams/${team}/applications/${narrowed.id}/scopes`, { scopes: left });
    for (const left of [['messages:write'], ['messages:read'], []]) {
      expect((await scopes(left)).status).toBe(200);
      expect((await put(id, [card(LINK, { title: 'Another' })], reader)).status).toBe(403);
      expect(await titles(id)).toEqual(['Paint the fence']);
    }
    const [{ id: shown }] = (await seen(id)).unfurls;
    expect((await admin.client.delete(`/v1/messages/${id}/unfurls/${shown}`)).status).toBe(200);
    expect(await titles(id)).toEqual([]);
  });

  it('leave no row behind when a message is deleted', async () => {
    const id = await post();
    const [shown] = (await put(id, [card(), card(OTHER)])).data[0].unfurls;
    await ada.client.delete(`/v1/messages/${id}/unfurls/${shown.id}`);
    await ada.client.delete(`/v1/messages/${id}`);
    const placeholder = server.running.db.dialect === 'postgres' ? '$1' : '?';
    const rows = await server.running.db.all(`SELECT id FROM unfurls WHERE message_id = ${placeholder}`, [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  it('are removed for good by the author or an admin (claim: previews-removed)', async () => {
    const id = await post();
    const [first, second] = (await put(id, [card(), card(OTHER, { title: 'Second' })])).data[0].unfurls;
    const path = `/v1/messages/${id}/unfurls/${first.id}`;
    expect((await bob.client.delete(path)).body.errors).toMatchObject([{ code: 4030, reason: 'not_author' }]);
    const left = await ada.client.delete(path);
    expect(left.data[0].unfurls).toMatchObject([{ id: second.id }]);
    expect((await ada.client.delete(path)).data[0].unfurls).toHaveLength(1);
    expect((await put(id, [card(LINK, { title: 'Back' }), card(OTHER)])).data[0].unfurls).toMatchObject([
      { url: OTHER },
    ]);
    await admin.client.delete(`/v1/messages/${id}/unfurls/${second.id}`);
    expect(await seen(id)).not.toHaveProperty('unfurls');
    expect((await put(id, [card(), card(OTHER)])).data[0]).not.toHaveProperty('unfurls');
    // Nor by writing the link again, nor by installing it again.
    await ada.client.patch(`/v1/messages/${id}`, { text: 'no link' });
    await ada.client.patch(`/v1/messages/${id}`, { text: LINK });
    await admin.client.delete(`/v1/teams/${team}/applications/${app.id}`);
    await install(admin, team, app);
    bot = await tokenFor(app);
    expect((await put(id, [card()])).data[0]).not.toHaveProperty('unfurls');
    // At another message it is another card.
    const another = await post();
    await put(another, [card()]);
    expect(await titles(another)).toEqual(['Paint the fence']);
  });

  it('show blocks, and say what these say where they have no text (claim: blocks-of-previews)', async () => {
    const id = await post();
    const link = { type: 'button', text: { type: 'plain_text', text: 'Look' }, url: `${LINK}/edit` };
    const section = { type: 'section', text: { type: 'mrkdwn', text: `*Open* for <@${bob.id}>` } };
    const blocks = [
      section,
      { type: 'actions', block_id: 'links', elements: [{ ...link, action_id: 'look' }] },
    ];
    const answer = await put(id, [card(LINK, { blocks }), card(OTHER, { text: 'mine', blocks: [section] })]);
    const { username } = (await bob.client.get('/v1/users/me')).data[0];
    expect(answer.data[0].unfurls).toMatchObject([
      { url: LINK, title: 'Paint the fence', blocks, fields: [] },
      { url: OTHER, text: 'mine', blocks: [section] },
    ]);
    expect(answer.data[0].unfurls[0].text).toMatch(new RegExp(`^\\*\\*Open\\*\\* for @${username}`));
    expect((await seen(id)).unfurls).toEqual(answer.data[0].unfurls);
    const press = { block_id: 'links', action_id: 'look', click: randomUUID() };
    const pressed = await bob.client.post(`/v1/messages/${id}/interactions`, press);
    expect(pressed.body.errors).toMatchObject([{ code: 4090, reason: 'no_blocks' }]);
    const byPerson = await put(id, [card(LINK, { blocks })], ada.client);
    expect(byPerson.status).toBe(403);
    expect((await put(id, [card()])).data[0].unfurls[0]).not.toHaveProperty('blocks');
  });

  it('refuse blocks in which more than links can be pressed, too many, and too long ones', async () => {
    const id = await post();
    const plain = (text: string) => ({ type: 'plain_text', text });
    const button = { type: 'button', action_id: 'yes', text: plain('Yes') };
    const menu = { type: 'overflow', options: [{ text: plain('One'), value: '1' }] };
    const refusals = [
      [[{ type: 'actions', elements: [button] }], '/blocks/0/elements/0/type', 'only links can be pressed'],
      [[{ type: 'section', text: plain('x'), accessory: menu }], '/blocks/0/accessory/type', 'only links'],
      [[{ type: 'banner' }], '/blocks/0/type', 'must be one of'],
      [Array.from({ length: 11 }, () => ({ type: 'divider' })), '/blocks', 'at most 10 blocks'],
      [
        Array.from({ length: 3 }, () => ({ type: 'section', text: plain('x'.repeat(2800)) })),
        '/blocks',
        '8192',
      ],
      ['blocks', '/blocks', 'must be a list'],
    ] as const;
    for (const [blocks, pointer, message] of refusals) {
      const { status, body } = await put(id, [card(OTHER), card(LINK, { blocks })]);
      expect([status, body.errors]).toMatchObject([
        400,
        [{ code: 4002, pointer: `/unfurls/1${pointer}`, message: expect.stringContaining(message) }],
      ]);
    }
    expect(await seen(id)).not.toHaveProperty('unfurls');
  });
});
