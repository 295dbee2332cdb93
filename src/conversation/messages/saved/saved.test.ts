import { expect, it } from 'vitest';
import { EventStream } from '../../../../test/support/event-stream.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  register,
} from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';
import { until } from '../../../../test/support/until.ts';
import { MOST_SAVED } from './saved.service.ts';

const { server, host, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'], each: true });

const at = (message: string) => `/v1/users/me/saved/${message}`;
const listed = async (person: Person, query = '') => person.client.get(`/v1/users/me/saved${query}`);
const saved = async (person: Person, query = '') =>
  (await listed(person, query)).data.map(({ message }) => message.id);
const seen = async (person: Person, message: string) =>
  (await person.client.get(`/v1/messages/${message}`)).data[0];

async function posted(author: Person, fields: object, text = 'Lunch?'): Promise<string> {
  const { status, data } = await author.client.post('/v1/messages', { text, ...fields });
  expect(status).toBe(200);
  return data[0].id;
}

it('what somebody reads is saved for them alone: in teams, replies, sidebars and direct messages', async () => {
  const team = await makeTeam(ada, [bob, cleo]);
  const inTeam = await posted(ada, { addressed_teams: [team] });
  const reply = (await bob.client.post(`/v1/messages/${inTeam}/replies`, { text: 'Yes' })).data[0].id;
  const aside = { users: [bob.id], text: 'Between us' };
  const sidebar = (await ada.client.post(`/v1/messages/${inTeam}/sidebars`, aside)).data[0].id;
  const said = (await bob.client.get(`/v1/sidebars/${sidebar}/messages`)).data[0].id;
  const direct = await posted(ada, { addressed_users: [bob.id] });
  for (const message of [inTeam, reply, said, direct]) {
    const { status, data } = await bob.client.put(at(message));
    expect([status, data[0].saved]).toEqual([200, true]);
    expect((await seen(bob, message)).saved).toBe(true);
    server.clock.advance(1000);
  }
  expect(await saved(bob)).toEqual([direct, said, reply, inTeam]);
  expect(await saved(ada)).toEqual([]);
  expect(await seen(ada, inTeam)).not.toHaveProperty('saved');
  const page = await bob.client.get(`/v1/messages?team=${team}`);
  expect(page.data.map((one) => one.saved)).toEqual([true]);
  for (const hidden of [said, direct]) expect((await cleo.client.put(at(hidden))).code).toBe(4040);
  expect((await cleo.client.put(at('x'))).code).toBe(4040);
});

it('the list goes page by page, each with the time at which it was saved', async () => {
  const team = await makeTeam(ada);
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await posted(ada, { addressed_teams: [team] }, `${n}`));
  // Two at the same time, too.
  for (const [n, id] of ids.entries()) {
    await ada.client.put(at(id));
    if (n % 2 === 1) server.clock.advance(1000);
  }
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, body } = await listed(ada, `?limit=2${cursor}`);
    found.push(...data.map(({ message }) => message.text));
    for (const one of data) expect(one.saved_at).toBeLessThanOrEqual(server.clock.now() / 1000);
    if (!body.meta.next_cursor) break;
    cursor = `&cursor=${body.meta.next_cursor}`;
  }
  expect(found).toEqual(['4', '3', '2', '1', '0']);
  expect((await listed(ada, '?cursor=x')).code).toBe(4002);
});

it('saving and removing are the same when repeated, also from two windows at once', async () => {
  const message = await posted(ada, { addressed_teams: [await makeTeam(ada)] });
  const twice = await Promise.all([1, 2, 3, 4].map(() => ada.client.put(at(message))));
  expect(twice.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await saved(ada)).toEqual([message]);
  const removed = await Promise.all([1, 2, 3, 4].map(() => ada.client.delete(at(message))));
  expect(removed.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(removed[0]?.data[0]).not.toHaveProperty('saved');
  expect(await saved(ada)).toEqual([]);
  expect((await bob.client.delete(at(message))).code).toBe(4040);
});

it('other windows of the same person learn of it, and nobody else', async () => {
  const message = await posted(ada, { addressed_teams: [await makeTeam(ada, [bob])] });
  const [own, foreign] = [await EventStream.open(bob.client), await EventStream.open(ada.client)];
  await bob.client.put(at(message));
  await own.until((events) => events.some(({ data }) => data.message?.saved === true));
  await bob.client.delete(at(message));
  await own.until(
    (events) =>
      events.filter(({ kind, data }) => kind === 'message.state' && !data.message.saved).length === 1,
  );
  // What comes after it has come: her own.
  await ada.client.put(`/v1/messages/${message}/high_five`);
  await foreign.until((events) => events.some(({ kind }) => kind === 'message.state'));
  expect(foreign.of('message.state').map(({ data }) => data.message.saved)).toEqual([undefined]);
  own.close();
  foreign.close();
});

it('no application learns of it, not with a token of the person either', async () => {
  const team = await makeTeam(ada, [bob]);
  const app = await register(ada, host, { scopes: ['messages:read', 'messages:write', 'direct:read'] });
  await install(ada, team, app);
  const message = await posted(ada, { addressed_teams: [team] });
  await bob.client.put(at(message));
  const { access_token } = await authorize(bob, team, app);
  const token = server.anonymous().withToken(access_token);
  for (const path of [
    `/v1/messages/${message}`,
    `/v1/messages?team=${team}`,
    `/v1/quotes?messages=${message}`,
  ]) {
    const { data } = await token.get(path);
    expect(data.map(({ id }) => id)).toEqual([message]);
    expect(data[0]).not.toHaveProperty('saved');
    expect((await bob.client.get(path)).data[0].saved).toBe(true);
  }
  for (const answer of [await token.get('/v1/users/me/saved'), await token.put(at(message))])
    expect(answer.code).toBe(4031);
});

it('what is deleted or out of sight is not shown; who comes back finds it again (claim: saved-again)', async () => {
  const team = await makeTeam(ada, [bob]);
  const [kept, gone] = [
    await posted(ada, { addressed_teams: [team] }, 'kept'),
    await posted(ada, { addressed_teams: [team] }, 'gone'),
  ];
  const root = await posted(ada, { addressed_users: [bob.id] }, 'between us');
  for (const id of [kept, gone, root]) await bob.client.put(at(id));
  await ada.client.delete(`/v1/messages/${gone}`);
  expect((await saved(bob)).sort()).toEqual([kept, root].sort());
  expect((await bob.client.put(at(gone))).body.errors[0].reason).toBe('deleted');
  const left = 'SELECT message_id FROM saved_messages WHERE message_id = ?';
  expect(await runSql(server.running.db, left, [gone])).toEqual([]);
  await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  expect(await saved(bob)).toEqual([root]);
  expect((await listed(bob)).text).not.toContain('kept');
  await join(ada, team, bob);
  expect((await saved(bob)).sort()).toEqual([kept, root].sort());
  await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  // Its owner may take it out without seeing it.
  expect(await bob.client.delete(at(kept))).toMatchObject({ status: 200, data: [] });
  await join(ada, team, bob);
  expect(await saved(bob)).toEqual([root]);
});

it('has a bound, to which what is out of sight does not count', async () => {
  const [team, other] = [await makeTeam(ada, [bob]), await makeTeam(ada, [bob])];
  const inOther = await posted(ada, { addressed_teams: [other] });
  const first = await posted(ada, { addressed_teams: [team] });
  const last = await posted(ada, { addressed_teams: [team] });
  await bob.client.put(at(inOther));
  await bob.client.put(at(first));
  // As many rows as a person can have, made of messages that are there.
  const { db } = server.running;
  const numbers = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MOST_SAVED - 2})`;
  const columns = (await runSql(db, 'SELECT * FROM messages WHERE id = ?', [first]))[0] as object;
  const names = Object.keys(columns).filter((name) => !['id', 'seq'].includes(name));
  const id = `'01900000-0000-7000-8000-' || substr('000000000000' || CAST(n AS text), -12)`;
  const padded = `'01900000-0000-7000-8000-' || lpad(CAST(n AS text), 12, '0')`;
  const made = db.dialect === 'sqlite' ? id : `CAST(${padded} AS uuid)`;
  await db.write(async (tx) => {
    await tx.all(
      `${numbers} INSERT INTO messages (id, seq, ${names.join(', ')})
        SELECT ${made}, NULL, ${names.map((name) => `messages.${name}`).join(', ')} FROM numbers, messages WHERE messages.id = '${first}'`,
      [],
    );
    await tx.all(
      `INSERT INTO saved_messages (user_id, message_id, saved_at) SELECT '${bob.id}', id, 1 FROM messages
        WHERE id < '01900000-0000-7000-8000-999999999999'`,
      [],
    );
  });
  const refused = await bob.client.put(at(last));
  expect([refused.code, refused.body.errors[0].reason]).toEqual([4090, 'too_many_saved']);
  expect((await bob.client.put(at(first))).status).toBe(200);
  await ada.client.delete(`/v1/teams/${other}/users/${bob.id}`);
  expect((await bob.client.put(at(last))).status).toBe(200);
  expect(await saved(bob, '?limit=1')).toEqual([last]);
});

it('goes with the account of the person who saved it', async () => {
  const team = await makeTeam(ada, [bob]);
  const message = await posted(ada, { addressed_teams: [team] });
  await bob.client.put(at(message));
  const { status } = await bob.client.ask('DELETE', '/v1/users/me', {
    json: { password: bob.client.password },
  });
  expect(status).toBe(200);
  const left = 'SELECT message_id FROM saved_messages WHERE user_id = ?';
  await until(async () => (await runSql(server.running.db, left, [bob.id])).length === 0);
  expect((await seen(ada, message)).text).toBe('Lunch?');
});
