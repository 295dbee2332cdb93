import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ASK, type Asking, asking, headed, pressHeard } from '../../../../test/support/clicks.ts';
import type { Answer } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { allPlaced } from '../../../../test/support/feed.ts';
import { authorize, install, makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { dumpTables } from '../../../../test/support/tables.ts';

const logged: string[] = [];
const memory = new Writable({
  write: (line, _, done) => {
    logged.push(String(line));
    done();
  },
});
const { server, host, root, dev, ada, bob, zoe } = scene({
  people: ['Root', 'Dev', 'Ada', 'Bob', 'Zoe'],
  options: { housekeepingMs: 50, workerIntervalMs: 20, logger: pino({ level: 'debug' }, memory) },
});
let team: string;
let of: Asking;
/** The message that asks, and the response address of Bob's click on it. */
let asked: string;
let path: string;
let click: string;

beforeEach(async () => {
  host.clear();
  team = await makeTeam(ada, [bob, zoe]);
  of = await asking(server, { owner: dev, admin: ada, host, team });
  asked = await of.post();
  ({ id: click, path } = await pressHeard(bob, asked, of));
});
const open: EventStream[] = [];
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const listen = async (person = bob) => {
  const stream = await EventStream.open(person.client);
  open.push(stream);
  return stream;
};
const answer = (body: object, at = path) => server.anonymous().post(at, body);
const refused = ({ code, body }: Answer) => [code, body.errors?.[0]?.reason];
const shown = async (id = asked, by = bob) => (await by.client.get(`/v1/messages/${id}`)).data[0];
const ephemeral = async (by = bob) =>
  (await by.client.get(`/v1/users/me/ephemeral_answers?team=${team}`)).data;

describe('an application answers a click', () => {
  it('without a word, which ends it', async () => {
    const stream = await listen();
    expect((await answer({})).data).toEqual([{ id: click, status: 'done', uses_left: 4 }]);
    await stream.until(() => stream.of('interaction').length === 1);
    expect(stream.of('interaction').map(({ data }) => data)).toEqual([{ id: click, status: 'done' }]);
    expect((await shown()).blocks).toEqual([ASK]);
  });

  it('by replacing its message as a whole', async () => {
    const first = await answer({ replace: true, blocks: headed('Approved') });
    expect(first.data).toEqual([{ id: click, status: 'done', uses_left: 4, message: asked }]);
    expect(await shown()).toMatchObject({ blocks: headed('Approved'), text: '**Approved**' });
    await answer({ replace: true, text: 'Bob *approved*' });
    const after = await shown();
    expect(after.text).toBe('Bob *approved*');
    expect(after.blocks).toBe(undefined);
  });

  it('by appending blocks, within the limits', async () => {
    await Promise.all(['One', 'Two'].map((text) => answer({ append: true, blocks: headed(text) })));
    const { blocks, text } = await shown();
    expect(blocks).toHaveLength(3);
    expect(blocks[0]).toEqual(ASK);
    expect(text).toContain('One');
    expect(refused(await answer({ append: true, text: 'x' }))).toEqual([4002, 'text']);
    expect(refused(await answer({ append: true }))).toEqual([4002, 'blocks']);
    // The id of a block of the message, and more than fit.
    expect((await answer({ append: true, blocks: [ASK] })).code).toBe(4002);
    const many = Array.from({ length: 48 }, () => headed('Again')[0]);
    expect((await answer({ append: true, blocks: many })).code).toBe(4002);
    expect((await shown()).blocks).toHaveLength(3);
    expect((await answer({})).data[0].uses_left).toBe(2);
  });

  it('by a reply below it, as itself', async () => {
    const stream = await listen(zoe);
    const { data } = await answer({ reply: true, text: 'Bob approved it' });
    const reply = await shown(data[0].message, zoe);
    expect(reply).toMatchObject({ text: 'Bob approved it', reply_to: asked });
    expect(reply.author.first_name).toBe('Holidays');
    await stream.until(() => stream.of('message.created').length === 1);
  });

  it('by what the person who pressed alone sees, in all windows, until it is dismissed', async () => {
    const [bobs, zoes] = [await listen(), await listen(zoe)];
    expect((await answer({ ephemeral: true, blocks: headed('3 days are left') })).status).toBe(200);
    await answer({ ephemeral: true, text: 'Only you see this' });
    await bobs.until(() => bobs.of('ephemeral_answers').length === 2);
    expect(bobs.of('ephemeral_answers')[0]?.data).toEqual({ team });
    const found = await ephemeral();
    expect(found).toMatchObject([
      { message: asked, team, text: '**3 days are left**', blocks: headed('3 days are left') },
      { message: asked, application: { id: of.app.id, name: 'Holidays' }, text: 'Only you see this' },
    ]);
    expect(await ephemeral(zoe)).toEqual([]);
    const dismiss = (by = bob) => by.client.delete(`/v1/users/me/ephemeral_answers/${found[0].id}`);
    expect((await dismiss(zoe)).code).toBe(4040);
    expect((await dismiss()).status).toBe(200);
    expect((await dismiss()).code).toBe(4040);
    await bobs.until(() => bobs.of('ephemeral_answers').length === 3);
    expect(await ephemeral()).toHaveLength(1);
    expect(zoes.of('ephemeral_answers')).toEqual([]);
  });

  it('in which people are named for those who do not read blocks (claim: names-in-blocks)', async () => {
    const text = { type: 'mrkdwn', text: `<@${zoe.id}> before <@${root.id}>` };
    await answer({ ephemeral: true, blocks: [{ type: 'section', text }] });
    const [{ username }] = (await zoe.client.get('/v1/users/me')).data;
    expect((await ephemeral())[0].text).toBe(`@${username} before @…`);
  });

  it('once for an Idempotency-Key, which belongs to one address (claim: key-of-one-answer)', async () => {
    const send = (key: string, at = path) =>
      server.anonymous().ask('POST', at, {
        json: { reply: true, text: 'once' },
        headers: { 'Idempotency-Key': key },
      });
    const first = await send('one');
    expect((await send('one')).data).toEqual(first.data);
    expect((await send('two')).data[0].uses_left).toBe(3);
    const other = await pressHeard(zoe, asked, of);
    expect((await send('one', other.path)).code).toBe(4090);
    expect((await bob.client.get(`/v1/messages/${asked}/replies`)).data).toHaveLength(2);
  });

  it.each<[object, string]>([
    [{ form: { title: 'x' } }, 'form.blocks'],
    [{ errors: {} }, 'errors'],
    [{ options: [] }, 'options'],
    [{ text: 'x' }, 'text'],
    [{ replace: false, blocks: [] }, 'blocks'],
    [{ replace: true, reply: true, text: 'x' }, 'reply'],
    [{ reply: true, blocks: [{ type: 'none' }] }, 'blocks[0].type'],
    [{ reply: 'yes' }, 'reply'],
  ])('and is refused %j, without a use', async (body, field) => {
    expect(refused(await answer(body))).toEqual([4002, field]);
    expect((await answer({})).data[0].uses_left).toBe(4);
  });

  it('and is refused an answer that says nothing', async () => {
    for (const way of ['replace', 'reply', 'ephemeral'])
      expect((await answer({ [way]: true, text: ' ' })).code).toBe(4004);
  });
});

describe('a response address (claim: response-address)', () => {
  it('is good five times, also at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, n) => answer({ reply: true, text: `${n}` })),
    );
    const good = all.filter(({ status }) => status === 200);
    expect(good.map(({ data }) => data[0].uses_left).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set([undefined, 4040]));
    expect((await bob.client.get(`/v1/messages/${asked}/replies`)).data).toHaveLength(5);
    const sixth = await answer({});
    expect([sixth.code, sixth.body.errors[0].message]).toEqual([4040, expect.stringContaining('used up')]);
  });

  it('is good for thirty minutes', async () => {
    server.clock.advance(1799);
    expect((await answer({})).status).toBe(200);
    server.clock.advance(1);
    expect((await answer({ reply: true, text: 'late' })).code).toBe(4040);
  });

  it('is that of one click, and cannot be made up', async () => {
    const other = await pressHeard(zoe, asked, of);
    const [, , , , secret = ''] = path.split('/');
    const changed = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of [
      `/v1/interactions/${other.id}/${secret}`,
      `/v1/interactions/${click}/${changed}`,
      `/v1/interactions/${click}/${secret}A`,
      `/v1/interactions/${click}/x`,
      `/v1/interactions/${randomUUID()}/${secret}`,
      `/v1/interactions/nothing/${secret}`,
    ])
      expect([wrong, (await answer({}, wrong)).code]).toEqual([wrong, 4040]);
    expect((await answer({}, path.replace(click, click.toUpperCase()))).status).toBe(200);
    expect((await server.anonymous().get(path)).code).toBe(4050);
  });

  it('is told to the application alone, and kept nowhere', async () => {
    await answer({ reply: true, text: 'x' });
    await answer({ reply: true, blocks: 7 });
    const secret = path.split('/').at(-1) as string;
    const stored = [...(await dumpTables(server.running.db)).values()].join('');
    expect(stored).toContain(click);
    expect(stored).not.toContain(secret);
    expect(logged.join('')).toContain('/v1/interactions/:interaction/:secret');
    expect(logged.join('')).not.toContain(secret);
  });

  it('does nothing once the application is uninstalled', async () => {
    await ada.client.delete(`/v1/teams/${team}/applications/${of.app.id}`);
    for (const body of [
      {},
      { replace: true, text: 'x' },
      { reply: true, text: 'x' },
      { ephemeral: true, text: 'x' },
    ])
      expect(refused(await answer(body))).toEqual([4030, 'app_not_installed']);
    expect(await ephemeral()).toEqual([]);
  });

  it('does nothing while the application is suspended, or may not write', async () => {
    const suspension = `/v1/admin/applications/${of.app.id}/suspension`;
    await root.client.put(suspension);
    expect(refused(await answer({ reply: true, text: 'x' }))).toEqual([4030, 'application_suspended']);
    await root.client.delete(suspension);
    const scopes = `/v1/teams/${team}/applications/${of.app.id}/scopes`;
    await ada.client.put(scopes, { scopes: ['messages:read'] });
    expect(refused(await answer({}))).toEqual([4031, 'messages:write']);
    await ada.client.put(scopes, { scopes: ['messages:write'] });
    expect((await answer({ reply: true, text: 'x' })).data[0].uses_left).toBe(4);
  });

  it('ends at once with a secret that has no overlap, and goes on with one that has', async () => {
    const rotate = (seconds: number) =>
      dev.client.post(`/v1/applications/${of.app.id}/secret`, { overlap_seconds: seconds });
    expect((await rotate(3600)).status).toBe(200);
    expect((await answer({})).data[0].uses_left).toBe(4);
    server.clock.advance(60);
    expect((await rotate(0)).status).toBe(200);
    for (const body of [{}, { replace: true, text: 'x' }, { ephemeral: true, text: 'x' }])
      expect((await answer(body)).code).toBe(4040);
    expect((await shown()).blocks).toEqual([ASK]);
  });

  it('is none of a former owner, once the new one has taken the application over', async () => {
    const { id: application } = of.app;
    await root.client.put(`/v1/admin/applications/${application}/owner`, { user: zoe.id });
    await zoe.client.post(`/v1/applications/${application}/secret`, { overlap_seconds: 0 });
    const agreed = await ada.client.put(`/v1/teams/${team}/applications/${application}/scopes`, {
      ...{ scopes: ['messages:read', 'messages:write'], owner: zoe.id },
    });
    expect(agreed.data[0].asleep_since).toBe(null);
    expect((await answer({ replace: true, text: 'x' })).code).toBe(4040);
    expect((await shown()).blocks).toEqual([ASK]);
  });

  it('does nothing once the message is deleted', async () => {
    await (await of.itself()).delete(`/v1/messages/${asked}`);
    expect((await answer({ reply: true, text: 'x' })).code).toBe(4040);
  });

  it('reaches a person as long as they see the message', async () => {
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    expect(refused(await answer({ ephemeral: true, text: 'x' }))).toEqual([4030, 'person_gone']);
    expect((await answer({ reply: true, text: 'for the others' })).status).toBe(200);
  });

  it('changes no message that the application posted in the name of a person', async () => {
    const token = server.anonymous().withToken((await authorize(ada, team, of.app)).access_token);
    const id = await of.post({ blocks: [ASK] }, token);
    const { path: at } = await pressHeard(bob, id, of);
    expect(refused(await answer({ replace: true, text: 'x' }, at))).toEqual([4030, 'not_author']);
    expect((await answer({ reply: true, text: 'x' }, at)).status).toBe(200);
  });
});

describe('an answer to one person (claim: ephemeral-answers)', () => {
  it('is no message: it is in no search, count, event or archive', async () => {
    const before = await of.heard();
    const [{ num_replies }] = (await bob.client.get(`/v1/messages/${asked}`)).data;
    await answer({ ephemeral: true, text: 'Persimmon' });
    await allPlaced(server);
    for (const person of [bob, zoe, ada])
      expect((await person.client.get('/v1/messages?q=Persimmon')).data).toEqual([]);
    expect(await of.heard()).toEqual(before);
    expect((await shown()).num_replies).toBe(num_replies);
    const tables = await dumpTables(server.running.db);
    const holding = [...tables].filter(([, rows]) => rows.includes('Persimmon')).map(([name]) => name);
    expect(holding).toEqual(['ephemeral_answers']);
    expect((await bob.client.get('/v1/users/me/export')).text).not.toContain('Persimmon');
  });

  it('is one of at most twenty below a message: the oldest give way', async () => {
    const paths = [path];
    for (let n = 0; n < 4; n++) {
      await answer({}, paths.at(-1));
      paths.push((await pressHeard(bob, asked, of)).path);
    }
    for (const at of paths)
      for (let n = 0; n < 5; n++) await answer({ ephemeral: true, text: `${paths.indexOf(at)}.${n}` }, at);
    const texts = (await ephemeral()).map(({ text }) => text);
    expect(texts).toHaveLength(20);
    expect([texts[0], texts.at(-1)]).toEqual(['0.1', '4.4']);
  });

  it('goes with its message, and with the application', async () => {
    await answer({ ephemeral: true, text: 'one' });
    await (await of.itself()).delete(`/v1/messages/${asked}`);
    expect(await ephemeral()).toEqual([]);
    const next = await pressHeard(bob, await of.post(), of);
    await answer({ ephemeral: true, text: 'two' }, next.path);
    await ada.client.delete(`/v1/teams/${team}/applications/${of.app.id}`);
    expect(await ephemeral()).toEqual([]);
    await install(ada, team, of.app);
    expect(await ephemeral()).toEqual([]);
  });

  it('is for those in the team', async () => {
    await answer({ ephemeral: true, text: 'one' });
    const eve = await makeTeam(dev);
    const path = (id: string) => `/v1/users/me/ephemeral_answers?team=${id}`;
    expect((await bob.client.get(path(eve))).code).toBe(4040);
    expect((await bob.client.get('/v1/users/me/ephemeral_answers')).code).toBe(4002);
    expect((await server.anonymous().get(path(team))).code).toBe(4010);
  });
});
