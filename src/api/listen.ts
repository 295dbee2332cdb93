import { once } from 'node:events';
import { type AddressInfo, Server as Listener } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressesOf } from '#platform/network.ts';

/** How many sockets wait for connections at each address, where the system shares a port out. */
const SOCKETS = 8;

declare module 'fastify' {
  interface FastifyInstance {
    /** The sockets beside the server's own that wait for connections. */
    listeners: Listener[];
  }
}

interface Where {
  readonly host: string;
  readonly port: number;
  /** The most connections that wait at each socket. */
  readonly backlog: number;
  /** Whether several sockets may listen at one port. */
  readonly mayShare: boolean;
}

/**
 * Listens at each address of a host, with several sockets: the event loop takes one connection of each in a turn, and while
 * a crowd of requests makes its turns long, those who connect would wait for one of these each.
 * @throws the system's error when the port or the address cannot be had
 */
export async function listen(app: FastifyInstance, { host, mayShare, ...where }: Where): Promise<void> {
  const [first = host, ...others] = await addressesOf(host);
  const shared = { ...where, ...(mayShare && { reusePort: true }) };
  await app.listen({ ...shared, host: first });
  const { port } = app.server.address() as AddressInfo;
  const add = async (address: string) => {
    const listener = new Listener({ allowHalfOpen: true, noDelay: true }, (socket) =>
      app.server.emit('connection', socket),
    );
    await once(listener.listen({ ...shared, host: address, port }), 'listening');
    app.listeners.push(listener);
  };
  for (const address of [first, ...others]) {
    try {
      for (let sockets = address === first ? 1 : 0; sockets < (mayShare ? SOCKETS : 1); sockets += 1)
        await add(address);
    } catch (error) {
      // As in a container without IPv6, which has a name for it all the same. A program that has the other address has its callers.
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' && where.port !== 0;
      if (address === first || isTaken) throw error;
    }
  }
}
