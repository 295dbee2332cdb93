/**
 * A join link is passed on, and whoever has it tries to get more out of it: another role or team than its row says, one
 * use more than its limit, in a race too, a way in after its end, a way back after being removed, or a place with an
 * address that is not theirs. What holds: the row decides, and the limits are compared in the statement that counts the
 * use; a link that is withdrawn, expired, used up or of a former admin answers as one that never was.
 */
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { proveAddress } from '../support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { startTestServer } from '../support/server.ts';
import { runSql } from '../support/tables.ts';

const { server, mailbox, ada, ben, cy, dee, eve } = scene({
  people: ['Ada', 'Ben', 'Cy', 'Dee', 'Eve'],
  mail: true,
});
const everybody = [ben, cy, dee, eve];

const make = async (team: string, fields: object = {}, by = ada) =>
  (await by.client.post(`/v1/teams/${team}/join_links`, fields)).data[0];
const joinBy = (token: string, who: Person, json: object = {}) =>
  who.client.put(`/v1/join_links/${token}`, json);
const show = (token: string) => server.anonymous().get(`/v1/join_links/${token}`);
const membersOf = async (team: string) =>
  (await ada.client.get(`/v1/teams/${team}/users`)).data.map((one) => one.userid as string);
const signUpBy = (fields: object, on = server) =>
  new Client(on.url).post('/v1/users', {
    email: `new${Math.random()}@example.org`,
    password: 'a password of length',
    first_name: 'New',
    last_name: '',
    ...fields,
  });

describe('a join link (claim: join-link-within-its-row)', () => {
  it('gives the team and the role of its row, whatever is asked for', async () => {
    const [team, other] = [await makeTeam(ada), await makeTeam(ada)];
    const { token } = await make(team);
    const { data } = await joinBy(token, ben, { membership_type: 1, team: other, role: 'admin' });
    expect(data[0]).toMatchObject({ membership_type: 2, team: { id: team } });
    expect(await membersOf(other)).toEqual([ada.id]);
  });

  it('makes one admin at most, and for a while', async () => {
    const team = await makeTeam(ada);
    for (const max_uses of [undefined, null, 2]) {
      const answer = await ada.client.post(`/v1/teams/${team}/join_links`, { membership_type: 1, max_uses });
      expect(answer.body.errors[0].reason).toBe('max_uses');
    }
    const { token, expires_at } = await make(team, { membership_type: 1, max_uses: 1 });
    expect(expires_at).toBeGreaterThan(server.clock.now() / 1000);
    expect((await joinBy(token, ben)).data[0].membership_type).toBe(1);
    expect((await joinBy(token, cy)).code).toBe(4040);
  });

  it('needs the password for a link that makes an admin', async () => {
    const team = await makeTeam(ada);
    const session = new Client(server.url);
    await session.post('/v1/sessions', { email: ada.email, password: 'a password of length' });
    server.clock.advance(86_400);
    const asked = await session.ask('POST', `/v1/teams/${team}/join_links`, {
      json: { membership_type: 1, max_uses: 1 },
    });
    expect(asked.body.errors[0]).toMatchObject({ code: 4030, reason: 'password_needed' });
  });

  it('lets in as many as its limit says when more come at once', async () => {
    const team = await makeTeam(ada);
    const { token } = await make(team, { max_uses: 2 });
    const answers = await Promise.all([
      ...everybody.map((who) => joinBy(token, who)),
      signUpBy({ join_link: token }),
      signUpBy({ join_link: token }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await membersOf(team)).toHaveLength(3);
    expect((await ada.client.get(`/v1/teams/${team}/join_links`)).data[0].uses).toBe(2);
  });

  it('lets nobody in twice at once', async () => {
    const team = await makeTeam(ada);
    const { token } = await make(team, { max_uses: 5 });
    const answers = await Promise.all([1, 2, 3].map(() => joinBy(token, ben)));
    expect(answers.map(({ code }) => code).toSorted()).toEqual([4090, 4090, undefined].toSorted());
    expect((await ada.client.get(`/v1/teams/${team}/join_links`)).data[0].uses).toBe(1);
  });

  const ends: Record<string, (team: string, link: { id: string }, maker: Person) => Promise<unknown>> = {
    'is withdrawn': (team, { id }) => ada.client.delete(`/v1/teams/${team}/join_links/${id}`),
    'has expired': async () => server.clock.advance(61),
    'is used up': async (team) =>
      joinBy((await ada.client.get(`/v1/teams/${team}/join_links`)).data[0].token, eve),
    'has a maker who was removed': (team, _, maker) =>
      ada.client.delete(`/v1/teams/${team}/users/${maker.id}`),
    'has a maker who is no admin any more': (team, _, maker) =>
      ada.client.patch(`/v1/teams/${team}/users/${maker.id}`, { membership_type: 2 }),
    'has a maker whose account is closed': (_, __, maker) =>
      ada.client.patch(`/v1/admin/users/${maker.id}`, { active: false }),
    'leads to a team that is closed': (team) => ada.client.delete(`/v1/teams/${team}`),
  };
  it.each(Object.entries(ends))(
    'that %s answers as one that never was (claim: join-link-ends)',
    async (_, end) => {
      const team = await makeTeam(ada);
      const maker = await signUp(server, 'Maker');
      await join(ada, team, maker, 1);
      const link = await make(team, { max_uses: 1, expires_at: server.clock.now() / 1000 + 60 }, maker);
      await end(team, link, maker);
      const stranger = await signUp(server, 'Stranger');
      const never = 'x'.repeat(43);
      for (const ask of [
        show,
        (token: string) => joinBy(token, stranger),
        (join_link: string) => signUpBy({ join_link }),
      ])
        expect((await ask(link.token)).body.errors).toEqual((await ask(never)).body.errors);
    },
  );

  it('does not come back with the rights of its maker', async () => {
    const team = await makeTeam(ada);
    await join(ada, team, ben, 1);
    const { token } = await make(team, {}, ben);
    for (const membership_type of [2, 1])
      await ada.client.patch(`/v1/teams/${team}/users/${ben.id}`, { membership_type });
    expect((await show(token)).code).toBe(4040);
  });

  it('lets nobody back in who was removed, until they are invited (claim: removed-stay-out)', async () => {
    const team = await makeTeam(ada);
    const { token } = await make(team);
    await joinBy(token, ben);
    await ada.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect((await joinBy(token, ben)).body.errors[0]).toMatchObject({
      code: 4030,
      reason: 'removed_from_team',
    });
    await join(ada, team, ben);
    await ben.client.delete(`/v1/teams/${team}/users/${ben.id}`);
    expect((await joinBy(token, ben)).status).toBe(200);
  });

  it('lets nobody back in who is removed at this moment', async () => {
    const team = await makeTeam(ada);
    const { token } = await make(team);
    await joinBy(token, ben);
    await Promise.all([
      ada.client.delete(`/v1/teams/${team}/users/${ben.id}`),
      joinBy(token, ben),
      joinBy(token, ben),
    ]);
    expect(await membersOf(team)).toEqual([ada.id]);
  });

  it('is shown to admins alone, and stands in no row of the database (claim: join-link-for-admins)', async () => {
    const team = await makeTeam(ada, [ben]);
    const { token } = await make(team);
    expect((await ben.client.get(`/v1/teams/${team}/join_links`)).code).toBe(4030);
    expect((await cy.client.get(`/v1/teams/${team}/join_links`)).code).toBe(4040);
    expect(JSON.stringify(await runSql(server.running.db, 'SELECT * FROM join_links', []))).not.toContain(
      token,
    );
  });

  it('of a domain wants a proved address in exactly that domain (claim: join-link-domain-is-proved)', async () => {
    const team = await makeTeam(ada);
    const { token } = await make(team, { domains: ['company.example'] });
    for (const domain of [
      'sub.company.example',
      'notcompany.example',
      'company.example.org',
      'ompany.example',
    ]) {
      const person = await signUp(server, 'Person', { email: `someone@${domain}` });
      await proveAddress(mailbox, person);
      expect((await joinBy(token, person)).body.errors[0]).toMatchObject({
        code: 4030,
        reason: 'other_domain',
      });
    }
    const made = await signUpBy({ join_link: token, email: 'stranger@other.example' });
    expect(made.body.errors[0]).toMatchObject({ code: 4030, reason: 'other_domain' });
    const made2 = await signUpBy({ join_link: token, email: 'made-up@company.example' });
    expect(made2.status).toBe(200);
    expect(await membersOf(team)).toEqual([ada.id]);
  });

  it('of a domain lets in nobody who proves the address after its end', async () => {
    const team = await makeTeam(ada);
    const { id, token } = await make(team, { domains: ['company.example'] });
    const late = await signUp(server, 'Late', { email: 'late@company.example', join_link: token });
    await ada.client.delete(`/v1/teams/${team}/join_links/${id}`);
    await proveAddress(mailbox, late);
    expect(await membersOf(team)).toEqual([ada.id]);
  });
});

describe('where people sign up by invitation', () => {
  it.each([
    ['invite', 200],
    ['closed', 403],
  ])(
    'a link signs up on a server with REGISTRATION=%s: %d (claim: join-link-registers)',
    async (REGISTRATION, status) => {
      const one = await startTestServer({ REGISTRATION });
      try {
        const root = await signUp(one, 'Root');
        const team = await makeTeam(root);
        const { token } = (await root.client.post(`/v1/teams/${team}/join_links`, { max_uses: 1 })).data[0];
        expect((await signUpBy({}, one)).status).toBe(403);
        expect((await signUpBy({ join_link: 'guessed' }, one)).status).toBe(403);
        expect((await signUpBy({ join_link: token }, one)).status).toBe(status);
        expect((await signUpBy({ join_link: token }, one)).status).toBe(403);
        const forDomain = await root.client.post(`/v1/teams/${team}/join_links`, {
          domains: ['company.example'],
        });
        const email = 'made-up@company.example';
        // Without a mail server no address can be proved.
        expect((await signUpBy({ join_link: forDomain.data[0].token, email }, one)).status).toBe(403);
      } finally {
        await one.stop();
      }
    },
  );
});
