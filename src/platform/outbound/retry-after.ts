const MOST_MS = 24 * 3600 * 1000;

/** RFC 9110 §10.2.3: seconds, or a date. @returns the pause that was asked for, at most a day */
export function retryAfterMs(header: string | undefined, now: number): number {
  if (header === undefined) return 0;
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(asked) ? 0 : Math.min(Math.max(asked, 0), MOST_MS);
}
