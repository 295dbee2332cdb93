export { FairQueue, type Origin, QueueFull } from './fair-queue.ts';
export { type Rounds, startRounds } from './rounds.ts';
