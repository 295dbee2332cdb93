/** Each is tried so often, and the least counts: what else runs on the machine only ever adds. */
const TRIES = 5;

function took(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const least = (work: () => void) => Math.min(...Array.from({ length: TRIES }, () => took(work)));

/** Less cannot be measured well, in microseconds of the processor: nothing that grows with the square stays below it. */
const NOTHING = 1000;

/** Noise makes a linear one look worse now and then, and a square never looks better. */
const ROUNDS = 3;

/** @returns how many times as long work takes for four times its size: 4 is linear, 16 a square */
export function growth(work: (size: number) => void, size = 4000): number {
  work(size);
  let lowest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && lowest >= 6; round++) {
    const before = Math.max(
      NOTHING,
      least(() => work(size)),
    );
    // Once is enough where it is quick.
    const once = took(() => work(4 * size));
    const after =
      once < 6 * before
        ? once
        : Math.min(
            once,
            least(() => work(4 * size)),
          );
    lowest = Math.min(lowest, after / before);
  }
  return lowest;
}
