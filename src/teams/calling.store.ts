import type { ExpressionBuilder } from 'kysely';
import { inTextList } from '#platform/db/index.ts';
import { statement, type Tables } from '#schema';
import { inGroups } from './group.store.ts';

interface Called {
  readonly teamId: string;
  readonly userId: string;
  readonly names: readonly string[];
  /** 1 where all members are called. */
  readonly all: number;
}

/**
 * How many members of a team, besides a caller, are called by some names, for each time zone: all of them, and those who are
 * called together with others.
 */
export const countCalled = statement<Called>()((q, p, dialect) => {
  const isTogether = (eb: ExpressionBuilder<Tables, 'memberships' | 'users'>) =>
    eb.or([eb(eb.val(p.all), '=', 1), eb('users.id', 'in', inGroups(q, p, dialect))]);
  return q
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select((eb) => [
      'users.time_zone',
      eb.fn.countAll<number>().as('people'),
      eb.fn.sum<number>(eb.case().when(isTogether(eb)).then(eb.lit(1)).else(eb.lit(0)).end()).as('together'),
    ])
    .where('memberships.team_id', '=', p.teamId)
    .where('memberships.user_id', '!=', p.userId)
    .where('users.active', '=', 1)
    .where((eb) => eb.or([isTogether(eb), inTextList(dialect, 'users.username_key', p.names)]))
    .groupBy('users.time_zone');
});
