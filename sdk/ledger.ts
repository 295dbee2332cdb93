import type { ParleyEvent } from './types.ts';

/** An event of a connection. */
export interface Entry {
  readonly event: ParleyEvent;
  begun: boolean;
  done: boolean;
}

/**
 * The events of a connection, by team in the order in which they came. An acknowledgement stands for all that came before
 * in its team, so that of an event waits for those before it.
 */
export class Ledger {
  readonly #teams = new Map<string, Entry[]>();

  enter(event: ParleyEvent): Entry {
    const entry = { event, begun: false, done: false };
    const { team } = event.data;
    const entries = this.#teams.get(team);
    if (entries) entries.push(entry);
    else this.#teams.set(team, [entry]);
    return entry;
  }

  /** @returns the ids that can be acknowledged by now: none while an event before it is not done */
  finish(entry: Entry): string[] {
    entry.done = true;
    const entries = this.#of(entry);
    const open = entries.findIndex(({ done }) => !done);
    const through = entries.splice(0, open === -1 ? entries.length : open);
    if (entries.length === 0) this.#teams.delete(entry.event.data.team);
    return through.map(({ event }) => event.id);
  }

  /** Whether an event after it has begun: left out, it would have that one come again. */
  isPassed(entry: Entry): boolean {
    const entries = this.#of(entry);
    return entries.slice(entries.indexOf(entry) + 1).some(({ begun }) => begun);
  }

  #of({ event }: Entry): Entry[] {
    return this.#teams.get(event.data.team) ?? [];
  }
}
