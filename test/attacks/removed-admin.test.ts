/**
 * An admin keeps the link of an invitation that they made as an admin, also one to an address that they made up. When
 * they are removed, demoted, or their account is closed, they come back with it. What holds: an invitation is good
 * while its inviter may invite, and one as an admin is for the address that was invited.
 */
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer } from '../support/server.ts';

const { server, ann } = scene({ people: ['Ann'] });

const setRole = (team: string, person: Person, membership_type: number) =>
  ann.client.patch(`/v1/teams/${team}/users/${person.id}`, { membership_type });
const setActive = (person: Person, active: boolean) =>
  ann.client.patch(`/v1/admin/users/${person.id}`, { active });

const ways = {
  'is removed': (team: string, ben: Person) => ann.client.delete(`/v1/teams/${team}/users/${ben.id}`),
  leaves: (team: string, ben: Person) => ben.client.delete(`/v1/teams/${team}/users/${ben.id}`),
  'is demoted': (team: string, ben: Person) => setRole(team, ben, 2),
  'is deactivated': (_: string, ben: Person) => setActive(ben, false),
  'is deleted': (_: string, ben: Person) =>
    ben.client.ask('DELETE', '/v1/users/me', { json: { password: 'a password of length' } }),
};

describe.each(Object.entries(ways))('an admin who %s (claim: invitation-needs-inviter)', (_, ends) => {
  it('leaves no way into the team', async () => {
    const ben = await signUp(server, 'Ben');
    const team = await makeTeam(ann);
    await join(ann, team, ben, 1);
    const helper = await signUp(server, 'Helper');
    const invited = await ben.client.post(`/v1/teams/${team}/invitations`, {
      emails: [helper.email, 'made-up@example.org'],
      membership_type: 1,
    });
    expect((await ends(team, ben)).status).toBe(200);
    for (const { token } of invited.data) {
      expect((await helper.client.put(`/v1/invitations/${token}`)).code).toBe(4040);
      expect((await server.anonymous().get(`/v1/invitations/${token}`)).code).toBe(4040);
    }
    expect((await ann.client.get(`/v1/teams/${team}/invitations`)).data).toEqual([]);
  });
});

it('rights that come back do not bring back what was invited', async () => {
  const ben = await signUp(server, 'Ben');
  const team = await makeTeam(ann);
  await join(ann, team, ben, 1);
  const helper = await signUp(server, 'Helper');
  const invited = await ben.client.post(`/v1/teams/${team}/invitations`, { emails: [helper.email] });
  const accept = () => helper.client.put(`/v1/invitations/${invited.data[0].token}`);
  await setRole(team, ben, 2);
  await setRole(team, ben, 1);
  expect((await accept()).code).toBe(4040);
  await setActive(ben, false);
  await setActive(ben, true);
  expect((await accept()).code).toBe(4040);
});

it('an invitation as an admin is for the address that was invited (claim: admin-invitation-is-bound)', async () => {
  const team = await makeTeam(ann);
  const [invitee, other] = [await signUp(server, 'Invitee'), await signUp(server, 'Other')];
  const invited = await ann.client.post(`/v1/teams/${team}/invitations`, {
    emails: [invitee.email.toUpperCase(), 'new@example.org'],
    membership_type: 1,
  });
  const [first, second] = invited.data.map(({ token }) => token as string);
  const answer = await other.client.put(`/v1/invitations/${first}`);
  expect(answer.body.errors[0]).toMatchObject({ code: 4030, reason: 'other_address' });
  const signUpWith = (email: string) =>
    new Client(server.url).post('/v1/users', {
      email,
      password: 'a password of length',
      first_name: 'New',
      last_name: '',
      invitation: second,
    });
  expect((await signUpWith('other@example.org')).code).toBe(4030);
  expect((await invitee.client.put(`/v1/invitations/${first}`)).data[0].membership_type).toBe(1);
  expect((await signUpWith('New@example.org')).status).toBe(200);
});

it('a link of somebody who may not invite any more does not open a server that asks for invitations', async () => {
  const closed = await startTestServer({ REGISTRATION: 'invite' });
  const owner = await signUp(closed, 'Owner');
  const team = await makeTeam(owner);
  const invite = async (who: Person, email: string, membership_type: number) =>
    (await who.client.post(`/v1/teams/${team}/invitations`, { emails: [email], membership_type })).data[0]
      .token;
  const ben = await signUp(closed, 'Ben', {
    email: 'ben@example.org',
    invitation: await invite(owner, 'ben@example.org', 1),
  });
  const saved = await invite(ben, 'back@example.org', 2);
  await owner.client.delete(`/v1/teams/${team}/users/${ben.id}`);
  await owner.client.patch(`/v1/admin/users/${ben.id}`, { active: false });
  const again = await new Client(closed.url).post('/v1/users', {
    email: 'back@example.org',
    password: 'a password of length',
    first_name: 'Ben',
    last_name: '',
    invitation: saved,
  });
  expect(again.body.errors[0]).toMatchObject({ code: 4030, reason: 'invitation_needed' });
  await closed.stop();
});
