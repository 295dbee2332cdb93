import { beforeEach, expect, it } from 'vitest';
import { type Person, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';

const { server } = scene({ each: true });
let people: Person[];

beforeEach(async () => {
  people = [await signUp(server, 'Ada'), await signUp(server, 'Bob'), await signUp(server, 'Carol')];
});

const account = (email: string) => ({
  email,
  password: 'a password of length',
  first_name: 'Jane',
  last_name: 'Doe',
});

it('two who sign up at once with the same local part both get an account', async () => {
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((domain) =>
        server.anonymous().post('/v1/users', account(`jane${round}@${domain}.example.org`)),
      ),
    );
    expect(answers.map(({ text, status }) => (status === 200 ? 200 : text))).toEqual([200, 200, 200, 200]);
    const names = answers.map(({ data }) => data[0].username);
    expect(new Set(names).size).toBe(4);
    expect(names).toContain(`jane${round}`);
  }
});

it('of several who sign up at once with the same address, one gets an account', async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => server.anonymous().post('/v1/users', account('jane@example.org'))),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

it('of several concurrent changes to one user name, one succeeds and the others are refused', async () => {
  for (let round = 0; round < 8; round++) {
    const answers = await Promise.all(
      people.map(({ client }) => client.patch('/v1/users/me', { username: `same${round}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.errors[0]).toMatchObject({ code: 4090, reason: 'username' });
  }
});

it('a mail domain is one, in Unicode and in Punycode', async () => {
  const { client } = await signUp(server, 'Jane', { email: 'Jane@Bücher.example' });
  expect((await client.get('/v1/users/me')).data[0].primary_email.address).toBe('Jane@Bücher.example');
  const taken = await server.anonymous().post('/v1/users', account('jane@xn--bcher-kva.example'));
  expect([taken.status, taken.body.errors[0].reason]).toEqual([409, 'email']);
  for (const email of ['jane@xn--bcher-kva.EXAMPLE', 'jane@bu\u0308cher.example']) {
    const signIn = { email, password: 'a password of length' };
    expect((await server.anonymous().post('/v1/sessions', signIn)).status).toBe(200);
  }
});

it('both databases name the constraint that a row violates alike', async () => {
  const [first, second] = people as [Person, Person];
  const violate = (sql: string) => server.running.db.write((tx) => tx.all(sql, []));
  await expect(
    violate(`UPDATE users SET username_key = (SELECT username_key FROM users WHERE id = '${first.id}')
      WHERE id = '${second.id}'`),
  ).rejects.toMatchObject({ name: 'UniqueViolation', constraint: 'users_username_key_key' });
  await expect(
    violate(
      "INSERT INTO server_state (name, value) SELECT name, value FROM server_state WHERE name = 'first_account'",
    ),
  ).rejects.toMatchObject({ constraint: 'server_state_pkey' });
});

it('nobody takes a name that stands for everybody, or for the operator (claim: reserved-names)', async () => {
  const { client } = await signUp(server, 'Mallory');
  for (const username of ['all', 'Admin', 'ROOT', 'parley', 'no.reply', 'post_master', 'Support']) {
    const refused = await client.patch('/v1/users/me', { username });
    expect([username, refused.body.errors?.[0]]).toEqual([
      username,
      expect.objectContaining({
        code: 4002,
        reason: 'username',
        message: expect.stringContaining('reserved'),
      }),
    ]);
  }
  const made = await signUp(server, 'Admin', { email: 'support@example.org' });
  expect((await made.client.get('/v1/users/me')).data[0].username).toMatch(/^support-\w+$/);
  expect((await client.patch('/v1/users/me', { username: 'admiral' })).status).toBe(200);
});

it('an address in another spelling of its mailbox is refused (claim: one-spelling)', async () => {
  for (const email of [
    'x1:v@example.org',
    '"v"@example.org',
    'v@example.org.',
    'v\u200b@example.org',
    'v(a)@example.org',
    'v@[192.0.2.1]',
    // A Cyrillic а, o and p; the last one as its ASCII form.
    'v\u0430l@example.org',
    'v@g\u043eogle.example',
    'v@xn--aypal-uye.example',
    // Cyrillic, Greek and Armenian letters alone that look like Latin ones; the second one as its ASCII form.
    'v@\u0430\u0440\u0440\u04cf\u0435.example',
    'v@xn--80ak6aa92e.example',
    '\u043e\u0440\u0430@example.org',
    'v@\u03bd\u03bf\u03c4.example',
    'v@\u0570\u0578\u057d.example',
  ]) {
    const fields = { email, password: 'a password of length', first_name: 'V', last_name: 'V' };
    const answer = await server.anonymous().post('/v1/users', fields);
    expect([email, answer.body.errors?.[0]]).toEqual([
      email,
      expect.objectContaining({ code: 4002, reason: 'email' }),
    ]);
  }
});

it('an address in one alphabet, or in one for each part, is an address', async () => {
  for (const email of [
    'почта@пример.example',
    'jörg@bücher.example',
    'mail2@почта-1.example',
    '名前a@例え.example',
    // Where the whole domain is Cyrillic, so is its reader.
    '\u0441\u043e\u0441@\u0440\u043e\u0433.\u0440\u0444',
  ]) {
    const fields = { email, password: 'a password of length', first_name: 'V', last_name: 'V' };
    expect([email, (await server.anonymous().post('/v1/users', fields)).status]).toEqual([email, 200]);
  }
});
