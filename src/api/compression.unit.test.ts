import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { compressAnswers, takesGzip } from './compression.ts';

let app: FastifyInstance;
afterEach(() => app?.close());

const LONG = 'a text that repeats itself, '.repeat(1000);
const headers = { 'accept-encoding': 'gzip' };

function appWith(compressed?: true): FastifyInstance {
  app = fastify();
  compressAnswers(app);
  app.get('/:part', { config: { ...(compressed && { compressed }) } }, async ({ params }) =>
    (params as { part: string }).part === 'short' ? 'short' : LONG,
  );
  return app;
}

it('compresses long answers of the routes that ask for it', async () => {
  appWith(true);
  const long = await app.inject({ url: '/long', headers });
  expect(long.headers['content-encoding']).toBe('gzip');
  expect(long.rawPayload.length).toBeLessThan(LONG.length / 20);
  const short = await app.inject({ url: '/short', headers });
  expect(short.headers).toMatchObject({ vary: 'Accept-Encoding' });
  expect(short.headers['content-encoding']).toBeUndefined();
  expect(short.body).toBe('short');
  await app.close();
  const other = await appWith().inject({ url: '/long', headers });
  expect(other.headers['content-encoding']).toBeUndefined();
  expect(other.headers.vary).toBeUndefined();
  expect(other.body).toBe(LONG);
});

it('sends answers as they are while others are compressed', async () => {
  appWith(true);
  const { promise: all, resolve: answerAll } = Promise.withResolvers<void>();
  let arrived = 0;
  app.addHook('preHandler', async () => {
    arrived += 1;
    if (arrived === 10) answerAll();
    await all;
  });
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.inject({ url: '/long', headers })));
  const encodings = answers.map((answer) => answer.headers['content-encoding'] ?? 'none');
  expect(encodings.filter((one) => one === 'gzip')).toHaveLength(2);
  expect(encodings.filter((one) => one === 'none')).toHaveLength(8);
  const later = await app.inject({ url: '/long', headers });
  expect(later.headers['content-encoding']).toBe('gzip');
});

it('does not call an error compressed that is sent in place of an answer', async () => {
  appWith(true);
  let refuses = true;
  app.addHook('onSend', async () => {
    if (!refuses) return;
    refuses = false;
    throw new Error('too much waits');
  });
  const { statusCode, headers: sent, body } = await app.inject({ url: '/long', headers });
  expect(statusCode).toBe(500);
  expect(sent['content-encoding']).toBeUndefined();
  expect(JSON.parse(body)).toMatchObject({ message: 'too much waits' });
});

it.each([
  ['gzip', true],
  ['br, GZIP ; q=0.1', true],
  ['*;q=0.5', true],
  ['gzip;q=0, *', false],
  ['gzip;q=none', false],
  ['identity', false],
  [undefined, false],
])('reads Accept-Encoding: %s', (accepted, takes) => {
  expect(takesGzip(accepted)).toBe(takes);
});
