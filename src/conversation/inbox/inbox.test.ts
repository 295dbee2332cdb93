import { beforeEach, describe, expect, it } from 'vitest';
import { EventStream } from '../../../test/support/event-stream.ts';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const { server } = scene({ people: ['First'] });
let ada: Person;
let bob: Person;
let cleo: Person;
let team: string;

beforeEach(async () => {
  [ada, bob, cleo] = [await signUp(server, 'Ada'), await signUp(server, 'Bob'), await signUp(server, 'Cleo')];
  team = await makeTeam(ada, [bob, cleo], 'Engine room');
});

/** Waits until every message was looked at. */
const settled = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);

const inTeam = () => ({ addressed_teams: [team] });
const to = (...people: Person[]) => ({ addressed_users: people.map(({ id }) => id) });
const post = async (author: Person, text: string, fields: object = inTeam()) =>
  (await author.client.post('/v1/messages', { text, ...fields })).data[0].id as string;
const reply = async (author: Person, root: string, text = 'a reply') =>
  (await author.client.post(`/v1/messages/${root}/replies`, { text })).data[0].id as string;
const nameOf = async (person: Person) => `@${(await person.client.get('/v1/users/me')).data[0].username}`;

async function inbox(person: Person, query = '') {
  await settled();
  return (await person.client.get(`/v1/users/me/inbox${query}`)).data;
}
const brief = async (person: Person, query = '') =>
  (await inbox(person, query)).map(
    ({ kind, conversation, reasons, unread, num_unread }) =>
      [kind, conversation, reasons.join(), unread ? num_unread : 'read'] as const,
  );
async function counts(person: Person) {
  await settled();
  return (await person.client.get('/v1/users/me/inbox/counts')).data[0];
}
const done = (person: Person, conversation: string, method: 'put' | 'delete' = 'put') =>
  person.client[method](`/v1/users/me/inbox/${conversation}/done`);

describe('each way in which a message can concern somebody', () => {
  it('direct messages, in both directions', async () => {
    const root = await post(ada, 'well?', to(bob));
    expect(await brief(bob)).toEqual([['conversation', root, 'direct', 1]]);
    expect(await brief(ada)).toEqual([]);
    await bob.client.put(`/v1/messages/${root}/read`);
    const answer = await reply(bob, root, 'fine');
    const [entry] = await inbox(ada);
    expect(entry).toMatchObject({
      ...{ kind: 'conversation', message: root, sidebar: null, team: null, reasons: ['reply'] },
      ...{ unread: true, mentioned: false, muted: false, num_unread: 1 },
      people: [{ id: bob.id }],
      last: { id: answer, text: 'fine' },
    });
    expect(await counts(ada)).toEqual({ total: 1, mentions: 0, direct: 1, in_teams: {}, teams: 0 });
    expect(await counts(bob)).toEqual({ total: 0, mentions: 0, direct: 0, in_teams: {}, teams: 0 });
  });

  it('answers to what one wrote or answered, and mentions in them', async () => {
    const root = await post(ada, 'who is in?');
    for (const person of [bob, cleo]) await person.client.put(`/v1/messages/${root}/read`);
    await reply(bob, root);
    expect(await brief(ada)).toEqual([['conversation', root, 'reply', 1]]);
    expect(await brief(cleo)).toEqual([]);
    await reply(ada, root, `and ${await nameOf(cleo)}?`);
    expect(await brief(bob)).toEqual([['conversation', root, 'followed', 1]]);
    // The reply before it concerns her as little as the one after it, but is unread.
    expect(await brief(cleo)).toEqual([['conversation', root, 'mention', 2]]);
    expect(await counts(cleo)).toEqual({
      total: 1,
      mentions: 1,
      direct: 0,
      in_teams: { [team]: 1 },
      teams: 0,
    });
    await reply(bob, root, 'not for Cleo');
    expect((await inbox(cleo))[0]).toMatchObject({
      num_unread: 2,
      last: { text: expect.stringContaining('@') },
    });
    expect(await brief(ada)).toEqual([['conversation', root, 'reply,followed', 2]]);
    // Among the conversations with replies it stays when it is read.
    await ada.client.put(`/v1/messages/${root}/read`);
    expect(await brief(ada, '?filter=threads')).toEqual([['conversation', root, 'reply,followed', 'read']]);
  });

  it('sidebars', async () => {
    const root = await post(ada, 'a plan');
    const { data } = await ada.client.post(`/v1/messages/${root}/sidebars`, {
      users: [bob.id],
      text: 'psst',
    });
    const sidebar = data[0].id as string;
    await bob.client.put(`/v1/messages/${root}/read`);
    expect(await brief(bob)).toEqual([['sidebar', sidebar, 'sidebar', 1]]);
    expect((await inbox(bob))[0]).toMatchObject({ message: root, sidebar, team, people: [{ id: ada.id }] });
    expect(await counts(bob)).toMatchObject({ total: 1, direct: 1, in_teams: { [team]: 1 } });
    await done(bob, sidebar);
    expect(await brief(bob)).toEqual([]);
    await done(bob, sidebar, 'delete');
    expect(await brief(bob)).toEqual([['sidebar', sidebar, 'sidebar', 1]]);
    await cleo.client.put(`/v1/messages/${root}/read`);
    expect(await inbox(cleo)).toEqual([]);
  });

  it('a sidebar beside a direct message, which counts besides it', async () => {
    const root = await post(ada, 'well?', to(bob));
    await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'between us' });
    expect(await brief(bob)).toHaveLength(2);
    expect(await counts(bob)).toMatchObject({ total: 2, direct: 2 });
  });

  it('names what a row is about, unless that is the last message', async () => {
    const about = async (person: Person) =>
      (await inbox(person)).map(({ last, about }) => [last.text, about && [about.author.id, about.text]]);
    const root = await post(ada, '**Which colour** for door 2?\n\n'.concat('long '.repeat(100)));
    await reply(bob, root, 'I would take blue');
    const [[last, [author, text]]] = (await about(ada)) as [[string, [string, string]]];
    expect([last, author]).toEqual(['I would take blue', ada.id]);
    expect(text).toMatch(/^Which colour for door 2\?\s+long .{100,}…$/);
    expect(text.length).toBeLessThanOrEqual(200);
    await post(ada, 'well?', to(bob));
    expect((await about(bob))[0]).toEqual(['well?', null]);

    // Of a high five, what it was given for, also where others wrote since.
    await done(ada, root);
    const mine = await reply(ada, root, 'Blue it is');
    await reply(cleo, root, 'Green!');
    await done(ada, root);
    await bob.client.put(`/v1/messages/${mine}/high_five`);
    expect(await about(ada)).toEqual([['Green!', [ada.id, 'Blue it is']]]);

    // A sidebar, beside a message of somebody who is not in it; the text goes with its message.
    const plan = await post(cleo, 'A plan');
    const body = { users: [bob.id], text: 'Is it good?' };
    await ada.client.post(`/v1/messages/${plan}/sidebars`, body);
    expect(await about(bob)).toContainEqual(['Is it good?', [cleo.id, 'A plan']]);
    await cleo.client.delete(`/v1/messages/${plan}`);
    expect(await about(bob)).toContainEqual(['Is it good?', null]);
  });

  it('a high five for what one wrote, which is quiet', async () => {
    const [root, other] = [await post(ada, 'done'), await post(ada, 'done, too')];
    const give = (person: Person, id: string) => person.client.put(`/v1/messages/${id}/high_five`);
    const givers = async () => (await inbox(ada)).map(({ people }) => people.map(({ id }: Person) => id));
    await give(bob, root);
    await give(ada, root);
    expect(await brief(ada)).toEqual([['conversation', root, 'high_five', 'read']]);
    expect(await counts(ada)).toMatchObject({ total: 0 });
    expect(await givers()).toEqual([[bob.id]]);
    await done(ada, root);
    expect(await inbox(ada)).toEqual([]);
    await done(ada, root, 'delete');
    expect(await brief(ada)).toEqual([['conversation', root, 'high_five', 'read']]);
    for (const person of [bob, ada]) await person.client.delete(`/v1/messages/${root}/high_five`);
    expect(await inbox(ada)).toEqual([]);

    await give(bob, other);
    server.clock.advance(1);
    await give(cleo, other);
    await give(cleo, root);
    expect((await givers()).sort()).toEqual([[cleo.id], [cleo.id, bob.id]].sort());
    // The stream of the team does not show who gave one.
    await ada.client.put(`/v1/teams/${team}/read`, { up_to: await post(bob, 'well done') });
    expect(await brief(ada)).toHaveLength(2);
    await ada.client.put(`/v1/messages/${other}/read`);
    expect(await brief(ada)).toEqual([['conversation', root, 'high_five', 'read']]);
    await ada.client.put('/v1/users/me/read');
    expect(await inbox(ada)).toEqual([]);
  });

  it('a high five in a conversation that was answered: the answer is no reason once it is read', async () => {
    const root = await post(ada, 'done');
    const answer = await reply(bob, root);
    await settled();
    await bob.client.put(`/v1/messages/${root}/high_five`);
    expect(await brief(ada)).toEqual([['conversation', root, 'reply,high_five', 1]]);
    await ada.client.put(`/v1/messages/${answer}/read`);
    await cleo.client.put(`/v1/messages/${root}/high_five`);
    expect(await brief(ada)).toEqual([['conversation', root, 'high_five', 'read']]);
  });
});

it('a conversation that is done many times at once comes back as it was', async () => {
  const root = await post(ada, 'well?', to(bob));
  for (const text of ['one', 'two', 'three', 'four', 'five']) await reply(ada, root, text);
  const shown = (method: 'put' | 'delete') => () =>
    bob.client[method](`/v1/users/me/inbox/${root}/done${method === 'put' ? '?num_replies=3' : ''}`);
  const times = (count: number, ask: () => Promise<{ status: number }>) => Array.from({ length: count }, ask);
  expect(await brief(bob)).toEqual([['conversation', root, 'direct', 6]]);
  const answers = await Promise.all(times(12, shown('put')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await brief(bob)).toEqual([['conversation', root, 'direct', 2]]);
  const undone = await Promise.all(times(12, shown('delete')));
  expect(new Set(undone.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await brief(bob)).toEqual([['conversation', root, 'direct', 6]]);
});

describe('the rest of what is unread in a team', () => {
  it('is one row, without what was addressed to the reader', async () => {
    await post(ada, 'one');
    const call = await post(ada, `two, ${await nameOf(bob)}`);
    const last = await post(ada, 'three');
    expect(await brief(bob)).toEqual([
      ['team', team, 'team', 2],
      ['conversation', call, 'mention', 1],
    ]);
    expect((await inbox(bob))[0]).toMatchObject({ message: null, team, last: { id: last } });
    expect(await counts(bob)).toEqual({
      total: 1,
      mentions: 1,
      direct: 0,
      in_teams: { [team]: 1 },
      teams: 1,
    });
    expect(await brief(cleo)).toEqual([['team', team, 'team', 3]]);
    await bob.client.put(`/v1/teams/${team}/read`, { up_to: last });
    expect(await inbox(bob)).toEqual([]);
    await bob.client.delete(`/v1/messages/${last}/read`);
    expect(await brief(bob)).toEqual([['team', team, 'team', 1]]);
  });

  it('writes no job, as long as no one is named', async () => {
    const jobs = async () => runSql(server.running.db, 'SELECT id FROM notice_jobs');
    await settled();
    // Whom it would concern is found before the row is gone: the events of the stream come later.
    const stream = await EventStream.open(bob.client);
    await post(ada, 'plain, someone@example.org');
    await stream.until((events) => events.some(({ kind }) => kind === 'message.created'));
    expect(await jobs()).toEqual([]);
    expect(stream.events.map(({ kind }) => kind)).not.toContain('inbox');
    await post(ada, `called, ${await nameOf(bob)}`);
    await stream.until((events) => events.some(({ kind }) => kind === 'inbox'));
    stream.close();
  });
});

it('what is muted is counted only with a mention', async () => {
  await bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true });
  const root = await post(bob, 'who is in?');
  await reply(ada, root);
  await post(ada, 'noise');
  expect(await brief(bob)).toEqual([['team', team, 'team', 1]]);
  expect(await counts(bob)).toEqual({ total: 0, mentions: 0, direct: 0, in_teams: {}, teams: 0 });
  await reply(ada, root, `you, ${await nameOf(bob)}`);
  expect(await counts(bob)).toEqual({ total: 1, mentions: 1, direct: 0, in_teams: { [team]: 1 }, teams: 0 });
  const direct = await post(ada, 'hello', to(bob));
  await settled();
  await bob.client.put(`/v1/messages/${direct}/mute`);
  await reply(ada, direct, 'still there?');
  expect(await counts(bob)).toEqual({ total: 1, mentions: 1, direct: 0, in_teams: { [team]: 1 }, teams: 0 });
  expect((await inbox(bob)).find(({ conversation }) => conversation === direct)).toMatchObject({
    muted: true,
  });
});

describe('done', () => {
  it('leaves a reply unread that was not shown yet', async () => {
    const root = await post(bob, 'well?');
    await reply(ada, root, 'shown');
    const [shown] = await inbox(bob);
    expect(shown).toMatchObject({ conversation: root, num_unread: 1, num_replies: 1 });
    await reply(ada, root, 'not shown');
    const path = `/v1/users/me/inbox/${root}/done`;
    expect((await bob.client.put(`${path}?num_replies=1`)).status).toBe(200);
    const [left] = await inbox(bob);
    expect(left).toMatchObject({ conversation: root, num_unread: 1, num_replies: 2 });
    expect(left.last.text).toBe('not shown');
    expect((await bob.client.put(`${path}?num_replies=-1`)).status).toBe(400);
    expect((await bob.client.put(`${path}?num_replies=9`)).data[0].unread).toBe(false);
    expect(await inbox(bob)).toEqual([]);
  });

  it('leaves a message of a sidebar unread that was not shown yet', async () => {
    const root = await post(ada, 'a plan');
    const body = { users: [bob.id], text: 'shown' };
    const { id } = (await ada.client.post(`/v1/messages/${root}/sidebars`, body)).data[0];
    await bob.client.put(`/v1/messages/${root}/read`);
    const [shown] = await inbox(bob);
    expect(shown).toMatchObject({ conversation: id, num_unread: 1, num_replies: 1 });
    await ada.client.post(`/v1/sidebars/${id}/messages`, { text: 'not shown' });
    await settled();
    await bob.client.put(`/v1/users/me/inbox/${id}/done?num_replies=1`);
    const [left] = await inbox(bob);
    expect(left).toMatchObject({ conversation: id, num_unread: 1, last: { text: 'not shown' } });
    expect((await done(bob, id)).data[0].unread).toBe(false);
  });

  it('reads all that is new, and undoing brings it back to its place', async () => {
    const older = await post(ada, 'older', to(bob));
    const root = await post(bob, 'well?', to(ada));
    const [first] = [await reply(ada, root, 'one'), await reply(ada, root, 'two')];
    const newer = await post(cleo, 'newer', to(bob));
    // Ada's message and her answer are in one conversation.
    expect(await counts(bob)).toMatchObject({ total: 2, direct: 2 });
    const order = [newer, root, older];
    const ids = async () => (await inbox(bob)).map(({ conversation }) => conversation);
    expect(await ids()).toEqual(order);
    const stream = await EventStream.open(bob.client);
    expect((await done(bob, root)).data[0]).toMatchObject({ unread: false, num_unread: 0 });
    await stream.until((events) => events.some(({ kind }) => kind === 'inbox'));
    stream.close();
    expect((await done(bob, root)).status).toBe(200);
    expect(await ids()).toEqual([newer, older]);
    expect((await bob.client.get(`/v1/messages/${root}`)).data[0].unread_reply).toBe(false);
    expect(await brief(bob, '?filter=all')).toContainEqual(['conversation', root, 'reply', 'read']);
    expect((await done(bob, root, 'delete')).data[0]).toMatchObject({ unread: true, num_unread: 2 });
    expect(await ids()).toEqual(order);
    expect((await bob.client.get(`/v1/messages/${first}`)).data[0].read).toBe(false);
    // There is nothing more to undo.
    await bob.client.put(`/v1/messages/${root}/read`);
    expect((await done(bob, root, 'delete')).data[0]).toMatchObject({ unread: false });
  });

  it('what was read elsewhere is gone, and what is marked as unread comes back', async () => {
    const root = await post(ada, 'between us', to(bob));
    const answer = await reply(bob, root);
    expect(await brief(ada)).toEqual([['conversation', root, 'reply', 1]]);
    await ada.client.put('/v1/users/me/read');
    expect(await inbox(ada)).toEqual([]);
    await ada.client.delete(`/v1/messages/${answer}/read`);
    expect(await brief(ada)).toEqual([['conversation', root, 'reply', 1]]);
    await ada.client.put(`/v1/messages/${answer}/read`);
    const own = await post(ada, 'to remember', to(bob));
    await ada.client.delete(`/v1/messages/${own}/read`);
    expect(await brief(ada)).toEqual([['conversation', own, 'unread', 1]]);
  });
});

describe('undoing that a team was marked as read', () => {
  const read = (upTo: string, person = bob) => person.client.put(`/v1/teams/${team}/read`, { up_to: upTo });
  const undoOf = async (answer: ReturnType<typeof read>) => (await answer).body.meta.undo as string;
  const undo = (text: string, person = bob) =>
    person.client.post(`/v1/teams/${team}/read/undo`, { undo: text });
  const unreadTexts = async (person = bob) =>
    (await person.client.get(`/v1/messages?team=${team}&order=oldest`)).data
      .filter((message) => !message.read)
      .map(({ text }) => text);
  const unreadCount = async (person = bob) =>
    (await person.client.get(`/v1/teams/${team}`)).data[0].unread_count as number;
  /** Seven messages, of which Bob has read the 1st, 2nd, 4th and 5th, and then marked the first as unread. */
  async function stream(): Promise<string[]> {
    const ids: string[] = [];
    for (const text of ['1', '2', '3', '4', '5', `6 ${await nameOf(bob)}`, '7'])
      ids.push(await post(ada, text));
    for (const n of [0, 1, 3, 4]) await bob.client.put(`/v1/messages/${ids[n]}/read`);
    await bob.client.delete(`/v1/messages/${ids[0]}/read`);
    return ids;
  }

  it('brings back each message, the rows and the counts, and tells the reader’s other windows', async () => {
    const ids = await stream();
    const [texts, rows, counted] = [await unreadTexts(), await brief(bob), await counts(bob)];
    expect(texts).toEqual(['1', '3', expect.stringMatching(/^6/), '7']);
    expect(rows).toEqual([
      ['team', team, 'team', 3],
      ['conversation', ids[5], 'mention', 1],
    ]);
    const given = await undoOf(read(ids[6] as string));
    expect([await unreadTexts(), await brief(bob)]).toEqual([[], []]);
    await post(ada, 'later');
    const events = await EventStream.open(bob.client);
    const { status, data } = await undo(given);
    expect([status, data[0].unread_count]).toEqual([200, 5]);
    await events.until((all) => all.some(({ kind }) => kind === 'read'));
    expect(events.of('read')[0]?.data).toEqual({ team });
    events.close();
    expect(await unreadTexts()).toEqual([...texts, 'later']);
    expect(await brief(bob)).toEqual([['team', team, 'team', 4], rows[1]]);
    expect(await counts(bob)).toEqual(counted);
    // Reading goes on from the restored state: the third message closes the gap.
    await bob.client.put(`/v1/messages/${ids[2]}/read`);
    expect(await unreadTexts()).toEqual(['1', expect.stringMatching(/^6/), '7', 'later']);
    expect(await unreadCount()).toBe(4);
  });

  it('leaves out what was deleted since, and restores a mark that was passed already', async () => {
    const ids = await stream();
    const early = await undoOf(read(ids[0] as string));
    expect(await unreadTexts()).not.toContain('1');
    expect((await undo(early)).status).toBe(200);
    expect(await unreadTexts()).toContain('1');
    const all = await undoOf(read(ids[6] as string));
    for (const n of [0, 4, 6]) await ada.client.delete(`/v1/messages/${ids[n]}`);
    expect((await undo(all)).data[0].unread_count).toBe(2);
    expect(await unreadTexts()).toEqual(['3', expect.stringMatching(/^6/)]);
  });

  it.each([
    ['read further', (ids: string[]) => bob.client.put(`/v1/messages/${ids[7]}/read`)],
    ['marked one as unread', (ids: string[]) => bob.client.delete(`/v1/messages/${ids[3]}/read`)],
    ['read everything', () => bob.client.put('/v1/users/me/read')],
  ])('is refused, and changes nothing, once another device has %s', async (_, meanwhile) => {
    const ids = await stream();
    const given = await undoOf(read(ids[6] as string));
    ids.push(await post(ada, 'later'));
    expect((await meanwhile(ids)).status).toBe(200);
    const before = [await unreadTexts(), await brief(bob)];
    const refused = await undo(given);
    expect([refused.code, refused.body.errors[0].reason]).toEqual([4090, 'read_since']);
    expect([await unreadTexts(), await brief(bob)]).toEqual(before);
  });

  it('happens once, however many ask for it at once; where nothing was read there is nothing to undo', async () => {
    const ids = await stream();
    const texts = await unreadTexts();
    const marked = await Promise.all([1, 2, 3].map(() => undoOf(read(ids[6] as string))));
    const [given, ...others] = marked.filter((one) => one !== null);
    expect(others).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(given as string)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(await unreadTexts()).toEqual(texts);
    expect(await unreadCount()).toBe(texts.length);
    // Cleo's own reading of the same team is another state.
    expect((await undo(await undoOf(read(ids[6] as string, cleo)), cleo)).data[0].unread_count).toBe(7);
  });
});

it('pages, mentions alone, and a filter that is none', async () => {
  const name = await nameOf(bob);
  const roots: string[] = [];
  for (let n = 0; n < 3; n++) roots.unshift(await post(ada, `${n}`, to(bob)));
  roots.unshift(await post(ada, `hey ${name}`, to(bob)));
  await post(ada, 'plain');
  await settled();
  const seen: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = await bob.client.get(`/v1/users/me/inbox?limit=2${cursor && `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(2);
    seen.push(...page.data.map(({ conversation }) => conversation));
    cursor = page.body.meta.next_cursor as string | null;
  }
  expect(seen).toEqual([team, ...roots]);
  expect(await brief(bob, '?filter=mentions')).toEqual([['conversation', roots[0], 'mention,direct', 1]]);
  expect((await bob.client.get('/v1/users/me/inbox?filter=nothing')).code).toBe(4002);
});

it('reading while new answers come in loses none of them', async () => {
  const root = await post(bob, 'well?', to(ada));
  for (let round = 0; round < 8; round++) {
    const written = Array.from({ length: 4 }, (_, n) => reply(ada, root, `${round} ${n}`));
    const read = Array.from({ length: 4 }, () => bob.client.put(`/v1/messages/${root}/read`));
    await Promise.all([...written, ...read]);
    const { unread_reply } = (await bob.client.get(`/v1/messages/${root}`)).data[0];
    const entries = await inbox(bob);
    expect(entries.some(({ conversation, unread }) => conversation === root && unread)).toBe(unread_reply);
    expect((await counts(bob)).total).toBe(Number(unread_reply));
  }
  const last = await reply(ada, root, 'the last');
  expect((await inbox(bob))[0]).toMatchObject({ last: { id: last }, unread: true });
});
