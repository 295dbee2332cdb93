import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address in front of a server, as a name or a network is. */
export interface Forwarding {
  readonly port: number;
  /** The port where new connections lead. */
  target: number;
  /** How many connections were made so far. */
  readonly connections: number;
  /** From now on nothing passes, in either direction, and nobody is told. */
  freeze(): void;
  /** What was held back passes, and all that comes. */
  thaw(): void;
  stop(): void;
}

export async function startForwarding(target: number): Promise<Forwarding> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let connections = 0;
  const server = createServer((client) => {
    connections++;
    const onward = connect(forwarding.target, '127.0.0.1');
    for (const [one, other] of [
      [client, onward],
      [onward, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isFrozen) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const forwarding = {
    port: (server.address() as AddressInfo).port,
    target,
    get connections() {
      return connections;
    },
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return forwarding;
}
