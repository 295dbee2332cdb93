import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../test/support/server.ts';

let server: TestServer;
let admin: Person;
let member: Person;
let team: string;

beforeAll(async () => {
  server = await startTestServer({ INVITATION_LIFETIME: '60' });
  admin = await signUp(server, 'Ada', { last_name: 'Lovelace' });
  member = await signUp(server, 'Member');
  const made = await admin.client.post('/v1/teams', { name: 'Harbour', color: '#112233', icon: '⚓' });
  team = made.data[0].id;
});
afterAll(() => server.stop());

async function invite(email: string, to = team): Promise<{ id: string; token: string }> {
  const answer = await admin.client.post(`/v1/teams/${to}/invitations`, { emails: [email] });
  return answer.data[0];
}

const show = (token: string) => server.anonymous().get(`/v1/invitations/${token}`);

describe('the page of an invitation', () => {
  it('shows the team, who invites and whom, to whoever holds the link', async () => {
    const { token } = await invite('New@Example.org');
    const answer = await show(token);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.data).toEqual([
      {
        team: { id: team, name: 'Harbour', color: '#112233', icon: '⚓' },
        inviter: {
          first_name: 'Ada',
          last_name: 'Lovelace',
          image: expect.objectContaining({ icon: expect.any(String) }),
        },
        email: 'New@Example.org',
        membership_type: 2,
        expires_at: expect.any(Number),
        has_account: false,
      },
    ]);
  });

  it('tells whether the invited address has an account', async () => {
    const { token } = await invite(member.email.toUpperCase());
    expect((await show(token)).data[0].has_account).toBe(true);
  });

  it('names nobody whose account was deleted', async () => {
    const leaver = await signUp(server, 'Leaver');
    const theirs = await makeTeam(leaver, []);
    const invited = await leaver.client.post(`/v1/teams/${theirs}/invitations`, {
      emails: [admin.email],
      membership_type: 1,
    });
    const other = await leaver.client.post(`/v1/teams/${theirs}/invitations`, { emails: ['x@example.org'] });
    await admin.client.put(`/v1/invitations/${invited.data[0].token}`);
    const left = await leaver.client.ask('DELETE', '/v1/users/me', {
      json: { password: 'a password of length' },
    });
    expect(left.status).toBe(200);
    expect((await show(other.data[0].token)).data[0].inviter).toBeNull();
  });

  it('answers as accepting does when it is unknown, used, expired, or its team is gone', async () => {
    const both = async (token: string) => [
      (await show(token)).code,
      (await member.client.put(`/v1/invitations/${token}`)).code,
    ];
    expect(await both('guessed')).toEqual([4040, 4040]);
    const used = await invite('used@example.org');
    await member.client.put(`/v1/invitations/${used.token}`);
    expect(await both(used.token)).toEqual([4040, 4040]);
    const gone = await makeTeam(admin);
    const ofGone = await invite('gone@example.org', gone);
    await admin.client.delete(`/v1/teams/${gone}`);
    expect(await both(ofGone.token)).toEqual([4040, 4040]);
    const old = await invite('old@example.org');
    server.clock.advance(61);
    expect(await both(old.token)).toEqual([4040, 4040]);
  });
});

describe('withdrawing an invitation', () => {
  const withdraw = (id: string, who = admin, from = team) =>
    who.client.delete(`/v1/teams/${from}/invitations/${id}`);

  it('ends its link and takes it from the list', async () => {
    const { id, token } = await invite('again@example.org');
    expect((await withdraw(id)).status).toBe(200);
    expect((await show(token)).code).toBe(4040);
    const { data } = await admin.client.get(`/v1/teams/${team}/invitations`);
    expect(data.map((one) => one.id)).not.toContain(id);
    expect((await withdraw(id)).code).toBe(4040);
    const log = await admin.client.get('/v1/admin/audit?action=invitation.withdrawn');
    expect(log.data).toMatchObject([{ target: id, actor: admin.id, team }]);
  });

  it('is for admins of its team', async () => {
    const { id, token } = await invite(member.email);
    expect((await withdraw(id, await signUp(server, 'Stranger'))).code).toBe(4040);
    expect((await withdraw(id, admin, await makeTeam(admin))).code).toBe(4040);
    expect((await show(token)).status).toBe(200);
  });

  it('comes too late once it was accepted', async () => {
    const { id, token } = await invite(member.email);
    await member.client.put(`/v1/invitations/${token}`);
    expect((await withdraw(id)).code).toBe(4040);
  });
});
