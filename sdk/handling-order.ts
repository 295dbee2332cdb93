import type { EventKind, ParleyEvent } from './types.ts';

/** Handlers of what people do that run at once. */
export const MOST_AT_ONCE = 8;

/** Kinds of events behind which a person waits for the application. */
const OF_PEOPLE: ReadonlySet<EventKind> = new Set<EventKind>([
  ...(['interaction', 'application.opened'] as const),
  ...(['direct.posted', 'direct.edited', 'direct.deleted'] as const),
]);

/**
 * The order in which events are handled: those of a team one after the other, but what a person does after what the same
 * person did before. Nobody waits for somebody else's handler, as long as few run.
 */
export class HandlingOrder {
  readonly #ends = new Map<string, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param handle does not reject */
  add(event: ParleyEvent, handle: () => Promise<void>): void {
    const series = seriesOf(event);
    const end = (this.#ends.get(series) ?? Promise.resolve()).then(handle);
    this.#ends.set(series, end);
    void end.then(() => {
      if (this.#ends.get(series) === end) this.#ends.delete(series);
    });
  }

  /** Runs a handler, once there is a place for it. */
  async run(event: ParleyEvent, handler: () => Promise<void>): Promise<void> {
    if (!OF_PEOPLE.has(event.type)) return handler();
    if (this.#running < MOST_AT_ONCE) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      await handler();
    } finally {
      // The next one takes over the place.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }

  /** Resolves when all that was added is through. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends.values());
  }
}

function seriesOf({ type, data }: ParleyEvent): string {
  if (!OF_PEOPLE.has(type)) return data.team;
  const { team, user, kind } = data as { team: string; user: string; kind?: string };
  // A search for options does not wait for an earlier click.
  return kind === 'options' ? `${team} ${user} options` : `${team} ${user}`;
}
