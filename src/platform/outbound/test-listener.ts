import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A real TCP listener, so that a test can answer with any bytes, at any pace. */
export interface Listener {
  readonly port: number;
  readonly url: string;
  /** The sockets accepted so far. */
  readonly sockets: readonly Socket[];
  /** The number of connections so far, including those still in the kernel's queue. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** @param host where to listen; all interfaces of both families when absent, so that any spelling would reach it. */
export async function listen(onConnection: (socket: Socket) => void, host?: string): Promise<Listener> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => socket.destroy()));
    onConnection(socket);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    sockets,
    // Connections are accepted in the order in which they came: once our own is here, so are all before it.
    async connections() {
      const before = new Set(sockets);
      const own = connect(port, '127.0.0.1');
      await once(own, 'connect');
      const isOwn = (socket: Socket) => socket.remotePort === own.localPort && !before.has(socket);
      while (!sockets.some(isOwn)) await once(server, 'connection');
      const count = sockets.findIndex(isOwn);
      sockets.splice(count, 1)[0]?.destroy();
      own.destroy();
      return count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers any input with `bytes` and leaves the connection open. */
export function answering(bytes: string | Uint8Array): (socket: Socket) => void {
  return (socket) => socket.once('data', () => socket.write(bytes));
}

/** Answers `first`, then `piece` again and again, every few milliseconds, for ever. */
export function dripping(first: string, piece: string): (socket: Socket) => void {
  return (socket) => {
    // Wait for the request: data before the first part would not be HTTP.
    socket.once('data', () => {
      socket.write(first);
      const timer = setInterval(() => socket.write(piece), 5);
      socket.once('close', () => clearInterval(timer));
    });
  };
}

/** Answers `first`, then bytes as fast as they are taken, for ever. */
export function flooding(first: string): (socket: Socket) => void {
  const piece = Buffer.alloc(16 * 1024, 'x');
  const fill = (socket: Socket) => {
    while (socket.writable && socket.write(piece));
  };
  return (socket) => {
    socket.once('data', () => {
      socket.write(first);
      fill(socket);
    });
    socket.on('drain', () => fill(socket));
  };
}
