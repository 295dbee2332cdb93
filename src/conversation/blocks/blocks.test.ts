import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { EventStream } from '../../../test/support/event-stream.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../test/support/feed.ts';
import {
  authorize,
  install,
  makeTeam,
  type RegisteredApplication,
  register,
} from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { untilHolds } from '../../../test/support/until.ts';

const { server, host, dev, ada, bob, eve } = scene({ people: ['Dev', 'Ada', 'Bob', 'Eve'] });
let team: string;
let app: RegisteredApplication;
let bot: Client;

const plain = (text: string) => ({ type: 'plain_text', text });
const header = (text: string) => ({ type: 'header', text: plain(text) });
const ask = (...names: string[]) => ({
  type: 'actions',
  elements: names.map((name) => ({ type: 'button', text: plain(name), url: 'https://a.example/7' })),
});

async function tokenFor(of: RegisteredApplication): Promise<Client> {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await of.credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

/** Bob, through an application. */
async function through(of: RegisteredApplication): Promise<Client> {
  return server.anonymous().withToken((await authorize(bob, team, of)).access_token);
}

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await register(dev, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  bot = await tokenFor(app);
});

const mrkdwn = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const send = (fields: object, by = bot) => by.post('/v1/messages', { addressed_teams: [team], ...fields });
const post = async (fields: object, by = bot): Promise<string> => (await send(fields, by)).data[0].id;
const seen = async (id: string, by = bob.client) => (await by.get(`/v1/messages/${id}`)).data[0];

describe('people whom blocks name', () => {
  it('are called by their names in the text, and in what is made of it (claim: names-in-blocks)', async () => {
    const named = { type: 'user', user_id: ada.id };
    const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [named] }] };
    const blocks = [mrkdwn(`Ask <@${bob.id}> or <@${eve.id}>`), rich, header(`@${bob.id}`)];
    const id = await post({ blocks });
    const [{ username: adas }, { username: bobs }] = await Promise.all(
      [ada, bob].map(async ({ client }) => (await client.get('/v1/users/me')).data[0]),
    );
    const text = `Ask @${bobs} or @…\n@${adas}\n**\\@${bob.id}**`;
    expect(await seen(id)).toMatchObject({ text, blocks });
    // They are called as a text of the application would call them.
    await untilHolds(async () => {
      const { text: inbox } = await bob.client.get('/v1/users/me/inbox');
      expect(inbox).toContain(id);
    });

    // The text is still that of the blocks.
    expect((await bot.patch(`/v1/messages/${id}`, { blocks: [mrkdwn(`<@${ada.id}>, go on`)] })).status).toBe(
      200,
    );
    expect((await seen(id)).text).toBe(`@${adas}, go on`);
    expect((await bot.patch(`/v1/messages/${id}`, { text: `To @${ada.id}` })).status).toBe(200);
    expect((await seen(id)).text).toBe(`To @${ada.id}`);
  });

  it('are those of a private conversation, and nobody else, where they write there (claim: names-in-blocks)', async () => {
    const scopes = ['messages:read', 'messages:write', 'direct:read', 'direct:write'];
    const wide = await register(dev, host, { scopes });
    await install(ada, team, wide);
    const bobs = await through(wide);
    const said = mrkdwn(`<@${ada.id}> and <@${eve.id}>`);
    const sent = await bobs.post('/v1/messages', { addressed_users: [ada.id], blocks: [said] });
    const { username } = (await ada.client.get('/v1/users/me')).data[0];
    expect(sent.data[0].text).toBe(`@${username} and @…`);
    const opened = await ada.client.post('/v1/messages', { addressed_users: [bob.id], text: 'Well?' });
    const reply = await bobs.post(`/v1/messages/${opened.data[0].id}/replies`, { blocks: [said] });
    expect(reply.data[0].text).toBe(`@${username} and @…`);
  });
});

describe('blocks of a message', () => {
  it('are shown as they were sent, beside the text that they make', async () => {
    const stream = await EventStream.open(bob.client);
    const blocks = [header('Release 2'), { type: 'divider' }];
    const id = await post({ blocks, format: 'plain' });
    await stream.until((events) => events.some(({ data }) => data.message?.blocks?.length === 2));
    stream.close();
    expect(await seen(id)).toMatchObject({ text: '**Release 2**', blocks });
    expect(await seen(id)).not.toHaveProperty('format');
    expect((await bob.client.get(`/v1/messages?team=${team}&limit=1`)).data[0]).toMatchObject({ id, blocks });
  });

  it('leave a text of its own alone, and both are found', async () => {
    const id = await post({ text: 'The build is over', blocks: [header('Zucchini shipped')] });
    expect(await seen(id)).toMatchObject({ text: 'The build is over' });
    for (const word of ['zucchini', 'build'])
      await untilHolds(async () =>
        expect(
          (await bob.client.get(`/v1/messages?q=${word}`)).data.map((one: { id: string }) => one.id),
        ).toContain(id),
      );
  });

  it('are on replies, by an application as itself or for a person', async () => {
    const id = await post({ text: 'root' }, ada.client);
    const token = await through(app);
    for (const by of [bot, token]) {
      const { data } = await by.post(`/v1/messages/${id}/replies`, { blocks: [header('Yes')] });
      expect(data[0]).toMatchObject({ text: '**Yes**', blocks: [header('Yes')] });
    }
  });

  it('get ids where something can be pressed, which stay while it stays', async () => {
    const id = await post({ blocks: [ask('Approve', 'Refuse')] });
    const [{ block_id, elements }] = (await seen(id)).blocks;
    expect(new Set([block_id, ...elements.map((one: { action_id: string }) => one.action_id)]).size).toBe(3);
    await bot.patch(`/v1/messages/${id}`, { blocks: [header('Open'), ask('Approve', 'Refuse')] });
    expect((await seen(id)).blocks[1]).toEqual({ type: 'actions', block_id, elements });
  });

  it('change with an edit of their application, with the text that was made of them; versions keep them', async () => {
    const id = await post({ blocks: [header('Open')] });
    const edited = await bot.patch(`/v1/messages/${id}`, { blocks: [header('Closed')] });
    expect(edited.data[0]).toMatchObject({ text: '**Closed**', blocks: [header('Closed')] });
    expect((await bot.patch(`/v1/messages/${id}`, { text: 'It is closed' })).data[0]).toMatchObject({
      text: 'It is closed',
      blocks: [header('Closed')],
    });
    expect((await bot.patch(`/v1/messages/${id}`, { blocks: [header('Archived')] })).data[0].text).toBe(
      'It is closed',
    );
    expect((await bot.patch(`/v1/messages/${id}`, { blocks: null })).data[0]).not.toHaveProperty('blocks');
    const versions = (await bob.client.get(`/v1/messages/${id}/versions`)).data;
    expect(versions.map(({ blocks }: { blocks?: unknown }) => blocks)).toEqual([
      [header('Archived')],
      [header('Closed')],
      [header('Closed')],
      [header('Open')],
    ]);
  });

  it('are in the events of subscriptions and in the archive of the author, and go with the message', async () => {
    const events = await subscribe(app, { kinds: ['message.posted'] });
    const token = await through(app);
    const id = await post({ blocks: [header('Marrow')] }, token);
    await allPlaced(server);
    expect(
      (await pullAll(app.credentials, pathOf(app, events.id), 'limit=100')).events.map(
        ({ data }) => data.message,
      ),
    ).toContainEqual(expect.objectContaining({ id, blocks: [header('Marrow')] }));
    const archive = await fetch(`${server.url}/v1/users/me/export`, {
      headers: { cookie: bob.client.cookie },
    });
    const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
    const lines = strFromU8(files['messages.ndjson'] as Uint8Array)
      .trim()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line)).find((one) => one.id === id).blocks).toEqual([
      header('Marrow'),
    ]);
    await token.delete(`/v1/messages/${id}`);
    expect(await seen(id)).toMatchObject({ text: '' });
    expect(await seen(id)).not.toHaveProperty('blocks');
    const stored = await runSql(server.running.db, 'SELECT id FROM messages WHERE blocks_json LIKE ?', [
      '%Marrow%',
    ]);
    expect(stored).toEqual([]);
  });
});

describe('blocks are refused', () => {
  it('from people, who write text (claim: blocks-of-applications)', async () => {
    const refused = await send({ text: 'x', blocks: [header('x')] }, ada.client);
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4002, 'blocks']);
    const id = await post({ text: 'mine' }, ada.client);
    expect((await ada.client.patch(`/v1/messages/${id}`, { blocks: [header('x')] })).code).toBe(4002);
    expect(await seen(id)).not.toHaveProperty('blocks');
  });

  it('where another one than their application edits (claim: blocks-of-one-application)', async () => {
    const token = await through(app);
    const id = await post({ blocks: [header('Mine')] }, token);
    const other = await register(dev, host, { name: 'Other', scopes: ['messages:read', 'messages:write'] });
    await install(ada, team, other);
    const ofOther = await through(other);
    for (const by of [bob.client, ofOther])
      for (const change of [{ text: 'x' }, { blocks: null, text: 'x' }, { blocks: [header('Theirs')] }]) {
        const { code, body } = await by.patch(`/v1/messages/${id}`, change);
        expect([code, body.errors[0].reason]).toEqual([4030, 'has_blocks']);
      }
    expect(await seen(id)).toMatchObject({ blocks: [header('Mine')] });
  });

  it('as a whole, with each problem at its place, and nothing is posted', async () => {
    const list = async () => (await bob.client.get(`/v1/messages?team=${team}`)).data.length;
    const before = await list();
    const { code, body } = await send({ text: 'x', blocks: [{ type: 'video' }, header('')] });
    expect([
      code,
      body.errors.map(({ reason, pointer }: Record<string, string>) => [reason, pointer]),
    ]).toEqual([
      4002,
      [
        ['blocks[0].type', '/blocks/0/type'],
        ['blocks[1].text.text', '/blocks/1/text/text'],
      ],
    ]);
    expect(await list()).toBe(before);
  });

  it('with an element that is not supported yet', async () => {
    const element = { type: 'file_input' };
    const { code, body } = await send({
      blocks: [header('Ask'), { type: 'input', label: plain('Scan'), element }],
    });
    expect([code, body.errors]).toEqual([
      4002,
      [
        {
          code: 4002,
          message: 'is not supported yet',
          reason: 'blocks[1].element.type',
          pointer: '/blocks/1/element/type',
        },
      ],
    ]);
  });

  it('where they say nothing and there is no text', async () => {
    expect((await send({ blocks: [{ type: 'divider' }] })).code).toBe(4004);
  });
});

it('a check answers what would be stored and said, or what is wrong', async () => {
  const check = (blocks: unknown, by = eve.client) => by.post('/v1/blocks/check', { blocks });
  const [found] = (await check([header('A *b*'), ask('Go')])).data;
  expect(found.text).toBe('**A \\*b\\***\n[Go](https://a.example/7)');
  expect(found.blocks[1].elements[0].action_id).toEqual(expect.any(String));
  expect((await app.credentials.post('/v1/blocks/check', { blocks: [header('x')] })).status).toBe(200);
  expect((await check([{ type: 'plan' }])).body.errors).toEqual([
    {
      code: 4002,
      message: expect.stringMatching(/^plan is not supported: must be one of section, /),
      reason: 'blocks[0].type',
      pointer: '/blocks/0/type',
    },
  ]);
  for (const none of [null, undefined]) expect((await check(none)).code).toBe(4002);
});
