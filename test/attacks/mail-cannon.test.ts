/**
 * An attacker has the server fill other people's mailboxes. With invitations: many addresses, one address many times,
 * from fresh accounts, with an advertisement as the name. What holds: the number of mails a day is limited for a
 * person, a team, an address and a new account, an account that has not proved its address sends none, and no name
 * breaks a line or becomes a link. The links are made all the same, so that people can pass them on. With what can be
 * done and undone: a role given and taken, an invitation sent and withdrawn, a mention edited in and out. What holds:
 * what is undone before it was told is not told, the rest waits for an hour, and five mails a day tell about one
 * membership.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { mailsGo, mailsSettle, proveAddress } from '../support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, mailbox, root } = scene({
  people: ['Root'],
  mail: true,
  environment: {
    INVITATION_MAILS_PERSON: '8',
    INVITATION_MAILS_TEAM: '6',
    INVITATION_MAILS_NEW_ACCOUNT: '3',
    SESSION_LIFETIME: '8640000',
  },
});
beforeEach(async () => {
  // The window of the earlier mails has passed.
  server.clock.advance(86_401);
  await mailsSettle(server);
});

/** A person whose address is proved. */
async function proved(name: string): Promise<Person> {
  const person = await signUp(server, name);
  await proveAddress(mailbox, person);
  return person;
}

let addresses = 0;
const some = (count: number) => Array.from({ length: count }, () => `victim${++addresses}@example.org`);

async function invite(who: Person, team: string, emails: string[]): Promise<boolean[]> {
  const { data } = await who.client.post(`/v1/teams/${team}/invitations`, { emails });
  for (const { url } of data) expect(url).toContain('/invitations/');
  return data.map(({ mailed }) => mailed);
}
const sent = (mailed: boolean[]) => mailed.filter(Boolean).length;

it('an account that has not proved its address has links, and sends no mail', async () => {
  const eve = await signUp(server, 'Eve');
  const emails = some(3);
  expect(sent(await invite(eve, await makeTeam(eve), emails))).toBe(0);
  await mailsSettle(server);
  expect(mailbox.received.filter(({ to }) => emails.includes(to))).toEqual([]);
});

it('a new account sends a few (claim: invitation-mails-limited)', async () => {
  const eve = await proved('Eve');
  const emails = some(10);
  expect(sent(await invite(eve, await makeTeam(eve), emails))).toBe(3);
  expect(sent(await invite(eve, await makeTeam(eve), some(10)))).toBe(0);
  await mailsSettle(server);
  expect(mailbox.received.filter(({ to }) => emails.includes(to))).toHaveLength(3);
});

it('a person and a team have a limit a day (claim: invitation-mails-limited)', async () => {
  const [one, two] = [await makeTeam(root), await makeTeam(root)];
  expect(sent(await invite(root, one, some(10)))).toBe(6);
  expect(sent(await invite(root, two, some(10)))).toBe(2);
  server.clock.advance(86_401);
  expect(sent(await invite(root, one, some(2)))).toBe(2);
});

it('one address is mailed about a team each hour at most, also when the invitation is withdrawn', async () => {
  const team = await makeTeam(root);
  const email = some(1)[0] as string;
  expect(await invite(root, team, [email, email.toUpperCase(), email])).toEqual([true]);
  expect(await invite(root, team, [email])).toEqual([false]);
  const { data } = await root.client.get(`/v1/teams/${team}/invitations`);
  await root.client.delete(`/v1/teams/${team}/invitations/${data[0].id}`);
  expect(await invite(root, team, [email])).toEqual([false]);
  server.clock.advance(3601);
  expect(await invite(root, team, [email])).toEqual([true]);
});

it('names break no line of a subject, and are no links', async () => {
  const { db } = server.running;
  const team = await makeTeam(root);
  // As an earlier version let them be.
  const write = (table: string, column: string, value: string, id: string) =>
    db.write((tx) =>
      tx.all(
        db.dialect === 'sqlite'
          ? `UPDATE ${table} SET ${column} = ? WHERE id = ?`
          : `UPDATE ${table} SET ${column} = $1 WHERE id = $2`,
        [value, id],
      ),
    );
  await write('teams', 'name', 'Win\r\nBcc: all@example.org https://evil.example/prize', team);
  const [email] = some(1) as [string];
  await invite(root, team, [email]);
  const mail = await mailbox.next(email);
  expect(mail.subject).not.toMatch(/[\r\n]|:\/\/|\w[.@]\w/);
  expect(mail.headers.get('bcc')).toBeUndefined();
  expect(mail.text).not.toContain('https://evil.example');
});

describe('a role that is given and taken', () => {
  let admin: Person;
  let bob: Person;
  let team: string;
  beforeEach(async () => {
    [admin, bob] = [await signUp(server, 'Eve'), await signUp(server, 'Bob')];
    team = await makeTeam(admin, [bob], 'Engine room');
    await mailsSettle(server);
    mailbox.clear();
  });

  async function give(...types: (1 | 2)[]): Promise<void> {
    for (const membership_type of types) {
      const path = `/v1/teams/${team}/users/${bob.id}`;
      expect((await admin.client.patch(path, { membership_type })).status).toBe(200);
      await mailsSettle(server);
    }
  }
  const ADMIN = 'You are now an admin of Engine room';
  const MEMBER = 'You are now a member of Engine room';
  const subjects = () => mailbox.of(bob.email).map(({ subject }) => subject);

  it('is told at once, and then as it is an hour later (claim: membership-mails-collapse)', async () => {
    await give(1, 2, 1, 2, 1, 2);
    expect(subjects()).toEqual([ADMIN]);
    server.clock.advance(3601);
    await mailsSettle(server);
    expect(subjects()).toEqual([ADMIN, MEMBER]);
  });

  it('is told no more where it is what the person knows (claim: membership-mails-collapse)', async () => {
    await give(1, 2, 1, 2, 1);
    server.clock.advance(7200);
    await mailsSettle(server);
    expect(subjects()).toEqual([ADMIN]);
  });

  it('causes five mails a day, with the newest state at the end (claim: membership-mails-collapse)', async () => {
    for (let hour = 0; hour < 12; hour++) {
      await give(hour % 2 === 0 ? 1 : 2);
      server.clock.advance(3601);
      await mailsSettle(server);
    }
    expect(subjects()).toEqual([ADMIN, MEMBER, ADMIN, MEMBER, ADMIN]);
    server.clock.advance(86_401);
    await mailsSettle(server);
    expect(subjects()).toEqual([ADMIN, MEMBER, ADMIN, MEMBER, ADMIN, MEMBER]);
  });

  it('and then the removal are told as the removal', async () => {
    await give(1, 2);
    await admin.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    server.clock.advance(3601);
    await mailsSettle(server);
    expect(subjects()).toEqual([ADMIN, 'You are no longer in Engine room']);
  });

  it('is not told any more after the member left', async () => {
    await give(1, 2);
    await bob.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    server.clock.advance(3601);
    await mailsSettle(server);
    expect(subjects()).toEqual([ADMIN]);
  });

  it('holds back no other team', async () => {
    await give(1);
    team = await makeTeam(admin, [bob], 'Boiler');
    await give(1);
    expect(subjects().filter((subject) => subject.startsWith('You are'))).toEqual([
      ADMIN,
      'You are now an admin of Boiler',
    ]);
  });
});

it('a removal that is undone before it was told is not told', async () => {
  const eve = await proved('Eve');
  const bob = await proved('Bob');
  const team = await makeTeam(eve, [bob]);
  await mailsSettle(server);
  for (let times = 0; times < 3; times++) {
    await eve.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    await mailsSettle(server);
    await join(eve, team, bob);
  }
  server.clock.advance(7200);
  await mailsSettle(server);
  const removals = mailbox.of(bob.email).filter(({ subject }) => subject.startsWith('You are no longer'));
  expect(removals).toHaveLength(1);
});

it('a mention that is edited in and out causes one mail', async () => {
  const [eve, bob] = [await signUp(server, 'Eve'), await signUp(server, 'Bob')];
  const team = await makeTeam(eve, [bob]);
  await bob.client.patch('/v1/users/me', { prefs: { email_on_team_message: false } });
  await mailsSettle(server);
  mailbox.clear();
  const name = (await bob.client.get('/v1/users/me')).data[0].username;
  const { data } = await eve.client.post('/v1/messages', { text: 'nothing', addressed_teams: [team] });
  // An edit before the message is looked at would count as what was posted.
  await mailsSettle(server);
  for (const text of [`@${name}`, 'nothing', `@${name} again`]) {
    await eve.client.patch(`/v1/messages/${data[0].id}`, { text });
    await mailsGo(server);
  }
  expect(mailbox.of(bob.email)).toHaveLength(1);
});
