import { expect, it } from 'vitest';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { allPlaced, pathOf, pullAll, subscribe } from '../../../../test/support/feed.ts';
import { authorize, install, makeTeam, type Person, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { MOST_PINS } from './pin.service.ts';

const { server, host, dev, ada, bob, cleo } = scene({ people: ['Dev', 'Ada', 'Bob', 'Cleo'] });

const at = (team: string, message: string) => `/v1/teams/${team}/pins/${message}`;
const listed = (person: Person, team: string, query = '') =>
  person.client.get(`/v1/teams/${team}/pins${query}`);
const pinned = async (person: Person, team: string) =>
  (await listed(person, team)).data.map(({ message }) => message.id);
const reasonOf = ({ body }: { body: { errors: { reason: string }[] } }) => body.errors[0]?.reason;

async function posted(author: Person, fields: object, text = 'Door code: ask Ada'): Promise<string> {
  const { status, data } = await author.client.post('/v1/messages', { text, ...fields });
  expect(status).toBe(200);
  return data[0].id;
}

it('a member pins what the team reads, and all see it, and by whom; the newest pin comes first', async () => {
  const team = await makeTeam(ada, [bob, cleo]);
  const root = await posted(ada, { addressed_teams: [team] });
  const reply = (await bob.client.post(`/v1/messages/${root}/replies`, { text: 'It is on the door' })).data[0]
    .id;
  expect((await bob.client.put(at(team, reply))).data[0]).toMatchObject({ id: reply, pinned: true });
  server.clock.advance(1000);
  await cleo.client.put(at(team, root));
  const { data } = await listed(ada, team);
  expect(data.map(({ message, user }) => [message.id, message.pinned, user.id])).toEqual([
    [root, true, cleo.id],
    [reply, true, bob.id],
  ]);
  expect(data[0].pinned_at - data[1].pinned_at).toBeGreaterThanOrEqual(1);
  const [first, rest] = [await listed(ada, team, '?limit=1'), `?limit=1&cursor=`];
  expect(first.data.map(({ message }) => message.id)).toEqual([root]);
  const second = await listed(ada, team, rest + first.body.meta.next_cursor);
  expect(second.data.map(({ message }) => message.id)).toEqual([reply]);
  expect(second.body.meta.next_cursor).toBeNull();
  // Who pinned it does not matter.
  expect((await ada.client.delete(at(team, reply))).data[0]).not.toHaveProperty('pinned');
  expect(await pinned(bob, team)).toEqual([root]);
});

it('pinning and unpinning are the same when repeated, at once too; the first one stays', async () => {
  const team = await makeTeam(ada, [bob, cleo]);
  const id = await posted(ada, { addressed_teams: [team] });
  await bob.client.put(at(team, id));
  const again = await Promise.all([ada, bob, cleo].map(({ client }) => client.put(at(team, id))));
  expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await listed(ada, team)).data.map(({ user }) => user.id)).toEqual([bob.id]);
  const off = await Promise.all([ada, bob, cleo].map(({ client }) => client.delete(at(team, id))));
  expect(off.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await pinned(ada, team)).toEqual([]);
});

it('what not all members read is refused: sidebars, direct messages, other teams, what is deleted', async () => {
  const [team, other] = [await makeTeam(ada, [bob]), await makeTeam(ada, [bob])];
  const root = await posted(ada, { addressed_teams: [team] });
  const aside = { users: [bob.id], text: 'Between us' };
  const sidebar = (await ada.client.post(`/v1/messages/${root}/sidebars`, aside)).data[0].id;
  const said = (await bob.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id;
  const direct = await posted(ada, { addressed_users: [bob.id] });
  const elsewhere = await posted(ada, { addressed_teams: [other] });
  for (const id of [said, direct, elsewhere])
    for (const answer of [await bob.client.put(at(team, id)), await bob.client.delete(at(team, id))])
      expect([answer.code, reasonOf(answer)]).toEqual([4090, 'not_of_team']);
  await ada.client.delete(`/v1/messages/${root}`);
  expect(reasonOf(await bob.client.put(at(team, root)))).toBe('deleted');
  expect((await bob.client.delete(at(team, root))).status).toBe(200);
  expect((await cleo.client.put(at(team, elsewhere))).code).toBe(4040);
  expect((await cleo.client.get(`/v1/teams/${team}/pins`)).code).toBe(4040);
  expect(await pinned(bob, team)).toEqual([]);
});

it('goes with its message, and who has left the team neither pins nor unpins', async () => {
  const team = await makeTeam(ada, [bob]);
  const [kept, gone] = [
    await posted(ada, { addressed_teams: [team] }),
    await posted(ada, { addressed_teams: [team] }),
  ];
  for (const id of [kept, gone]) await bob.client.put(at(team, id));
  expect((await ada.client.delete(`/v1/messages/${gone}`)).status).toBe(200);
  expect(await pinned(ada, team)).toEqual([kept]);
  expect((await ada.client.get(`/v1/messages/${gone}`)).data[0]).not.toHaveProperty('pinned');
  expect(await runSql(server.running.db, 'SELECT message_id FROM pins WHERE message_id = ?', [gone])).toEqual(
    [],
  );
  await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  for (const answer of [await bob.client.put(at(team, kept)), await bob.client.delete(at(team, kept))])
    expect(answer.code).toBe(4040);
  expect((await listed(ada, team)).data.map(({ user }) => user.id)).toEqual([bob.id]);
});

it('a team has a bound of pins, also when they come at once', async () => {
  const team = await makeTeam(ada);
  const ids = await Promise.all(
    Array.from({ length: MOST_PINS + 3 }, () => posted(ada, { addressed_teams: [team] })),
  );
  const answers = await Promise.all(ids.map((id) => ada.client.put(at(team, id))));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(reasonOf)).toEqual(Array(3).fill('too_many_pins'));
  expect((await listed(ada, team, '?limit=200')).data).toHaveLength(MOST_PINS);
  const [left] = ids.filter((_, n) => answers[n]?.status !== 200) as [string];
  await ada.client.delete(at(team, (await pinned(ada, team))[0]));
  expect((await ada.client.put(at(team, left))).status).toBe(200);
});

it('open windows and subscribed applications learn of it', async () => {
  const team = await makeTeam(ada, [bob]);
  const app = await register(dev, host, { scopes: ['messages:read'] });
  await install(ada, team, app);
  const silent = await register(dev, host, { scopes: ['members:read'] });
  await install(ada, team, silent);
  const id = await posted(ada, { addressed_teams: [team] });
  await allPlaced(server);
  const kinds = ['message.pinned', 'message.unpinned'];
  const path = pathOf(app, (await subscribe(app, { kinds })).id);
  const stream = await EventStream.open(ada.client);
  await bob.client.put(at(team, id));
  await bob.client.put(at(team, id));
  await stream.until((events) => events.some(({ data }) => data.message?.pinned === true));
  await ada.client.delete(at(team, id));
  await allPlaced(server);
  const { events } = await pullAll(app.credentials, path);
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['message.pinned', { team, message: { id }, user: bob.id }],
    ['message.unpinned', { team, message: { id }, user: ada.id }],
  ]);
  const refused = await silent.credentials.post(`/v1/applications/${silent.id}/subscriptions`, { kinds });
  const heard =
    refused.status === 200
      ? await pullAll(silent.credentials, pathOf(silent, refused.data[0].id))
      : { events: [] };
  expect(heard.events).toEqual([]);
  stream.close();
});

it('applications pin with the scope that writing in the team needs, in a name or in their own', async () => {
  const team = await makeTeam(ada, [bob]);
  const app = await register(dev, host, { scopes: ['messages:read', 'messages:write'] });
  await install(ada, team, app);
  const id = await posted(ada, { addressed_teams: [team] });
  const { access_token } = await authorize(bob, team, app);
  const inName = server.anonymous().withToken(access_token);
  expect((await inName.put(at(team, id))).data[0]).toMatchObject({ id, pinned: true });
  expect((await listed(ada, team)).data.map(({ user }) => user.id)).toEqual([bob.id]);
  expect((await inName.delete(at(team, id))).status).toBe(200);
  const form = { grant_type: 'client_credentials', team };
  const own = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  const itself = server.anonymous().withToken(own.body.access_token);
  expect((await itself.put(at(team, id))).status).toBe(200);
  const [{ user }] = (await listed(ada, team)).data;
  expect([ada.id, bob.id, dev.id]).not.toContain(user.id);
  expect((await itself.get(`/v1/teams/${team}/pins`)).data[0].user).toMatchObject({ id: user.id });
  expect((await itself.put(at(team, await posted(ada, { addressed_users: [bob.id] })))).code).toBe(4040);
});

it('pins, saved messages, answers, edits, reactions and deletions at once all end, and leave no pin of what is gone', async () => {
  const team = await makeTeam(ada, [bob, cleo]);
  const ids = await Promise.all(Array.from({ length: 6 }, () => posted(ada, { addressed_teams: [team] })));
  const people = [ada, bob, cleo];
  const answers = await Promise.all([
    ...ids.flatMap((id) =>
      people.flatMap(({ client }) => [
        client.put(at(team, id)),
        client.put(`/v1/users/me/saved/${id}`),
        client.put(`/v1/messages/${id}/high_five`),
        client.post(`/v1/messages/${id}/replies`, { text: 'Yes' }),
        client.delete(at(team, id)),
        client.put(at(team, id)),
      ]),
    ),
    ...ids.map((id) => ada.client.patch(`/v1/messages/${id}`, { text: 'Door code: ask Bob' })),
    ...ids.slice(0, 3).map((id) => ada.client.delete(`/v1/messages/${id}`)),
  ]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const gone = ids.slice(0, 3);
  expect((await pinned(ada, team)).filter((id) => gone.includes(id))).toEqual([]);
  for (const { client } of people) {
    const { data } = await client.get('/v1/users/me/saved');
    expect(data.filter(({ message }) => gone.includes(message.id))).toEqual([]);
  }
  const sql = 'SELECT message_id FROM pins WHERE team_id = ?';
  const rows = (await runSql(server.running.db, sql, [team])) as { message_id: string }[];
  expect(rows.filter(({ message_id }) => gone.includes(message_id))).toEqual([]);
});
