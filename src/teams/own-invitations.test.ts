import { beforeAll, describe, expect, it } from 'vitest';
import { EventStream } from '../../test/support/event-stream.ts';
import { proveAddress } from '../../test/support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { until } from '../../test/support/until.ts';

const { server, mailbox, ada, ben } = scene({ people: ['Ada', 'Ben'], mail: true });

const invite = (team: string, json: object, by = ada) =>
  by.client.post(`/v1/teams/${team}/invitations`, json);
const own = async (who: Person, query = '') =>
  (await who.client.get(`/v1/users/me/invitations${query}`)).data;
const accept = (who: Person, id: string) => who.client.put(`/v1/users/me/invitations/${id}`);
const decline = (who: Person, id: string) => who.client.delete(`/v1/users/me/invitations/${id}`);

/** A person who is in no team. */
let cy: Person;
beforeAll(async () => {
  cy = await signUp(server, 'Cy');
});

describe('an invitation by name', () => {
  it('is found by the invited person, who joins with one request', async () => {
    const { data } = await ada.client.post('/v1/teams', { name: 'Galley', description: 'Cooks', icon: '🍲' });
    const team = data[0].id;
    const made = await invite(team, { users: [cy.id] });
    expect(made.data).toMatchObject([{ email: cy.email, token: null, url: null, membership_type: 2 }]);
    const [found] = await own(cy);
    expect(found).toEqual({
      id: made.data[0].id,
      team: { id: team, name: 'Galley', description: 'Cooks', color: '#1f6feb', icon: '🍲' },
      inviter: expect.objectContaining({ id: ada.id, first_name: 'Ada' }),
      membership_type: 2,
      expires_at: made.data[0].expires_at,
    });
    expect((await accept(cy, found.id)).data[0]).toMatchObject({
      userid: cy.id,
      membership_type: 2,
      inviter: { id: ada.id },
      team: { id: team },
    });
    expect((await own(cy)).filter((one) => one.team.id === team)).toEqual([]);
    expect((await accept(cy, found.id)).code).toBe(4040);
    const log = await ada.client.get('/v1/admin/audit?action=invitation.accepted');
    expect(log.data[0]).toMatchObject({ target: found.id, actor: cy.id, team });
  });

  it('is declined without a trace, and can be made again', async () => {
    const team = await makeTeam(ada);
    await invite(team, { users: [cy.id] });
    const [found] = await own(cy);
    expect((await decline(cy, found.id)).status).toBe(200);
    expect((await decline(cy, found.id)).code).toBe(4040);
    expect((await ada.client.get(`/v1/teams/${team}/invitations`)).data).toEqual([]);
    await invite(team, { users: [cy.id] });
    expect((await own(cy))[0].team.id).toBe(team);
  });

  it('as an admin makes an admin, once the address is proved', async () => {
    const team = await makeTeam(ada);
    const dee = await signUp(server, 'Dee');
    await proveAddress(mailbox, dee);
    await invite(team, { users: [dee.id], membership_type: 1 });
    const [found] = await own(dee);
    expect(found.membership_type).toBe(1);
    expect((await accept(dee, found.id)).data[0].membership_type).toBe(1);
    const eve = await signUp(server, 'Eve');
    await invite(team, { users: [eve.id], membership_type: 1 });
    expect((await accept(eve, (await own(eve))[0].id)).data[0].membership_type).toBe(2);
    await proveAddress(mailbox, eve);
    const members = (await ada.client.get(`/v1/teams/${team}/users`)).data;
    expect(members.find((one) => one.userid === eve.id).membership_type).toBe(1);
  });

  it('tells the windows of the invited person', async () => {
    const team = await makeTeam(ada);
    const stream = await EventStream.open(ben.client);
    await invite(team, { users: [ben.id] });
    const told = () => stream.of('invitation').filter(({ data }) => data.team === team);
    await until(() => told().length > 0);
    expect(told()).toHaveLength(1);
    stream.close();
  });

  it('tells them as well when it is declined in another window, or withdrawn', async () => {
    const team = await makeTeam(ada);
    const fay = await signUp(server, 'Fay');
    const [bens, fays] = [await EventStream.open(ben.client), await EventStream.open(fay.client)];
    const told = () => bens.of('invitation').filter(({ data }) => data.team === team);
    await invite(team, { users: [ben.id] });
    const [found] = await own(ben);
    await decline(ben, found.id);
    await until(() => told().length === 2);
    const made = await invite(team, { users: [ben.id], emails: [fay.email] });
    for (const { id } of made.data) await ada.client.delete(`/v1/teams/${team}/invitations/${id}`);
    await until(() => told().length === 4);
    // An address that nobody has proved is nobody's: its invitations are told to none.
    await fay.client.patch('/v1/users/me', { title: 'Baker' });
    await until(() => fays.of('user.updated').length > 0);
    expect(fays.of('invitation')).toEqual([]);
    for (const stream of [bens, fays]) stream.close();
  });

  it('tells them as well when somebody else uses its link', async () => {
    // Whom the inviter knows, their address invites.
    const [team] = [await makeTeam(ada), await makeTeam(ada, [ben])];
    const stream = await EventStream.open(ben.client);
    const told = () => stream.of('invitation').filter(({ data }) => data.team === team);
    const made = await invite(team, { emails: [ben.email] });
    await until(() => told().length === 1);
    const hal = await signUp(server, 'Hal');
    expect((await hal.client.put(`/v1/invitations/${made.data[0].token}`)).status).toBe(200);
    await until(() => told().length === 2);
    expect((await own(ben)).filter((one) => one.team.id === team)).toEqual([]);
    stream.close();
  });

  it('is made for people and addresses together, one for each person', async () => {
    const team = await makeTeam(ada);
    const made = await invite(team, { users: [ben.id, ben.id], emails: [ben.email, 'new@example.org'] });
    expect(made.data).toHaveLength(2);
    for (const json of [{}, { users: [] }, { emails: [], users: [] }])
      expect((await invite(team, json)).body.errors[0].reason).toBe('emails');
    const refused = await invite(team, { users: [ben.id, ada.id, 'nonsense'] });
    expect(refused.body.errors[0]).toMatchObject({ code: 4002, reason: 'users.2' });
    expect((await invite(team, { users: [ben.id, ada.id] })).body.errors[0].reason).toBe('users.1');
  });
});

describe('an invitation of an address', () => {
  it('is found by whoever has proved it', async () => {
    const team = await makeTeam(ada);
    const fay = await signUp(server, 'Fay');
    await invite(team, { emails: [fay.email.toUpperCase()] });
    expect(await own(fay)).toEqual([]);
    await proveAddress(mailbox, fay);
    expect(await own(fay)).toHaveLength(1);
  });

  it('is found at once by somebody whom the inviter knows', async () => {
    const [team, shared] = [await makeTeam(ada), await makeTeam(ada)];
    const gus = await signUp(server, 'Gus');
    await invite(shared, { users: [gus.id] });
    await accept(gus, (await own(gus))[0].id);
    const made = await invite(team, { emails: [gus.email] });
    expect(made.data[0].url).toContain('/invitations/');
    expect((await own(gus)).map(({ team }) => team.id)).toEqual([team]);
  });
});

it('own invitations come in pages, the newest first, one for each team', async () => {
  const hal = await signUp(server, 'Hal');
  const teams = [await makeTeam(ada), await makeTeam(ada), await makeTeam(ada)];
  for (const team of teams) await invite(team, { users: [hal.id] });
  await join(ada, teams[0] as string, ben, 1);
  const again = await invite(teams[0] as string, { users: [hal.id] }, ben);
  expect((await own(hal)).map((one) => one.team.id)).toEqual([teams[0], teams[2], teams[1]]);
  expect((await own(hal))[0]).toMatchObject({ id: again.data[0].id, inviter: { id: ben.id } });
  const { body, data } = await hal.client.get('/v1/users/me/invitations?limit=2');
  const rest = await own(hal, `?limit=2&cursor=${body.meta.next_cursor}`);
  expect([...data, ...rest].map((one) => one.team.id)).toEqual([teams[0], teams[2], teams[1]]);
});
