import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Bytes that may wait for a reader. A slower one is disconnected, and resumes where it was when it reconnects. */
const MAX_WAITING_BYTES = 1024 * 1024;

/** One client's stream of server-sent events. */
export class Stream {
  readonly userId: string;
  readonly sessionId: string;
  /** Its user's teams, by which it is found. */
  teams: readonly string[] = [];
  /** The last event that it was sent. */
  place = 0;
  /** Whether it is sent what is new, rather than still what it missed. */
  isLive = false;
  readonly #response: ServerResponse;

  constructor(userId: string, sessionId: string, response: ServerResponse) {
    this.userId = userId;
    this.sessionId = sessionId;
    this.#response = response;
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  send(bytes: string | Buffer, place: number): void {
    if (this.isClosed) return;
    this.place = place;
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

  close(): void {
    this.#response.end();
  }
}
