import { expect, it } from 'vitest';
import { makeTeam } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { ada, bob } = scene({ people: ['Ada', 'Bob'] });

it('the list of own teams shows each change at once', async () => {
  const team = await makeTeam(ada, [bob], 'Before');
  const own = async () => {
    const { data } = await bob.client.get('/v1/users/me/teams');
    expect(data).toHaveLength(1);
    return data[0];
  };
  const before = await own();
  expect(before).toEqual({
    membership_type: 2,
    is_muted: 0,
    is_favorite: 0,
    created_at: expect.any(Number),
    updated_at: expect.any(Number),
    userid: bob.id,
    user: expect.objectContaining({ id: bob.id, first_name: 'Bob' }),
    team: (await bob.client.get(`/v1/teams/${team}`)).data[0],
    inviter: expect.objectContaining({ id: ada.id, first_name: 'Ada' }),
  });
  expect(Object.keys(before)).toEqual(Object.keys((await ada.client.get(`/v1/teams/${team}/users`)).data[0]));
  await ada.client.post('/v1/messages', { text: 'new', addressed_teams: [team] });
  expect((await own()).team.unread_count).toBe(1);
  await ada.client.patch(`/v1/teams/${team}`, { name: 'After', color: 'teal' });
  await ada.client.patch('/v1/users/me', { first_name: 'Adele' });
  await bob.client.patch('/v1/users/me', { title: 'Captain' });
  await bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true, is_favorite: true });
  await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
  expect(await own()).toMatchObject({
    membership_type: 1,
    is_muted: 1,
    is_favorite: 1,
    user: { title: 'Captain' },
    team: { name: 'After', color: 'teal', unread_count: 1, num_members: 2 },
    inviter: { first_name: 'Adele' },
  });
  expect((await ada.client.get('/v1/users/me/teams')).data[0].inviter).toBeNull();
});
