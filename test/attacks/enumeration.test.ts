/*
 * An attacker signs up, signs in and asks for new passwords with many addresses, to learn which of them have an
 * account. Signing in and asking for a new password answer alike. Signing up has to tell an address that is taken,
 * because it opens a session at once; it tells a network about five of them an hour, and then refuses every address
 * alike. The owner of an address that was tried is mailed, at most once a day.
 */
import { beforeEach, expect, it } from 'vitest';
import { type Answer, Client } from '../support/client.ts';
import { mailsSettle } from '../support/mailbox.ts';
import { type Person, signUp } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, mailbox } = scene({
  mail: true,
  environment: {
    RATE_LIMIT: 'on',
    RATE_LIMIT_SIGN_IN: '1000',
    TRUST_PROXY: 'yes',
  },
  each: true,
});
let ada: Person;
let fresh = 0;

beforeEach(async () => {
  ada = await signUp(server, 'Ada', { setup_token: new URL(server.running.setUpUrl ?? '').hash.slice(1) });
});

const freeAddress = () => `fresh${++fresh}@example.org`;
const ask = (path: string, address: string, body: object) =>
  new Client(server.url).post(path, body, { 'X-Forwarded-For': address });
const attempt = (address: string, email: string) =>
  ask('/v1/users', address, { email, password: 'a password of length', first_name: 'M', last_name: 'X' });

async function useUp(address: string, times = 5): Promise<(number | undefined)[]> {
  const codes: (number | undefined)[] = [];
  for (let n = 0; n < times; n++) codes.push((await attempt(address, ada.email)).code);
  return codes;
}

/** The parts of an answer from which an attacker can learn, except the time that it took. */
const seen = ({ status, body }: Answer) => ({ status, ...body, time: undefined, request_id: undefined });

it('a network learns of few addresses; then taken and free ones are answered alike (claim: sign-up-tells-little)', async () => {
  expect(await useUp('198.51.100.1', 7)).toEqual([4090, 4090, 4090, 4090, 4090, 4290, 4290]);
  const taken = await attempt('198.51.100.1', ada.email.toUpperCase());
  const free = await attempt('198.51.100.1', freeAddress());
  expect(seen(taken)).toEqual(seen(free));
  const wait = Number(free.headers.get('retry-after'));
  expect([taken.code, wait > 600, wait <= 720]).toEqual([4290, true, true]);
  // From elsewhere people sign up as before, and so they do here when the time is over.
  expect((await attempt('192.0.2.7', freeAddress())).status).toBe(200);
  server.clock.advance(wait);
  expect((await attempt('198.51.100.1', freeAddress())).status).toBe(200);
  expect(await useUp('198.51.100.1', 2)).toEqual([4090, 4290]);
});

it('requests at the same time learn no more than requests one after the other', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, () => attempt('198.51.100.1', ada.email)));
  const codes = answers.map(({ code }) => code).sort();
  expect(codes).toEqual([4090, 4090, 4090, 4090, 4090, 4290, 4290, 4290, 4290]);
});

it('the addresses of one /64 are one network', async () => {
  await useUp('2001:db8::1');
  expect((await attempt('2001:db8::2', freeAddress())).code).toBe(4290);
  expect((await attempt('2001:db8:0:1::1', freeAddress())).status).toBe(200);
});

it('people who sign up with addresses of their own use nothing up', async () => {
  for (let n = 0; n < 8; n++) expect((await attempt('192.0.2.7', freeAddress())).status).toBe(200);
  expect((await useUp('192.0.2.7', 1))[0]).toBe(4090);
});

it('signing in and asking for a new password tell nothing about an address', async () => {
  const signIn = (email: string) =>
    ask('/v1/sessions', '198.51.100.1', { email, password: 'not the password' });
  expect(seen(await signIn(ada.email))).toEqual(seen(await signIn(freeAddress())));
  const reset = (email: string) => ask('/v1/password_resets', '198.51.100.1', { email });
  expect(seen(await reset(ada.email))).toEqual(seen(await reset(freeAddress())));
});

it('the owner of the address is mailed, at most once a day (claim: owner-hears-of-sign-up)', async () => {
  const notices = async () => {
    await mailsSettle(server);
    return mailbox.of(ada.email).filter(({ subject }) => /sign up with your address/.test(subject)).length;
  };
  await useUp('198.51.100.1', 3);
  await useUp('192.0.2.7', 3);
  expect(await notices()).toBe(1);
  server.clock.advance(25 * 3600);
  await useUp('198.51.100.1', 3);
  expect(await notices()).toBe(2);
});
