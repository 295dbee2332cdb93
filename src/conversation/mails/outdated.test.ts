import { beforeEach, describe, expect, it } from 'vitest';
import { mailsGo, mailsSettle, proveAddress, refusal } from '../../../test/support/mailbox.ts';
import { install, join, makeTeam, type Person, register, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const PASSWORD = 'a password of length';
const { server, mailbox, host, root } = scene({ people: ['Root'], mail: true });
let ada: Person;
let bob: Person;
let cleo: Person;
let team: string;

beforeEach(async () => {
  mailbox.clear();
  [ada, bob, cleo] = [await signUp(server, 'Ada'), await signUp(server, 'Bob'), await signUp(server, 'Cleo')];
  team = await makeTeam(ada, [bob, cleo], 'Engine room');
  await mailsSettle(server);
  for (const person of [ada, bob, cleo]) await proveAddress(mailbox, person);
  await mailsSettle(server);
  mailbox.clear();
});

const post = async (text: string, fields: object = { addressed_teams: [team] }) =>
  (await ada.client.post('/v1/messages', { text, ...fields })).data[0].id as string;
const direct = (text: string, to: Person) => post(text, { addressed_users: [to.id] });

/** The newest mail to an address, as an administrator sees it. */
async function listed(to: string) {
  const { data } = await root.client.get('/v1/admin/mails?limit=200');
  return data.find((mail) => mail.to === to);
}

/** The mail server puts everything off until `change` was made; then the next attempt is due, and accepted. */
async function putOff(cause: () => Promise<unknown>, change: () => Promise<unknown>): Promise<void> {
  mailbox.onRecipient = () => refusal(451, 'greylisted');
  await cause();
  await mailsGo(server);
  expect(mailbox.offered).not.toEqual([]);
  expect(mailbox.received).toEqual([]);
  await change();
  mailbox.onRecipient = () => undefined;
  // A mail that is on its way when the clock jumps has lost its lease, and goes once more.
  await mailsSettle(server);
  server.clock.advance(3600);
  await mailsSettle(server);
}

async function expectDropped(person: Person, reason: RegExp): Promise<void> {
  expect(mailbox.of(person.email)).toEqual([]);
  expect(await listed(person.email)).toMatchObject({
    status: 'dropped',
    reason: expect.stringMatching(reason),
  });
}

describe('a mail about messages that was put off (claim: mails-composed-when-sent)', () => {
  it('lacks what was deleted, has what was edited, and is one mail all the same', async () => {
    const ids: string[] = [];
    const links: string[] = [];
    let attempts = 0;
    mailbox.onMail = ({ headers }) => {
      ids.push(headers.get('message-id') as string);
      links.push(headers.get('list-unsubscribe') as string);
      attempts += 1;
      if (attempts === 1) throw refusal(451, 'try again');
    };
    await post('the code is MANGO');
    const wrong = await post('the code is PINEAPPLE');
    const edited = await direct('meet at NOON', bob);
    await runSql(server.running.db, 'UPDATE users SET prefs_json = ? WHERE id = ?', [
      JSON.stringify({ email_on_team_message: false }),
      cleo.id,
    ]);
    await mailsGo(server);
    expect([attempts, mailbox.received.length]).toEqual([1, 0]);
    await ada.client.delete(`/v1/messages/${wrong}`);
    await ada.client.patch(`/v1/messages/${edited}`, { text: 'meet at MIDNIGHT' });
    await ada.client.patch('/v1/users/me', { first_name: 'Renamed' });
    server.clock.advance(31);
    await mailsSettle(server);
    const [mail] = mailbox.of(bob.email);
    expect(mail?.subject).toBe('2 new messages from Renamed Test');
    expect(mail?.text).toContain('MANGO');
    expect(mail?.text).toContain('MIDNIGHT');
    expect(mail?.raw).not.toMatch(/PINEAPPLE|NOON/);
    expect(ids[1]).toBe(ids[0]);
    expect(links[1]).toBe(links[0]);
  });

  it('does not go to a person who was removed from the team', async () => {
    await putOff(
      () => post('launch code'),
      () => ada.client.delete(`/v1/teams/${team}/users/${bob.id}`),
    );
    expect(mailbox.of(bob.email).map(({ subject }) => subject)).toEqual(['You are no longer in Engine room']);
    expect(mailbox.of(cleo.email)).toHaveLength(1);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['left the team', () => bob.client.delete(`/v1/teams/${team}/users/${bob.id}`)],
    ['has read it', () => bob.client.put('/v1/users/me/read')],
    ['muted the team', () => bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true })],
    [
      'switched such mails off',
      () => bob.client.patch('/v1/users/me', { prefs: { email_on_team_message: false } }),
    ],
  ])('does not go to a person who %s', async (_what, change) => {
    await putOff(() => post('launch code'), change);
    await expectDropped(bob, /^Nothing is left to tell/);
    expect(mailbox.of(cleo.email)).toHaveLength(1);
  });

  it('does not go when its team or all its messages were deleted', async () => {
    let id = '';
    const cause = async () => {
      id = await post('launch code');
    };
    await putOff(cause, () => ada.client.delete(`/v1/messages/${id}`));
    for (const person of [bob, cleo]) await expectDropped(person, /^Nothing is left to tell/);
    await putOff(cause, () => ada.client.delete(`/v1/teams/${team}`));
    for (const person of [bob, cleo]) await expectDropped(person, /^Nothing is left to tell/);
  });

  it('goes to the address that the account has by then', async () => {
    const address = `new-${bob.email}`;
    const move = (email: string) =>
      runSql(server.running.db, 'UPDATE users SET email = ?, email_key = ? WHERE id = ?', [
        email,
        email,
        bob.id,
      ]);
    await putOff(
      () => direct('psst', bob),
      () => move(address),
    );
    expect(mailbox.of(bob.email)).toEqual([]);
    expect(mailbox.of(address)).toHaveLength(1);
    expect(await listed(address)).toMatchObject({ status: 'sent', kind: 'messages' });
  });

  it('and that an administrator has sent again tells what is true by then', async () => {
    const [gone, kept] = [await post('PINEAPPLE'), await post('MANGO')];
    await mailsGo(server);
    const first = await listed(bob.email);
    await ada.client.delete(`/v1/messages/${gone}`);
    mailbox.clear();
    await root.client.post(`/v1/admin/mails/${first.id}/resend`);
    await mailsSettle(server);
    const [again] = mailbox.of(bob.email);
    expect(again?.text).toContain('MANGO');
    expect(again?.raw).not.toContain('PINEAPPLE');
    await ada.client.delete(`/v1/teams/${team}/users/${cleo.id}`);
    await mailsSettle(server);
    mailbox.clear();
    const { data } = await root.client.get('/v1/admin/mails?limit=200');
    const hers = data.find(({ to, kind }) => to === cleo.email && kind === 'messages');
    await root.client.post(`/v1/admin/mails/${hers.id}/resend`);
    await mailsSettle(server);
    expect(mailbox.received).toEqual([]);
    expect((await root.client.get(`/v1/admin/mails/${hers.id}`)).data[0]).toMatchObject({
      status: 'dropped',
      reason: expect.stringMatching(/^Nothing is left/),
    });
    await ada.client.delete(`/v1/messages/${kept}`);
  });
});

describe('an invitation that was put off (claim: mails-composed-when-sent)', () => {
  let email: string;
  let invitation: { id: string; token: string };
  beforeEach(() => {
    email = `guest-of-${ada.email}`;
  });
  const invite = async () => {
    const { data } = await ada.client.post(`/v1/teams/${team}/invitations`, { emails: [email] });
    invitation = data[0];
  };

  it.each<[string, () => Promise<unknown>]>([
    ['it was withdrawn', () => ada.client.delete(`/v1/teams/${team}/invitations/${invitation.id}`)],
    ['the team was deleted', () => ada.client.delete(`/v1/teams/${team}`)],
    [
      'the inviter was removed',
      async () => {
        await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
        return bob.client.delete(`/v1/teams/${team}/users/${ada.id}`);
      },
    ],
    [
      'the inviter may not invite any more',
      async () => {
        await ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });
        return bob.client.patch(`/v1/teams/${team}/users/${ada.id}`, { membership_type: 2 });
      },
    ],
    [
      'the account of the inviter was closed',
      async () => {
        await root.client.post('/v1/sessions', { email: root.email, password: PASSWORD });
        return root.client.patch(`/v1/admin/users/${ada.id}`, { active: false });
      },
    ],
    [
      'it has expired',
      async () => {
        await runSql(server.running.db, 'UPDATE invitations SET expires_at = 1 WHERE id = ?', [
          invitation.id,
        ]);
      },
    ],
  ])('is not sent when %s', async (_what, change) => {
    await putOff(invite, async () => {
      const answer = (await change()) as { status: number } | undefined;
      expect(answer?.status ?? 200).toBe(200);
    });
    expect(mailbox.of(email)).toEqual([]);
    expect(await listed(email)).toMatchObject({ status: 'dropped', reason: 'The invitation has ended' });
  });

  it('is not sent when it was accepted, or the person switched such mails off', async () => {
    const guest = await signUp(server, 'Guest', { email });
    await mailsSettle(server);
    mailbox.clear();
    await putOff(invite, () =>
      guest.client.patch('/v1/users/me', { prefs: { email_on_team_invite: false } }),
    );
    expect(mailbox.of(email)).toEqual([]);
    expect(await listed(email)).toMatchObject({ status: 'dropped', reason: expect.stringContaining('off') });
    await guest.client.patch('/v1/users/me', { prefs: { email_on_team_invite: true } });
    await putOff(invite, () => guest.client.put(`/v1/invitations/${invitation.token}`));
    expect(mailbox.of(email)).toEqual([]);
  });

  it('names the team and the inviter as they are called by then', async () => {
    await putOff(invite, async () => {
      await ada.client.patch(`/v1/teams/${team}`, { name: 'Boiler room' });
      await ada.client.patch('/v1/users/me', { first_name: 'Renamed' });
    });
    expect(mailbox.of(email).map(({ subject }) => subject)).toEqual([
      'Renamed Test invites you to Boiler room',
    ]);
    expect(mailbox.of(email)[0]?.text).toContain(`/invitations/${invitation.token}`);
  });
});

describe('a link to an account that was put off (claim: mails-composed-when-sent)', () => {
  const askForReset = () => server.anonymous().post('/v1/password_resets', { email: bob.email });

  it.each<[string, () => Promise<unknown>]>([
    [
      'the password was changed',
      () =>
        bob.client.post('/v1/users/me/password', { current: PASSWORD, password: 'quite another password' }),
    ],
    [
      'it has expired',
      async () => void (await runSql(server.running.db, 'UPDATE account_tokens SET expires_at = 1')),
    ],
    [
      'the account has another address',
      async () =>
        void (await runSql(server.running.db, 'UPDATE users SET email_key = ? WHERE id = ?', [
          `moved-${bob.email}`,
          bob.id,
        ])),
    ],
  ])('is not sent when %s', async (_what, change) => {
    await putOff(askForReset, change);
    const { data } = await root.client.get('/v1/admin/mails?limit=200');
    expect(data.find(({ to, kind }) => to === bob.email && kind === 'password_reset')).toMatchObject({
      status: 'dropped',
      reason: 'Its link was used, has expired, or was replaced',
    });
    expect(mailbox.of(bob.email).filter(({ text }) => /password_resets\/./.test(text))).toEqual([]);
  });

  it('is not sent when the address was proved by another one', async () => {
    let dave: Person | undefined;
    await putOff(
      async () => {
        dave = await signUp(server, 'Dave');
      },
      () => runSql(server.running.db, 'UPDATE users SET email_verified = 1 WHERE id = ?', [dave?.id]),
    );
    await expectDropped(dave as Person, /confirmed already/);
  });
});

describe('a mail about a membership that was put off (claim: mails-composed-when-sent)', () => {
  const promote = () => ada.client.patch(`/v1/teams/${team}/users/${bob.id}`, { membership_type: 1 });

  it('is not sent when the role has changed since, or the person has left', async () => {
    await putOff(promote, () =>
      runSql(server.running.db, 'UPDATE memberships SET membership_type = 2 WHERE user_id = ?', [bob.id]),
    );
    await expectDropped(bob, /role has changed/);
    await putOff(promote, () =>
      runSql(server.running.db, 'DELETE FROM memberships WHERE user_id = ? AND team_id = ?', [bob.id, team]),
    );
    await expectDropped(bob, /no longer a member/);
  });

  it('tells a former member no name that the team got later, and nothing when they are back', async () => {
    const remove = () => ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    await putOff(remove, () => ada.client.patch(`/v1/teams/${team}`, { name: 'Secret plan' }));
    expect(mailbox.of(bob.email).map(({ subject }) => subject)).toEqual(['You are no longer in Engine room']);
    mailbox.clear();
    await join(ada, team, bob);
    await mailsSettle(server);
    mailbox.clear();
    server.clock.advance(86_400);
    await putOff(remove, () => join(ada, team, bob));
    expect(mailbox.of(bob.email).filter(({ subject }) => subject.startsWith('You are no longer'))).toEqual(
      [],
    );
  });

  it('is not sent when the person switched such mails off, and names whoever did it as they are called', async () => {
    await putOff(promote, () =>
      bob.client.patch('/v1/users/me', { prefs: { email_on_team_role_changed: false } }),
    );
    await expectDropped(bob, /switched such mails off/);
    await putOff(
      () => ada.client.patch(`/v1/teams/${team}/users/${cleo.id}`, { membership_type: 1 }),
      () => ada.client.patch('/v1/users/me', { first_name: 'Renamed' }),
    );
    expect(mailbox.of(cleo.email)[0]?.text).toContain('Renamed Test made you an admin');
  });
});

it('a notice of safety tells what has happened, however late it comes', async () => {
  await putOff(
    () => bob.client.post('/v1/users/me/password', { current: PASSWORD, password: 'quite another password' }),
    () => bob.client.patch('/v1/users/me', { first_name: 'Bobby' }),
  );
  const [mail] = mailbox.of(bob.email);
  expect(mail?.subject).toBe('Your password was changed');
  expect(mail?.text).toContain('Hello Bobby');
  // Of the change, not of the attempt.
  expect(mail?.text).toMatch(/was changed at \d{4}-/);
  const at = /changed at (\S+Z)\./.exec(mail?.text ?? '')?.[1] as string;
  expect(server.clock.now() - Date.parse(at)).toBeGreaterThanOrEqual(3600_000);
});

it('that calls fail is told to nobody who owns the application no longer, and not after they succeed', async () => {
  const app = await register(ada, host, { team_update_url: `${host.url}/team` });
  await install(ada, team, app);
  const failing = (since: number | null) =>
    runSql(server.running.db, 'UPDATE callback_queues SET failing_since = ? WHERE application_id = ?', [
      since,
      app.id,
    ]);
  const change = (membership_type: number) =>
    ada.client.patch(`/v1/teams/${team}/users/${cleo.id}`, { membership_type });
  // The first call makes the queue of its application.
  await change(1);
  await change(2);
  const settled = async () => {
    const { data } = await ada.client.get(`/v1/applications/${app.id}/deliveries`);
    return data.length > 0 && data.every(({ status }) => status !== 'pending');
  };
  // A success that is noted later would end the failures below.
  await until(settled);
  const fail = async () => {
    host.status = 500;
    mailbox.onRecipient = () => refusal(451, 'greylisted');
    await runSql(
      server.running.db,
      'UPDATE callback_queues SET num_failures = 4, num_pauses = 0, failing_since = ?, paused_until = 0 WHERE application_id = ?',
      [server.clock.now() - 120_000, app.id],
    );
    await change(1);
    await change(2);
    await until(async () => mailbox.offered.includes(ada.email));
    await mailsSettle(server);
  };
  const after = async () => {
    mailbox.onRecipient = () => undefined;
    server.clock.advance(31);
    await mailsSettle(server);
  };
  await fail();
  await failing(null);
  await after();
  await expectDropped(ada, /succeed again/);
  mailbox.clear();
  await fail();
  await runSql(server.running.db, 'UPDATE applications SET owner_id = ? WHERE id = ?', [bob.id, app.id]);
  await after();
  await expectDropped(ada, /no longer theirs/);
});

describe('a mail that is kept', () => {
  it('is shown as what is true by then (claim: mails-composed-when-sent)', async () => {
    const kept = await startTestServer();
    const admin = await signUp(kept, 'Admin');
    const keptTeam = await makeTeam(admin, [], 'Kept');
    const { data } = await admin.client.post(`/v1/teams/${keptTeam}/invitations`, {
      emails: ['guest@example.org'],
    });
    await admin.client.patch(`/v1/teams/${keptTeam}`, { name: 'Renamed' });
    const newest = async () => (await admin.client.get('/v1/admin/mails?limit=1')).data[0];
    expect(await newest()).toMatchObject({ status: 'kept', subject: 'Admin Test invites you to Renamed' });
    expect((await newest()).text).toContain(data[0].url);
    await admin.client.delete(`/v1/teams/${keptTeam}/invitations/${data[0].id}`);
    const gone = await newest();
    expect(gone).toMatchObject({ status: 'dropped', reason: 'The invitation has ended' });
    expect(JSON.stringify(gone)).not.toContain(data[0].token);
    await kept.stop();
  });
});
