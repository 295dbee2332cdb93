import { once } from 'node:events';
import { Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { addressesOf } from '#platform/network.ts';
import { freePort } from '../../test/support/process.ts';
import { ConfigError } from './config-error.ts';
import { claimPort } from './port.ts';

const listeners: Server[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

/** Listens as a server does, which lets others of this user share the port. */
async function listenAt(port: number, host: string): Promise<void> {
  const listener = new Server().listen({ port, host, reusePort: true });
  listeners.push(listener);
  await once(listener, 'listening');
}

it.runIf(process.platform === 'linux')(
  'no port is shared with a server at any address of its host',
  async () => {
    for (const address of [...(await addressesOf('localhost')), '0.0.0.0']) {
      const where = { PORT: await freePort(), HOST: 'localhost' };
      (await claimPort(where))();
      await listenAt(where.PORT, address);
      await expect(claimPort(where)).rejects.toThrow(ConfigError);
    }
  },
);

it.runIf(process.platform === 'linux')(
  'of two that begin at once, one finds what the other has taken',
  async () => {
    const where = { PORT: await freePort(), HOST: '127.0.0.1' };
    const leave = await claimPort(where);
    const other = expect(claimPort(where)).rejects.toThrow('Another program uses this port');
    await listenAt(where.PORT, where.HOST);
    leave();
    await other;
  },
);
