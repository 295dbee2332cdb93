import { expect, it } from 'vitest';
import { join, makeTeam, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { server, ada, ben, cy, dee } = scene({ people: ['Ada', 'Ben', 'Cy', 'Dee'] });

it('members see who joined and when, and others nothing', async () => {
  const team = await makeTeam(ada);
  const path = `/v1/teams/${team}/joined`;
  expect((await ada.client.get(path)).data).toEqual([]);
  const times: number[] = [];
  for (const person of [ben, cy, dee]) {
    server.clock.advance(60);
    times.push(server.clock.now() / 1000);
    await join(ada, team, person);
  }
  const all = await ben.client.get(path);
  expect(all.data.map(({ user }) => user.id)).toEqual([dee.id, cy.id, ben.id]);
  expect(all.data[0]).toEqual({
    user: expect.objectContaining({ first_name: 'Dee' }),
    joined_at: expect.any(Number),
  });
  expect(all.body.meta.total).toBe(3);
  const within = await ben.client.get(
    `${path}?after=${(times[1] as number) - 1}&before=${(times[2] as number) - 1}`,
  );
  expect(within.data.map(({ user }) => user.id)).toEqual([cy.id]);
  expect(within.body.meta.total).toBe(1);

  const stranger = await signUp(server, 'Stranger');
  expect((await stranger.client.get(path)).code).toBe(4040);
  // Who has left is no member any more.
  await cy.client.delete(`/v1/teams/${team}/users/${cy.id}`);
  expect((await cy.client.get(path)).code).toBe(4040);
  expect((await ben.client.get(path)).data.map(({ user }) => user.id)).toEqual([dee.id, ben.id]);
  for (const wrong of ['after=-1', 'before=1e20', 'after=yesterday'])
    expect((await ben.client.get(`${path}?${wrong}`)).status).toBe(400);
});
