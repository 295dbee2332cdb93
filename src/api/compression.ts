import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { encode } from './encode.ts';

/** Shorter ones need no more packets as they are. */
const SHORTEST = 2048;
/** Higher levels, and Brotli, save a twentieth of the bytes, and take more of a processor. */
const LEVEL = 1;
/** Threads of the pool that compress, so that others are left for the syncs of the database. */
const MOST_AT_ONCE = 2;

/**
 * Compresses the long answers of routes with `compressed`, in the thread pool, for clients that take gzip. While others are
 * compressed, an answer is sent as it is: processors are scarce then, and nobody waits for them.
 *
 * The length of a compressed answer tells how much of it is alike. An attacker who has texts of their own shown beside a
 * secret, and sees the lengths, finds the secret out (BREACH). So routes that show one never have `compressed`.
 */
export function compressAnswers(app: FastifyInstance): void {
  let underWay = 0;
  app.addHook('onSend', ({ routeOptions, headers }, reply, payload, done) => {
    if (!routeOptions.config.compressed) return done();
    reply.header('Vary', 'Accept-Encoding');
    // An error in place of an answer that was compressed.
    reply.removeHeader('Content-Encoding');
    const isLong = typeof payload === 'string' && payload.length >= SHORTEST;
    if (!isLong || underWay >= MOST_AT_ONCE || !takesGzip(headers['accept-encoding'])) return done();
    underWay++;
    gzip(encode(payload), { level: LEVEL }, (error, compressed) => {
      underWay--;
      if (error) return done(error);
      reply.header('Content-Encoding', 'gzip');
      done(null, compressed);
    });
  });
}

/** RFC 9110 §12.5.3. @param accepted the header `Accept-Encoding` */
export function takesGzip(accepted = ''): boolean {
  const weights = new Map(
    accepted.split(',').map((one) => {
      const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
