import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, NotAllowed, NotFound } from '#api';
import { DomainRule, NewDomainRule } from './domain-rule.schema.ts';
import type { DomainRuleService } from './domain-rule.service.ts';

const tag = 'Administration';
const OfTeam = Type.Object({ team: Type.String(), rule: Type.String() });

export function domainRuleRoutes(app: FastifyInstance, rules: DomainRuleService): void {
  teamRoutes(app, rules);

  defineRoute(app, {
    method: 'POST',
    path: '/v1/admin/domain_rules',
    access: 'superuser',
    tag,
    summary: 'Let everybody in whose confirmed address is in a domain',
    description:
      'They become members of the team as soon as their address is confirmed, and may sign up with `REGISTRATION=invite`. ' +
      'The caller must be an admin of the team. Domains of public mail providers are refused (4090, `public_mail_domain`).',
    body: NewDomainRule,
    item: DomainRule,
    errors: [NotFound, NotAllowed, Conflict],
    handle: ({ body, principal, write }) =>
      write(async (tx) => [await rules.make(tx, principal.userId, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/admin/domain_rules',
    access: 'superuser',
    tag,
    summary: 'The domains whose people are let in, by name',
    item: DomainRule,
    handle: () => rules.list(),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/admin/domain_rules/:rule',
    access: 'superuser',
    tag,
    summary: 'End a rule; who has joined by it stays',
    params: Type.Object({ rule: Type.String() }),
    errors: [NotFound],
    handle: ({ params, write }) =>
      write(async (tx) => {
        await rules.remove(tx, params.rule);
        return [];
      }),
  });
}

/** For the admins of a team, who answer for who is in it. */
function teamRoutes(app: FastifyInstance, rules: DomainRuleService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/domain_rules',
    access: 'session',
    tag: 'Teams',
    summary: 'The domains whose people join the team by themselves, by name; for its admins',
    params: Type.Pick(OfTeam, ['team']),
    item: DomainRule,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal }) => rules.listOfTeam(principal.userId, params.team),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/teams/:team/domain_rules/:rule',
    access: 'session',
    tag: 'Teams',
    summary: 'Let a domain into the team no longer; who has joined by the rule stays',
    params: OfTeam,
    errors: [NotFound, NotAllowed],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await rules.removeFromTeam(tx, principal.userId, params);
        return [];
      }),
  });
}
