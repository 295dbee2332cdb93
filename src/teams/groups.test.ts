import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { join, makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { runSql } from '../../test/support/tables.ts';
import { until } from '../../test/support/until.ts';
import { MOST_GROUPS } from './group.service.ts';

const { server, ada, ben, cleo } = scene({ people: ['Ada', 'Ben', 'Cleo'] });
let olga: Person;
let team: string;
beforeAll(async () => {
  olga = await signUp(server, 'Olga');
});
beforeEach(async () => {
  team = await makeTeam(ada, [ben, cleo]);
});

const path = (of = team) => `/v1/teams/${of}/groups`;
const make = (name: string, users: readonly Person[] = [], by = ada) =>
  by.client.post(path(), { name, users: users.map(({ id }) => id) });
const listed = async (by = ada) =>
  (await by.client.get(path())).data.map(({ name, users }) => [name, users.length]);
/** Whose inboxes a message of Ada's comes to. */
async function called(text: string): Promise<string[]> {
  const { data } = await ada.client.post('/v1/messages', { text, addressed_teams: [team] });
  const { db } = server.running;
  await until(async () => (await runSql(db, 'SELECT id FROM notice_jobs')).length === 0);
  const rows = await runSql<{ user_id: string }>(
    db,
    'SELECT user_id FROM inbox_entries WHERE mention_id = ?',
    [data[0].id],
  );
  return rows.map((row) => row.user_id).sort();
}

describe('a group', () => {
  it('is made, changed and deleted by admins, and seen by members', async () => {
    const made = await make('Bakers', [ben, cleo, ben]);
    expect(made.data).toEqual([
      {
        id: expect.any(String),
        name: 'Bakers',
        users: [ben.id, cleo.id].sort(),
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    ]);
    await make('Anglers');
    expect(await listed(ben)).toEqual([
      ['Anglers', 0],
      ['Bakers', 2],
    ]);
    const [{ id }] = made.data;
    const renamed = await ada.client.patch(`${path()}/${id}`, { name: 'bakers-of-bread' });
    expect(renamed.data[0]).toMatchObject({ id, name: 'bakers-of-bread', users: [ben.id, cleo.id].sort() });
    const emptied = await ada.client.patch(`${path()}/${id}`, { users: [] });
    expect(emptied.data[0]).toMatchObject({ name: 'bakers-of-bread', users: [] });
    expect((await ada.client.delete(`${path()}/${id}`)).status).toBe(200);
    expect((await ada.client.delete(`${path()}/${id}`)).code).toBe(4040);
    expect(await listed(cleo)).toEqual([['Anglers', 0]]);
  });

  it('is read by pages, in the order of names', async () => {
    for (const name of ['b2', 'B1', 'b3']) await make(name);
    const first = await ben.client.get(`${path()}?limit=2`);
    expect(first.data.map(({ name }) => name)).toEqual(['B1', 'b2']);
    const rest = await ben.client.get(`${path()}?limit=2&cursor=${first.body.meta.next_cursor}`);
    expect(rest.data.map(({ name }) => name)).toEqual(['b3']);
    expect(rest.body.meta.next_cursor).toBeNull();
  });

  it('tells nothing to others, nor lets them change it', async () => {
    const [{ id }] = (await make('Bakers', [ben])).data;
    for (const [by, code] of [
      [ben, 4030],
      [olga, 4040],
    ] as const) {
      expect((await make('Mine', [], by)).code).toBe(code);
      expect((await by.client.patch(`${path()}/${id}`, { users: [by.id] })).code).toBe(code);
      expect((await by.client.delete(`${path()}/${id}`)).code).toBe(code);
    }
    expect((await olga.client.get(path())).code).toBe(4040);
    // Nor is it reached by way of another team.
    const own = await makeTeam(olga);
    expect((await olga.client.patch(`${path(own)}/${id}`, { name: 'Taken' })).code).toBe(4040);
    expect((await olga.client.delete(`${path(own)}/${id}`)).code).toBe(4040);
    expect(await listed()).toEqual([['Bakers', 1]]);
  });

  it('has a name of its own, and members of the team', async () => {
    await make('Bakers');
    const { username } = (await ben.client.get('/v1/users/me')).data[0];
    for (const name of ['bakers', 'BAKERS', username])
      expect(await make(name)).toMatchObject({ status: 409, code: 4090 });
    for (const name of ['team', 'Here', 'every.one', 'admin', '', '-a', 'two words', 'x'.repeat(51), 'ä'])
      expect((await make(name)).status).toBe(400);
    const refused = await make('Sailors', [ben, olga]);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('users.1')]);
    expect((await ada.client.post(path(), { name: 'Sailors', users: ['x'] })).status).toBe(400);
    expect(await listed()).toEqual([['Bakers', 0]]);
    // And nobody in the team takes it.
    expect((await ben.client.patch('/v1/users/me', { username: 'Bakers' })).status).toBe(409);
    expect((await olga.client.patch('/v1/users/me', { username: 'bakers' })).status).toBe(200);
    await olga.client.patch('/v1/users/me', { username: 'olga' });
  });

  it('is one of a hundred at most, also when they are made at once', async () => {
    const now = server.clock.now();
    for (let n = 1; n < MOST_GROUPS; n++)
      await runSql(
        server.running.db,
        'INSERT INTO people_groups (id, team_id, name, name_key, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
        [crypto.randomUUID(), team, `g${n}`, `g${n}`, now, now],
      );
    const made = await Promise.all(['a', 'b', 'c'].map((name) => make(name)));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect((await make('same')).body.errors[0].reason).toBe('too_many_people_groups');
  });

  it('made twice at once is one', async () => {
    const made = await Promise.all([1, 2, 3].map(() => make('Bakers')));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe('the name of a group in a message', () => {
  it('calls those who are in it, once, and in its team alone', async () => {
    await make('Bakers', [ben, ada]);
    await make('cooks', [ben, cleo]);
    expect(await called('Bread, @BAKERS?')).toEqual([ben.id]);
    expect(await called('Food, @bakers and @cooks?')).toEqual([ben.id, cleo.id].sort());
    expect(await called('Nothing, @baker')).toEqual([]);
    team = await makeTeam(ada, [ben, cleo]);
    expect(await called('Bread, @bakers?')).toEqual([]);
  });

  it('calls nobody who has left, or has muted the team', async () => {
    const [{ id }] = (await make('Bakers', [ben, cleo])).data;
    await cleo.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true });
    expect(await called('@bakers')).toEqual([ben.id]);
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect(await called('@bakers')).toEqual([]);
    expect((await ada.client.get(path())).data).toMatchObject([{ id, users: [cleo.id] }]);
    // A member who comes back is not in it again.
    await join(ada, team, ben);
    expect(await called('@bakers')).toEqual([]);
  });

  it('is forgotten with the team', async () => {
    await make('Bakers', [ben]);
    await ada.client.delete(`/v1/teams/${team}`);
    expect((await ada.client.get(path())).code).toBe(4040);
    expect((await ben.client.patch('/v1/users/me', { username: 'bakers2' })).status).toBe(200);
  });
});

describe('whom a message would call', () => {
  const ask = async (names: readonly string[], by = ada) =>
    (await by.client.get(`/v1/teams/${team}/called?${names.map((name) => `names=${name}`).join('&')}`))
      .data[0];
  const nameOf = async (person: Person) =>
    (await person.client.get('/v1/users/me')).data[0].username as string;

  it('is counted, each person once and without the author', async () => {
    await make('Bakers', [ada, ben]);
    const ofBen = await nameOf(ben);
    expect((await ask(['team'])).people).toBe(2);
    expect((await ask(['BAKERS'])).people).toBe(1);
    expect((await ask(['bakers', ofBen, ofBen])).people).toBe(1);
    expect((await ask(['bakers', 'team'], ben)).people).toBe(2);
    expect((await ask(['nobody'])).people).toBe(0);
    expect((await ada.client.get(`/v1/teams/${team}/called`)).status).toBe(400);
    const other = await makeTeam(olga);
    expect((await ada.client.get(`/v1/teams/${other}/called?names=team`)).code).toBe(4040);
  });

  it('says for how many it is night, of six and more', async () => {
    const others = await Promise.all(['D', 'E', 'F', 'G'].map((name) => signUp(server, name)));
    const hour = new Date(server.clock.now()).getUTCHours();
    // The sign is the other way round there: POSIX counts westwards.
    const zoneAt = (time: number) => {
      const offset = ((time - hour + 36) % 24) - 12;
      return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
    };
    const move = async (person: Person, time_zone: string | null) =>
      expect((await person.client.patch('/v1/users/me', { time_zone })).data[0].time_zone).toBe(time_zone);
    await move(ben, zoneAt(3));
    await move(cleo, zoneAt(12));
    await move(others[0] as Person, zoneAt(23));
    for (const person of others.slice(0, 3)) await join(ada, team, person);
    expect(await ask(['team'])).toMatchObject({ people: 5, at_night: null });
    await join(ada, team, others[3] as Person);
    expect(await ask(['team'])).toMatchObject({ people: 6, at_night: 2 });
    await move(ben, null);
    expect(await ask(['team'])).toMatchObject({ people: 6, at_night: 1 });
    // Of chosen names it is not said: two answers could differ by one person.
    const names = await Promise.all([cleo, ...others].map(nameOf));
    const ofBen = await nameOf(ben);
    await move(ben, zoneAt(3));
    expect(await ask([...names, ofBen])).toMatchObject({ people: 6, at_night: null });
    await make('Bakers', [cleo, ...others, ben]);
    expect(await ask(['bakers'])).toMatchObject({ people: 6, at_night: 2 });
    await make('Cooks', [cleo, ...others]);
    expect(await ask(['cooks', ofBen])).toMatchObject({ people: 6, at_night: null });
    for (const zone of ['Middle/Earth', '+01:00', '', 'x'.repeat(65)])
      expect((await ben.client.patch('/v1/users/me', { time_zone: zone })).status).toBe(400);
  });

  it('names those who are not in the team, if the author knows them', async () => {
    const [ofBen, ofOlga] = [await nameOf(ben), await nameOf(olga)];
    const small = await makeTeam(ada);
    const called = async (names: string[]) =>
      (await ada.client.get(`/v1/teams/${small}/called?names=${names.join('&names=')}`)).data[0];
    expect(await called([ofBen, ofOlga])).toMatchObject({ people: 0, missing: [{ id: ben.id }] });
    await join(ada, small, ben);
    expect(await called([ofBen, ofOlga])).toMatchObject({ people: 1, missing: [] });
  });
});
