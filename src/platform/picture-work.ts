import pLimit from 'p-limit';

/**
 * Decodes and encodes pictures, two at once: each takes a thread of the pool, where SQLite's log is synced too, and one
 * of the largest size some hundred megabytes of memory.
 */
export const pictureWork = pLimit(2);
