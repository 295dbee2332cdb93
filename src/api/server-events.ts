import { once } from 'node:events';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes that may wait for a reader. A slower one is disconnected, and resumes where it was when it reconnects. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Begins an answer of server-sent events (HTML Standard §9.2). @param retryMs when clients come back, or up to twice as late */
export function beginServerEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  retryMs: number,
): ServerResponse {
  reply.hijack();
  request.raw.socket.setNoDelay(true);
  // RFC 9112 §6.3: what has no end needs no chunks; each event is one write instead of three.
  reply.raw.useChunkedEncodingByDefault = false;
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'Content-Type': 'text/event-stream; charset=utf-8',
    // A proxy that compresses would keep events back.
    'Cache-Control': 'no-store, no-transform',
    // A connection kept for another request would delay the server's stop.
    Connection: 'close',
    'X-Accel-Buffering': 'no',
  });
  // Spread, so that clients of a lost server do not come back at the same moment.
  reply.raw.write(`retry: ${Math.round(retryMs * (1 + Math.random()))}\n\n`);
  return reply.raw;
}

/** Bytes after which somebody who catches up is given time to read. */
const FULL_BYTES = 256 * 1024;

/** How long a client may take to read the rest of a stream that has ended. It can resume. */
const CLOSED_WITHIN_MS = 1000;

/** An answer of server-sent events to one client. */
export class ServerEvents {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** Whether the client has enough to read. */
  get isFull(): boolean {
    return this.#response.writableLength > FULL_BYTES;
  }

  /** Whether the client has not taken all that it was sent. */
  get isBehind(): boolean {
    return this.#response.writableNeedDrain;
  }

  write(bytes: string | Buffer): void {
    this.#response.write(bytes);
    if (this.#response.writableLength > MAX_WAITING_BYTES) this.#response.destroy();
  }

  /** Keeps proxies from taking a quiet stream for a dead one. */
  beat(): void {
    if (!this.isClosed) this.#response.write(':\n\n');
  }

  /** Resolves when the client has taken most of what was sent, or is gone. */
  async drained(): Promise<void> {
    if (this.isClosed || !this.#response.writableNeedDrain) return;
    const gone = new AbortController();
    const { signal } = gone;
    await Promise.race([
      once(this.#response, 'drain', { signal }),
      once(this.#response, 'close', { signal }),
    ]).finally(() => gone.abort());
  }

  /** Ends it once the client has taken what it was sent; a client who does not read is cut off. */
  close(): void {
    if (this.isClosed) return;
    this.#response.end();
    const timer = setTimeout(() => this.#response.destroy(), CLOSED_WITHIN_MS).unref();
    this.#response.once('close', () => clearTimeout(timer));
  }
}

/**
 * Closes the oldest ones of some streams, given from the oldest to the newest. A client that opens one after the other, and
 * closes none, must not fill the memory.
 * @param most how many stay open
 */
export function keepNewest(streams: Iterable<ServerEvents>, most: number): void {
  const open = [...streams].filter(({ isClosed }) => !isClosed);
  for (const stream of open.slice(0, Math.max(0, open.length - most))) stream.close();
}
