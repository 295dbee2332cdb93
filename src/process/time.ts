import { Refusal } from './refusal.ts';

/** ISO 8601: a date, or a date and a time, which is UTC unless it says otherwise. */
const ISO = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Date.parse guesses at other texts: of "hello 3" it makes a day. @throws Refusal */
export function readTime(text: string): number {
  const [, day, zone] = ISO.exec(text) ?? [];
  const time = Date.parse(text.includes('T') && zone === undefined ? `${text}Z` : text);
  // It takes 31 February for 3 March.
  const isDay = day !== undefined && new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  if (isDay && !Number.isNaN(time)) return time;
  throw new Refusal(`"${text}" is not a time: write it as 2026-01-31 or 2026-01-31T12:00:00Z.`);
}
