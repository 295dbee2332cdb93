import { type Migration, queriesFor } from '#platform/db/index.ts';
import { initial } from './migrations/0001-initial.ts';
import type { Tables } from './tables.ts';

export type * from './tables.ts';

/** In order; append only. */
export const migrations: readonly Migration[] = [initial];

export const { statement, query } = queriesFor<Tables>();
