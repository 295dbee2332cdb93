import { timeIdsBy } from '#platform/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The clock of the demo's server. It goes through the days of the story first, and shows the real time afterwards. */
export class StoryClock {
  /** When the demo was begun: what was said "40 minutes ago" was said before it. */
  readonly begun = Date.now();
  #ahead = 0;

  readonly now = (): number => Date.now() + this.#ahead;

  /** Ids hold the time, too, and sort by it. Called before the server makes its first one. */
  begin(time: number): void {
    this.goTo(time);
    timeIdsBy(this.now);
  }

  /** Never beyond the real time: what is in the future would be late afterwards. */
  goTo(time: number): void {
    this.#ahead = Math.min(0, time - Date.now());
  }

  /** @param wall as `07:30`, where the server is */
  daysAgo(days: number, wall: string): number {
    const [hours = 0, minutes = 0] = wall.split(':').map(Number);
    const date = new Date(this.begun - days * DAY_MS);
    return date.setHours(hours, minutes, 0, 0);
  }
}
