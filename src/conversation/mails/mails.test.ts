import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Mailbox, mailsGo, mailsSettle, refusal } from '../../../test/support/mailbox.ts';
import { join, makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { mailCleaning } from './index.ts';

const FROM = { MAIL_FROM: 'Parley <parley@example.org>' };

describe('without a mail server', () => {
  let server: TestServer;
  let admin: Person;
  let member: Person;

  beforeAll(async () => {
    server = await startTestServer();
    admin = await signUp(server, 'Admin');
    member = await signUp(server, 'Member');
  });
  afterAll(() => server.stop());

  it('mails are kept, with their links, for the administrator to read', async () => {
    const team = await makeTeam(admin, [], 'Kept');
    const emails = ['first@example.org', 'second@example.org'];
    const { data } = await admin.client.post(`/v1/teams/${team}/invitations`, { emails });
    const listed = await admin.client.get('/v1/admin/mails?limit=2');
    expect(
      listed.data.map((mail) => [mail.to, mail.kind, mail.status, mail.num_attempts, mail.reason]),
    ).toEqual([
      ['second@example.org', 'invitation', 'kept', 0, null],
      ['first@example.org', 'invitation', 'kept', 0, null],
    ]);
    expect(listed.data[1].text).toContain(data[0].url);
    expect(listed.data[1].html).toContain(data[0].url);
    expect(listed.data[1].created_at).toBeCloseTo(server.clock.now() / 1000, -2);
    const next = await admin.client.get(`/v1/admin/mails?limit=2&cursor=${listed.body.meta.next_cursor}`);
    expect(next.data[0].id < listed.data[1].id).toBe(true);
    const one = await admin.client.get(`/v1/admin/mails/${listed.data[0].id}`);
    expect(one.data).toEqual([listed.data[0]]);
  });

  it('none that quotes messages is made (claim: mails-no-messages-kept)', async () => {
    const other = await signUp(server, 'Other');
    const team = await makeTeam(member, [other], 'Kept');
    const posted = await member.client.post('/v1/messages', { text: 'Between us', addressed_teams: [team] });
    await member.client.post('/v1/messages', { text: 'Between us', addressed_users: [other.id] });
    await other.client.post(`/v1/messages/${posted.data[0].id}/sidebars`, {
      users: [member.id],
      text: 'Between us',
    });
    await mailsGo(server);
    const { data, text } = await admin.client.get('/v1/admin/mails?limit=200');
    expect(data.map(({ kind }) => kind)).not.toContain('messages');
    expect(text).not.toContain('Between us');
    const rows = await server.running.db.all('SELECT id FROM mail_jobs', []);
    expect(rows).toEqual([]);
  });

  it('nobody else reads them, and none can be sent', async () => {
    const { data } = await admin.client.get('/v1/admin/mails');
    const path = `/v1/admin/mails/${data[0].id}`;
    for (const answer of [
      await member.client.get('/v1/admin/mails'),
      await member.client.get(path),
      await member.client.post(`${path}/resend`),
    ]) {
      expect(answer.body.errors[0]).toMatchObject({ code: 4030, reason: 'not_superuser' });
    }
    expect((await admin.client.post(`${path}/resend`)).code).toBe(4090);
    expect((await admin.client.get('/v1/admin/mails/unknown')).code).toBe(4040);
  });
});

it('what is over is forgotten with its time, what waits is not', async () => {
  const mailbox = await new Mailbox().start();
  const server = await startTestServer({ SMTP_URL: mailbox.url, ...FROM });
  const ada = await signUp(server, 'Ada');
  await mailsSettle(server);
  mailbox.onRecipient = () => refusal(450);
  const bob = await signUp(server, 'Bob');
  await mailsSettle(server);
  const left = async () => (await ada.client.get('/v1/admin/mails')).data.map(({ to }) => to);
  const clean = async (keptMs: number) => {
    for (const task of mailCleaning(server.running.db, server.clock.now, keptMs))
      await task(new AbortController().signal);
  };
  await clean(60_000);
  expect(await left()).toEqual([bob.email, ada.email]);
  await clean(-1);
  expect(await left()).toEqual([bob.email]);
  await server.stop();
  await mailbox.stop();
});

it('with MAIL_NOTIFICATIONS=off only invitations and account mails go', async () => {
  const server = await startTestServer({ MAIL_NOTIFICATIONS: 'off' });
  const [ada, bob] = [await signUp(server, 'Ada'), await signUp(server, 'Bob')];
  const team = await makeTeam(ada, [bob]);
  await ada.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
  await ada.client.delete(`/v1/teams/${team}/users/${bob.id}`);
  await mailsGo(server);
  const { data } = await ada.client.get('/v1/admin/mails');
  expect(data.map(({ kind }) => kind)).toEqual(['invitation', 'email_verification', 'email_verification']);
  await server.stop();
});

describe('with a mail server', () => {
  let server: TestServer;
  let mailbox: Mailbox;
  let admin: Person;

  beforeAll(async () => {
    mailbox = await new Mailbox().start();
    const lasting = { EMAIL_VERIFICATION_LIFETIME: String(60 * 86_400) };
    server = await startTestServer({ SMTP_URL: mailbox.url, ...FROM, ...lasting });
    admin = await signUp(server, 'Admin');
  });
  beforeEach(async () => {
    await mailsSettle(server);
    mailbox.clear();
  });
  afterAll(async () => {
    await server.stop();
    await mailbox.stop();
  });

  const logged = async (to: string) => {
    const { data } = await admin.client.get('/v1/admin/mails?limit=200');
    return data.find((mail) => mail.to === to);
  };

  it('a mail is marked as sent, and the administrator does not see its link', async () => {
    const bob = await signUp(server, 'Bob');
    await mailsSettle(server);
    const mail = await mailbox.next(bob.email);
    const token = /email_verifications\/([\w-]+)/.exec(mail.text)?.[1] as string;
    expect(mail.headers.get('from')).toBe('Parley <parley@example.org>');
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail.headers.has('list-unsubscribe')).toBe(false);
    // The reader may not be the one who made the account.
    const made = (await bob.client.get('/v1/users/me')).data[0].created_at;
    for (const told of [
      'Bob Test',
      new Date(made * 1000).toISOString(),
      '127.0.0.1',
      'I did not create this account',
    ])
      expect(mail.text.replaceAll(/\s+/g, ' ')).toContain(told);
    const row = await logged(bob.email);
    expect(row).toMatchObject({ status: 'sent', kind: 'email_verification', num_attempts: 1, reason: null });
    expect(row.text).toContain('/email_verifications/(hidden)');
    expect(row.html).toContain('/email_verifications/(hidden)');
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it.each(['pending', 'failed', 'sent'])(
    'the administrator does not read the messages in one that is %s (claim: mails-messages-hidden)',
    async (status) => {
      const bob = await signUp(server, 'Bob');
      const team = await makeTeam(admin, [bob]);
      await mailsSettle(server);
      mailbox.clear();
      const refusals: Record<string, Error> = { pending: refusal(450), failed: refusal(550) };
      mailbox.onRecipient = () => refusals[status];
      const { data } = await admin.client.post('/v1/messages', {
        text: 'Between us',
        addressed_teams: [team],
      });
      await mailsGo(server);
      if (status === 'sent') expect((await mailbox.next(bob.email)).text).toContain('Between us');
      const row = await logged(bob.email);
      expect(row).toMatchObject({
        kind: 'messages',
        status,
        subject: 'New messages',
        text: '(messages of others)',
      });
      const one = await admin.client.get(`/v1/admin/mails/${row.id}`);
      for (const answer of [one.text, JSON.stringify(row)]) {
        expect(answer).not.toContain('Between us');
        expect(answer).not.toContain(data[0].id);
      }
      // The next test must not find waiting mails.
      mailbox.clear();
      server.clock.advance(31);
      await mailsSettle(server);
    },
  );

  it('does not go to an account that was deleted while it waited, and is forgotten', async () => {
    const cleo = await signUp(server, 'Cleo');
    const team = await makeTeam(admin, [cleo]);
    await mailsSettle(server);
    mailbox.clear();
    mailbox.onRecipient = () => refusal(450);
    const bobsAddress = 'Bobby@Example.org';
    await admin.client.post(`/v1/teams/${team}/invitations`, { emails: [bobsAddress] });
    const bob = await signUp(server, 'Bob', { email: bobsAddress.toLowerCase() });
    await join(admin, team, bob);
    await admin.client.post('/v1/messages', { text: 'soon', addressed_teams: [team] });
    await server.anonymous().post('/v1/password_resets', { email: bob.email });
    await mailsGo(server);
    const kinds = async () => {
      const { data } = await admin.client.get('/v1/admin/mails?limit=200');
      return data
        .filter(({ to }) => to.toLowerCase() === bob.email)
        .map(({ kind, status }) => [kind, status]);
    };
    expect(await kinds()).toEqual(
      // The second invitation within an hour is not mailed, and the first one was accepted.
      [
        ['messages', 'pending'],
        ['password_reset', 'pending'],
        ['email_verification', 'pending'],
        ['invitation', 'dropped'],
      ],
    );
    await admin.client.post('/v1/messages', { text: 'is never told', addressed_teams: [team] });
    await mailsSettle(server);
    mailbox.clear();
    const password = 'a password of length';
    expect((await bob.client.ask('DELETE', '/v1/users/me', { json: { password } })).status).toBe(200);
    expect(await kinds()).toEqual([]);
    await server.anonymous().post('/v1/password_resets', { email: bob.email });
    server.clock.advance(86_401);
    await mailsGo(server);
    expect(mailbox.of(cleo.email)).not.toEqual([]);
    expect(mailbox.offered.filter((address) => address.toLowerCase() === bob.email)).toEqual([]);
    expect(await kinds()).toEqual([]);
  });

  it('for a receiver that is slow delays no other', async () => {
    const slow = Promise.withResolvers<void>();
    let held: string | undefined;
    mailbox.onMail = async ({ to }) => {
      held ??= to;
      if (to === held) await slow.promise;
    };
    const first = await signUp(server, 'Slow');
    await mailbox.offers(first.email, 1);
    for (let n = 0; n < 10; n++) await mailbox.next((await signUp(server, 'Bob')).email);
    expect(mailbox.of(first.email)).toEqual([]);
    slow.resolve();
    expect((await mailbox.next(first.email)).subject).not.toBe('');
  });

  it('is tried again after 4xx, later each time, as the same mail', async () => {
    let refusals = 3;
    mailbox.onRecipient = () => (refusals-- > 0 ? refusal(451, 'greylisted') : undefined);
    const bob = await signUp(server, 'Bob');
    for (const [attempt, wait] of [31, 121, 601].entries()) {
      await mailsSettle(server);
      expect(await logged(bob.email)).toMatchObject({
        status: 'pending',
        num_attempts: attempt + 1,
        reason: '451 greylisted',
      });
      server.clock.advance(wait);
    }
    await mailsSettle(server);
    expect(await logged(bob.email)).toMatchObject({ status: 'sent', num_attempts: 4, reason: null });
    expect(mailbox.of(bob.email)).toHaveLength(1);
  });

  it('is tried again after a connection that breaks, also one that breaks after the mail was taken', async () => {
    const ids: (string | undefined)[] = [];
    mailbox.onMail = (mail) => {
      ids.push(mail.headers.get('message-id'));
      if (ids.length === 1) mailbox.hangUp();
    };
    const bob = await signUp(server, 'Bob');
    await mailsSettle(server);
    expect(await logged(bob.email)).toMatchObject({ status: 'pending', num_attempts: 1 });
    server.clock.advance(31);
    await mailsSettle(server);
    expect(await logged(bob.email)).toMatchObject({ status: 'sent', num_attempts: 2 });
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).toMatch(/^<[\w-]+@\S+>$/);
  });

  it('fails at once when it is refused for good, and goes when it is asked for again', async () => {
    mailbox.onRecipient = () => refusal(550, 'no such user');
    const bob = await signUp(server, 'Bob');
    await mailsSettle(server);
    const failed = await logged(bob.email);
    expect(failed).toMatchObject({ status: 'failed', num_attempts: 1, reason: '550 no such user' });
    server.clock.advance(7 * 86_400);
    await mailsSettle(server);
    expect(mailbox.offered).toEqual([bob.email]);

    mailbox.clear();
    const answer = await admin.client.post(`/v1/admin/mails/${failed.id}/resend`);
    expect(answer.data[0]).toMatchObject({ id: failed.id });
    await mailsSettle(server);
    expect(await logged(bob.email)).toMatchObject({ status: 'sent', num_attempts: 2, reason: null });
    expect(mailbox.of(bob.email)).toHaveLength(1);
  });

  it('fails after many tries', async () => {
    mailbox.onRecipient = () => refusal(450);
    const bob = await signUp(server, 'Bob');
    for (let n = 0; n < 12; n++) {
      await mailsSettle(server);
      server.clock.advance(86_401);
    }
    expect(await logged(bob.email)).toMatchObject({ status: 'failed', num_attempts: 9 });
    expect(mailbox.offered).toHaveLength(9);
  });

  it('is not sent to an account that was deactivated while it waited', async () => {
    mailbox.onRecipient = () => refusal(450);
    const bob = await signUp(server, 'Bob');
    await mailsSettle(server);
    await server.running.db.write((tx) => tx.all(`UPDATE users SET active = 0 WHERE id = '${bob.id}'`, []));
    server.clock.advance(31);
    await mailsSettle(server);
    expect(await logged(bob.email)).toMatchObject({ status: 'dropped', num_attempts: 2 });
    expect(mailbox.offered).toHaveLength(1);
  });

  describe('unsubscribing', () => {
    let bob: Person;
    let cleo: Person;
    let team: string;

    beforeEach(async () => {
      [bob, cleo] = [await signUp(server, 'Bob'), await signUp(server, 'Cleo')];
      team = await makeTeam(admin, [bob, cleo]);
      await mailsSettle(server);
      mailbox.clear();
    });

    const post = (text: string, fields: object = { addressed_teams: [team] }) =>
      admin.client.post('/v1/messages', { text, ...fields });
    const prefsOf = async (person: Person) => (await person.client.get('/v1/users/me')).data[0].prefs;
    async function link(): Promise<string> {
      const { headers, text, html } = await mailbox.next(bob.email);
      const [, url = ''] = /^<(.+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? [];
      expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      expect(url.startsWith(`${server.running.url}/v1/unsubscribe/`)).toBe(true);
      expect(text).toContain(url);
      expect(html).toContain(url);
      return url.slice(server.running.url.length);
    }

    it('takes one click, without a session, and stops this kind of mail alone', async () => {
      await post('one');
      await mailsGo(server);
      const path = await link();
      const page = await server.anonymous().get(path);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.text).toContain('<form method="post">');
      expect((await prefsOf(bob)).email_on_team_message).toBe(true);

      const clicked = await server.anonymous().ask('POST', path, {
        form: { 'List-Unsubscribe': 'One-Click' },
        headers: { Origin: 'https://mail.example.com' },
      });
      expect(clicked.status).toBe(200);
      const off = Object.entries(await prefsOf(bob)).filter(([, on]) => on === false);
      expect(off).toEqual([['email_on_team_message', false]]);
      expect((await prefsOf(cleo)).email_on_team_message).toBe(true);
      mailbox.clear();
      await post('two');
      await mailsGo(server);
      expect(mailbox.received.map(({ to }) => to)).toEqual([cleo.email]);
    });

    it('stops each kind that the mail held; a multipart form or none is as good', async () => {
      await post('one');
      await post('two', { addressed_users: [bob.id] });
      await mailsGo(server);
      const path = await link();
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      expect((await server.anonymous().ask('POST', path, { raw: form })).status).toBe(200);
      expect((await server.anonymous().ask('POST', path, {})).status).toBe(200);
      expect(await prefsOf(bob)).toMatchObject({
        email_on_team_message: false,
        email_on_direct_message: false,
        email_on_at_mention: true,
      });
    });

    it('a token that was changed does nothing', async () => {
      await post('one');
      await mailsGo(server);
      const path = await link();
      const [payload, signature] = (path.split('/').at(-1) as string).split('.');
      const other = Buffer.from(`${cleo.id}:email_on_team_message`).toString('base64url');
      for (const token of [
        `${other}.${signature}`,
        `${payload}.`,
        `${payload}`,
        'x',
        `${payload}.${signature}x`,
      ]) {
        for (const method of ['GET', 'POST']) {
          const answer = await server.anonymous().ask(method, `/v1/unsubscribe/${token}`, {});
          expect(answer.code).toBe(4040);
        }
      }
      expect((await prefsOf(cleo)).email_on_team_message).toBe(true);
    });
  });
});

describe('a mail server that is not there', () => {
  it('is down at first: mails wait for it', async () => {
    const mailbox = await new Mailbox().start();
    const { url } = mailbox;
    await mailbox.stop();
    const server = await startTestServer({ SMTP_URL: url, ...FROM });
    const ada = await signUp(server, 'Ada');
    await mailsSettle(server);
    const { data } = await ada.client.get('/v1/admin/mails');
    expect(data[0]).toMatchObject({ status: 'pending', num_attempts: 1 });
    expect(data[0].reason).toContain('ECONNREFUSED');
    await mailbox.start(Number(new URL(url).port));
    server.clock.advance(31);
    await mailbox.next(ada.email);
    await server.stop();
    await mailbox.stop();
  });

  it('or its settings make no sense: then nothing starts', async () => {
    await expect(startTestServer({ SMTP_URL: 'smtp://127.0.0.1:1' })).rejects.toThrow(/needs MAIL_FROM/);
    await expect(startTestServer({ SMTP_URL: 'http://x', ...FROM })).rejects.toThrow(/SMTP_URL must be like/);
    await expect(startTestServer({ MAIL_FROM: 'nobody' })).rejects.toThrow(/MAIL_FROM "nobody" must be like/);
  });
});
