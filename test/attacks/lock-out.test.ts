/*
 * An attacker sends wrong passwords for somebody's address, from one network or from many, to keep the owner out. A
 * browser in which the owner has signed in before has a pace of its own, which the attacker cannot use up; from a new
 * browser the owner gets in by a password reset. The owner is told by mail, at most once a day.
 */
import { beforeEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { until } from '../support/until.ts';

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
let root: Person;
let ada: Person;

beforeEach(async () => {
  const setup_token = new URL(server.running.setUpUrl ?? '').hash.slice(1);
  root = await signUp(server, 'Root', { setup_token });
  ada = await signUp(server, 'Ada');
  server.clock.toNextMinute();
});

const signIn = (client: Client, address: string, password: string, email = ada.email) =>
  client.post('/v1/sessions', { email, password }, { 'X-Forwarded-For': address });
const stranger = () => new Client(server.url);

async function attack(networks: number, each = 6): Promise<(number | undefined)[]> {
  const codes: (number | undefined)[] = [];
  for (let network = 1; network <= networks; network++) {
    for (let n = 0; n < each; n++) {
      codes.push((await signIn(stranger(), `198.51.100.${network}`, 'wrong password')).code);
    }
  }
  return codes;
}

it('one network keeps the owner out of nothing but that network', async () => {
  expect(await attack(1)).toEqual([4010, 4010, 4010, 4010, 4290, 4290]);
  // An address in other letters is the same account.
  const shouted = await signIn(stranger(), '198.51.100.1', 'wrong password', ada.email.toUpperCase());
  expect([shouted.code, Number(shouted.headers.get('retry-after'))]).toEqual([4290, expect.any(Number)]);
  expect((await signIn(stranger(), '192.0.2.7', PASSWORD)).status).toBe(200);
});

it('many networks cannot keep out a browser that has signed in before (claim: no-lock-out)', async () => {
  await attack(5);
  const elsewhere = await signIn(stranger(), '192.0.2.7', PASSWORD);
  expect(elsewhere.code).toBe(4290);
  const known = ada.client.copy();
  expect((await signIn(known, '192.0.2.7', 'a typing error')).code).toBe(4010);
  expect((await signIn(known, '192.0.2.7', PASSWORD)).status).toBe(200);
  // Even from the attacker's own network.
  expect((await signIn(ada.client.copy(), '198.51.100.1', PASSWORD)).status).toBe(200);
});

it('a password reset lets the owner in from a new browser', async () => {
  await attack(5);
  const fresh = stranger();
  await fresh.post('/v1/password_resets', { email: ada.email });
  const token = await mailedToken(/password_resets\/([\w-]+)/);
  await fresh.put(`/v1/password_resets/${token}`, { password: 'another password of length' });
  expect((await signIn(fresh, '192.0.2.7', 'another password of length')).status).toBe(200);
});

it('the owner is mailed, once a day', async () => {
  const warnings = async () => (await mails()).filter(({ kind }) => kind === 'security').length;
  await attack(1);
  expect(await warnings()).toBe(0);
  await attack(4);
  expect(await warnings()).toBe(1);
  server.clock.advance(6 * 3600);
  await attack(4);
  expect(await warnings()).toBe(1);
  server.clock.advance(19 * 3600);
  await attack(4);
  expect(await warnings()).toBe(2);
});

it('right passwords use nothing up', async () => {
  for (let n = 0; n < 12; n++) expect((await signIn(stranger(), '192.0.2.7', PASSWORD)).status).toBe(200);
});

async function mails() {
  return (await root.client.get('/v1/admin/mails?limit=200')).data as { kind: string; text: string }[];
}

/** Resets are prepared in the background. */
async function mailedToken(pattern: RegExp): Promise<string> {
  return until(async () => (await mails()).map(({ text }) => pattern.exec(text)?.[1]).find(Boolean));
}
