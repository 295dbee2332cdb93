import type { Migration } from '#platform/db/index.ts';

/**
 * What came after `0001-initial.ts`, in order. A new one is appended: `{ name: '0002-moods', rolling: true, up: ({ int }) =>
 * [`ALTER TABLE …`] }`. `npm run documents` then notes its checksums in `../frozen.json`.
 */
export const later: readonly Migration[] = [];
