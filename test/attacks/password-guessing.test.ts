/*
 * An attacker guesses one person's password from many networks at once, with forged and with foreign device cookies,
 * and with many requests in parallel. However they spread, all browsers that have not signed in to the account before
 * share one pace, and a known browser has a slow one of its own.
 */
import { beforeEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const PASSWORD = 'a password of length';
const { server } = scene({
  environment: {
    RATE_LIMIT: 'on',
    RATE_LIMIT_SIGN_IN: '1000',
    RATE_LIMIT_ACCOUNT: '4',
    RATE_LIMIT_UNKNOWN_BROWSERS: '10',
    TRUST_PROXY: 'yes',
  },
  each: true,
});
let ada: Person;

beforeEach(async () => {
  const setup_token = new URL(server.running.setUpUrl ?? '').hash.slice(1);
  await signUp(server, 'Root', { setup_token });
  ada = await signUp(server, 'Ada');
  server.clock.toNextMinute();
});

const guess = (client: Client, address: string, email = ada.email) =>
  client.post('/v1/sessions', { email, password: 'wrong password' }, { 'X-Forwarded-For': address });
const tried = (answers: readonly { code: number | undefined }[]) =>
  answers.filter(({ code }) => code === 4010).length;

it('many networks at once share one pace for an account (claim: guessing-is-bounded)', async () => {
  const storm = () =>
    Promise.all(
      Array.from({ length: 40 }, (_, n) => guess(new Client(server.url), `2001:db8:0:${n.toString(16)}::1`)),
    );
  expect(tried(await storm())).toBe(10);
  expect(tried(await storm())).toBe(0);
  server.clock.advance(3600);
  // One in five minutes.
  const later = tried(await storm());
  expect(later).toBe(10);
  let inAll = later;
  for (let hour = 0; hour < 6; hour++) {
    server.clock.advance(3600);
    inAll += tried(await storm());
  }
  expect(inAll).toBeLessThanOrEqual(10 + 7 * 12);
});

it('one IPv6 network is one caller, whatever addresses it takes', async () => {
  const answers: { code: number | undefined }[] = [];
  for (let n = 1; n <= 8; n++) answers.push(await guess(new Client(server.url), `2001:db8::${n}`));
  expect(tried(answers)).toBe(4);
});

it('a device cookie of somebody else, or a forged one, is worth nothing', async () => {
  const mallory = await signUp(server, 'Mallory');
  const [name, value = ''] =
    mallory.client.cookie
      .split('; ')
      .find((cookie) => cookie.startsWith('parley_device='))
      ?.split(/=(.*)/) ?? [];
  expect(name).toBe('parley_device');
  const forged = decodeURIComponent(value).replace(mallory.id, ada.id);
  for (const cookie of [value, encodeURIComponent(forged), encodeURIComponent(`x.${ada.id}`)]) {
    const client = new Client(server.url, { Cookie: `parley_device=${cookie}` });
    for (let n = 0; n < 6; n++) await guess(client, '198.51.100.9');
  }
  const last = await guess(new Client(server.url), '198.51.100.9');
  expect(last.code).toBe(4290);
  const counted = await Promise.all(
    Array.from({ length: 20 }, (_, n) => guess(new Client(server.url), `203.0.113.${n}`)),
  );
  // Four of the ten were used up by that one network.
  expect(tried(counted)).toBe(6);
});

it('a stolen device cookie gets a slow pace of its own, then counts as unknown', async () => {
  const answers: { code: number | undefined }[] = [];
  for (let n = 0; n < 14; n++) answers.push(await guess(ada.client.copy(), '198.51.100.9'));
  expect(tried(answers)).toBe(4 + 4);
  const { status } = await ada.client.get('/v1/users/me');
  expect(status).toBe(200);
});

it('an address without an account is slowed down alike', async () => {
  const codes = async (email: string) => {
    const answers: (number | undefined)[] = [];
    for (let n = 0; n < 6; n++)
      answers.push((await guess(new Client(server.url), '198.51.100.3', email)).code);
    return answers;
  };
  expect(await codes('nobody@example.org')).toEqual(await codes(ada.email));
});

it('the paces name nobody in the database', async () => {
  await guess(new Client(server.url), '198.51.100.3');
  const rows = await server.running.db.all('SELECT * FROM sign_in_pace', []);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toMatch(/198\.51|example|@/);
  expect((await ada.client.post('/v1/sessions', { email: ada.email, password: PASSWORD })).status).toBe(200);
});
