import { randomUUID } from 'node:crypto';

/** The time in milliseconds since 1970. Passed in, so that a test can move it. */
export type Clock = () => number;

/** Sorts before every id: where a walk over all of them begins. */
export const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

/** Sorts behind every id. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const SEQUENCE_LIMIT = 0x1000;
let clock: Clock = Date.now;
let lastMilliseconds = 0;
let sequence = 0;

/** Takes the time of new ids from this clock. They continue after the last id if the clock is behind. */
export function timeIdsBy(given: Clock): void {
  clock = given;
}

/**
 * A new row's id: UUIDv7 (RFC 9562 §5.7), so that ids sort by creation time; within a millisecond, only those of one
 * process do. The random half comes from `randomUUID`, which draws from a pool: a system call per id was a tenth of
 * the cost of posting.
 * @param after an id that this one and all later ids of this process must sort after, also if the clock is behind
 */
export function newId(after = ''): string {
  const now = clock();
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    sequence = 0;
  } else if (++sequence === SEQUENCE_LIMIT) {
    lastMilliseconds += 1;
    sequence = 0;
  }
  const id = idAt(lastMilliseconds, sequence);
  if (id > after) return id;
  lastMilliseconds = timeOf(after) + 1;
  sequence = 0;
  return idAt(lastMilliseconds, sequence);
}

function idAt(milliseconds: number, sequence: number): string {
  const time = milliseconds.toString(16).padStart(12, '0');
  const place = sequence.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${place}-${randomUUID().slice(19)}`;
}

/** @returns the time with which an id begins, in milliseconds */
export function timeOf(id: string): number {
  return Number.parseInt(id.replace('-', '').slice(0, 12), 16);
}

/** @returns the lowest id that can be made at a time: those made before it sort before it */
export function lowestIdAt(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** A new client id or client secret: UUIDv4, which does not reveal its creation time. */
export function newCredential(): string {
  return randomUUID();
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns the id in its one stored form, or undefined when it is no UUID and so names nothing. */
export function parseId(value: unknown): string | undefined {
  return typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : undefined;
}
