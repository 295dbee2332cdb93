import { connect, createServer, type Socket } from 'node:net';

/** `tracked`: transaction mode in which the pooler knows the prepared statements of its clients. */
export type PoolerMode = 'session' | 'transaction' | 'tracked' | 'statement';

/** A message of PostgreSQL's protocol: a letter, a length that counts itself, and the rest. */
interface Message {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts a stream into messages. */
function cutter(take: (message: Message) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1);
      if (end > rest.length) return;
      const bytes = rest.subarray(0, end);
      rest = rest.subarray(end);
      take({ type: String.fromCharCode(bytes[0] as number), bytes });
    }
  };
}

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const SYNC = message('S');
const nameAt = (bytes: Buffer, at: number) => bytes.toString('utf8', at, bytes.indexOf(0, at));

/** What is sent up to a Sync, and answered up to one ReadyForQuery. */
interface Unit {
  /** Of the pooler itself: no client gets the answers. */
  readonly isOwn: boolean;
  readonly prepares: Set<string>;
}

/** A session with the real server, lent to one client at a time. */
class Session {
  readonly socket: Socket;
  readonly greeting: Promise<Buffer>;
  borrower: Client | undefined;
  readonly prepared = new Set<string>();
  readonly #units: Unit[] = [];
  #open: Unit | undefined;
  readonly #onIdle: (session: Session) => void;

  constructor(port: number, startup: Buffer, onIdle: (session: Session) => void) {
    this.#onIdle = onIdle;
    this.socket = connect(port, '127.0.0.1').setNoDelay();
    this.socket.write(startup);
    const { promise, resolve } = Promise.withResolvers<Buffer>();
    this.greeting = promise;
    const greeting: Buffer[] = [];
    let isGreeted = false;
    const take = cutter((answer) => {
      if (isGreeted) return this.#answer(answer);
      greeting.push(answer.bytes);
      isGreeted = answer.type === 'Z';
      if (isGreeted) resolve(Buffer.concat(greeting));
    });
    this.socket.on('data', take);
  }

  /** Has the statement prepared under the pooler's name for it, with a Sync if it stands alone. */
  prepare(id: string, parse: Buffer, isOwn: boolean): void {
    this.send({ type: 'C', bytes: message('C', 'S', id, '\0') }, isOwn);
    this.#open?.prepares.add(id);
    this.prepared.add(id);
    this.send({ type: 'P', bytes: parse }, isOwn);
    if (isOwn) this.send({ type: 'S', bytes: SYNC }, isOwn);
  }

  send({ type, bytes }: Message, isOwn = false): void {
    if (!this.#open) {
      this.#open = { isOwn, prepares: new Set() };
      this.#units.push(this.#open);
    }
    if (type === 'S' || type === 'Q') this.#open = undefined;
    this.socket.write(bytes);
  }

  #answer({ type, bytes }: Message): void {
    const unit = this.#units[0];
    // After an error the rest of the unit is skipped.
    if (type === 'E') for (const id of unit?.prepares ?? []) this.prepared.delete(id);
    // Only the pooler closes statements.
    if (!unit?.isOwn && type !== '3') this.borrower?.socket.write(bytes);
    if (type !== 'Z') return;
    this.#units.shift();
    if (this.#units.length === 0 && bytes.toString('latin1', 5, 6) === 'I') this.#onIdle(this);
  }
}

interface Client {
  readonly socket: Socket;
  session: Session | undefined;
  /** Its prepared statements: the pooler's name for each, and the message that prepares it. */
  readonly statements: Map<string, { id: string; parse: Buffer }>;
}

/**
 * A connection pooler like PgBouncer. In transaction mode its clients share a few sessions, and each transaction gets
 * the one that has been free for longest. Supports only clients without encryption and password, and one database.
 * @returns its port, and a function that stops it
 */
export async function startPooler(port: number, mode: PoolerMode, most = 4) {
  const idle: Session[] = [];
  const all = new Set<Socket>();
  const waiting: ((session: Session) => void)[] = [];
  const ids = new Map<string, string>();
  let count = 0;
  let greeting: Promise<Buffer> | undefined;

  function release(session: Session): void {
    if (mode === 'session' || !session.borrower) return;
    session.borrower.session = undefined;
    session.borrower = undefined;
    const next = waiting.shift();
    if (next) next(session);
    else idle.push(session);
  }

  function lend(startup: Buffer): Session | Promise<Session> {
    const free = mode === 'session' ? undefined : idle.shift();
    if (free) return free;
    if (mode !== 'session' && count >= most) return new Promise((resolve) => waiting.push(resolve));
    count++;
    const session = new Session(port, startup, release);
    all.add(session.socket);
    session.socket.on('error', () => undefined);
    session.socket.on('close', () => {
      count--;
      if (idle.includes(session)) idle.splice(idle.indexOf(session), 1);
      session.borrower?.socket.destroy();
      const next = waiting.shift();
      if (next) void Promise.resolve(lend(startup)).then(next);
    });
    return session;
  }

  function forward(session: Session, client: Client, { type, bytes }: Message): void {
    const at = type === 'D' ? 6 : 5;
    const isStatement = type === 'P' || type === 'B' || (type === 'D' && bytes[5] === 'S'.charCodeAt(0));
    // A Bind names its portal first.
    const from = type === 'B' ? at + Buffer.byteLength(nameAt(bytes, at)) + 1 : at;
    const name = isStatement ? nameAt(bytes, from) : '';
    if (mode !== 'tracked' || name === '') return void session.send({ type, bytes });
    const rest = bytes.subarray(from + Buffer.byteLength(name));
    if (type === 'P') {
      const text = rest.toString('latin1');
      const id = ids.get(text) ?? `pooler_${ids.size}`;
      ids.set(text, id);
      const parse = message('P', id, rest);
      client.statements.set(name, { id, parse });
      return void session.prepare(id, parse, false);
    }
    const known = client.statements.get(name);
    if (known && !session.prepared.has(known.id)) session.prepare(known.id, known.parse, true);
    session.send({ type, bytes: message(type, bytes.subarray(5, from), known?.id ?? name, rest) });
  }

  const server = createServer((socket) => {
    all.add(socket.setNoDelay());
    const client: Client = { socket, session: undefined, statements: new Map() };
    let startup: Buffer | undefined;
    let queue = Promise.resolve();

    async function borrow(opening: Buffer): Promise<Session> {
      const session = await lend(opening);
      session.borrower = client;
      client.session = session;
      await session.greeting;
      return session;
    }

    /** A session in itself is not needed for it. */
    async function greet(opening: Buffer): Promise<void> {
      if (mode === 'session') greeting = (await borrow(opening)).greeting;
      if (!greeting) {
        const session = await borrow(opening);
        greeting = session.greeting;
        release(session);
      }
      socket.write(await greeting);
    }

    async function serve(given: Message, opening: Buffer): Promise<void> {
      if (given.type === 'X') return void socket.end();
      if (mode === 'statement' && /^BEGIN/.test(nameAt(given.bytes, 5))) {
        const text = 'transaction blocks not allowed in statement pooling mode';
        return void socket.end(message('E', `SFATAL\0C08P01\0M${text}\0\0`));
      }
      forward(client.session ?? (await borrow(opening)), client, given);
    }

    const take = cutter((given) => {
      queue = queue.then(() => serve(given, startup as Buffer));
    });
    socket.on('data', (chunk: Buffer) => {
      if (startup) return take(chunk);
      startup = chunk;
      queue = greet(chunk);
    });
    // What it left unfinished ends with its session.
    socket.on('close', () => client.session?.socket.destroy());
    socket.on('error', () => socket.destroy());
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
