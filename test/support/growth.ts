import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
// Of a small heap, a file of some megabytes would be enough for a collection, which takes longer than the file.
setFlagsFromString('--heap-growing-percent=400');
const gc = runInNewContext('gc') as () => void;
const LOOK_MS = 5;
const MOST_LOOKS = 40;

/** Collects garbage, and waits for the threads that go on with it. */
async function collectGarbage(): Promise<void> {
  gc();
  for (let look = 0; look < MOST_LOOKS; look++) {
    const before = process.cpuUsage();
    await pause(LOOK_MS);
    if (milliseconds(process.cpuUsage(before)) < LOOK_MS / 4) return;
  }
}

/** What something takes of the processor, in milliseconds: in all, and in the longest piece, for which all else waits. */
export interface Cost {
  readonly cpu: number;
  readonly piece: number;
}

/** Is given 1, or a quarter: how much of its greatest size it should take. */
export type Work = (share: number) => unknown;

/** How much longer the whole may take than a quarter: 4 times is linear, 16 times a square. */
export const MOST_GROWTH = 6;
/** Cheaper work passes, however it grows: the first collections of garbage are below this, and so is most noise. */
const LITTLE: Cost = { cpu: 50, piece: 50 };
/** Less cannot be measured well. */
const NOTHING: Cost = { cpu: 3, piece: 3 };
/** Each is tried so often, and the least counts: what else runs on the machine only ever adds. */
const TRIES = 5;
/** Noise makes a linear one look worse now and then, and a square never looks better. */
const ROUNDS = 3;
/** Something that takes so long is not noise, and needs no more tries. */
const LONG_MS = 10_000;

/** The processor's time in all is that of the whole process: a server in it counts, with the threads that work for it. */
export async function costOf(work: () => unknown): Promise<Cost> {
  const begun = process.cpuUsage();
  const longestPiece = watchPieces();
  await work();
  return { cpu: milliseconds(process.cpuUsage(begun)), piece: longestPiece() };
}

const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/**
 * What the monitor of Node.js calls the delay of the event loop, without the time in which the machine did something else:
 * where that is busy, delays say more about it than about the work.
 */
function watchPieces(): () => number {
  let [last, longest] = [process.threadCpuUsage(), 0];
  const look = () => {
    longest = Math.max(longest, milliseconds(process.threadCpuUsage(last)));
    last = process.threadCpuUsage();
  };
  const timer = setInterval(look, 1);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

const least = (one: Cost, other: Cost): Cost => ({
  cpu: Math.min(one.cpu, other.cpu),
  piece: Math.min(one.piece, other.piece),
});

const timesOf = (whole: Cost, quarter: Cost, kind: keyof Cost) =>
  whole[kind] < LITTLE[kind] ? 0 : whole[kind] / Math.max(quarter[kind], NOTHING[kind]);
const timesOfBoth = (whole: Cost, quarter: Cost) =>
  Math.max(timesOf(whole, quarter, 'cpu'), timesOf(whole, quarter, 'piece'));

async function leastCost(work: () => unknown, isEnough: (cost: Cost) => boolean): Promise<Cost> {
  let found: Cost = { cpu: Number.POSITIVE_INFINITY, piece: Number.POSITIVE_INFINITY };
  for (let tries = 0; tries === 0 || (tries < TRIES && !isEnough(found)); tries++) {
    // Otherwise the larger work pays for the garbage of what ran before it.
    await collectGarbage();
    found = least(found, await costOf(work));
  }
  return found;
}

/** What work of the greatest size takes, and how many times as long as that of a quarter. */
export interface Growth extends Cost {
  readonly times: number;
}

/**
 * Compares work with itself at a quarter of its size.
 * @param most the growth that is looked for: it is tried again until it is as low as that, or certainly is not
 */
export async function growth(work: Work, most = MOST_GROWTH): Promise<Growth> {
  const deadline = performance.now() + LONG_MS;
  const isLate = () => performance.now() > deadline;
  const isLittle = (cost: Cost) => timesOfBoth(cost, NOTHING) === 0;
  let whole = await costOf(() => work(1));
  // What is made at first use does not count.
  if (!isLittle(whole) && !isLate()) whole = least(whole, await costOf(() => work(1)));
  let times = isLittle(whole) ? 0 : Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && times > most && !(round > 0 && isLate()); round++) {
    const quarter = await leastCost(() => work(1 / 4), isLate);
    const isEnough = (cost: Cost) => isLate() || timesOfBoth(least(whole, cost), quarter) <= most;
    if (!isEnough(whole)) whole = least(whole, await leastCost(() => work(1), isEnough));
    times = Math.min(times, timesOfBoth(whole, quarter));
  }
  return { ...whole, times };
}
