import { type Kysely, sql } from 'kysely';
import { locked } from '#platform/db/index.ts';
import { type DomainRuleRow, deletion, statement, type Tables } from '#schema';

type None = Record<never, never>;

/** Rules that are made one after the other count those before them. The first two of a server do not. */
export const lockFirstDomainRule = statement<None>()((q, _, dialect) =>
  locked(dialect, q.selectFrom('domain_rules').select('id').orderBy('id').limit(1)),
);

export const countDomainRules = statement<None>()((q) =>
  q.selectFrom('domain_rules').select((eb) => eb.fn.countAll<number>().as('rules')),
);

/** Gives no row where the team has a rule for this domain. */
export const insertDomainRule = statement<DomainRuleRow>()((q, p) =>
  q
    .insertInto('domain_rules')
    .values({ id: p.id, domain: p.domain, team_id: p.team_id, created_at: p.created_at })
    .onConflict((conflict) => conflict.columns(['domain', 'team_id']).doNothing())
    .returning('id'),
);

const rulesOfTeams = (q: Kysely<Tables>) =>
  q
    .selectFrom('domain_rules')
    .innerJoin('teams', 'teams.id', 'domain_rules.team_id')
    .selectAll('domain_rules')
    .select(['teams.name', 'teams.color', 'teams.icon'])
    .where('teams.active', '=', 1)
    .orderBy('domain_rules.domain')
    .orderBy('domain_rules.id');

/** By domain, those of teams that are there. */
export const listDomainRules = statement<{ most: number }>()((q, p) => rulesOfTeams(q).limit(p.most));

/** By domain. A server has few of them. */
export const listDomainRulesOf = statement<{ teamId: string; most: number }>()((q, p) =>
  rulesOfTeams(q).where('domain_rules.team_id', '=', p.teamId).limit(p.most),
);

/** The teams that a domain opens, in the order in which they are locked. */
export const listTeamsOfDomain = statement<{ domain: string; most: number }>()((q, p) =>
  q
    .selectFrom('domain_rules')
    .innerJoin('teams', 'teams.id', 'domain_rules.team_id')
    .select('domain_rules.team_id')
    .where('domain_rules.domain', '=', p.domain)
    .where('teams.active', '=', 1)
    .orderBy('domain_rules.team_id')
    .limit(p.most),
);

export const findDomainRule = statement<{ domain: string; teamId: string }>()((q, p) =>
  q.selectFrom('domain_rules').select('id').where('domain', '=', p.domain).where('team_id', '=', p.teamId),
);

/** Gives no row when there is no such rule. */
export const deleteDomainRule = statement<{ id: string }>()((q, p) =>
  q.deleteFrom('domain_rules').where('id', '=', p.id).returning(['id', 'domain', 'team_id']),
);

/** Gives no row when the team has no such rule. */
export const deleteDomainRuleOf = statement<{ id: string; teamId: string }>()((q, p) =>
  q
    .deleteFrom('domain_rules')
    .where('id', '=', p.id)
    .where('team_id', '=', p.teamId)
    .returning(['id', 'domain', 'team_id']),
);

/**
 * The addresses of people who were removed from a team that begin like this one: its own, and those with a tag.
 * @param part of the address before the `@` and a tag
 */
export const listRemovedLike = statement<{ teamId: string; address: string; part: string }>()((q, p) =>
  q
    .selectFrom('removed_members')
    .innerJoin('users', 'users.id', 'removed_members.user_id')
    .select('users.email_key')
    .where('removed_members.team_id', '=', p.teamId)
    .where((eb) =>
      eb.or([
        eb('users.email_key', '=', p.address),
        // A comma follows the plus sign.
        eb.and([
          eb('users.email_key', '>=', sql<string>`${p.part} || '+'`),
          eb('users.email_key', '<', sql<string>`${p.part} || ','`),
        ]),
      ]),
    ),
);

export const deleteDomainRulesOf = deletion('domain_rules')<{ teamId: string }>((rows, p) =>
  rows.where('team_id', '=', p.teamId),
);
