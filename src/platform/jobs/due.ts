/**
 * Whether what is done at intervals is due again, at `at` by the clock. It is due as well after the clock was set back: its
 * time would come too late.
 */
export const isDue = (now: number, at: number, everyMs: number): boolean => now >= at || now < at - everyMs;
