import { isDeepStrictEqual } from 'node:util';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { join, makeTeam, type Person, signUp } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { startTestServer } from '../../../../test/support/server.ts';
import { runSql } from '../../../../test/support/tables.ts';
import type { Database } from '../../../platform/db/index.ts';

const { server, ada, bob, cara, eve } = scene({ people: ['Ada', 'Bob', 'Cara', 'Eve'] });
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada, [bob, cara]);
});
// What was told in one test counts in none after it.
beforeEach(() => server.clock.advance(6));

const post = async (author: Person, to: object = { addressed_teams: [team] }): Promise<string> =>
  (await author.client.post('/v1/messages', { text: 'said', ...to })).data[0].id;

const type = (who: Person, where: string, body?: object) => who.client.put(`/v1/${where}/typing`, body);
const inTeam = (who: Person, body?: object) => type(who, `teams/${team}`, body);

async function conversationWith(who: Person, other: Person): Promise<string> {
  await post(who, { addressed_users: [other.id] });
  return (await who.client.get(`/v1/users/me/conversations?with=${other.id}`)).data[0].id;
}

/** What each of them hears of typing until all that was told has come. */
async function heardBy(
  people: readonly Person[],
  work: (streams: readonly EventStream[]) => Promise<unknown>,
): Promise<object[][]> {
  const streams = await Promise.all(people.map(({ client }) => EventStream.open(client)));
  await work(streams);
  return Promise.all(
    streams.map(async (stream, index) => {
      const last = await post(people[index] as Person, { addressed_users: [people[index]?.id] });
      await stream.until((events) => events.some(({ data }) => data.message?.id === last));
      stream.close();
      return stream.of('typing').map(({ data }) => data);
    }),
  );
}

it('is heard by the others in a team, a thread, a sidebar and a conversation, and by nobody else', async () => {
  const root = await post(ada);
  const reply = (await bob.client.post(`/v1/messages/${root}/replies`, { text: 'no' })).data[0].id;
  const opened = await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'aside' });
  const sidebar = opened.data[0].id;
  const conversation = await conversationWith(ada, bob);
  const direct = await post(bob, { addressed_users: [ada.id] });
  const beside = await bob.client.post(`/v1/messages/${direct}/sidebars`, { users: [ada.id], text: 'aside' });
  const talk = `users/me/conversations/${conversation}`;
  const [adas, bobs, caras, eves] = await heardBy([ada, bob, cara, eve], async () => {
    const answers = [
      await inTeam(ada),
      await inTeam(ada, { message: root }),
      await inTeam(cara, { message: reply }),
      await inTeam(ada, { sidebar }),
      await type(ada, talk),
      await type(ada, talk, { message: direct }),
      await type(ada, talk, { sidebar: beside.data[0].id }),
    ];
    expect(answers.map(({ status, data }) => [status, data])).toEqual(answers.map(() => [200, []]));
  });
  const user = ada.id;
  const stream = { user, team };
  const thread = { user, team, message: root };
  const ofCara = { user: cara.id, team, message: root };
  expect(adas).toEqual([ofCara]);
  expect(bobs).toEqual([
    stream,
    thread,
    ofCara,
    { user, team, sidebar },
    { user, conversation },
    { user, conversation, message: direct },
    { user, conversation, sidebar: beside.data[0].id },
  ]);
  expect(caras).toEqual([stream, thread]);
  expect(eves).toEqual([]);
});

it('in a subject is heard by the team, with what it is about', async () => {
  const about = (name: string, team_: string, by: Person) =>
    by.client.post('/v1/messages', { text: 'said', addressed_teams: [team_], subject: name });
  const subject = (await about('Flour', team, ada)).data[0].subject_id;
  const other = (await about('Yeast', await makeTeam(eve, [ada]), eve)).data[0].subject_id;
  const root = await post(ada);
  const [bobs, eves] = await heardBy([bob, eve], async () => {
    expect((await inTeam(ada, { subject })).status).toBe(200);
    // A reply is about what its conversation is about.
    expect((await inTeam(ada, { subject, message: root })).status).toBe(200);
    // Not of this team, though ada sees it, and of no team of eve's.
    expect((await inTeam(ada, { subject: other })).code).toBe(4040);
    expect((await inTeam(eve, { subject })).code).toBe(4040);
    expect((await inTeam(ada, { subject: root })).code).toBe(4040);
  });
  expect(bobs).toEqual([
    { user: ada.id, team, subject },
    { user: ada.id, team, message: root },
  ]);
  expect(eves).toEqual([]);
});

it('is stored nowhere, and does not come again (claim: typing-not-stored)', async () => {
  // Of its own: in the others' something is always under way.
  const own = await startTestServer();
  const { db } = own.running;
  const [one, other] = [await signUp(own, 'One'), await signUp(own, 'Other')];
  const pair = await makeTeam(one, [other]);
  const others = await EventStream.open(other.client);
  const { lastId } = others;
  const tables = await namesOfTables(db);
  let before = await rowsOf(db, tables);
  const isQuiet = async () => {
    const last = before;
    before = await rowsOf(db, tables);
    return isDeepStrictEqual(before, last);
  };
  await expect.poll(isQuiet, { interval: 200 }).toBe(true);
  await type(one, `teams/${pair}`);
  await others.until((events) => events.some(({ kind }) => kind === 'typing'));
  expect(others.of('typing').map(({ id }) => id)).toEqual([Number.NaN]);
  expect(await rowsOf(db, tables)).toEqual(before);
  others.close();
  const again = await EventStream.open(other.client, lastId);
  const last = await post(one, { addressed_teams: [pair] });
  await again.until((events) => events.some(({ data }) => data.message?.id === last));
  expect(again.of('typing')).toEqual([]);
  again.close();
  await own.stop();
});

async function namesOfTables(db: Database): Promise<string[]> {
  const from =
    db.dialect === 'sqlite'
      ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%'`
      : `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`;
  // A request notes that its session is in use, and counts.
  const own = new Set(['sessions', 'rate_counts']);
  return (await runSql<{ name: string }>(db, from)).map(({ name }) => name).filter((name) => !own.has(name));
}

const rowsOf = (db: Database, tables: readonly string[]) =>
  Promise.all(
    tables.map(async (name) => {
      const [row] = await runSql<{ rows: number }>(db, `SELECT count(*) AS rows FROM "${name}"`);
      return [name, Number(row?.rows)];
    }),
  );

it('is refused where one could not write', async () => {
  const other = await makeTeam(eve, []);
  const [root, gone] = [await post(ada), await post(ada)];
  await ada.client.delete(`/v1/messages/${gone}`);
  const opened = await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [bob.id], text: 'aside' });
  const sidebar = opened.data[0].id;
  const conversation = await conversationWith(ada, bob);
  const theirs = await post(eve, { addressed_teams: [other] });
  const closed = await makeTeam(ada, [bob]);
  await ada.client.delete(`/v1/teams/${closed}`);
  const heard = await heardBy([ada, bob, cara, eve], async () => {
    const codes = [
      await inTeam(eve),
      await inTeam(eve, { message: root }),
      await inTeam(cara, { sidebar }),
      await inTeam(ada, { message: theirs }),
      await inTeam(ada, { message: gone }),
      await inTeam(ada, { message: 'x' }),
      await type(eve, `teams/${other}`, { message: root }),
      await type(eve, `users/me/conversations/${conversation}`),
      await type(ada, `users/me/conversations/${conversation}`, { message: root }),
      await type(ada, `users/me/conversations/${conversation}`, { sidebar }),
      await type(ada, `teams/${closed}`),
    ].map(({ code }) => code);
    expect(codes).toEqual([4040, 4040, 4040, 4040, 4090, 4002, 4040, 4040, 4040, 4040, 4040]);
  });
  expect(heard).toEqual([[], [], [], []]);
});

it('tells nobody who left, or who could not be written to (claim: typing-shared)', async () => {
  const gast = await signUp(server, 'Gast');
  const shared = await makeTeam(ada, [gast, cara]);
  const root = await post(ada, { addressed_teams: [shared] });
  const opened = await ada.client.post(`/v1/messages/${root}/sidebars`, { users: [gast.id], text: 'aside' });
  const conversation = await conversationWith(ada, gast);
  const direct = await post(gast, { addressed_users: [ada.id] });
  const talk = `users/me/conversations/${conversation}`;
  const everywhere = async () => {
    await type(ada, `teams/${shared}`);
    await type(ada, `teams/${shared}`, { message: root });
    await type(ada, `teams/${shared}`, { sidebar: opened.data[0].id });
    await type(ada, talk);
    await type(ada, talk, { message: direct });
  };
  expect((await heardBy([gast], everywhere))[0]).toHaveLength(5);
  server.clock.advance(6);
  expect(
    await heardBy([gast], async ([gasts]) => {
      await ada.client.delete(`/v1/teams/${shared}/users/${gast.id}`);
      await gasts?.until((events) => events.some(({ kind }) => kind === 'team.members'));
      await everywhere();
    }),
  ).toEqual([[]]);
});

it('can be switched off for sending and for seeing (claim: typing-switches)', async () => {
  const [dora, emil] = [await signUp(server, 'Dora'), await signUp(server, 'Emil')];
  for (const one of [dora, emil]) await join(ada, team, one);
  const both = async () => {
    await inTeam(dora);
    await inTeam(emil);
  };
  const of = ({ id }: Person) => ({ user: id, team });
  expect(await heardBy([ada, dora], both)).toEqual([[of(dora), of(emil)], [of(emil)]]);
  server.clock.advance(6);
  // While the stream is open.
  const quiet = await heardBy([ada, dora], async () => {
    const own = await EventStream.open(dora.client);
    const answer = await dora.client.patch('/v1/users/me', {
      prefs: { send_typing: false, show_typing: false },
    });
    expect(answer.data[0].prefs).toMatchObject({ send_typing: false, show_typing: false });
    // Her streams know it once it reaches her.
    await own.until(() => own.of('user.updated').length > 0);
    own.close();
    await both();
  });
  expect(quiet).toEqual([[of(emil)], []]);
  server.clock.advance(6);
  expect(await heardBy([dora], () => inTeam(emil))).toEqual([[]]);
  server.clock.advance(6);
  await emil.client.patch('/v1/users/me', { invisible: true });
  expect(await heardBy([ada], () => inTeam(emil))).toEqual([[]]);
});

it('is told of a person every three seconds, and of three people at a time (claim: typing-bounds)', async () => {
  const crowd = await Promise.all(['One', 'Two', 'Three', 'Four'].map((name) => signUp(server, name)));
  const full = await makeTeam(ada, crowd);
  const [one, two, three, four] = crowd as [Person, Person, Person, Person];
  const at = (who: Person) => type(who, `teams/${full}`);
  const [heard] = await heardBy([ada], async () => {
    for (const who of [one, one, two, three, four]) expect((await at(who)).status).toBe(200);
    server.clock.advance(2);
    await at(one);
    server.clock.advance(1);
    for (const who of [one, four]) await at(who);
    server.clock.advance(3);
    // Two and Three have stopped.
    for (const who of [four, two, three]) await at(who);
  });
  const names = new Map(crowd.map(({ id }, index) => [id, index + 1]));
  const users = heard as { user: string }[];
  expect(users.map(({ user }) => names.get(user))).toEqual([1, 2, 3, 1, 4, 2]);
});

it('is not told in the stream of a team above 100, and in its threads to those who wrote (claim: typing-large)', async () => {
  const large = await makeTeam(ada, [bob, cara]);
  const root = await post(ada, { addressed_teams: [large] });
  await bob.client.post(`/v1/messages/${root}/replies`, { text: 'yes' });
  const setSize = (size: number) =>
    runSql(server.running.db, `UPDATE teams SET num_members = ${size} WHERE id = ?`, [large]);
  const both = async () => {
    await type(ada, `teams/${large}`);
    await type(ada, `teams/${large}`, { message: root });
  };
  await setSize(100);
  const [stream, thread] = [
    { user: ada.id, team: large },
    { user: ada.id, team: large, message: root },
  ];
  expect(await heardBy([bob, cara], both)).toEqual([
    [stream, thread],
    [stream, thread],
  ]);
  server.clock.advance(6);
  await setSize(101);
  expect(await heardBy([bob, cara], both)).toEqual([[thread], []]);
  server.clock.advance(6);
  // Who reads alone may begin to write there.
  expect(await heardBy([ada, bob, cara], () => type(cara, `teams/${large}`, { message: root }))).toEqual([
    [{ ...thread, user: cara.id }],
    [{ ...thread, user: cara.id }],
    [],
  ]);
});
