import { once } from 'node:events';
import { type AddressInfo, Server as Listener } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addressesOf } from '#platform/network.ts';

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
  /** How many sockets listen at each address. */
  readonly sockets: number;
  /** Whether the system shares the port out, to these or also to those of other processes. */
  readonly isShared: boolean;
}

/**
 * Listens at each address of a host, with several sockets: the event loop takes one connection of each in a turn, and while
 * a crowd of requests makes its turns long, those who connect would wait for one of these each.
 * @throws the system's error when the port or the address cannot be had
 */
export async function listen(
  app: FastifyInstance,
  { host, sockets, isShared, ...where }: Where,
): Promise<void> {
  const [first = host, ...others] = await addressesOf(host);
  const shared = { ...where, ...(isShared && { reusePort: true }) };
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
      for (let count = address === first ? 1 : 0; count < sockets; count += 1) await add(address);
    } catch (error) {
      // A container without IPv6 may name ::1 all the same. Another program there would get the callers of this server.
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' && where.port !== 0;
      if (address === first || isTaken) throw error;
    }
  }
}
