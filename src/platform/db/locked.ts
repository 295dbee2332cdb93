import type { SelectQueryBuilder } from 'kysely';
import type { Dialect } from './database.ts';

/**
 * From what the others are kept: any use of it in a lock of their own; the same, but they may refer to the row; changes
 * alone. With `skip locked`, what others hold is left out, instead of waiting for it.
 */
export type Lock = 'update' | 'no key update' | 'share' | 'skip locked';

/** Holds what a query finds until the transaction ends. SQLite has one writer, so there it is held anyway. */
export function locked<DB, TB extends keyof DB, Row>(
  dialect: Dialect,
  found: SelectQueryBuilder<DB, TB, Row>,
  lock: Lock = 'update',
): SelectQueryBuilder<DB, TB, Row> {
  if (dialect === 'sqlite') return found;
  if (lock === 'share') return found.forShare();
  if (lock === 'no key update') return found.forNoKeyUpdate();
  return lock === 'update' ? found.forUpdate() : found.forUpdate().skipLocked();
}
