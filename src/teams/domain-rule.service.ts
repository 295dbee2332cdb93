import { domainToASCII } from 'node:url';
import { Conflict, InvalidFields, lookUp, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { domainOf } from '../people/users/index.ts';
import type { Recorder } from '../stewardship/audit/index.ts';
import type { DomainRule, NewDomainRule } from './domain-rule.schema.ts';
import {
  countDomainRules,
  deleteDomainRule,
  findDomainRule,
  insertDomainRule,
  listDomainRules,
  listTeamsOfDomain,
  lockFirstDomainRule,
} from './domain-rule.store.ts';
import { readDomain } from './join-link.service.ts';
import { findRemoval } from './join-link.store.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';
import { accessTeamAsAdmin } from './team.access.ts';
import { MEMBER } from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import { lockTeam } from './team.store.ts';

/** The most rules of a server, also with those of deleted teams. */
export const MOST_DOMAIN_RULES = 50;
const most = MOST_DOMAIN_RULES;

/** The spelling that is stored and compared: an alphabet that looks like another one shows (RFC 5891, `xn--`). */
const asciiDomain = (domain: string) => domainToASCII(domain) || domain;

export type DomainRuleService = ReturnType<typeof domainRuleService>;

/** Rules of the server: whoever proves an address in a domain becomes a member of a team. */
export function domainRuleService(deps: {
  db: Database;
  clock: Clock;
  teams: TeamService;
  /** Whether an address can be proved: by a mail. */
  canProve: boolean;
  record: Recorder;
}) {
  const { db, clock, teams, canProve, record } = deps;

  /**
   * The caller administers the server, and the team: a rule is no way for them into a team of others.
   * @throws NotFound @throws NotAllowed @throws InvalidFields
   * @throws Conflict without a mail server, for a public domain, for a rule that is there, and for one too many
   */
  async function make(
    tx: Tx,
    userId: string,
    { domain: given, team: teamId }: NewDomainRule,
  ): Promise<DomainRule> {
    if (!canProve) throw new Conflict('no_mail_server', 'No address can be confirmed without a mail server');
    const domain = asciiDomain(readDomain(given, 'domain'));
    if (!domain.includes('.'))
      throw new InvalidFields({ field: 'domain', message: 'must be a whole domain, as example.org' });
    if (isPublicMailDomain(domain))
      throw new Conflict('public_mail_domain', `Everybody can have an address in ${domain}`);
    const { id: team_id } = await accessTeamAsAdmin(tx, userId, teamId);
    // Serialises the rule with the end of the team, and with an admin who is being removed.
    const team = await lookUp(team_id, (id) => lockTeam.first(tx, { id }));
    await accessTeamAsAdmin(tx, userId, teamId);
    await lockFirstDomainRule.first(tx, {});
    if (Number((await countDomainRules.first(tx, {}))?.rules) >= most)
      throw new Conflict('too_many_domain_rules', `A server has at most ${most} of these rules`);
    const row = { id: newId(), domain, team_id, created_at: clock() };
    if (!(await insertDomainRule.first(tx, row)))
      throw new Conflict('domain_rule', 'There is a rule for this domain and team already');
    await record(tx, {
      action: 'domain_rule.made',
      target: ['domain_rule', row.id],
      teamId: team_id,
      detail: { domain },
    });
    return present({ ...row, name: team.name, color: team.color, icon: team.icon });
  }

  const list = async () => (await listDomainRules.all(db, { most })).map(present);

  /** Who has joined by it stays. @throws NotFound */
  async function remove(tx: Tx, id: string): Promise<void> {
    const { id: known, domain, team_id } = await lookUp(id, (one) => deleteDomainRule.first(tx, { id: one }));
    await record(tx, {
      action: 'domain_rule.deleted',
      target: ['domain_rule', known],
      teamId: team_id,
      detail: { domain },
    });
  }

  /** Whether a rule would let the owner of this address in, once they prove that it is theirs. */
  async function admits(reader: Reader, email: string): Promise<boolean> {
    if (!canProve) return false;
    const domain = asciiDomain(domainOf(email));
    return (await listTeamsOfDomain.first(reader, { domain, most })) !== undefined;
  }

  const isAny = async (): Promise<boolean> =>
    canProve && (await listDomainRules.first(db, { most: 1 })) !== undefined;

  /** For somebody who has just proved their address. Whom an admin has removed stays out. */
  async function joinProved(tx: Tx, user: Pick<UserRow, 'id' | 'email_key'>): Promise<void> {
    if (!canProve) return;
    const domain = asciiDomain(domainOf(user.email_key));
    for (const { team_id: teamId } of await listTeamsOfDomain.all(tx, { domain, most })) {
      const team = await lockTeam.first(tx, { id: teamId });
      const stands = team?.active === 1 && (await findDomainRule.first(tx, { domain, teamId }));
      if (!stands || (await findRemoval.first(tx, { teamId, userId: user.id }))) continue;
      await teams.addMember(tx, { teamId, userId: user.id, type: MEMBER, inviterId: null });
    }
  }

  return { make, list, remove, admits, isAny, joinProved };
}

type ListedRule = Awaited<ReturnType<typeof listDomainRules.all>>[number];

const present = ({ id, domain, team_id, name, color, icon, created_at }: ListedRule): DomainRule => ({
  id,
  domain,
  team: { id: team_id, name, color, icon },
  created_at: timestamp(created_at),
});
