import type { NewEvent, PlacedEvent } from './catalogue.ts';

/** A message's reactions are told so often at most, to each of its receivers. */
const EVERY_MS = 500;

/**
 * Fifty people who react at once are a few events for those who look on: the first is sent at once, and one more stands for
 * those of the next half second. That one is stored as an event of its own, with a place after theirs, so that no reader who
 * resumes can miss it. The log keeps each reaction for applications.
 */
export function spareReactions(emit: (event: NewEvent) => void) {
  /** Messages that were told of just now, for an audience; undefined until something has been spared. */
  const recent = new Map<string, { timer: NodeJS.Timeout; spared: NewEvent | undefined }>();

  function begin(key: string): void {
    const timer = setTimeout(() => {
      const spared = recent.get(key)?.spared;
      recent.delete(key);
      if (spared) emit(spared);
    }, EVERY_MS).unref();
    recent.set(key, { timer, spared: undefined });
  }

  /** @returns whether this event is left out, for one that comes within half a second */
  function isSpared({ kind, audience, data }: PlacedEvent): boolean {
    if (kind !== 'message.updated') return false;
    const key = `${Object.values(audience)[0]} ${data.message}`;
    const known = recent.get(key);
    const isReaction = data.change === 'reaction_added' || data.change === 'reaction_removed';
    if (known && isReaction) {
      const { message, author } = data;
      known.spared = { kind, audience, data: { message, author } };
      return true;
    }
    // This event shows the reactions, too. Where it is none itself, another node has told of them.
    if (known) known.spared = undefined;
    else begin(key);
    return false;
  }

  return {
    isSpared,
    stop: () => {
      for (const { timer } of recent.values()) clearTimeout(timer);
      recent.clear();
    },
  };
}
