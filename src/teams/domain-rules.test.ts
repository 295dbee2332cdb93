/**
 * Rules of the server that let everybody in whose address is in a domain, and who tries to get in by one without having
 * such an address: with one that is not confirmed, with another domain that looks like it, after being removed.
 */
import { describe, expect, it } from 'vitest';
import { Client } from '../../test/support/client.ts';
import { proveAddress } from '../../test/support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../../test/support/people.ts';
import { scene } from '../../test/support/scene.ts';
import { startTestServer } from '../../test/support/server.ts';

const environment = { REGISTRATION: 'invite' };
const { server, mailbox, ada } = scene({ people: ['Ada'], mail: true, environment });

const rules = '/v1/admin/domain_rules';
const make = (domain: string, team: string, by = ada) => by.client.post(rules, { domain, team });
const membersOf = async (team: string) =>
  (await ada.client.get(`/v1/teams/${team}/users`)).data.map((one) => one.userid as string);
let people = 0;
/** Signs up without an invitation. */
const comes = (email: string, on: Pick<typeof server, 'url'> = server) =>
  new Client(on.url).post('/v1/users', {
    email,
    password: 'a password of length',
    first_name: `New ${++people}`,
    last_name: '',
  });
/** Somebody who has signed up by the rule of their domain. */
const newcomer = (email: string) => signUp(server, 'New', { email });

/** Somebody with an account that no rule let in. */
async function guest(email: string): Promise<Person> {
  const hall = await makeTeam(ada);
  const { data } = await ada.client.post(`/v1/teams/${hall}/join_links`, {});
  return signUp(server, 'Guest', { email, join_link: data[0].token });
}

/** The link that confirms an address, as it was mailed. */
async function linkOf(email: string): Promise<string> {
  const mail = await mailbox.next(email, ({ text }) => text.includes('/email_verifications/'));
  return /email_verifications\/([\w-]+)/.exec(mail.text)?.[1] as string;
}

describe('a rule for a domain', () => {
  it('signs people up, who join as soon as their address is confirmed (claim: domain-rule-needs-proof)', async () => {
    const [team, other] = [await makeTeam(ada), await makeTeam(ada)];
    expect((await comes('eve@company.example')).body.errors[0].reason).toBe('invitation_needed');
    const made = await make(' Company.EXAMPLE ', team);
    expect(made.data[0]).toEqual({
      id: expect.any(String),
      domain: 'company.example',
      team: { id: team, name: expect.any(String), color: expect.any(String), icon: '' },
      created_at: expect.any(Number),
    });
    const again = await make('company.example', other);
    expect((await ada.client.get(rules)).data).toEqual(expect.arrayContaining([made.data[0], again.data[0]]));
    expect((await server.anonymous().get('/v1/server')).data[0].domain_sign_up).toBe(true);

    const eve = await newcomer('Eve+new@Company.example');
    expect([await membersOf(team), await membersOf(other)]).toEqual([[ada.id], [ada.id]]);
    expect((await eve.client.get('/v1/teams?open=1')).body.errors[0].reason).toBe('unconfirmed_address');
    await proveAddress(mailbox, { ...eve, email: 'Eve+new@company.example' });
    for (const one of [team, other]) expect(await membersOf(one)).toContain(eve.id);
    const own = (await eve.client.get('/v1/users/me/teams')).data;
    expect(own.map(({ membership_type, inviter }) => [membership_type, inviter])).toEqual([
      [2, null],
      [2, null],
    ]);
    const [log] = (await ada.client.get('/v1/admin/audit?action=domain_rule.made')).data;
    expect(log).toMatchObject({ actor: ada.id, team: other, target_kind: 'domain_rule' });
    for (const { id } of [made.data[0], again.data[0]]) await ada.client.delete(`${rules}/${id}`);
  });

  it('acts for people who have an account, also when a new password or an invitation proves the address', async () => {
    const team = await makeTeam(ada);
    const [fay, gus] = [await guest('fay@works.example'), await guest('gus@works.example')];
    await make('works.example', team);
    await server.anonymous().post('/v1/password_resets', { email: fay.email });
    const reset = await mailbox.next(fay.email, ({ text }) => text.includes('/password_resets/'));
    const token = /password_resets\/([\w-]+)/.exec(reset.text)?.[1];
    await server.anonymous().put(`/v1/password_resets/${token}`, { password: 'another one of length' });
    const elsewhere = await makeTeam(ada);
    await ada.client.post(`/v1/teams/${elsewhere}/invitations`, { emails: [gus.email] });
    const mail = await mailbox.next(gus.email, ({ text }) => text.includes('/invitations/'));
    await gus.client.put(`/v1/invitations/${/invitations\/([\w.-]+)/.exec(mail.text)?.[1]}`);
    expect((await membersOf(team)).toSorted()).toEqual([ada.id, fay.id, gus.id].toSorted());
  });

  it('leaves an admin what they are', async () => {
    const team = await makeTeam(ada);
    await make('leads.example', team);
    const dee = await newcomer('dee@leads.example');
    await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [dee.email], membership_type: 1 });
    const mail = await mailbox.next(dee.email, ({ text }) => text.includes('/invitations/'));
    await dee.client.put(`/v1/invitations/${/invitations\/([\w.-]+)/.exec(mail.text)?.[1]}`);
    expect((await dee.client.get(`/v1/teams/${team}/join_links`)).status).toBe(200);
  });

  it('fetches nobody who left, and nobody who was removed (claim: removed-stay-out)', async () => {
    const team = await makeTeam(ada);
    const [left, out] = [await guest('left@stays.example'), await guest('out@stays.example')];
    await make('stays.example', team);
    await proveAddress(mailbox, left);
    await left.client.delete(`/v1/teams/${team}/users/${left.id}`);
    await left.client.put(`/v1/email_verifications/${await linkOf(left.email)}`);
    await join(ada, team, out);
    await ada.client.delete(`/v1/teams/${team}/users/${out.id}`);
    await proveAddress(mailbox, out);
    expect(await membersOf(team)).toEqual([ada.id]);
  });

  it('knows who was removed by their address with any tag (claim: removed-stay-out)', async () => {
    const team = await makeTeam(ada);
    await make('tags.example', team);
    const [out, tagged] = [await guest('Out+work@tags.example'), await guest('out@tags.example')];
    const [other, near] = [await guest('out.side@tags.example'), await guest('outer@tags.example')];
    await join(ada, team, out);
    await ada.client.delete(`/v1/teams/${team}/users/${out.id}`);
    const again = await guest('out+again@tags.example');
    for (const one of [out, tagged, again, other, near]) await proveAddress(mailbox, one);
    expect((await membersOf(team)).toSorted()).toEqual([ada.id, other.id, near.id].toSorted());
  });

  it('is shown to the admins of its team, who can end it', async () => {
    const [team, other] = [await makeTeam(ada), await makeTeam(ada)];
    const { id } = (await make('shown.example', team)).data[0];
    await make('shown.example', other);
    const [bea, cal] = [await guest('bea@elsewhere.example'), await guest('cal@elsewhere.example')];
    await join(ada, team, bea, 1);
    await join(ada, team, cal);
    const path = `/v1/teams/${team}/domain_rules`;
    expect((await bea.client.get(path)).data.map((rule) => [rule.id, rule.domain])).toEqual([
      [id, 'shown.example'],
    ]);
    expect((await cal.client.get(path)).code).toBe(4030);
    expect((await cal.client.delete(`${path}/${id}`)).code).toBe(4030);
    expect((await ada.client.delete(`/v1/teams/${other}/domain_rules/${id}`)).code).toBe(4040);
    expect((await bea.client.delete(`${path}/${id}`)).status).toBe(200);
    expect((await bea.client.delete(`${path}/${id}`)).code).toBe(4040);
    const dan = await newcomer('dan@shown.example');
    await proveAddress(mailbox, dan);
    expect([await membersOf(team), await membersOf(other)].map((all) => all.includes(dan.id))).toEqual([
      false,
      true,
    ]);
    const [log] = (await ada.client.get('/v1/admin/audit?action=domain_rule.deleted')).data;
    expect(log).toMatchObject({ actor: bea.id, team });
  });

  it('lets nobody in who is being removed while they confirm', async () => {
    const team = await makeTeam(ada);
    const ida = await guest('ida@races.example');
    await make('races.example', team);
    await join(ada, team, ida);
    const token = await linkOf(ida.email);
    await Promise.all([
      ada.client.delete(`/v1/teams/${team}/users/${ida.id}`),
      ida.client.put(`/v1/email_verifications/${token}`),
      ida.client.put(`/v1/email_verifications/${token}`),
    ]);
    expect(await membersOf(team)).toEqual([ada.id]);
  });

  it('ends with its team, and when it is deleted', async () => {
    const [team, gone] = [await makeTeam(ada), await makeTeam(ada)];
    const { data } = await make('ends.example', team);
    await make('gone.example', gone);
    const [jo, kim] = [await newcomer('jo@ends.example'), await newcomer('kim@gone.example')];
    expect((await ada.client.delete(`${rules}/${data[0].id}`)).status).toBe(200);
    expect((await ada.client.delete(`${rules}/${data[0].id}`)).code).toBe(4040);
    expect((await ada.client.delete(`${rules}/nothing`)).code).toBe(4040);
    await ada.client.delete(`/v1/teams/${gone}`);
    for (const person of [jo, kim]) await proveAddress(mailbox, person);
    expect(await membersOf(team)).toEqual([ada.id]);
    expect((await kim.client.get('/v1/users/me/teams')).data).toEqual([]);
    for (const email of ['late@ends.example', 'late@gone.example'])
      expect((await comes(email)).body.errors[0].reason).toBe('invitation_needed');
    const domains = (await ada.client.get(rules)).data.map(({ domain }) => domain);
    for (const ended of ['ends.example', 'gone.example']) expect(domains).not.toContain(ended);
    const [log] = (await ada.client.get('/v1/admin/audit?action=domain_rule.deleted')).data;
    expect(log).toMatchObject({ actor: ada.id, team, detail: { domain: 'ends.example' } });
  });
});

describe('a rule is for exactly its domain (claim: domain-rule-is-exact)', () => {
  it.each([
    'x@sub.exact.example',
    'x@notexact.example',
    'x@exact.example.org',
    'x@xact.example',
    'exact.example@other.example',
    'x@exact.example@other.example',
    'x@exact.example.',
    // Cyrillic letters that look the same, in either spelling.
    'x@ехасt.example',
    'x@xn--t-7sbo3cs.example',
  ])('%s does not sign up', async (email) => {
    const { data } = await ada.client.get(rules);
    if (!data.some(({ domain }) => domain === 'exact.example'))
      expect((await make('exact.example', await makeTeam(ada))).status).toBe(200);
    const { status } = await comes(email);
    expect([400, 403]).toContain(status);
  });

  it('knows one domain in both of its spellings', async () => {
    const team = await makeTeam(ada);
    expect((await make('bücher.example', team)).data[0].domain).toBe('xn--bcher-kva.example');
    expect((await make('xn--bcher-kva.example', team)).body.errors[0].reason).toBe('domain_rule');
    const [lou, mia] = [await newcomer('lou@xn--bcher-kva.example'), await newcomer('mia@BÜCHER.example')];
    // As the mail server reads the envelope.
    for (const [person, name] of [
      [lou, 'lou'],
      [mia, 'mia'],
    ] as const)
      await proveAddress(mailbox, { ...person, email: `${name}@bücher.example` });
    expect((await membersOf(team)).toSorted()).toEqual([ada.id, lou.id, mia.id].toSorted());
  });
});

describe('a rule is made', () => {
  it('for a domain that belongs to somebody', async () => {
    const team = await makeTeam(ada);
    const refused = async (domain: string) => (await make(domain, team)).body.errors[0].reason;
    for (const domain of [
      '',
      'com',
      'a@b.example',
      'exa mple.org',
      '*.company.example',
      'a.example.',
      '0x7f.1',
      '127.0.0.1',
    ])
      expect([domain, await refused(domain)]).toEqual([domain, 'domain']);
    for (const domain of ['gmail.com', 'GMX.de', 'Outlook.com', 'in.gmail.com', 'mailinator.com'])
      expect([domain, await refused(domain)]).toEqual([domain, 'public_mail_domain']);
  });

  it('by an administrator of the server who is an admin of the team (claim: domain-rule-for-admins)', async () => {
    const [own, theirs] = [await makeTeam(ada), await makeTeam(ada)];
    const root = await guest('root@elsewhere.example');
    await join(ada, own, root, 1);
    expect((await make('taken.example', own, root)).code).toBe(4030);
    await ada.client.patch(`/v1/admin/users/${root.id}`, { superuser: true });
    // A server's administrator gets into no team of others, not with an address of their own domain either.
    expect((await make('taken.example', theirs, root)).code).toBe(4040);
    await join(ada, theirs, root);
    expect((await make('taken.example', theirs, root)).body.errors[0].reason).toBe('not_admin');
    expect((await make('taken.example', own, root)).status).toBe(200);
    const escalated = await ada.client.post(rules, { domain: 'more.example', team: own, membership_type: 1 });
    expect(escalated.status).toBe(200);
    const nia = await newcomer('nia@more.example');
    await proveAddress(mailbox, nia);
    expect((await nia.client.get('/v1/users/me/teams')).data[0].membership_type).toBe(2);
  });
});

it.each([
  ['without a mail server', { REGISTRATION: 'invite' }, 409],
  ['where nobody may sign up', { REGISTRATION: 'closed', SMTP_URL: 'smtp://127.0.0.1:9' }, 200],
])('a rule signs nobody up %s (claim: domain-rule-closed)', async (_, settings, status) => {
  const one = await startTestServer({ MAIL_FROM: 'parley@example.org', ...settings });
  try {
    const root = await signUp(one, 'Root');
    const made = await make('company.example', await makeTeam(root), root);
    expect(made.status).toBe(status);
    if (status === 409) expect(made.body.errors[0].reason).toBe('no_mail_server');
    expect((await comes('new@company.example', one)).status).toBe(403);
    expect((await one.anonymous().get('/v1/server')).data[0].domain_sign_up).toBe(false);
  } finally {
    await one.stop();
  }
});

it('is one of fifty on a server', async () => {
  const one = await startTestServer({ SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'parley@example.org' });
  try {
    const root = await signUp(one, 'Root');
    const team = await makeTeam(root);
    for (let made = 0; made < 50; made++)
      expect((await make(`d${made}.example`, team, root)).status).toBe(200);
    const refused = await make('more.example', team, root);
    expect(refused.body.errors[0]).toMatchObject({ code: 4090, reason: 'too_many_domain_rules' });
    expect((await root.client.get(rules)).data).toHaveLength(50);
  } finally {
    await one.stop();
  }
});
