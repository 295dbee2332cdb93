import type { SelectQueryBuilder } from 'kysely';
import type { Dialect } from './database.ts';

/**
 * The strength of a row lock. `update`: FOR UPDATE. `no key update`: the same, but foreign keys may still reference
 * the row. `share`: others may read-lock the row, not change it. `key share`: others may change the row, not delete it
 * or lock it for an update. `skip locked`: FOR UPDATE, skipping rows that others have locked; `no key update skip locked`
 * the same, but rows to which foreign keys are being added are not skipped.
 */
export type Lock =
  | 'update'
  | 'no key update'
  | 'share'
  | 'key share'
  | 'skip locked'
  | 'no key update skip locked';

/** A SELECT that locks its rows. The brand keeps it inside transactions. */
export type Locked<Query> = Query & { readonly isLocked: true };

/** Locks the rows of a query until the transaction ends. SQLite has one writer, so it needs no row locks. */
export function locked<DB, TB extends keyof DB, Row>(
  dialect: Dialect,
  found: SelectQueryBuilder<DB, TB, Row>,
  lock: Lock = 'update',
): Locked<SelectQueryBuilder<DB, TB, Row>> {
  return (dialect === 'sqlite' ? found : withLock(found, lock)) as Locked<SelectQueryBuilder<DB, TB, Row>>;
}

function withLock<DB, TB extends keyof DB, Row>(found: SelectQueryBuilder<DB, TB, Row>, lock: Lock) {
  if (lock === 'share') return found.forShare();
  if (lock === 'key share') return found.forKeyShare();
  if (lock === 'no key update') return found.forNoKeyUpdate();
  if (lock === 'no key update skip locked') return found.forNoKeyUpdate().skipLocked();
  return lock === 'update' ? found.forUpdate() : found.forUpdate().skipLocked();
}
