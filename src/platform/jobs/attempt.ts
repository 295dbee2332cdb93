/** How an attempt at a queue's work ends. `given_up` failed too, and is not repeated. */
export const OUTCOMES = ['succeeded', 'failed', 'given_up'] as const;

export type OnAttempt = (outcome: (typeof OUTCOMES)[number]) => void;
