/**
 * POST /v1/messages without storage: the same HTTP stack, guard, schemas, input checks, logging and serialiser, with
 * a prepared message in place of one that is stored and read back. No token is looked up and no transaction is run.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createServer, RateLimiter } from '../src/api/index.ts';
import {
  Message,
  messageReader,
  messageRoutes,
  Sidebar,
  Unfurl,
} from '../src/conversation/messages/index.ts';
import { UserSummary } from '../src/people/users/index.ts';
import { readConfig } from '../src/process/config.ts';
import { Team } from '../src/teams/index.ts';

const config = readConfig({ RATE_LIMIT: 'off' }, '');
const [prepared] = (JSON.parse(readFileSync(process.env.BODY_FILE as string, 'utf8')) as { data: [Message] })
  .data;

const server = await createServer({
  config,
  logger: pino({ level: 'info' }, pino.destination({ dest: 1, sync: false, minLength: 4096 })),
  cookieKey: Buffer.alloc(32),
  limiter: new RateLimiter(Date.now),
  idempotency: {
    write: (_, work) => work({} as never),
    batch: async (_, batch, item) => {
      const [outcome] = await batch({} as never, [item]);
      if (!outcome || 'error' in outcome) throw new Error('the prepared message was refused');
      return outcome.value;
    },
    once: (_, work) => work(),
  },
  authenticators: {
    session: async () => undefined,
    token: async () => ({ userId: prepared.author.id }),
    application: () => Promise.reject(new Error('not here')),
    webhook: () => Promise.reject(new Error('not here')),
    response: () => Promise.reject(new Error('not here')),
  },
  onAnswer: () => undefined,
  sharedSchemas: [UserSummary, Team, Sidebar, Unfurl, Message],
});
type Deps = Parameters<typeof messageRoutes>[1];
const posts: Deps['posts'] = { post: async (_, items) => items.map(() => ({ value: [prepared] })) };
const read = messageReader(config.MAX_TEXT_LENGTH);
messageRoutes(server, { read, posts, messages: {}, changes: {}, finder: {} } as unknown as Deps);
await server.listen({ port: 0, host: '127.0.0.1' });
console.log(`listening on http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
process.on('SIGTERM', () => process.exit(0));
