import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import { query } from '#schema';
import { mailsGo, mailsSettle, proveAddress } from '../../../test/support/mailbox.ts';
import { insertMember } from '../../../test/support/members.ts';
import { join, makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { prefNames } from '../../people/users/index.ts';

const { server, mailbox } = scene({ people: ['First'], mail: true });
let ada: Person;
let bob: Person;
let cleo: Person;
let team: string;

beforeEach(async () => {
  [ada, bob, cleo] = [await signUp(server, 'Ada'), await signUp(server, 'Bob'), await signUp(server, 'Cleo')];
  team = await makeTeam(ada, [bob, cleo], 'Engine room');
  await mailsSettle(server);
  // Invitations of a person whose address is not proved are not mailed.
  await proveAddress(mailbox, ada);
  mailbox.clear();
});

/** Leaves on what is named, and nothing else. */
async function only(person: Person, ...on: string[]): Promise<void> {
  const prefs = Object.fromEntries(prefNames.map((name) => [name, on.includes(name)]));
  expect((await person.client.patch('/v1/users/me', { prefs })).status).toBe(200);
}

const post = async (author: Person, text: string, fields: object = { addressed_teams: [team] }) =>
  (await author.client.post('/v1/messages', { text, ...fields })).data[0].id as string;
const direct = (author: Person, text: string, ...to: Person[]) =>
  post(author, text, { addressed_users: to.map(({ id }) => id) });
const usernameOf = async (person: Person) =>
  (await person.client.get('/v1/users/me')).data[0].username as string;
const subjects = (person: Person) => mailbox.of(person.email).map(({ subject }) => subject);

describe('each preference decides alone', () => {
  it('email_on_team_message', async () => {
    await only(bob, 'email_on_team_message');
    await only(cleo);
    const id = await post(ada, '**Steam** is up <b>now</b>');
    await mailsGo(server);
    const [mail] = mailbox.of(bob.email);
    expect(subjects(bob)).toEqual(['Ada Test wrote in Engine room']);
    expect(mail?.from).toBe('parley@example.org');
    expect(mail?.text).toContain('> Steam is up <b>now</b>');
    expect(mail?.text).toContain(`${server.running.url}/messages/${id}`);
    expect(mail?.html).toContain('Steam is up &lt;b&gt;now&lt;/b&gt;');
    expect(mailbox.of(cleo.email)).toEqual([]);
    expect(mailbox.of(ada.email)).toEqual([]);
  });

  it('email_on_direct_message', async () => {
    await only(bob, 'email_on_direct_message');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_direct_message'));
    await direct(ada, 'between us', bob, cleo, ada);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['Ada Test wrote to you']);
    expect(mailbox.received).toHaveLength(1);
  });

  it('email_on_at_mention, in whatever case, and not inside an address', async () => {
    await only(bob, 'email_on_at_mention');
    await only(cleo, 'email_on_at_mention');
    const [toBob, toCleo] = [await usernameOf(bob), await usernameOf(cleo)];
    await post(ada, `Ask @${toBob.toUpperCase()}. Or write to someone@${toCleo}.example`);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['Ada Test mentioned you in Engine room']);
    await only(
      bob,
      ...prefNames.filter((name) => !['email_on_at_mention', 'email_on_team_message'].includes(name)),
    );
    await post(ada, `@${toBob} again`);
    await mailsGo(server);
    expect(mailbox.received).toHaveLength(1);
  });

  it('a mention is no way to tell somebody outside of the team', async () => {
    const stranger = await signUp(server, 'Stranger');
    await mailsSettle(server);
    mailbox.clear();
    await post(ada, `psst, @${await usernameOf(stranger)}`);
    await mailsGo(server);
    expect(mailbox.of(stranger.email)).toEqual([]);
  });

  it('email_on_team_removed, but not for a person who leaves', async () => {
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_team_removed'));
    await only(bob, 'email_on_team_removed');
    const dave = await signUp(server, 'Dave');
    await join(ada, team, dave);
    await mailsSettle(server);
    mailbox.clear();
    for (const person of [bob, cleo]) await ada.client.delete(`/v1/teams/${team}/users/${person.id}`);
    await dave.client.delete(`/v1/teams/${team}/users/${dave.id}`);
    await mailsSettle(server);
    expect(mailbox.received.map(({ to, subject }) => [to, subject])).toEqual([
      [bob.email, 'You are no longer in Engine room'],
    ]);
    expect(mailbox.received[0]?.text).toContain('Ada Test removed you');
  });

  it('email_on_team_role_changed', async () => {
    await only(bob, 'email_on_team_role_changed');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_team_role_changed'));
    for (const person of [bob, cleo, ada]) {
      await ada.client.patch(`/v1/teams/${team}/users/${person.id}`, { membership_type: 1 });
    }
    await ada.client.patch(`/v1/teams/${team}/users/${ada.id}`, { membership_type: 2 });
    await mailsSettle(server);
    expect(subjects(bob)).toEqual(['You are now an admin of Engine room']);
    expect(mailbox.received).toHaveLength(1);
  });

  it('email_on_team_invite, for a person with an account; others are always told', async () => {
    await only(bob, 'email_on_team_invite');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_team_invite'));
    const other = await makeTeam(ada, [], 'Boiler');
    const emails = [bob.email, cleo.email, 'Nobody@Example.org'];
    const { data } = await ada.client.post(`/v1/teams/${other}/invitations`, { emails });
    expect(data.map(({ mailed }) => mailed)).toEqual([true, false, true]);
    await mailsSettle(server);
    expect(mailbox.received.map(({ to }) => to).sort()).toEqual([bob.email, 'Nobody@example.org'].sort());
    const mail = await mailbox.next(bob.email);
    expect(mail.subject).toBe('Ada Test invites you to Boiler');
    expect(mail.text).toContain(`${server.running.url}/invitations/${data[0].token}`);
    // The mailed link has a part more, which proves the address.
    expect(mail.html).toContain(`href="${server.running.url}/invitations/${data[0].token}.`);
    expect((await bob.client.put(`/v1/invitations/${data[0].token}`)).status).toBe(200);
  });
});

it('nobody is sent more than ten invitations a day', async () => {
  const teams = [];
  for (let n = 0; n < 12; n++) teams.push(await makeTeam(ada));
  const invite = async (to: string | undefined) => {
    const { data } = await ada.client.post(`/v1/teams/${to}/invitations`, {
      emails: ['flooded@example.org'],
    });
    return data[0].mailed as boolean;
  };
  const mailed: boolean[] = [];
  for (const one of teams) mailed.push(await invite(one));
  expect(mailed).toEqual([...Array(10).fill(true), false, false]);
  await mailsSettle(server);
  expect(mailbox.received).toHaveLength(10);
  server.clock.advance(86_401);
  expect(await invite(teams[11])).toBe(true);
  await mailsSettle(server);
  expect(mailbox.received).toHaveLength(11);
});

it('a message that cannot be dealt with keeps no other one waiting, and is tried again', async () => {
  const dave = await signUp(server, 'Dave');
  const other = await makeTeam(ada, [dave], 'Other');
  await mailsSettle(server);
  mailbox.clear();
  const setPrefs = (prefs_json: string) =>
    server.running.db.write((tx) =>
      query(tx, (q) => q.updateTable('users').set({ prefs_json }).where('id', '=', bob.id)),
    );
  await setPrefs('{broken');
  await post(ada, 'stuck');
  await post(ada, 'not stuck', { addressed_teams: [other] });
  await mailsGo(server);
  expect(mailbox.received.map(({ to }) => to)).toEqual([dave.email]);
  await setPrefs('{}');
  server.clock.advance(3600);
  await mailsGo(server);
  expect(mailbox.received.map(({ to }) => to).sort()).toEqual([dave.email, bob.email, cleo.email].sort());
});

describe('replies', () => {
  const reply = (author: Person, root: string, text = 'a reply') =>
    author.client.post(`/v1/messages/${root}/replies`, { text });

  it('email_on_reply_to_your_direct_message tells the author of what is answered', async () => {
    await only(ada, 'email_on_reply_to_your_direct_message');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_reply_to_your_direct_message'));
    const [fromAda, fromCleo] = [await direct(ada, 'well?', bob), await direct(cleo, 'well?', bob)];
    await mailsGo(server);
    mailbox.clear();
    await reply(bob, fromAda, 'fine');
    await reply(bob, fromCleo, 'fine');
    await mailsGo(server);
    expect(mailbox.received.map(({ to, subject }) => [to, subject])).toEqual([
      [ada.email, 'Bob Test replied'],
    ]);
  });

  it('email_on_reply_to_your_message tells the author of what is answered in a team', async () => {
    await only(ada, 'email_on_reply_to_your_message');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_reply_to_your_message'));
    const [fromAda, fromCleo] = [await post(ada, 'who is in?'), await post(cleo, 'who is out?')];
    await mailsGo(server);
    mailbox.clear();
    await reply(bob, fromAda);
    await reply(ada, fromAda, 'my own');
    await reply(bob, fromCleo);
    await mailsGo(server);
    expect(subjects(ada)).toEqual(['Bob Test replied in Engine room']);
    expect(mailbox.of(cleo.email)).toEqual([]);
    // A person who replied to their own message gets mails about further replies by the other switch.
    await reply(cleo, fromCleo);
    await reply(bob, fromCleo);
    await mailsGo(server);
    expect(subjects(cleo)).toEqual(['Bob Test replied in Engine room']);
  });

  it('email_on_reply_to_message_you_replied_to tells who answered before, in a team', async () => {
    await only(ada);
    await only(bob, 'email_on_reply_to_message_you_replied_to');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_reply_to_message_you_replied_to'));
    const root = await post(ada, 'who is in?');
    await mailsGo(server);
    mailbox.clear();
    await reply(bob, root);
    await reply(cleo, root);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['Cleo Test replied in Engine room']);
    await reply(ada, root);
    await mailsGo(server);
    expect(subjects(bob)).toHaveLength(2);
    expect(mailbox.received).toHaveLength(2);
  });

  it('a mention in a reply reaches those who see it, and a muted conversation nobody', async () => {
    await only(bob, 'email_on_at_mention');
    const root = await post(ada, 'who is in?');
    await mailsGo(server);
    mailbox.clear();
    const text = `@${await usernameOf(bob)} is`;
    await reply(cleo, root, text);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['Cleo Test mentioned you in Engine room']);
    await bob.client.put(`/v1/messages/${root}/mute`);
    await reply(cleo, root, text);
    await mailsGo(server);
    expect(subjects(bob)).toHaveLength(1);
  });

  it('what was read meanwhile is left out', async () => {
    const root = await post(ada, 'who is in?');
    await mailsGo(server);
    mailbox.clear();
    await reply(bob, root);
    await reply(cleo, root);
    await bob.client.put(`/v1/messages/${root}/read`);
    await mailsGo(server);
    expect(mailbox.of(bob.email)).toEqual([]);
  });

  it('what was read and marked as unread again is not', async () => {
    await only(bob, 'email_on_team_message');
    await only(cleo);
    const id = await post(ada, 'Remind me');
    await bob.client.put(`/v1/messages/${id}/read`);
    expect((await bob.client.delete(`/v1/messages/${id}/read`)).status).toBe(200);
    await mailsGo(server);
    expect(mailbox.of(bob.email).map(({ text }) => text)).toEqual([expect.stringContaining('> Remind me')]);
  });

  it('also what was read with everything else, in a team and in a direct message (claim: mails-not-read)', async () => {
    const [inTeam, toBob] = [await post(ada, 'who is in?'), await direct(ada, 'well?', bob)];
    for (const root of [inTeam, toBob]) await reply(bob, root);
    await mailsGo(server);
    mailbox.clear();
    const replies = await Promise.all([inTeam, toBob].map((root) => reply(ada, root, 'read at once')));
    await bob.client.put('/v1/users/me/read');
    for (const { data } of replies) {
      expect((await bob.client.get(`/v1/messages/${data[0].id}`)).data[0].read).toBe(true);
    }
    await mailsGo(server);
    expect(mailbox.of(bob.email)).toEqual([]);
    // A message marked unread again is mailed, and so are later ones.
    const { data } = await reply(ada, inTeam, 'marked again');
    await bob.client.put('/v1/users/me/read');
    await bob.client.delete(`/v1/messages/${data[0].id}/read`);
    await reply(ada, toBob, 'later');
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['2 new messages from Ada Test']);
  });
});

describe('sidebars', () => {
  /** Opened beside a message of the team, and the mails about it are over. */
  async function sidebar(users: readonly Person[]): Promise<string> {
    const message = await post(ada, 'the message beside which it is');
    const { data } = await ada.client.post(`/v1/messages/${message}/sidebars`, {
      text: 'psst',
      users: users.map(({ id }) => id),
    });
    await mailsGo(server);
    mailbox.clear();
    return data[0].id;
  }
  const write = (author: Person, id: string) =>
    author.client.post(`/v1/sidebars/${id}/messages`, { text: 'aside' });

  it('email_on_sidebar_message tells those who take part', async () => {
    const dave = await signUp(server, 'Dave');
    await join(ada, team, dave);
    const id = await sidebar([bob, cleo]);
    await only(bob, 'email_on_sidebar_message');
    await only(cleo, ...prefNames.filter((name) => name !== 'email_on_sidebar_message'));
    await write(ada, id);
    await mailsGo(server);
    expect(mailbox.received.map(({ to, subject }) => [to, subject])).toEqual([
      [bob.email, 'Ada Test wrote in a sidebar in Engine room'],
    ]);
  });

  it('a person who left the team, or has read it, is not told', async () => {
    const id = await sidebar([bob, cleo]);
    await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
    await write(ada, id);
    const { data } = await cleo.client.get(`/v1/sidebars/${id}/messages`);
    await cleo.client.put(`/v1/messages/${data.at(-1).id}/read`);
    await mailsGo(server);
    expect(mailbox.received.map(({ subject }) => subject)).toEqual(['You are no longer in Engine room']);
  });
});

describe('who is left in peace', () => {
  it('a person who muted the team, even when mentioned', async () => {
    await bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true });
    await post(ada, `@${await usernameOf(bob)}!`);
    await mailsGo(server);
    expect(mailbox.of(bob.email)).toEqual([]);
    expect(mailbox.of(cleo.email)).toHaveLength(1);
  });

  it('a person who mutes it, leaves, switches it off or is deactivated while messages are collected', async () => {
    const dave = await signUp(server, 'Dave');
    await join(ada, team, dave);
    await post(ada, 'soon');
    await mailsSettle(server);
    mailbox.clear();
    await bob.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true });
    await cleo.client.delete(`/v1/teams/${team}/users/${cleo.id}`);
    await only(dave);
    await mailsGo(server);
    expect(mailbox.received).toEqual([]);

    await only(dave, 'email_on_team_message');
    await post(ada, 'later');
    await mailsSettle(server);
    await server.running.db.write((tx) =>
      query(tx, (q) => q.updateTable('users').set({ active: 0 }).where('id', '=', dave.id)),
    );
    await mailsGo(server);
    expect(mailbox.received).toEqual([]);
  });

  it('a person who has read it', async () => {
    const id = await post(ada, 'read by one');
    await mailsSettle(server);
    await bob.client.put(`/v1/messages/${id}/read`);
    await mailsGo(server);
    expect(mailbox.of(bob.email)).toEqual([]);
    expect(mailbox.of(cleo.email)).toHaveLength(1);
  });
});

describe('one mail for what comes within a minute', () => {
  it('names the sender, the team, or the number', async () => {
    await only(cleo);
    for (let n = 1; n <= 10; n++) await post(ada, `message ${n}`);
    await mailsSettle(server);
    expect(mailbox.received).toEqual([]);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['10 new messages from Ada Test']);
    for (let n = 1; n <= 10; n++) expect(mailbox.received[0]?.text).toContain(`message ${n}`);

    await only(bob, 'email_on_team_message', 'email_on_direct_message');
    await only(cleo, 'email_on_team_message');
    await post(ada, 'one');
    await post(cleo, 'two');
    await mailsGo(server);
    expect(subjects(bob)[1]).toBe('2 new messages in Engine room');
    expect(subjects(cleo)).toEqual(['Ada Test wrote in Engine room']);

    await post(ada, 'three');
    await direct(cleo, 'four', bob);
    await mailsGo(server);
    expect(subjects(bob)[2]).toBe('2 new messages');
  });

  it('a message is told once, for its most specific reason', async () => {
    const id = await post(ada, `@${await usernameOf(bob)} twice a reason`);
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['Ada Test mentioned you in Engine room']);
    const rows = await server.running.db.all<{ reason: string }>(
      `SELECT reason FROM mail_notifications WHERE message_id = '${id}' AND user_id = '${bob.id}'`,
      [],
    );
    expect(rows).toEqual([{ reason: 'email_on_at_mention' }]);
  });

  it('shows fifty and counts the rest', async () => {
    await only(cleo);
    await Promise.all(Array.from({ length: 53 }, (_, n) => post(ada, `number ${n}`)));
    await mailsGo(server);
    expect(subjects(bob)).toEqual(['53 new messages from Ada Test']);
    expect(mailbox.received[0]?.text.match(/number \d+/g)).toHaveLength(50);
    expect(mailbox.received[0]?.text).toContain('And 3 more');
  });

  it('posting to a team writes one row, however large it is; the worker finds everybody', async () => {
    const members = await Promise.all(Array.from({ length: 230 }, (_, n) => fakeMember(n)));
    await post(ada, 'to all');
    await mailsGo(server);
    for (const email of members) expect(mailbox.of(email)).toHaveLength(1);
    expect(mailbox.received).toHaveLength(members.length + 2);
  });

  /** A person who never signs in. */
  async function fakeMember(n: number): Promise<string> {
    const email = `member-${newId()}@example.org`;
    const now = server.clock.now();
    await server.running.db.write((tx) =>
      insertMember(tx, { team, email, first_name: `Member ${n}`, last_name: '', now }),
    );
    return email;
  }
});

describe('names and texts that mean harm', () => {
  it('cannot add a header or leave their place', async () => {
    const evil = 'Eve\r\nBcc: victim@example.org\r\n\r\n<script>alert(1)</script>';
    await ada.client.patch('/v1/users/me', { first_name: evil, last_name: '\u202eknil' });
    await ada.client.patch(`/v1/teams/${team}`, { name: 'T\r\nSubject: other\u2028' });
    await only(cleo);
    await post(ada, '</p><img src=x onerror=alert(1)>\r\n.\r\nMAIL FROM:<x@example.org>');
    await mailsGo(server);
    expect(mailbox.received).toHaveLength(1);
    const [mail] = mailbox.received;
    expect(mail?.to).toBe(bob.email);
    expect(mail?.headers.get('bcc')).toBeUndefined();
    expect(mail?.headers.get('to')).toBe(bob.email);
    const [head] = mail?.raw.split('\r\n\r\n') ?? [];
    expect(head?.match(/^(subject|bcc|to):/gim)).toEqual(['To:', 'Subject:']);
    expect(mail?.subject).toBe(
      'Eve Bcc: victim@example.org <script>alert(1)</script> knil wrote in T Subject: other',
    );
    expect(mail?.html).not.toMatch(/<script|<img/);
    expect(mail?.text).toContain('MAIL FROM:<x@example.org>');
  });
});
