import type { Clock } from '../ids.ts';
import { startRounds } from '../jobs/rounds.ts';
import type { Database } from './database.ts';

const SAMPLES = 3;
/** The round trip bounds the error of a measurement: a slower one is dropped. */
const SLOWEST_MS = 1000;
/** The machine's clock was set, or the machine slept: measure again at once. */
const JUMP_MS = 500;

export interface DatabaseClock {
  readonly now: Clock;
  /** How far the machine's clock is ahead, in milliseconds. */
  deviation(): number;
  stop(): Promise<void>;
}

/**
 * The time of the database, shared by all nodes. Between two measurements it advances with the monotonic clock of the
 * process. It never goes back: while it is ahead of the last measurement, it runs at half speed.
 */
export async function databaseClock(
  db: Database,
  options: { everyMs: number; onMeasured: (deviation: number) => void; onError: (error: unknown) => void },
): Promise<DatabaseClock> {
  const { everyMs, onMeasured, onError } = options;
  let measured = await measure(db);
  let { offset } = measured;
  let readAt = performance.now();

  async function work(): Promise<void> {
    const found = await measure(db);
    if (found.roundTrip > SLOWEST_MS) return;
    measured = found;
    onMeasured(deviation());
  }

  function now(): number {
    const at = performance.now();
    const passed = at - readAt;
    readAt = at;
    offset = Math.max(measured.offset, offset - passed / 2);
    if (Math.abs(Date.now() - at - measured.machine) > JUMP_MS) rounds.wake();
    return Math.floor(at + offset);
  }

  const deviation = () => Date.now() - now();

  const rounds = startRounds({ work, intervalMs: everyMs, onError });
  onMeasured(deviation());
  return { now, deviation, stop: rounds.stop };
}

interface Measured {
  /** From the monotonic clock of the process to the time of the database. */
  readonly offset: number;
  /** The same to the time of the machine. */
  readonly machine: number;
  readonly roundTrip: number;
}

/** The quickest of a few answers is the most precise one: the database's time is that of its middle. */
async function measure(db: Database): Promise<Measured> {
  let best: Measured | undefined;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const begun = performance.now();
    const [row] = await db.all<{ now: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      [],
    );
    const ended = performance.now();
    const roundTrip = ended - begun;
    if (best && best.roundTrip <= roundTrip) continue;
    const offset = (row?.now ?? Date.now()) - (begun + ended) / 2;
    best = { offset, machine: Date.now() - ended, roundTrip };
  }
  return best as Measured;
}
