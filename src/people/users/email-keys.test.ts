import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person, signUp } from '../../../test/support/people.ts';
import { startTestServer, type TestServer } from '../../../test/support/server.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';

const PASSWORD = 'a password of length';
let first: TestServer;
let server: TestServer;
let root: Person;

beforeEach(async () => {
  first = await startTestServer();
  server = first;
  root = await signUp(first, 'Root');
});
afterEach(async () => {
  if (server !== first) await server.running.stop();
  await first.stop();
});

/** Gives an account the key that release 0.1.0 gave it. */
async function setKey({ id }: Person, key: string): Promise<void> {
  const { db } = server.running;
  await runSql(db, 'UPDATE users SET email_key = ? WHERE id = ?', [key, id]);
  await runSql(db, 'UPDATE account_tokens SET email_key = ? WHERE user_id = ?', [key, id]);
}

async function restart(): Promise<void> {
  await server.running.stop();
  server = await startTestServer(first.environment);
}

const signIn = async (email: string) =>
  (await server.anonymous().post('/v1/sessions', { email, password: PASSWORD })).data[0]?.id as
    | string
    | undefined;

async function mailed(pattern: RegExp): Promise<string> {
  const admin = server.anonymous();
  await admin.post('/v1/sessions', { email: root.email, password: PASSWORD });
  return until(async () => {
    const { data } = await admin.get('/v1/admin/mails?limit=200');
    return data.map(({ text }) => pattern.exec(text)?.[1]).find(Boolean);
  });
}

it('an account whose address was kept in another spelling signs in, and resets its password', async () => {
  const ascii = await signUp(server, 'Jane', { email: 'jane@xn--bcher-kva.example' });
  await setKey(ascii, 'jane@xn--bcher-kva.example');
  const accents = await signUp(server, 'Jose', { email: 'jose\u0301@example.org' });
  await setKey(accents, 'jose\u0301@example.org');
  const proof = await mailed(/email_verifications\/([\w-]+)/);
  await restart();
  for (const email of ['jane@xn--bcher-kva.example', 'jane@bücher.example'])
    expect(await signIn(email)).toBe(ascii.id);
  expect(await signIn('jos\u00e9@example.org')).toBe(accents.id);
  const again = { password: PASSWORD, first_name: 'J', last_name: 'J' };
  const taken = await server.anonymous().post('/v1/users', { ...again, email: 'jane@bücher.example' });
  expect(taken.code).toBe(4090);
  // A link that was mailed before goes on working.
  const owner = server.anonymous();
  await owner.post('/v1/sessions', { email: 'jos\u00e9@example.org', password: PASSWORD });
  expect((await owner.put(`/v1/email_verifications/${proof}`)).status).toBe(200);
  await server.anonymous().post('/v1/password_resets', { email: 'jane@xn--bcher-kva.example' });
  const token = await mailed(/password_resets\/([\w-]+)/);
  const reset = await server
    .anonymous()
    .put(`/v1/password_resets/${token}`, { password: 'quite another one' });
  expect(reset.status).toBe(200);
});

it('two accounts with one address in two spellings do not stop the start, and each signs in as it is spelled', async () => {
  const unicode = await signUp(server, 'Twin', { email: 'twin@bücher.example' });
  const ascii = await signUp(server, 'Twin');
  await setKey(ascii, 'twin@xn--bcher-kva.example');
  const later = await signUp(server, 'Jane', { email: 'jane@bücher.example' });
  await setKey(later, 'jane@xn--bcher-kva.example');
  await restart();
  expect(await signIn('twin@bücher.example')).toBe(unicode.id);
  expect(await signIn('twin@xn--bcher-kva.example')).toBe(ascii.id);
  expect(await signIn('jane@bücher.example')).toBe(later.id);
  await restart();
  expect(await signIn('twin@xn--bcher-kva.example')).toBe(ascii.id);
});

it('an invitation from then is for the address in both spellings', async () => {
  const team = await makeTeam(root);
  const invited = await root.client.post(`/v1/teams/${team}/invitations`, {
    emails: ['jane@bücher.example'],
    membership_type: 1,
  });
  await runSql(server.running.db, 'UPDATE invitations SET email_key = ?', ['jane@xn--bcher-kva.example']);
  await restart();
  const jane = await signUp(server, 'Jane', {
    email: 'jane@bücher.example',
    invitation: invited.data[0].token,
  });
  expect((await jane.client.get(`/v1/teams/${team}`)).status).toBe(200);
});

it('a message reaches an address in both spellings of its domain', async () => {
  const jane = await signUp(server, 'Jane', { email: 'jane@bücher.example' });
  await makeTeam(root, [jane]);
  for (const email of ['jane@xn--bcher-kva.example', 'JANE@Bücher.example']) {
    const body = { text: 'Hello', addressed_users: { ids: [], emails: [email] } };
    expect((await root.client.post('/v1/messages', body)).data[0].addressed_users).toEqual([jane.id]);
  }
});
