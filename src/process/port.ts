import { once } from 'node:events';
import { Server } from 'node:net';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

type Where = Pick<Config, 'PORT' | 'HOST'>;

const OTHER_HOST = 'HOST must be a name or an address of this machine, as localhost or 0.0.0.0.';
const LISTENING: Record<string, string> = {
  EADDRINUSE: 'Another program uses this port: choose another one with PORT=….',
  EACCES: 'This port may not be used by this user: choose one above 1023 with PORT=….',
  EADDRNOTAVAIL: OTHER_HOST,
  // A link-local address without its interface, or one of many receivers.
  EINVAL: OTHER_HOST,
  ENOTFOUND: OTHER_HOST,
  EAI_AGAIN: OTHER_HOST,
};

/** @throws ConfigError that says what to do, where a port cannot be listened at */
export async function listening(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const advice = LISTENING[(error as NodeJS.ErrnoException).code ?? ''];
    throw advice === undefined ? error : new ConfigError(`${(error as Error).message}. ${advice}`);
  }
}

/**
 * Sockets that share a port would share it with those of another server of this user, too: the system would give some of
 * the connections to each. @throws ConfigError where a program has it
 */
export const expectFree = ({ PORT, HOST }: Where): Promise<void> =>
  listening(async () => {
    const server = new Server().listen({ port: PORT, host: HOST, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  });
