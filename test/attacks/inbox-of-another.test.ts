// Mallory is no party to what Ann and Bob say. She marks their conversations as done and undone by their ids, in the hope
// that an inbox tells more than the messages do, or that she can hide a message from Bob. She marks one of hers as done many
// times at once. She sends what undoes Bob's reading, or hers of another team, with what she changed in it. She was a member of a team and left it: its conversations are still in her inbox, or so she hopes. And she
// looks there for the text of a message that was deleted. An entry holds no text, and whose it is, is in its
// key; a state that can be restored is signed for one reader and one team.
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { join, makeTeam, type Person } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

const { server, ann, bob, mallory } = scene({ people: ['Ann', 'Bob', 'Mallory'] });

const settled = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
const inbox = async (person: Person, filter = 'new') => {
  await settled();
  return (await person.client.get(`/v1/users/me/inbox?filter=${filter}`)).data;
};
const done = (person: Person, conversation: string, method: 'put' | 'delete' = 'put') =>
  person.client[method](`/v1/users/me/inbox/${conversation}/done`);
const post = async (author: Person, text: string, fields: object) =>
  (await author.client.post('/v1/messages', { text, ...fields })).data[0].id as string;
const usernameOf = async (person: Person) => (await person.client.get('/v1/users/me')).data[0].username;

it('nobody reads, empties or fills the inbox of another', async () => {
  const filters = ['new', 'all', 'mentions'];
  const hers = () => Promise.all(filters.map((filter) => inbox(mallory, filter)));
  const [before, team] = [await hers(), await makeTeam(ann, [bob])];
  const direct = await post(ann, 'for you alone', { addressed_users: [bob.id] });
  const called = await post(ann, `@${await usernameOf(bob)} @${await usernameOf(mallory)}`, {
    addressed_teams: [team],
  });
  const made = await ann.client.post(`/v1/messages/${called}/sidebars`, { users: [bob.id], text: 'aside' });
  const his = await inbox(bob);
  expect(his).toHaveLength(3);
  for (const conversation of [direct, called, made.data[0].id, team, 'nothing', mallory.id]) {
    for (const method of ['put', 'delete'] as const)
      expect((await done(mallory, conversation, method)).code).toBe(4040);
    const told = await mallory.client.get(`/v1/users/me/inbox/${conversation}/notification`);
    expect(told.code).toBe(4040);
  }
  expect(await inbox(bob)).toEqual(his);
  expect(await hers()).toEqual(before);
});

it('what another person muted is heard by them alone, and is not unmuted by others', async () => {
  const team = await makeTeam(ann, [bob]);
  const direct = await post(ann, 'between us', { addressed_users: [bob.id] });
  const [{ id }] = (await bob.client.get('/v1/users/me/conversations')).data;
  const his = async () => (await bob.client.get('/v1/users/me/mutes')).data;
  for (const [kind, place] of [
    ['team', team],
    ['message', direct],
    ['conversation', id],
  ] as const) {
    const path = `/v1/users/me/mutes/${kind}/${place}`;
    expect((await bob.client.put(path, { until: server.clock.now() / 1000 + 3600 })).status).toBe(200);
    const before = await his();
    expect(before).toContainEqual(expect.objectContaining({ kind, id: place }));
    expect((await mallory.client.put(path, { until: null })).code).toBe(4040);
    expect((await mallory.client.delete(path)).code).toBe(4040);
    expect(await his()).toEqual(before);
    expect((await mallory.client.get('/v1/users/me/mutes')).data).toEqual([]);
    expect((await ann.client.get('/v1/users/me/mutes')).data).toEqual([]);
    await bob.client.delete(path);
  }
  await settled();
  await bob.client.put('/v1/users/me/read');
});

it('done many times at once, it is brought back once', async () => {
  await makeTeam(ann, [mallory]);
  const root = await post(ann, 'well?', { addressed_users: [mallory.id] });
  const answer = await ann.client.post(`/v1/messages/${root}/replies`, { text: 'well?!' });
  await settled();
  const answers = await Promise.all(Array.from({ length: 8 }, () => done(mallory, root)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const back = await Promise.all(Array.from({ length: 4 }, () => done(mallory, root, 'delete')));
  expect(back.map(({ status }) => status)).toEqual(Array(4).fill(200));
  expect((await inbox(mallory)).find(({ conversation }) => conversation === root)).toMatchObject({
    num_unread: 2,
    last: { id: answer.data[0].id },
  });
  await done(mallory, root);
});

it('a former member has nothing left of the team, not even in counts, and gets it back with the team', async () => {
  const team = await makeTeam(ann, [mallory]);
  const root = await post(mallory, 'who is in?', { addressed_teams: [team] });
  await ann.client.post(`/v1/messages/${root}/replies`, { text: 'after this' });
  expect((await inbox(mallory)).map(({ conversation }) => conversation)).toContain(root);
  const [before] = (await mallory.client.get('/v1/users/me/inbox/counts')).data;
  await ann.client.delete(`/v1/teams/${team}/users/${mallory.id}`);
  for (const filter of ['new', 'all', 'mentions'])
    expect((await inbox(mallory, filter)).filter((entry) => entry.team === team)).toEqual([]);
  const counted = await mallory.client.get('/v1/users/me/inbox/counts');
  expect(counted.data).toEqual([{ ...before, total: before.total - 1, in_teams: {} }]);
  expect((await done(mallory, root)).code).toBe(4040);
  await join(ann, team, mallory);
  expect((await inbox(mallory, 'all')).map(({ conversation }) => conversation)).toContain(root);
  await ann.client.delete(`/v1/teams/${team}`);
  expect((await inbox(mallory, 'all')).filter((entry) => entry.team === team)).toEqual([]);
});

it('the state before a team was read is restored to its own reader alone, and in its own team', async () => {
  const [team, other] = [await makeTeam(ann, [bob, mallory]), await makeTeam(ann, [bob, mallory])];
  const read = async (person: Person, of: string) => {
    const up_to = await post(ann, 'news', { addressed_teams: [of] });
    return (await person.client.put(`/v1/teams/${of}/read`, { up_to })).body.meta.undo as string;
  };
  const [his, elsewhere, hers] = [
    await read(bob, team),
    await read(mallory, other),
    await read(mallory, team),
  ];
  const undo = (text: string, of = team) => mallory.client.post(`/v1/teams/${of}/read/undo`, { undo: text });
  const unread = async (person: Person): Promise<Record<string, number>> => {
    const { data } = await person.client.get('/v1/users/me/teams');
    return Object.fromEntries(data.map((one) => [one.team.id, one.team.unread_count]));
  };
  const before = [await unread(bob), await unread(mallory)];
  const [payload = '', signature = ''] = hers.split('.');
  const state = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = (change: object) =>
    `${Buffer.from(JSON.stringify({ ...state, ...change })).toString('base64url')}.${signature}`;
  const wrong = [
    ...[his, elsewhere, payload, `.${signature}`, `${payload}.`, '.', '{}', 'x', `${hers}x`],
    ...[forged({ from: -5 }), forged({ exceptions: [randomUUID()] }), `${his.split('.')[0]}.${signature}`],
  ];
  for (const text of wrong) {
    const { code, body } = await undo(text);
    expect([code, body.errors[0].reason], text).toEqual([4002, 'undo']);
  }
  expect((await undo(hers, other)).code).toBe(4002);
  expect((await undo(hers, await makeTeam(ann))).code).toBe(4040);
  expect([await unread(bob), await unread(mallory)]).toEqual(before);
  // Out of the team, and in it again, where there is more to read.
  await ann.client.delete(`/v1/teams/${team}/users/${mallory.id}`);
  expect((await undo(hers)).code).toBe(4040);
  await post(ann, 'without her', { addressed_teams: [team] });
  await join(ann, team, mallory);
  expect((await undo(hers)).code).toBe(4090);
  expect(await unread(bob)).toEqual({ ...before[0], [team]: 2 });
  for (const person of [bob, mallory]) await person.client.put('/v1/users/me/read');
});

it('what was deleted is neither new nor to be read in an entry', async () => {
  await makeTeam(ann, [mallory]);
  const root = await post(mallory, 'well?', { addressed_users: [ann.id] });
  const [first, last] = [
    await ann.client.post(`/v1/messages/${root}/replies`, { text: 'first secret' }),
    await ann.client.post(`/v1/messages/${root}/replies`, { text: 'last secret' }),
  ].map(({ data }) => data[0].id as string);
  expect((await inbox(mallory))[0]).toMatchObject({ num_unread: 2, last: { id: last } });
  await ann.client.delete(`/v1/messages/${last}`);
  const [entry] = await inbox(mallory);
  expect(entry).toMatchObject({ conversation: root, num_unread: 1, unread: true });
  expect(JSON.stringify(entry)).not.toContain('last secret');
  await ann.client.delete(`/v1/messages/${first}`);
  expect((await inbox(mallory)).filter(({ conversation }) => conversation === root)).toEqual([]);
  expect(JSON.stringify(await inbox(mallory, 'all'))).not.toContain('secret');
});
