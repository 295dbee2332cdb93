export { type OnAttempt, OUTCOMES } from './attempt.ts';
export { FairQueue, type Origin, QueueFull, type QueueLimits } from './fair-queue.ts';
export { startLanes } from './lanes.ts';
export { type KeepLease, LEASE_MS, leaseKeeper, RENEW_MS } from './lease.ts';
export { lockedWork } from './locked-work.ts';
export { Pace } from './pace.ts';
export { MOST_COUNTED, type QueueState, queuesFor, retryAt } from './queue.ts';
export { type Rounds, startRounds } from './rounds.ts';
export { Turns } from './turns.ts';
