import { type Migration, queriesFor, rewritingFor } from '#platform/db/index.ts';
import { portionsFor, queuesFor } from '#platform/jobs/index.ts';
import { initial } from './migrations/0001-initial.ts';
import { leasedCursors } from './migrations/0002-leased-cursors.ts';
import { before } from './migrations/before-0001.ts';
import { later } from './migrations/later.ts';
import type { Tables } from './tables.ts';

export { SCHEMA_BEFORE } from './migrations/before-0001.ts';
export type * from './tables.ts';

/** In order, each in a file of its own. What has landed never changes; a change is a further one. */
export const migrations: readonly Migration[] = [
  { ...initial, predecessor: before },
  ...later,
  leasedCursors,
];

export const { statement, query, insertion } = queriesFor<Tables>();

export const { rewriting } = rewritingFor<Tables>();

export const { deletion, modification } = portionsFor<Tables>();

export const { leasedQueue, lockedQueue, fairQueue, renewal } = queuesFor<Tables>();
