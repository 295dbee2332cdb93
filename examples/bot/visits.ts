import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ParleyApplication, SignatureError } from '#sdk';

/** The install call lists every member of the team, so it may be large. */
const MAX_BYTES = 50_000_000;

/**
 * The two visits that a bot gets: the platform asks before it is installed, and a member may open it.
 * @param welcome what that member reads
 */
export function visits(parley: ParleyApplication, welcome: string) {
  return async function visit(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, text] = await answer(request).catch(explain);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
  };

  async function answer(request: IncomingMessage): Promise<[status: number, text: string]> {
    const { pathname } = new URL(`http://bot${request.url}`);
    if (request.method === 'POST' && pathname === '/install') {
      parley.verifyInstall(request.headers, await read(request));
      return [200, 'ok'];
    }
    // The code in the address is left unused: the bot does nothing for a person.
    if (request.method === 'GET' && pathname === '/redirect') return [200, welcome];
    return [404, 'There is nothing here.'];
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size <= MAX_BYTES) chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function explain(error: unknown): [status: number, text: string] {
  if (error instanceof SignatureError) return [401, error.message];
  console.error(error);
  return [500, 'Something went wrong.'];
}
