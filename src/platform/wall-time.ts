/** A time as a clock on a wall shows it: of a day, without a zone. */
const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/**
 * The instant at which clocks of a zone show a wall time. Where they are set forward, the time that they leave out is as
 * much later; where they are set back, it is the first of both.
 * @returns undefined for a time that no calendar has
 */
export async function instantOf(local: string, zone: string): Promise<number | undefined> {
  if (!WALL_TIME.test(local)) return undefined;
  // Loaded when it is first needed: it takes longer than a start has.
  const { Temporal } = await import('temporal-polyfill');
  try {
    const time = Temporal.PlainDateTime.from(local, { overflow: 'reject' });
    return time.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
