import { beforeEach, describe, expect, it } from 'vitest';
import { query } from '#schema';
import { type Arrived, mailsSettle } from '../../../test/support/mailbox.ts';
import { type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { startTestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';

const PASSWORD = 'a password of length';

const { server, mailbox } = scene({ mail: true });
let ada: Person;

beforeEach(async () => {
  mailbox.clear();
  ada = await signUp(server, 'Ada');
});

/** The token of the link mailed to this address. */
async function tokenFor(email: string, path: string, after = 0): Promise<string> {
  const pattern = new RegExp(`${server.running.url}/${path}/([\\w-]+)`);
  const isNew = (mail: Arrived) => pattern.test(mail.text) && mailbox.of(email).indexOf(mail) >= after;
  const { text, html } = await mailbox.next(email, isNew);
  const token = pattern.exec(text)?.[1] ?? '';
  expect(html).toContain(`/${path}/${token}"`);
  return token;
}

const verified = async (person: Person) =>
  (await person.client.get('/v1/users/me')).data[0].primary_email.verified as boolean;
const verifiedForOthers = async (person: Person) =>
  (await ada.client.get(`/v1/users/${person.id}`)).data[0].email_verified as boolean;
const signIn = async (password: string, email = ada.email) =>
  (await server.anonymous().post('/v1/sessions', { email, password })).status;

describe('proving an address', () => {
  it('the mailed link proves it in a session of its account, once or twice', async () => {
    expect([await verified(ada), await verifiedForOthers(ada)]).toEqual([false, false]);
    const token = await tokenFor(ada.email, 'email_verifications');
    expect((await ada.client.put(`/v1/email_verifications/${token}`)).status).toBe(200);
    expect([await verified(ada), await verifiedForOthers(ada)]).toEqual([true, true]);
    expect((await ada.client.put(`/v1/email_verifications/${token}`)).status).toBe(200);
    expect((await ada.client.post('/v1/email_verifications')).code).toBe(4090);
  });

  it('the reader of a mailbox proves nothing for somebody who signed up with its address (claim: proof-needs-session)', async () => {
    const owner = await signUp(server, 'Owner');
    const token = await tokenFor(ada.email, 'email_verifications');
    expect((await server.anonymous().put(`/v1/email_verifications/${token}`)).code).toBe(4010);
    const refused = await owner.client.put(`/v1/email_verifications/${token}`);
    expect(refused.body.errors).toMatchObject([{ code: 4030, reason: 'other_account' }]);
    expect(await verified(ada)).toBe(false);
  });

  it('the reader of a mailbox closes the account that somebody else made with its address', async () => {
    const eve = await signUp(server, 'Eve');
    const token = await tokenFor(eve.email, 'email_verifications');
    const disown = (one: string) => server.anonymous().delete(`/v1/email_verifications/${one}`);
    expect((await disown('guessed')).code).toBe(4040);
    expect((await disown(token)).status).toBe(200);
    expect((await eve.client.get('/v1/users/me')).code).toBe(4010);
    expect(await signIn(PASSWORD, eve.email)).toBe(401);
    expect((await disown(token)).code).toBe(4040);
  });

  it('nobody closes an account whose address is proved by its link', async () => {
    const eve = await signUp(server, 'Eve');
    const token = await tokenFor(eve.email, 'email_verifications');
    await eve.client.put(`/v1/email_verifications/${token}`);
    const refused = await server.anonymous().delete(`/v1/email_verifications/${token}`);
    expect(refused.body.errors).toMatchObject([{ code: 4090, reason: 'verified' }]);
    expect(await verified(eve)).toBe(true);
  });

  it('another link can be asked for; a wrong one and one that is too old prove nothing', async () => {
    const first = await tokenFor(ada.email, 'email_verifications');
    expect((await server.anonymous().post('/v1/email_verifications')).code).toBe(4010);
    expect((await ada.client.post('/v1/email_verifications')).status).toBe(200);
    const second = await tokenFor(ada.email, 'email_verifications', 1);
    expect(second).not.toBe(first);
    expect((await ada.client.put('/v1/email_verifications/wrong')).code).toBe(4040);
    server.clock.advance(7 * 86_400 + 1);
    expect((await ada.client.put(`/v1/email_verifications/${second}`)).code).toBe(4040);
    expect(await verified(ada)).toBe(false);
  });

  it('a link to an address that the account no longer has proves nothing', async () => {
    const token = await tokenFor(ada.email, 'email_verifications');
    const email_key = `other-${ada.id}@example.org`;
    await server.running.db.write((tx) =>
      query(tx, (q) => q.updateTable('users').set({ email_key }).where('id', '=', ada.id)),
    );
    expect((await ada.client.put(`/v1/email_verifications/${token}`)).code).toBe(4040);
  });
});

describe('a forgotten password', () => {
  const ask = (email: string) => server.anonymous().post('/v1/password_resets', { email });
  const reset = (token: string, password = 'a new password') =>
    server.anonymous().put(`/v1/password_resets/${token}`, { password });

  it('the mailed link sets a new one, ends every session and proves the address', async () => {
    expect((await ask(ada.email.toUpperCase())).status).toBe(200);
    const token = await tokenFor(ada.email, 'password_resets');
    expect((await reset(token)).status).toBe(200);
    expect((await ada.client.get('/v1/users/me')).code).toBe(4010);
    expect([await signIn(PASSWORD), await signIn('a new password')]).toEqual([401, 200]);
    await ada.client.post('/v1/sessions', { email: ada.email, password: 'a new password' });
    expect(await verified(ada)).toBe(true);
  });

  it('the audit log records it', async () => {
    const root = await signUp(server, 'Root');
    await runSql(server.running.db, 'UPDATE users SET superuser = 1 WHERE id = ?', [root.id]);
    await ask(ada.email);
    await reset(await tokenFor(ada.email, 'password_resets'));
    const { data } = await root.client.get(`/v1/admin/audit?target=${ada.id}&action=password.changed`);
    expect(data).toEqual([expect.objectContaining({ actor: ada.id, address: '127.0.0.1' })]);
  });

  it('works once, also for two who try at once, and takes the other links with it', async () => {
    await ask(ada.email);
    const token = await tokenFor(ada.email, 'password_resets');
    await ask(ada.email);
    await mailsSettle(server);
    const other = await tokenFor(ada.email, 'password_resets', mailbox.of(ada.email).length - 1);
    expect(other).not.toBe(token);
    const both = await Promise.all([reset(token), reset(token, 'yet another one')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await reset(token)).code).toBe(4040);
    expect((await reset(other)).code).toBe(4040);
  });

  it('a link that is too old, wrong, or of another kind sets nothing', async () => {
    const proof = await tokenFor(ada.email, 'email_verifications');
    await ask(ada.email);
    const token = await tokenFor(ada.email, 'password_resets');
    expect((await reset(proof)).code).toBe(4040);
    expect((await reset('wrong')).code).toBe(4040);
    expect((await reset(token, 'short')).code).toBe(4002);
    server.clock.advance(3601);
    expect((await reset(token)).code).toBe(4040);
    expect(await signIn(PASSWORD)).toBe(200);
  });

  it('an unknown address and a closed account get the same answer, and no mail', async () => {
    await mailsSettle(server);
    await server.running.db.write((tx) =>
      query(tx, (q) => q.updateTable('users').set({ active: 0 }).where('id', '=', ada.id)),
    );
    mailbox.clear();
    const known = await ask((await signUp(server, 'Bob')).email);
    const others = [await ask('nobody@example.org'), await ask(ada.email)];
    for (const answer of others) {
      expect([answer.status, answer.data, answer.body.meta]).toEqual([
        known.status,
        known.data,
        known.body.meta,
      ]);
    }
    await mailsSettle(server);
    expect(mailbox.received.filter(({ text }) => text.includes('password_resets'))).toHaveLength(1);
    expect(mailbox.of('nobody@example.org')).toEqual([]);
    expect(mailbox.of(ada.email)).toEqual([]);
    expect((await ask('no address')).code).toBe(4002);
  });

  it('a link from before a change of the password sets none (claim: password-ends-links)', async () => {
    await ask(ada.email);
    const token = await tokenFor(ada.email, 'password_resets');
    const change = { current: PASSWORD, password: 'changed in the settings' };
    expect((await ada.client.post('/v1/users/me/password', change)).status).toBe(200);
    expect((await reset(token)).code).toBe(4040);
    expect(await signIn('changed in the settings')).toBe(200);
  });

  it('notifies the owner of a proved address of each new password, and no stranger', async () => {
    const told = async () => {
      await mailsSettle(server);
      return mailbox.of(ada.email).filter(({ subject }) => subject === 'Your password was changed').length;
    };
    const change = (current: string, password: string) =>
      ada.client.post('/v1/users/me/password', { current, password });
    expect((await change(PASSWORD, 'the second of them')).status).toBe(200);
    expect(await told()).toBe(0);
    await ada.client.put(`/v1/email_verifications/${await tokenFor(ada.email, 'email_verifications')}`);
    expect((await change('wrong', 'the third of them')).code).toBe(4002);
    expect((await change('the second of them', 'the third of them')).status).toBe(200);
    expect(await told()).toBe(1);
    await ask(ada.email);
    const { text } = await mailbox.next(ada.email, ({ subject }) => subject === 'Set a new password');
    expect((await reset(/password_resets\/([\w-]+)/.exec(text)?.[1] ?? '')).status).toBe(200);
    expect(await told()).toBe(2);
  });

  it('tokens are nowhere in the database', async () => {
    await ask(ada.email);
    const token = await tokenFor(ada.email, 'password_resets');
    const rows = await server.running.db.all<object>('SELECT * FROM account_tokens', []);
    const mails = await server.running.db.all<object>('SELECT * FROM mails', []);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify([rows, mails])).not.toContain(token);
  });
});

it('so many mails a minute for one address, whether it has an account or not', async () => {
  const limited = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_MAIL: '2' });
  limited.clock.toNextMinute();
  const person = await signUp(limited, 'Person');
  for (const email of [person.email, 'nobody@example.org']) {
    const ask = () => limited.anonymous().post('/v1/password_resets', { email });
    const codes = [await ask(), await ask(), await ask()].map(({ code }) => code);
    expect(codes).toEqual([undefined, undefined, 4290]);
  }
  const again = async () => (await person.client.post('/v1/email_verifications')).code;
  expect([await again(), await again(), await again()]).toEqual([undefined, undefined, 4290]);
  await limited.stop();
});
