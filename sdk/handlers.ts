import type { Report } from './errors.ts';
import { tellFailed } from './respond.ts';
import type { EventKind, EventOf, ParleyEvent } from './types.ts';

/** Handles an event. The event is acknowledged when it resolves, and comes again when it throws what may work later. */
export type Handler<K extends EventKind> = (event: EventOf<K>) => Promise<unknown> | unknown;

type Run = (event: ParleyEvent, report: Report) => unknown;

/** Events whose handling is remembered: one that comes again is not handled again. */
const REMEMBERED = 10_000;

/** The handlers of an application, the same for a stream and a webhook. */
export class Handlers {
  readonly #byKind = new Map<EventKind, Run[]>();
  /** How many handlers of an event are through, by its id; the oldest event first. */
  readonly #through = new Map<string, number>();
  /** Events that are being handled: one that comes again meanwhile waits for the same end. */
  readonly #underWay = new Map<string, Promise<void>>();

  add<K extends EventKind>(kind: K, handler: (event: EventOf<K>, report: Report) => unknown): void {
    this.#byKind.set(kind, [...this.#of(kind), handler as unknown as Run]);
  }

  get kinds(): EventKind[] {
    return [...this.#byKind.keys()];
  }

  /** How many handle a kind. */
  count(kind: EventKind): number {
    return this.#of(kind).length;
  }

  /** Runs the handlers of an event one after the other. Those that are through are left out when it comes again. */
  run(event: ParleyEvent, report: Report): Promise<void> {
    const underWay = this.#underWay.get(event.id);
    if (underWay) return underWay;
    const run = this.#run(event, report).finally(() => this.#underWay.delete(event.id));
    this.#underWay.set(event.id, run);
    return run;
  }

  /** Leaves an event: it is not handled again, and a person who waits for it is told. */
  async giveUp(event: ParleyEvent, report: Report): Promise<void> {
    this.#through.set(event.id, this.count(event.type));
    await tellFailed(event, report);
  }

  async #run(event: ParleyEvent, report: Report): Promise<void> {
    const { id } = event;
    const handlers = this.#of(event.type).slice(this.#through.get(id) ?? 0);
    for (const handler of handlers) {
      await handler(event, report);
      this.#through.set(id, (this.#through.get(id) ?? 0) + 1);
    }
    const [oldest] = this.#through.keys();
    if (oldest !== undefined && this.#through.size > REMEMBERED) this.#through.delete(oldest);
  }

  #of(kind: EventKind): Run[] {
    return this.#byKind.get(kind) ?? [];
  }
}
