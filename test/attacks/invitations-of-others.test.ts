/**
 * Somebody wants to learn of a team, or to get into it, by an invitation that is not theirs: with its id, with an account
 * that has the invited address and did not prove it, or after its inviter lost the right. An inviter wants to learn who has
 * an account, or to invite people whom they cannot see. What holds: an own invitation is looked up by its receiver; an
 * address counts once it is proved; unknown and hidden people get the same answer.
 */
import { describe, expect, it } from 'vitest';
import { authorize, install, join, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer } from '../support/server.ts';

const { server, host, ada, ben, cy } = scene({ people: ['Ada', 'Ben', 'Cy'] });

const invite = (team: string, json: object, by = ada) =>
  by.client.post(`/v1/teams/${team}/invitations`, json);
const own = async (who: Person) => (await who.client.get('/v1/users/me/invitations')).data;

describe('an invitation (claim: own-invitations)', () => {
  it('is neither accepted nor declined by another', async () => {
    const team = await makeTeam(ada);
    const { id } = (await invite(team, { users: [ben.id] })).data[0];
    expect((await cy.client.put(`/v1/users/me/invitations/${id}`)).code).toBe(4040);
    expect((await cy.client.delete(`/v1/users/me/invitations/${id}`)).code).toBe(4040);
    expect((await own(cy)).map(({ team }) => team.id)).not.toContain(team);
    expect((await own(ben)).map(({ team }) => team.id)).toContain(team);
  });

  it('of an address is not shown to an account that has not proved it', async () => {
    const team = await makeTeam(ada, [], 'Secret plans');
    const { id } = (await invite(team, { emails: ['boss@company.example'] })).data[0];
    const poser = await signUp(server, 'Poser', { email: 'boss@company.example' });
    expect(await own(poser)).toEqual([]);
    expect((await poser.client.put(`/v1/users/me/invitations/${id}`)).code).toBe(4040);
  });

  it.each([
    ['is removed', (team: string) => ada.client.delete(`/v1/teams/${team}/users/${ben.id}`)],
    [
      'is demoted',
      (team: string) => ada.client.patch(`/v1/teams/${team}/users/${ben.id}`, { membership_type: 2 }),
    ],
    [
      'has it withdrawn',
      async (team: string) => {
        const [{ id }] = (await ada.client.get(`/v1/teams/${team}/invitations`)).data;
        return ada.client.delete(`/v1/teams/${team}/invitations/${id}`);
      },
    ],
    ['sees the team closed', (team: string) => ada.client.delete(`/v1/teams/${team}`)],
  ])('ends when its inviter %s', async (_, ends) => {
    const team = await makeTeam(ada);
    await join(ada, team, ben, 1);
    const { id } = (await invite(team, { users: [cy.id] }, ben)).data[0];
    expect((await ends(team)).status).toBe(200);
    expect((await own(cy)).map((one) => one.id)).not.toContain(id);
    expect((await cy.client.put(`/v1/users/me/invitations/${id}`)).code).toBe(4040);
  });

  it('is accepted once by two requests at the same time', async () => {
    const team = await makeTeam(ada);
    const { id } = (await invite(team, { users: [cy.id] })).data[0];
    const answers = await Promise.all([1, 2, 3].map(() => cy.client.put(`/v1/users/me/invitations/${id}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0].num_members).toBe(2);
  });

  it('lets a removed person in again', async () => {
    const team = await makeTeam(ada, [ben]);
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    await invite(team, { users: [ben.id] });
    const found = (await own(ben)).find((one) => one.team.id === team);
    expect((await ben.client.put(`/v1/users/me/invitations/${found.id}`)).status).toBe(200);
  });

  it('by name is not made by a token', async () => {
    const team = await makeTeam(ada);
    const application = await register(ada, host, { scopes: ['members:write'] });
    await install(ada, team, application);
    const token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
    const asked = await token.post(`/v1/teams/${team}/invitations`, { users: [ben.id] });
    expect(asked.body.errors[0]).toMatchObject({ code: 4031, reason: 'session' });
  });
});

it('people who cannot be seen are not invited by name, and answer as nobody does (claim: invite-whom-one-sees)', async () => {
  const one = await startTestServer({ PROFILE_VISIBILITY: 'connections' });
  try {
    const [root, friend, stranger] = [
      await signUp(one, 'Root'),
      await signUp(one, 'Friend'),
      await signUp(one, 'Stranger'),
    ];
    const team = await makeTeam(root);
    await makeTeam(root, [friend]);
    const answer = async (id: string) => (await invite(team, { users: [id] }, root)).body.errors;
    expect(await answer(stranger.id)).toEqual(await answer('01a218ce-c806-7000-a117-f08d6bb61cb8'));
    expect((await invite(team, { users: [friend.id] }, root)).status).toBe(200);
    // An address of theirs may be invited, and does not tell whether it has an account.
    const [known, unknown] = (await invite(team, { emails: [stranger.email, 'nobody@example.org'] }, root))
      .data;
    expect(Object.keys(known)).toEqual(Object.keys(unknown));
    expect((await one.anonymous().get(`/v1/invitations/${known.token}`)).data[0].has_account).toBe(false);
    expect(await own(stranger)).toEqual([]);
  } finally {
    await one.stop();
  }
});
