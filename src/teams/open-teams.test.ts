import { describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { server, ada, ben } = scene({ people: ['Ada', 'Ben'] });

const makeOpen = async (fields: object = {}, by = ada) =>
  (await by.client.post('/v1/teams', { name: 'Deck', open: true, ...fields })).data[0];
const browse = async (who: Person, query = '') => (await who.client.get(`/v1/teams?open=1${query}`)).data;
const joinOpen = (who: Person, team: string) => who.client.put(`/v1/teams/${team}/users/me`);

describe('an open team', () => {
  it('is found by everybody, with how many are in it and when something was last said', async () => {
    const team = await makeOpen({ name: 'Deck', description: 'Fresh air', icon: '⛵' });
    expect(team.open).toBe(true);
    const find = async (who: Person) => (await browse(who)).find(({ id }) => id === team.id);
    expect(await find(ben)).toEqual({
      id: team.id,
      name: 'Deck',
      description: 'Fresh air',
      color: '#1f6feb',
      icon: '⛵',
      num_members: 1,
      last_message_at: null,
      is_member: false,
    });
    const posted = await ada.client.post('/v1/messages', { text: 'Land ho', addressed_teams: [team.id] });
    expect(await find(ben)).toMatchObject({ last_message_at: posted.data[0].created_at });
    expect(JSON.stringify(await browse(ben))).not.toContain('Land ho');
    expect(await find(ada)).toMatchObject({ is_member: true });
  });

  it('is joined with one request, as a member', async () => {
    const team = await makeOpen();
    const cy = await signUp(server, 'Cy');
    const joined = await joinOpen(cy, team.id);
    expect(joined.data[0]).toMatchObject({ userid: cy.id, membership_type: 2, inviter: null });
    expect(joined.data[0].team).toMatchObject({ id: team.id, num_members: 2, open: true });
    const again = await joinOpen(cy, team.id);
    expect(again.data[0]).toMatchObject({ membership_type: 2, team: { num_members: 2 } });
    expect((await joinOpen(ada, team.id)).data[0].membership_type).toBe(1);
  });

  it('is opened and closed to others by its admins, which the audit log tells', async () => {
    const team = await makeTeam(ada, [ben]);
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].open).toBe(false);
    expect((await ben.client.patch(`/v1/teams/${team}`, { open: true })).code).toBe(4030);
    const opened = await ada.client.patch(`/v1/teams/${team}`, { open: true });
    expect(opened.data[0]).toMatchObject({ open: true, name: 'Team' });
    const log = await ada.client.get('/v1/admin/audit?action=team.changed');
    expect(log.data[0]).toMatchObject({ team, detail: { fields: ['open'] } });
    await ada.client.patch(`/v1/teams/${team}`, { name: 'Renamed' });
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].open).toBe(true);
    await ada.client.patch(`/v1/teams/${team}`, { open: false });
    expect((await browse(ben)).map(({ id }) => id)).not.toContain(team);
  });
});

it('open teams come in pages, the newest first', async () => {
  const made = [await makeOpen(), await makeOpen(), await makeOpen()].map(({ id }) => id);
  const { data, body } = await ben.client.get('/v1/teams?open=true&limit=2');
  expect(data.map(({ id }) => id)).toEqual([made[2], made[1]]);
  const [third] = await browse(ben, `&limit=2&cursor=${body.meta.next_cursor}`);
  expect(third.id).toBe(made[0]);
  for (const query of ['', '?open=0', '?open=false'])
    expect((await ben.client.get(`/v1/teams${query}`)).body.errors[0]).toMatchObject({
      code: 4002,
      reason: 'open',
    });
});
