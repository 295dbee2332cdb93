import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server as Listener, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { NEVER, pause } from '#platform/pause.ts';
import { answerClientError, REFUSED_BY_STOP, STOPPING } from './error-handler.ts';
import { Stopping } from './errors.ts';

/** How long connections are taken that the system has accepted. */
const BACKLOG_MS = 300;
/** A crowd that comes back after its answers, or after the end of another server, leaves gaps that are shorter than this. */
const QUIET_MS = 2;
const LOOK_MS = 10;
/**
 * How often it looks before a caller is too late with a request, or with reading its answer. By looks, and not by the clock: on
 * a busy machine the server is late itself.
 */
const PATIENCE = 20;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** How many looks have seen the answer on its way. */
  looks: number;
}

/** A connection. */
interface Open {
  readonly exchanges: Set<Exchange>;
  /** How many requests have come on it. */
  asked: number;
}

/**
 * Stops the server so that no caller loses an answer. Closing the port would reset the connections that the system has
 * accepted, so these are taken first, and their requests are answered. Later requests on a connection are refused, and callers
 * who send or read too slowly are cut off.
 */
export function stopInOrder(app: FastifyInstance, headers: Readonly<Record<string, string>>): void {
  const { server } = app;
  const open = new Map<Socket, Open>();
  let taken = 0;
  let isStopping = false;
  let isRefusing = false;

  server.on('connection', (socket: Socket) => {
    taken += 1;
    open.set(socket, { exchanges: new Set(), asked: 0 });
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', (request, response) => {
    const connection = open.get(request.socket);
    if (!connection) return;
    const exchange = { request, response, looks: 0 };
    connection.asked += 1;
    connection.exchanges.add(exchange);
    response.once('close', () => {
      connection.exchanges.delete(exchange);
      // Its answer may have promised to keep the connection.
      if (isStopping && connection.exchanges.size === 0) request.socket.end();
    });
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isLater = isRefusing && open.get(raw.socket)?.asked !== 1;
    done(isLater ? new Stopping() : undefined);
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping) reply.header('Connection', 'close');
    done();
  });
  app.addHook('preClose', async () => {
    isStopping = true;
    await takeBacklog();
    await nextTurn();
    await nextTurn();
    for (let looks = 0; open.size > 0; looks += 1) {
      for (const [socket, connection] of open) letGo(socket, connection, looks > PATIENCE);
      isRefusing = true;
      await pause(LOOK_MS, NEVER);
    }
  });

  /**
   * Takes connections until none comes for a moment, and closes the port. Their requests are read after that: answering them
   * would take longer than a caller needs to open the next connection.
   */
  async function takeBacklog(): Promise<void> {
    const unread: Socket[] = [];
    const note = (socket: Socket) => unread.push(socket);
    const all = [server, ...app.listeners];
    for (const listener of all) Object.assign(listener, { pauseOnConnect: true });
    server.on('connection', note);
    await takeUntilQuiet();
    // Not by the method of HTTP servers, which would end connections whose next request has come and is not read yet.
    for (const listener of all) Listener.prototype.close.call(listener);
    for (const socket of unread) socket.resume();
  }

  async function takeUntilQuiet(): Promise<void> {
    let now = performance.now();
    const until = now + BACKLOG_MS;
    for (let [before, since] = [taken, now]; now < until; ) {
      const begun = now;
      await nextTurn();
      now = performance.now();
      // Callers come while a turn is long, as one that answers requests, whose callers open the next connection.
      if (taken !== before) [before, since] = [taken, now];
      else if (now - since >= QUIET_MS && now - begun < QUIET_MS) return;
    }
  }

  function letGo(socket: Socket, { exchanges, asked }: Open, isLate: boolean): void {
    if (exchanges.size === 0 && (isLate || asked > 0)) return void socket.destroySoon();
    for (const exchange of exchanges) {
      const { request, response } = exchange;
      if (response.headersSent) {
        exchange.looks += 1;
        if (exchange.looks > PATIENCE) socket.destroy();
      } else if (isLate && !request.complete) {
        const error = Object.assign(new Error('the server is stopping'), { code: STOPPING });
        answerClientError(error, socket, headers);
        app.log.info(REFUSED_BY_STOP);
      }
    }
  }
}
