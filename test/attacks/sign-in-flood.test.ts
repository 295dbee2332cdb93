/*
 * An attacker keeps the server busy with sign-ins, each of which costs a slow hash, so that others cannot sign in. Few
 * of one network may wait, networks take turns, and browsers that have signed in before have a lane of their own: the
 * sign-in of another person is the next or nearly. The flood uses up nothing of the limit of the token route, and fills
 * no log.
 */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const PASSWORD = 'a password of length';
/** Hashes at the cost of production, which makes a flood worthwhile. */
const SLOW = { passwordCost: undefined };
let server: TestServer;
afterEach(() => server?.stop());

const signIn = (client: Client, address: string, email: string, password: string) =>
  client.post('/v1/sessions', { email, password }, { 'X-Forwarded-For': address });

it('sign-ins of one network wait behind each other, not before others (claim: fair-sign-in)', async () => {
  server = await startTestServer({ TRUST_PROXY: 'yes' }, SLOW);
  const setup_token = new URL(server.running.setUpUrl ?? '').hash.slice(1);
  const ada = await signUp(server, 'Ada', { setup_token });
  const order: string[] = [];
  const tell = (name: string) => (answer: { status: number }) => void order.push(`${name} ${answer.status}`);
  const flood = Array.from({ length: 60 }, (_, n) =>
    signIn(new Client(server.url), '198.51.100.1', `nobody${n}@example.org`, 'guess').then(tell('flood')),
  );
  // The first of the flood is answered, so the rest of it waits.
  await Promise.race(flood);
  const before = order.filter((one) => one === 'flood 401').length;
  await signIn(new Client(server.url), '192.0.2.7', ada.email, PASSWORD).then(tell('ada'));
  const hashedFirst = order.filter((one) => one === 'flood 401').length - before;
  await Promise.all(flood);
  const hashed = order.filter((one) => one === 'flood 401').length;
  expect(order).toContain('ada 200');
  expect(order).toContain('flood 429');
  expect(hashed).toBeGreaterThan(25);
  // At most the ones being hashed, and the turns taken while the request was on its way.
  expect(hashedFirst).toBeLessThanOrEqual(10);
});

it('a server stores passwords as Argon2id with OWASP’s parameters', async () => {
  server = await startTestServer({}, SLOW);
  await signUp(server, 'Ada');
  const stored = await server.running.db.all<{ password_hash: string }>(
    'SELECT password_hash FROM users',
    [],
  );
  expect(stored).toEqual([{ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) }]);
});

it('sign-ins have a limit of their own, apart from that of the token route', async () => {
  server = await startTestServer({ RATE_LIMIT: 'on', RATE_LIMIT_SIGN_IN: '3', RATE_LIMIT_STRICT: '5' });
  server.clock.toNextMinute();
  const attempt = (n: number) =>
    server.anonymous().post('/v1/sessions', { email: `nobody${n}@example.org`, password: 'guess' });
  const codes: (number | undefined)[] = [];
  for (let n = 0; n < 5; n++) codes.push((await attempt(n)).code);
  expect(codes).toEqual([4010, 4010, 4010, 4290, 4290]);
  const token = await server.anonymous().ask('POST', '/v1/oauth2/token', { form: { grant_type: 'x' } });
  expect(token.status).toBe(401);
});

it('a flood that is refused leaves no traces of the stack in the log', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  server = await startTestServer(
    { TRUST_PROXY: 'yes' },
    {
      ...SLOW,
      logger: pino({ level: 'info' }, destination),
    },
  );
  const answers = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      signIn(
        new Client(server.url),
        `198.51.${Math.floor(n / 200)}.${n % 200}`,
        'nobody@example.org',
        'guess',
      ),
    ),
  );
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  const told = lines.filter((line) => line.includes('overloaded'));
  expect(told).toHaveLength(refused.length);
  expect(lines.filter((line) => line.includes('"stack"'))).toEqual([]);
});
