const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Days are numbered from 1, Monday. */
export function localTime(now: number, timeZone: string): { day: number; time: string } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  return { day: DAYS.indexOf(parts.weekday ?? '') + 1, time: `${parts.hour}:${parts.minute}` };
}

/** Whether it is the name of a zone in the IANA database. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // An offset, as +01:00, knows no summer time.
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
