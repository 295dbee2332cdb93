import { type Migration, queriesFor } from '#platform/db/index.ts';
import { initial } from './migrations/0001-initial.ts';
import { conversations } from './migrations/0002-conversations.ts';
import { rights } from './migrations/0005-rights.ts';
import type { Tables } from './tables.ts';

export type * from './tables.ts';

/** In order; append only. */
export const migrations: readonly Migration[] = [initial, conversations, rights];

export const { statement, query } = queriesFor<Tables>();
