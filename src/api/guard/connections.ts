import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { network } from '#platform/network.ts';
import type { Config } from '../../process/config.ts';

/**
 * Bounds open connections, in total and per network. Behind a proxy all of them come from the proxy, which sets its
 * own bounds.
 */
export function boundConnections(app: FastifyInstance, config: Config): void {
  let total = 0;
  app.server.on('connection', (socket: Socket) => {
    total += 1;
    socket.once('close', () => {
      total -= 1;
    });
    if (total > config.MAX_CONNECTIONS) socket.destroy();
  });
  if (config.TRUST_PROXY !== 'no') return;
  const open = new Map<string, number>();
  app.server.on('connection', (socket: Socket) => {
    const caller = network(socket.remoteAddress ?? '');
    const count = (open.get(caller) ?? 0) + 1;
    open.set(caller, count);
    socket.once('close', () => {
      const left = (open.get(caller) ?? 1) - 1;
      if (left === 0) open.delete(caller);
      else open.set(caller, left);
    });
    if (count > config.MAX_CONNECTIONS_PER_NETWORK) socket.destroy();
  });
}
