import { connect, createServer, type Socket } from 'node:net';

/** A message of PostgreSQL's protocol: a letter, a length that counts itself, and the rest. */
function* messages(buffer: Buffer): Generator<{ type: string; bytes: Buffer }> {
  for (let at = 0; at + 5 <= buffer.length; ) {
    const end = at + 1 + buffer.readInt32BE(at + 1);
    if (end > buffer.length) return;
    yield { type: String.fromCharCode(buffer[at] as number), bytes: buffer.subarray(at, end) };
    at = end;
  }
}

/** A session with the real server, lent to one client at a time. */
class Session {
  readonly socket: Socket;
  readonly greeting: Promise<Buffer>;
  borrower: Socket | undefined;
  /** Called when its transaction is over. */
  onIdle: () => void = () => undefined;
  #rest: Buffer = Buffer.alloc(0);

  constructor(port: number, startup: Buffer) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.write(startup);
    this.greeting = new Promise((resolve) => {
      let greeting = Buffer.alloc(0);
      this.socket.on('data', (chunk) => {
        this.#rest = Buffer.concat([this.#rest, chunk]);
        for (const { type, bytes } of messages(this.#rest)) {
          this.#rest = this.#rest.subarray(bytes.length);
          if (this.borrower) this.borrower.write(bytes);
          else greeting = Buffer.concat([greeting, bytes]);
          if (type !== 'Z') continue;
          resolve(greeting);
          // ReadyForQuery; I: not in a transaction.
          if (bytes.toString('latin1', 5, 6) === 'I') this.onIdle();
        }
      });
    });
  }
}

/**
 * A connection pooler like PgBouncer: a client holds a server session for one transaction, or for as long as it is
 * connected. Supports only clients without encryption and password.
 * @returns its port, and a function that stops it
 */
export async function startPooler(port: number, mode: 'transaction' | 'session') {
  const idle: Session[] = [];
  const all = new Set<Socket>();

  function lend(startup: Buffer): Session {
    const session = idle.pop() ?? new Session(port, startup);
    all.add(session.socket);
    session.onIdle = () => {
      if (mode === 'session' || !session.borrower) return;
      session.borrower = undefined;
      idle.push(session);
    };
    return session;
  }

  const server = createServer((client) => {
    all.add(client);
    let startup: Buffer | undefined;
    let session: Session | undefined;
    let queue = Promise.resolve();
    const serve = async (chunk: Buffer) => {
      if (!startup) {
        startup = chunk;
        session = lend(startup);
        client.write(await session.greeting);
        if (mode === 'transaction') idle.push(session);
        else session.borrower = client;
        return;
      }
      if (chunk[0] === 'X'.charCodeAt(0)) return void client.end();
      if (session?.borrower !== client) {
        session = lend(startup);
        await session.greeting;
        session.borrower = client;
      }
      session.socket.write(chunk);
    };
    client.on('data', (chunk) => {
      queue = queue.then(() => serve(chunk));
    });
    client.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    stop: () => {
      for (const socket of all) socket.destroy();
      server.close();
    },
  };
}
