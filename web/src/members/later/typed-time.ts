/** The hour of a day that is named without one. */
const MORNING = 9;

/** Languages in which times are read; others read English. */
const PARSERS = {
  en: () => import('chrono-node/en'),
  de: () => import('chrono-node/de'),
  ar: () => import('chrono-node/ar'),
} as const;

/** A time in a text. */
export interface TypedTime {
  /** As a clock on the reader's wall shows it: 2026-12-01T09:00. */
  readonly local: string;
  /** The text without it. */
  readonly rest: string;
}

const two = (number: number) => String(number).padStart(2, '0');

/** What a clock on the reader's wall shows. */
export const wallTimeOf = (date: Date): string =>
  `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;

/**
 * Reads a time that somebody has typed, in their language or in English. The parser gives the parts of a wall time; the
 * instant is the server's to say. It is loaded when a time is first read.
 */
export async function readTime(
  text: string,
  language: string,
  now = new Date(),
): Promise<TypedTime | undefined> {
  const own = PARSERS[language as keyof typeof PARSERS] ?? PARSERS.en;
  return (
    (await readWith(own, text, now)) ?? (own === PARSERS.en ? undefined : readWith(PARSERS.en, text, now))
  );
}

async function readWith(
  load: (typeof PARSERS)[keyof typeof PARSERS],
  text: string,
  now: Date,
): Promise<TypedTime | undefined> {
  const { casual } = await load();
  const [found] = casual.parse(text, now, { forwardDate: true });
  if (!found) return undefined;
  const { start, index } = found;
  const part = (name: 'year' | 'month' | 'day' | 'hour' | 'minute') => start.get(name) ?? 0;
  const hour = start.isCertain('hour') || start.isCertain('minute') ? part('hour') : MORNING;
  const minute = start.isCertain('hour') || start.isCertain('minute') ? part('minute') : 0;
  const local = `${part('year')}-${two(part('month'))}-${two(part('day'))}T${two(hour)}:${two(minute)}`;
  const rest = `${text.slice(0, index)} ${text.slice(index + found.text.length)}`;
  return { local, rest: rest.replaceAll(/\s+/g, ' ').trim() };
}

/** Words between the command and what it is about, as people write them: `/remind me in 1 hour to water the plants`. */
const ADDRESS = /^(?:(?:me|mich)\s+)?(?:(?:to|that|about|daran|an)\s+)?(?=\S)/i;
const QUOTED = /^["“„](.*)["”“]$/s;

/** The matter of a reminder: a text without its time, and without the words before the matter. */
export const remindedOf = (rest: string): string => rest.replace(ADDRESS, '').replace(QUOTED, '$1');
