/*
 * An attacker tries the passwords that people choose most, those of known breaches, and what is known of a person. No
 * account can be given such a password: neither at sign-up nor by a change, a reset or the command line.
 */
import { expect, it } from 'vitest';
import { signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, root } = scene({ people: ['Root'], each: true });

const person = { email: 'ada.lovelace@example.org', first_name: 'Augusta Ada', last_name: 'Lovelace' };
const weak = [
  '1234567890',
  'passwordpassword',
  'Password123!',
  'qwertyuiop',
  'iloveyou1234',
  'aaaaaaaaaaaaaaaa',
  person.email,
  person.email.toUpperCase(),
  'lovelace1815',
  'AdaLovelace!1',
  'parley-parley',
  'Parley2026!',
  'augusta ada lovelace',
];
const good = [
  'a password of length',
  'correct horse battery staple',
  'Harbour-Engine-44-Mill',
  'ada likes warm bread',
];

it('no sign-up with a weak password (claim: weak-passwords-refused)', async () => {
  for (const password of weak) {
    const { status, body } = await server.anonymous().post('/v1/users', { ...person, password });
    expect([password, status, body.errors?.[0]?.reason]).toEqual([password, 400, 'password']);
  }
  for (const [n, password] of good.entries()) {
    const { text, status } = await server
      .anonymous()
      .post('/v1/users', { ...person, email: `ada${n}@example.org`, password });
    expect([password, status === 200 ? 200 : text]).toEqual([password, 200]);
  }
});

it('no change and no reset to one, and the present password goes on working', async () => {
  const email = person.email;
  const ada = await signUp(server, 'Ada', { email });
  const changed = await ada.client.post('/v1/users/me/password', {
    current: 'a password of length',
    password: 'lovelace.ada',
  });
  expect(changed.body.errors[0]).toMatchObject({ code: 4002, reason: 'password' });
  await server.anonymous().post('/v1/password_resets', { email });
  for (let token: string | undefined; ; ) {
    const mails = await root.client.get('/v1/admin/mails?limit=200');
    token = mails.data.map(({ text }) => /password_resets\/([\w-]+)/.exec(text)?.[1]).find(Boolean);
    if (!token) continue;
    const reset = await server.anonymous().put(`/v1/password_resets/${token}`, { password: 'iloveyou1234' });
    expect(reset.body.errors[0]).toMatchObject({ code: 4002, reason: 'password' });
    // The link was not used up.
    const good = await server
      .anonymous()
      .put(`/v1/password_resets/${token}`, { password: 'harbour engine mill' });
    expect(good.status).toBe(200);
    break;
  }
});

it('what was set before the rule goes on working', async () => {
  const ada = await signUp(server, 'Ada');
  const { db } = server.running;
  // The hash of "1234567890".
  const { passwordService } = await import('../../src/people/accounts/index.ts');
  const old = await passwordService().hash('1234567890', { source: 'test', known: true });
  const places = db.dialect === 'sqlite' ? ['?', '?'] : ['$1', '$2'];
  await db.write((tx) =>
    tx.all(`UPDATE users SET password_hash = ${places[0]} WHERE id = ${places[1]}`, [old, ada.id]),
  );
  const { status } = await server
    .anonymous()
    .post('/v1/sessions', { email: ada.email, password: '1234567890' });
  expect(status).toBe(200);
});
