import { beforeAll, describe, expect, it } from 'vitest';
import { proveAddress } from '../../test/support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { server, mailbox, ada, ben } = scene({ people: ['Ada', 'Ben'], mail: true });
let team: string;
beforeAll(async () => {
  const made = await ada.client.post('/v1/teams', {
    name: 'Harbour',
    description: 'Ships and who loads them',
  });
  team = made.data[0].id;
});

const links = (of = team) => `/v1/teams/${of}/join_links`;
const make = async (fields: object = {}, by = ada, of = team) =>
  (await by.client.post(links(of), fields)).data[0];
const show = (token: string) => server.anonymous().get(`/v1/join_links/${token}`);
const joinBy = (token: string, who: Person) => who.client.put(`/v1/join_links/${token}`);
const membersOf = async (of = team) =>
  (await ada.client.get(`/v1/teams/${of}/users`)).data.map((one) => one.userid as string);
const now = () => server.clock.now() / 1000;

describe('a team', () => {
  it('has a description, which its admins change', async () => {
    const own = await makeTeam(ada);
    expect((await ada.client.get(`/v1/teams/${own}`)).data[0].description).toBe('');
    const changed = await ada.client.patch(`/v1/teams/${own}`, { description: 'Rope' });
    expect(changed.data[0].description).toBe('Rope');
    const [listed] = (await ada.client.get('/v1/users/me/teams')).data.filter((one) => one.team.id === own);
    expect(listed.team.description).toBe('Rope');
    await ada.client.patch(`/v1/teams/${own}`, { name: 'Ropes' });
    expect((await ada.client.get(`/v1/teams/${own}`)).data[0]).toMatchObject({
      name: 'Ropes',
      description: 'Rope',
    });
  });
});

describe('a join link', () => {
  it('is shown to admins with its URL as long as it stands', async () => {
    const made = await make({ max_uses: 20 });
    expect(made).toEqual({
      id: expect.any(String),
      url: expect.stringMatching(new RegExp(`/join/${made.token}$`)),
      token: expect.stringMatching(/^[\w-]{43}$/),
      membership_type: 2,
      domains: [],
      max_uses: 20,
      uses: 0,
      expires_at: null,
      created_at: expect.any(Number),
    });
    const listed = await ada.client.get(links());
    expect(listed.headers.get('cache-control')).toBe('no-store');
    expect(listed.data).toContainEqual(made);
    const log = await ada.client.get('/v1/admin/audit?action=join_link.made');
    expect(log.data[0]).toMatchObject({ target: made.id, target_kind: 'join_link', actor: ada.id, team });
  });

  it('is listed in pages, the newest first', async () => {
    const own = await makeTeam(ada);
    const made = [await make({}, ada, own), await make({}, ada, own), await make({}, ada, own)];
    const first = await ada.client.get(`${links(own)}?limit=2`);
    expect(first.data.map(({ id }) => id)).toEqual([made[2].id, made[1].id]);
    const second = await ada.client.get(`${links(own)}?limit=2&cursor=${first.body.meta.next_cursor}`);
    expect(second.data.map(({ id }) => id)).toEqual([made[0].id]);
    expect(second.body.meta.next_cursor).toBeNull();
  });

  it('tells its holder where it leads, and joins nobody by that', async () => {
    const { token, id } = await make();
    const answer = await show(token);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.data).toEqual([
      {
        team: {
          id: team,
          name: 'Harbour',
          description: 'Ships and who loads them',
          color: '#1f6feb',
          icon: '',
        },
        num_members: (await membersOf()).length,
        membership_type: 2,
        domains: [],
        expires_at: null,
      },
    ]);
    await ben.client.get(`/v1/join_links/${token}`);
    expect(await membersOf()).not.toContain(ben.id);
    const [row] = (await ada.client.get(links())).data.filter((one) => one.id === id);
    expect(row.uses).toBe(0);
  });

  it('joins as a member whom its maker has invited', async () => {
    const { token } = await make();
    const cy = await signUp(server, 'Cy');
    const { data } = await joinBy(token, cy);
    expect(data[0]).toMatchObject({ userid: cy.id, membership_type: 2, inviter: { id: ada.id } });
    expect(data[0].team).toMatchObject({ id: team, description: 'Ships and who loads them' });
    expect((await joinBy(token, cy)).body.errors[0]).toMatchObject({ code: 4090, reason: 'already_member' });
    const log = await ada.client.get('/v1/admin/audit?action=join_link.used');
    expect(log.data[0]).toMatchObject({ actor: cy.id, team });
  });

  it('signs people up', async () => {
    const { token } = await make();
    const dee = await signUp(server, 'Dee', { join_link: token });
    expect(await membersOf()).toContain(dee.id);
  });

  it('takes limits that make sense only', async () => {
    const refused = async (fields: object) => (await ada.client.post(links(), fields)).body.errors[0].reason;
    expect(await refused({ expires_at: now() - 1 })).toBe('expires_at');
    expect(await refused({ max_uses: 0 })).toBe('max_uses');
    for (const domain of ['', 'a@example.org', 'exa mple.org', 'under_score.org '])
      expect([domain, await refused({ domains: ['example.org', domain] })]).toEqual([domain, 'domains.1']);
    expect((await make({ domains: [' Example.ORG', 'example.org'] })).domains).toEqual(['example.org']);
  });

  it('is withdrawn by an admin of its team', async () => {
    const { id, token } = await make();
    expect((await ada.client.delete(`${links(await makeTeam(ada))}/${id}`)).code).toBe(4040);
    expect((await ada.client.delete(`${links()}/${id}`)).status).toBe(200);
    expect((await ada.client.delete(`${links()}/${id}`)).code).toBe(4040);
    expect((await show(token)).code).toBe(4040);
    const log = await ada.client.get('/v1/admin/audit?action=join_link.withdrawn');
    expect(log.data[0]).toMatchObject({ target: id, actor: ada.id, team });
  });

  it('is one of a hundred at most, without those that have expired', async () => {
    const own = await makeTeam(ada);
    await make({ expires_at: now() + 60 }, ada, own);
    for (let made = 1; made < 100; made++) await make({}, ada, own);
    const refused = await ada.client.post(links(own), {});
    expect(refused.body.errors[0]).toMatchObject({ code: 4090, reason: 'too_many_join_links' });
    server.clock.advance(61);
    expect((await ada.client.post(links(own), {})).status).toBe(200);
  });
});

describe('a link for addresses of a domain', () => {
  const domains = ['company.example'];

  it('joins who has proved theirs', async () => {
    const { token } = await make({ domains });
    const eve = await signUp(server, 'Eve', { email: 'eve@company.example' });
    const refused = await joinBy(token, eve);
    expect(refused.body.errors[0]).toMatchObject({ code: 4030, reason: 'unconfirmed_address' });
    await proveAddress(mailbox, eve);
    expect((await joinBy(token, eve)).status).toBe(200);
  });

  it('signs up, and joins as soon as the address is proved', async () => {
    const { token, id } = await make({ domains, max_uses: 1 });
    const fay = await signUp(server, 'Fay', { email: 'fay@company.example', join_link: token });
    expect(await membersOf()).not.toContain(fay.id);
    const [row] = (await ada.client.get(links())).data.filter((one) => one.id === id);
    expect(row.uses).toBe(1);
    await proveAddress(mailbox, fay);
    expect(await membersOf()).toContain(fay.id);
  });

  it('joins as soon as a mailed invitation proves the address', async () => {
    const { token } = await make({ domains, max_uses: 1 });
    const gus = await signUp(server, 'Gus', { email: 'gus@company.example', join_link: token });
    const other = await makeTeam(ada);
    await ada.client.post(`/v1/teams/${other}/invitations`, { emails: [gus.email] });
    const mail = await mailbox.next(gus.email, ({ text }) => text.includes('/invitations/'));
    const invitation = /invitations\/([\w.-]+)/.exec(mail.text)?.[1];
    expect((await gus.client.put(`/v1/invitations/${invitation}`)).status).toBe(200);
    expect(await membersOf()).toContain(gus.id);
  });

  it('takes no role from a mailed invitation to the same team', async () => {
    const { token } = await make({ domains, max_uses: 1 });
    const hal = await signUp(server, 'Hal', { email: 'hal@company.example', join_link: token });
    await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [hal.email], membership_type: 1 });
    const mail = await mailbox.next(hal.email, ({ text }) => text.includes('/invitations/'));
    const invitation = /invitations\/([\w.-]+)/.exec(mail.text)?.[1];
    const accepted = await hal.client.put(`/v1/invitations/${invitation}`);
    expect(accepted.data[0].membership_type).toBe(1);
    expect((await hal.client.get(`/v1/teams/${team}/join_links`)).status).toBe(200);
  });
});

it('goes with its team, and with the rows that remember who was removed', async () => {
  const own = await makeTeam(ada);
  const { token } = await make({}, ada, own);
  await join(ada, own, ben);
  await ada.client.delete(`/v1/teams/${own}/users/${ben.id}`);
  await ada.client.delete(`/v1/teams/${own}`);
  expect((await show(token)).code).toBe(4040);
  expect((await joinBy(token, ben)).code).toBe(4040);
});
