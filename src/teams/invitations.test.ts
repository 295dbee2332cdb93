import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';

const { server } = scene({ environment: { INVITATION_LIFETIME: '60' } });
let admin: Person;
let member: Person;
let team: string;

beforeAll(async () => {
  admin = await signUp(server, 'Ada', { last_name: 'Lovelace' });
  member = await signUp(server, 'Member');
  const made = await admin.client.post('/v1/teams', { name: 'Harbour', color: '#112233', icon: '⚓' });
  team = made.data[0].id;
});

async function invite(email: string, to = team): Promise<{ id: string; token: string }> {
  const answer = await admin.client.post(`/v1/teams/${to}/invitations`, { emails: [email] });
  return answer.data[0];
}

const show = (token: string) => server.anonymous().get(`/v1/invitations/${token}`);

describe('the page of an invitation', () => {
  it('shows the team, the inviter and the address to the holder of the link', async () => {
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

  it('does not tell its inviter whether the invited address has an account (claim: invitation-tells-little)', async () => {
    const { token } = await invite(member.email.toUpperCase());
    for (const guess of [token, `${token}.`, `${token}.${token}`, `${token}.x.y`])
      expect((await show(guess)).data).toMatchObject([{ has_account: false }]);
  });

  it('answers as accepting does when it is unknown, used, expired, or its team is gone', async () => {
    const both = async (token: string) => [
      (await show(token)).code,
      (await member.client.put(`/v1/invitations/${token}`)).code,
    ];
    expect(await both('guessed')).toEqual([4040, 4040]);
    const used = await invite('used@example.org');
    await (await signUp(server, 'Joiner')).client.put(`/v1/invitations/${used.token}`);
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
    expect(log.data[0]).toMatchObject({ target: id, actor: admin.id, team });
  });

  it('is for admins of its team', async () => {
    const { id, token } = await invite(member.email);
    expect((await withdraw(id, await signUp(server, 'Stranger'))).code).toBe(4040);
    expect((await withdraw(id, admin, await makeTeam(admin))).code).toBe(4040);
    expect((await show(token)).status).toBe(200);
  });

  it('comes too late once it was accepted', async () => {
    const joiner = await signUp(server, 'Joiner');
    const { id, token } = await invite(joiner.email);
    await joiner.client.put(`/v1/invitations/${token}`);
    expect((await withdraw(id)).code).toBe(4040);
  });
});

describe('inviting', () => {
  const post = (emails: string[], who = admin, type = 2) =>
    who.client.post(`/v1/teams/${team}/invitations`, { emails, membership_type: type });

  it('makes one invitation for each address, and renews the one that is open', async () => {
    const first = await post(['twice@example.org', 'Twice@Example.org', ' twice@example.org']);
    expect(first.data).toHaveLength(1);
    server.clock.advance(30);
    const second = await post(['TWICE@example.org'], admin, 1);
    expect(second.data[0]).toMatchObject({
      id: first.data[0].id,
      token: first.data[0].token,
      membership_type: 1,
    });
    expect(second.data[0].expires_at).toBeGreaterThan(first.data[0].expires_at + 29);
    const { data } = await admin.client.get(`/v1/teams/${team}/invitations`);
    const open = data.filter(({ email }) => email.toLowerCase() === 'twice@example.org');
    expect(open).toMatchObject([{ token: null, url: null, mailed: null }]);
  });

  it('of two admins to one address shows one, and all end together', async () => {
    const other = await signUp(server, 'Other');
    const { data } = await post([other.email], admin, 1);
    await other.client.put(`/v1/invitations/${data[0].token}`);
    const tokens = [];
    for (const who of [admin, other]) tokens.push((await post(['both@example.org'], who)).data[0].token);
    expect(new Set(tokens).size).toBe(2);
    const listed = async () =>
      (await admin.client.get(`/v1/teams/${team}/invitations`)).data.filter(
        ({ email }) => email === 'both@example.org',
      );
    expect(await listed()).toHaveLength(1);
    await admin.client.delete(`/v1/teams/${team}/invitations/${(await listed())[0].id}`);
    for (const token of tokens) expect((await show(token)).code).toBe(4040);
  });

  it('names the addresses that belong to members, and then invites no one', async () => {
    const joiner = await signUp(server, 'Joiner');
    const { data } = await post([joiner.email]);
    await joiner.client.put(`/v1/invitations/${data[0].token}`);
    const answer = await post(['free@example.org', joiner.email.toUpperCase(), admin.email]);
    expect(answer.body.errors).toMatchObject([
      { code: 4002, reason: 'emails.1', message: expect.stringContaining('member') },
      { code: 4002, reason: 'emails.2' },
    ]);
    const open = await admin.client.get(`/v1/teams/${team}/invitations`);
    expect(open.data.map(({ email }) => email)).not.toContain('free@example.org');
  });

  it('as an admin does nothing for a member, who does not use it up', async () => {
    const joiner = await signUp(server, 'Joiner');
    const { data } = await post([joiner.email]);
    const other = await post(['later@example.org'], admin, 1);
    await joiner.client.put(`/v1/invitations/${data[0].token}`);
    const answer = await joiner.client.put(`/v1/invitations/${other.data[0].token}`);
    expect(answer.body.errors[0]).toMatchObject({ code: 4090, reason: 'already_member' });
    expect((await show(other.data[0].token)).status).toBe(200);
  });
});

describe('with a mail server', () => {
  const mailing = scene({ mail: true });
  let lead: Person;
  let crew: string;

  beforeEach(async () => {
    mailing.mailbox.clear();
    lead = await signUp(mailing.server, 'Lead');
    await prove(lead);
    crew = await makeTeam(lead);
  });

  /** The second part of a path in the mails to an address. */
  async function mailed(email: string, path: string): Promise<string> {
    const pattern = new RegExp(`/${path}/([\\w.-]+)`);
    const { text } = await mailing.mailbox.next(email, (mail) => pattern.test(mail.text));
    return pattern.exec(text)?.[1] ?? '';
  }

  const prove = async ({ client, email }: Person) =>
    client.put(`/v1/email_verifications/${await mailed(email, 'email_verifications')}`);

  const inviteTo = async (email: string, type = 1): Promise<string> => {
    const body = { emails: [email], membership_type: type };
    return (await lead.client.post(`/v1/teams/${crew}/invitations`, body)).data[0].token;
  };

  const roles = async ({ client }: Person) =>
    (await client.get('/v1/users/me/teams')).data.map((one) => one.membership_type);

  it('the mailed link alone tells whether the address has an account', async () => {
    const guest = await signUp(mailing.server, 'Guest');
    const given = await inviteTo(guest.email);
    const token = await mailed(guest.email, 'invitations');
    const show = (one: string) => mailing.server.anonymous().get(`/v1/invitations/${one}`);
    expect(token.split('.')[0]).toBe(given);
    expect((await show(given)).data).toMatchObject([{ has_account: false }]);
    expect((await show(token)).data).toMatchObject([{ has_account: true }]);
  });

  it('an admin is who read the mail, which proves the address', async () => {
    const email = 'captain@example.org';
    await inviteTo(email);
    const invitation = await mailed(email, 'invitations');
    const captain = await signUp(mailing.server, 'Captain', { email, invitation });
    expect(await roles(captain)).toEqual([1]);
    expect((await captain.client.get('/v1/users/me')).data[0].primary_email.verified).toBe(true);
  });

  it('signing up with the address that the link shows makes nobody an admin (claim: admin-is-proved)', async () => {
    const email = 'bosun@example.org';
    const invitation = await inviteTo(email);
    const eve = await signUp(mailing.server, 'Eve', { email, invitation });
    expect(await roles(eve)).toEqual([2]);
    expect((await eve.client.get('/v1/users/me')).data[0].primary_email.verified).toBe(false);
    expect((await eve.client.put(`/v1/invitations/${invitation}`)).code).toBe(4090);
    // The owner of the mailbox becomes one by proving it.
    expect((await prove(eve)).status).toBe(200);
    expect(await roles(eve)).toEqual([1]);
    expect((await lead.client.get(`/v1/teams/${crew}/invitations`)).data).toEqual([]);
  });

  it('a password reset by mail proves it, too; an invitation that was withdrawn makes nobody an admin', async () => {
    for (const [name, withdrawn] of [
      ['Kept', false],
      ['Gone', true],
    ] as const) {
      const person = await signUp(mailing.server, name);
      const token = await inviteTo(person.email);
      await person.client.put(`/v1/invitations/${token}`);
      expect(await roles(person)).toEqual([2]);
      const [open] = (await lead.client.get(`/v1/teams/${crew}/invitations`)).data;
      if (withdrawn) await lead.client.delete(`/v1/teams/${crew}/invitations/${open.id}`);
      await mailing.server.anonymous().post('/v1/password_resets', { email: person.email });
      const password = 'a new password of length';
      const reset = await mailed(person.email, 'password_resets');
      expect(
        (await mailing.server.anonymous().put(`/v1/password_resets/${reset}`, { password })).status,
      ).toBe(200);
      await person.client.post('/v1/sessions', { email: person.email, password });
      expect(await roles(person)).toEqual([withdrawn ? 2 : 1]);
    }
  });

  it('a member is who has the link, and proves nothing by it', async () => {
    const guest = await signUp(mailing.server, 'Guest');
    await guest.client.put(`/v1/invitations/${await inviteTo('other@example.org', 2)}`);
    const own = await makeTeam(lead);
    const { data } = await lead.client.post(`/v1/teams/${own}/invitations`, { emails: [guest.email] });
    await guest.client.put(`/v1/invitations/${data[0].token}`);
    expect(await roles(guest)).toEqual([2, 2]);
    expect((await guest.client.get('/v1/users/me')).data[0].primary_email.verified).toBe(false);
  });
});
