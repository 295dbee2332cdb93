import { once } from 'node:events';
import { Server } from 'node:net';
import { addressesOf } from '#platform/network.ts';
import { NEVER, pause } from '#platform/pause.ts';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

type Where = Pick<Config, 'PORT' | 'HOST'>;

const OTHER_HOST = 'HOST must be a name or an address of this machine, as localhost or 0.0.0.0.';
const LISTENING: Record<string, string> = {
  EADDRINUSE:
    'Another program uses this port, perhaps a Parley that still runs: end it, or choose another port with PORT=….',
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

/** How long another server may take to start at the port. */
const STARTING_MS = 10_000;
const LOOK_MS = 20;

/**
 * Reserves the port while a server starts, on Linux. Sockets that share a port would share it with those of another server of
 * this user, too: the system would give some of the connections to each. Two servers that start at the same time would both
 * find it free, so one waits until the other listens.
 * @returns a function that ends the reservation, once this server listens
 * @throws ConfigError when a program has the port, at any of the addresses
 */
export async function claimPort({ PORT, HOST }: Where): Promise<() => void> {
  const turn = await turnAt(PORT);
  const leave = () => void turn?.close();
  try {
    await listening(async () => {
      const [first, ...others] = await addressesOf(HOST);
      await expectFree(PORT, first as string);
      for (const other of others)
        await expectFree(PORT, other).catch((error: NodeJS.ErrnoException) => {
          // As in a container without IPv6, which has a name for it all the same.
          if (error.code === 'EADDRINUSE') throw error;
        });
    });
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

async function expectFree(port: number, host: string): Promise<void> {
  const server = new Server().listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

/**
 * Binds a name of the abstract namespace, which belongs to the network as ports do: one process has it at a time, and the
 * system frees it with the process. @returns undefined where the system has no such names
 */
async function turnAt(port: number): Promise<Server | undefined> {
  for (const end = performance.now() + STARTING_MS; performance.now() < end; await pause(LOOK_MS, NEVER)) {
    const turn = new Server((socket) => socket.destroy()).unref();
    try {
      await once(turn.listen(`\0parley starts at ${port}`), 'listening');
      return turn;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return undefined;
    }
  }
  throw new ConfigError(`Another server is starting at port ${port}: choose another one with PORT=….`);
}
