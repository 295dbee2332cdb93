import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../../test/support/until.ts';
import { whileAdmitted } from './while-admitted.ts';

let app: FastifyInstance;
afterEach(() => app.close());

it('ends what a download reads also for a reader who left before it began', async () => {
  app = fastify();
  const content = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  let hasLeft = false;
  app.get('/', async (request, reply) => {
    reply.raw.once('close', () => {
      hasLeft = true;
    });
    begun.resolve();
    await ready.promise;
    return reply.send(whileAdmitted(request, content));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await begun.promise;
  socket.destroy();
  await until(() => hasLeft);
  ready.resolve();
  await expect.poll(() => content.destroyed).toBe(true);
});
