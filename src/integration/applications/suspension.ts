import { type RawBuilder, sql } from 'kysely';
import { NotAllowed, timestamp } from '#api';
import type { ApplicationRow } from '#schema';

export type Suspension = Pick<ApplicationRow, 'suspended_at' | 'awaits_owner_since' | 'awaits_owner_why'>;

/** Whether an application sleeps: nothing is sent to it, and it may do nothing. */
export const isSuspended = (row: Pick<Suspension, 'suspended_at' | 'awaits_owner_since'>): boolean =>
  row.suspended_at !== null || row.awaits_owner_since !== null;

/** The same in a statement. @param table the name that `applications` has there */
export const isAwake = (table = 'applications'): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.suspended_at`)} IS NULL AND ${sql.ref(`${table}.awaits_owner_since`)} IS NULL)`;

/** @throws NotAllowed for an application that sleeps */
export function refuseSuspended(row: Suspension): void {
  if (!isSuspended(row)) return;
  const message =
    row.suspended_at === null
      ? 'The application is suspended until its owner takes it over with a new secret'
      : 'An administrator of the server has suspended the application';
  throw new NotAllowed('application_suspended', message);
}

/** Why it sleeps, as its owner and administrators are told; null for one that is awake. */
export function presentSuspension(row: Suspension) {
  const since = row.suspended_at ?? row.awaits_owner_since;
  if (since === null) return null;
  return {
    since: timestamp(since),
    by_operator: row.suspended_at !== null,
    awaits_owner: row.awaits_owner_why,
  };
}
