import type { EventFilter, ParleyEvent } from './types.ts';

/** Options of a stream: the events it brings, and the group that shares them. */
export interface ListenOptions {
  /**
   * Programs of one group share the teams. Programs that handle different kinds need groups of their own. A new group begins
   * where the subscription does: it hears again all that is still kept.
   */
  readonly group?: string;
  /** Only some teams or messages. */
  readonly filter?: EventFilter;
  /** The id of a subscription that was made before. */
  readonly subscription?: string;
  /**
   * How long to wait before further attempts at an event whose handler threw, in milliseconds. After the last one the
   * event is given up: a person who waits is told that it has failed. So is at once what the platform refused for good.
   * Default: 4 attempts within 21 seconds. The server waits for a minute.
   */
  readonly retryAfterMs?: readonly number[];
  /** Called with what a handler threw, and with what ended a connection. Default: prints it. */
  readonly onError?: (error: unknown, event?: ParleyEvent) => void;
  /** Called when events were missed, because the group was away for longer than they are kept. Default: prints it. */
  readonly onMissed?: () => void;
}

/** Listening that goes on. */
export interface Listening {
  /** Ends it: handlers that run are waited for, and their events acknowledged. */
  stop(): Promise<void>;
}
