/** How attempts to hand something over end: one that was given up failed, and is not repeated. */
export const OUTCOMES = ['succeeded', 'failed', 'given_up'] as const;

export type OnAttempt = (outcome: (typeof OUTCOMES)[number]) => void;
