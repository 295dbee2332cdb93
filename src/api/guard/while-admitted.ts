import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** How often a download asks whether its reader may go on. */
const ASKED_EVERY_MS = 1000;

/** A download that breaks off once the one who asked for it would not get it any more. */
export function whileAdmitted(request: FastifyRequest, content: Readable): Readable {
  const download = Readable.from(pieces(request, content), { objectMode: false });
  // A generator that was never begun, as for a reader who has left by then, runs no `finally`.
  return download.once('close', () => content.destroy());
}

async function* pieces(request: FastifyRequest, content: Readable): AsyncGenerator<Uint8Array | string> {
  let askedAt = performance.now();
  for await (const piece of content) {
    if (performance.now() - askedAt > ASKED_EVERY_MS) {
      await request.admitAgain?.('download');
      askedAt = performance.now();
    }
    yield piece;
  }
}
