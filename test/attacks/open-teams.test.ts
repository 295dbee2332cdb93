/**
 * Somebody looks for teams that are not open to them: by the route that joins open ones, with an account whose address they
 * made up, after being removed, or in the moment in which a team is closed to others. What holds: a team that is not open
 * answers as one that does not exist; where mails are sent, the address must be proved; removals are remembered.
 */
import { describe, expect, it } from 'vitest';
import { proveAddress } from '../support/mailbox.ts';
import { authorize, install, join, makeTeam, type Person, register, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, mailbox, host, ada, ben, cy } = scene({ people: ['Ada', 'Ben', 'Cy'], mail: true });

const open = (team: string, is = true) => ada.client.patch(`/v1/teams/${team}`, { open: is });
const joinOpen = (who: Person, team: string) => who.client.put(`/v1/teams/${team}/users/me`);
let proved: Promise<unknown> | undefined;
/** Ben and Cy, with proved addresses. */
const prove = () => (proved ??= Promise.all([ada, ben, cy].map((one) => proveAddress(mailbox, one))));

describe('open teams (claim: closed-teams-are-hidden)', () => {
  it('a team that is not open answers as one that does not exist', async () => {
    await prove();
    const closed = await makeTeam(ada, [], 'Secret plans');
    const gone = await makeTeam(ada);
    await open(gone);
    await ada.client.delete(`/v1/teams/${gone}`);
    const unknown = await joinOpen(ben, '01a218ce-c806-7000-a117-f08d6bb61cb8');
    expect(unknown.code).toBe(4040);
    for (const team of [closed, gone, 'nonsense'])
      expect((await joinOpen(ben, team)).body.errors).toEqual(unknown.body.errors);
    const listed = await ben.client.get('/v1/teams?open=1&limit=200');
    expect(listed.data.map(({ id }) => id)).not.toContain(closed);
    expect(listed.text).not.toContain('Secret plans');
  });

  it('do not let in who was removed, until they are invited', async () => {
    await prove();
    const team = await makeTeam(ada);
    await open(team);
    await joinOpen(ben, team);
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect((await joinOpen(ben, team)).body.errors[0]).toMatchObject({
      code: 4030,
      reason: 'removed_from_team',
    });
    await join(ada, team, ben);
    await ben.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect((await joinOpen(ben, team)).status).toBe(200);
  });

  it('are for people whose address is proved (claim: open-teams-need-a-proved-address)', async () => {
    await prove();
    const team = await makeTeam(ada);
    await open(team);
    const poser = await signUp(server, 'Poser', { email: 'boss@company.example' });
    for (const answer of [await joinOpen(poser, team), await poser.client.get('/v1/teams?open=1')])
      expect(answer.body.errors[0]).toMatchObject({ code: 4030, reason: 'unconfirmed_address' });
    expect((await joinOpen(poser, await makeTeam(ada))).code).toBe(4040);
  });

  it('let nobody in after they are closed, in the same moment neither', async () => {
    await prove();
    const team = await makeTeam(ada);
    await open(team);
    const [, ...joined] = await Promise.all([open(team, false), joinOpen(ben, team), joinOpen(cy, team)]);
    const { num_members } = (await ada.client.get(`/v1/teams/${team}`)).data[0];
    expect(num_members).toBe(1 + joined.filter(({ status }) => status === 200).length);
    expect((await joinOpen(await provedPerson(), team)).code).toBe(4040);
  });

  it('are not opened by a token', async () => {
    const team = await makeTeam(ada);
    const application = await register(ada, host, { scopes: ['team:write'] });
    await install(ada, team, application);
    const token = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
    const asked = await token.patch(`/v1/teams/${team}`, { open: true, name: 'Open' });
    expect(asked.body.errors[0]).toMatchObject({ code: 4031, reason: 'session' });
    expect((await ada.client.get(`/v1/teams/${team}`)).data[0]).toMatchObject({ open: false, name: 'Team' });
  });
});

async function provedPerson(): Promise<Person> {
  const person = await signUp(server, 'Late');
  await proveAddress(mailbox, person);
  return person;
}
