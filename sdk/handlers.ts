import type { EventKind, EventOf, ParleyEvent } from './types.ts';

/** Handles an event. The event is acknowledged when it resolves, and comes again when it throws. */
export type Handler<K extends EventKind> = (event: EventOf<K>) => Promise<unknown> | unknown;

type Run = (event: ParleyEvent) => unknown;

/** Events whose handling is remembered: one that comes again is not handled again. */
const REMEMBERED = 10_000;

/** The handlers of an application, the same for a stream and a webhook. */
export class Handlers {
  readonly #byKind = new Map<EventKind, Run[]>();
  /** How many handlers of an event are through, by its id; the oldest event first. */
  readonly #through = new Map<string, number>();

  add<K extends EventKind>(kind: K, handler: Handler<K>): void {
    this.#byKind.set(kind, [...this.#of(kind), handler as unknown as Run]);
  }

  get kinds(): EventKind[] {
    return [...this.#byKind.keys()];
  }

  /** Runs the handlers of an event one after the other. Those that are through are left out when it comes again. */
  async run(event: ParleyEvent): Promise<void> {
    const { id } = event;
    const handlers = this.#of(event.type).slice(this.#through.get(id) ?? 0);
    for (const handler of handlers) {
      await handler(event);
      this.#through.set(id, (this.#through.get(id) ?? 0) + 1);
    }
    const [oldest] = this.#through.keys();
    if (oldest !== undefined && this.#through.size > REMEMBERED) this.#through.delete(oldest);
  }

  #of(kind: EventKind): Run[] {
    return this.#byKind.get(kind) ?? [];
  }
}
