import type { Client } from 'undici';

/** How long one waits for the next call, at most. A receiver that says for how long it keeps one is believed below that. */
const IDLE_MS = 4000;
/** The same where the receiver does not say: some wait for 2 seconds. */
const UNTOLD_IDLE_MS = 1500;
/** After this time a name is resolved, and its addresses are checked, again. */
const LONGEST_LIFE_MS = 30_000;
/** Of one owner to one origin. */
const MOST_OF_KEY = 4;
const MOST = 64;

/** How undici keeps a connection that is idle. */
export const KEPT = {
  pipelining: 1,
  keepAliveTimeout: UNTOLD_IDLE_MS,
  keepAliveMaxTimeout: IDLE_MS,
  keepAliveTimeoutThreshold: 1000,
} as const;
export const NOT_KEPT = { pipelining: 0 } as const;

/** A client of one origin for one call at a time. It connects when it is used, and again when its connection has ended. */
export interface Connection {
  readonly client: Client;
  /** Ends it in any state, also while it connects. */
  end(): Promise<void>;
  readonly madeAt: number;
  /** Whether it leads to this machine; for a name, known once it is resolved. */
  isLocal: boolean;
  /** Whether the last call over it got the beginning of an answer. */
  isAnswered: boolean;
}

interface Idle {
  readonly connection: Connection;
  readonly timer: NodeJS.Timeout;
}

/** Connections that wait for the next call of the same owner to the same origin. */
export class Connections {
  /** By owner and origin, those used last at the end. */
  readonly #idle = new Map<string, Idle[]>();
  #count = 0;
  #isClosed = false;

  take(key: string): Connection | undefined {
    const idle = this.#idle.get(key)?.at(-1);
    if (idle) this.#remove(key, idle);
    return idle?.connection;
  }

  /** Keeps one for the next call, unless there are enough of its kind or it is old. */
  async keep(key: string, connection: Connection): Promise<void> {
    const own = this.#idle.get(key) ?? [];
    const isOld = performance.now() - connection.madeAt > LONGEST_LIFE_MS;
    if (this.#isClosed || isOld || own.length >= MOST_OF_KEY || this.#count >= MOST) return connection.end();
    const timer = setTimeout(() => {
      this.#remove(key, idle);
      void connection.end();
    }, IDLE_MS).unref();
    const idle = { connection, timer };
    this.#idle.set(key, [...own, idle]);
    this.#count += 1;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const all = [...this.#idle].flatMap(([key, some]) => some.map((idle) => ({ key, idle })));
    for (const { key, idle } of all) this.#remove(key, idle);
    await Promise.all(all.map(({ idle }) => idle.connection.end()));
  }

  #remove(key: string, idle: Idle): void {
    clearTimeout(idle.timer);
    const left = (this.#idle.get(key) ?? []).filter((one) => one !== idle);
    if (left.length > 0) this.#idle.set(key, left);
    else this.#idle.delete(key);
    this.#count -= 1;
  }
}
