/** A request, as it was written. */
export interface Asked {
  /** The names of up to two people, in lower case: who decides, and who does when that takes too long. */
  readonly names: readonly string[];
  readonly text: string;
}

const LONGEST = 1000;

/** Reads `@approval @bob @carla: Friday off`. @returns undefined for a text without the bot's name */
export function readAsked(text: string): Asked | undefined {
  const rest = /(?:^|\s)@approval(?=\W|$)([\s\S]*)/i.exec(text)?.[1];
  if (rest === undefined) return undefined;
  const words = rest.replace(/^[\s:,]+/, '').split(/\s+/);
  const count = words.findIndex((word) => !/^@[\w.-]+[:,]?$/.test(word));
  const named = words.slice(0, Math.min(count < 0 ? words.length : count, 2));
  return {
    names: named.map((word) => word.replace(/^@|[:,]$/g, '').toLowerCase()),
    text: words
      .slice(named.length)
      .join(' ')
      .replace(/^[:,\s]+/, '')
      .slice(0, LONGEST),
  };
}
