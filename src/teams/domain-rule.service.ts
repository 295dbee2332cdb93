import { Conflict, InvalidFields, lookUp, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import type { Recorder } from '../stewardship/audit/index.ts';
import { asciiDomain, asciiDomainOf } from './domain.ts';
import type { DomainRule, NewDomainRule } from './domain-rule.schema.ts';
import {
  countDomainRules,
  deleteDomainRule,
  deleteDomainRuleOf,
  findDomainRule,
  insertDomainRule,
  listDomainRules,
  listDomainRulesOf,
  listRemovedLike,
  listTeamsOfDomain,
  lockFirstDomainRule,
} from './domain-rule.store.ts';
import { readDomain } from './join-link.service.ts';
import { isPublicMailDomain } from './public-mail-domains.ts';
import { accessTeamAsAdmin } from './team.access.ts';
import { MEMBER } from './team.schema.ts';
import type { TeamService } from './team.service.ts';
import { findHolder, lockTeam } from './team.store.ts';

/** The most rules of a server, also with those of deleted teams. */
export const MOST_DOMAIN_RULES = 50;
const most = MOST_DOMAIN_RULES;

/** With a top-level domain, which is no number as the end of an IP address is (RFC 3696 §2). */
const isWhole = (domain: string) => domain.includes('.') && /[a-z]/.test(domain.split('.').at(-1) as string);

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
    if (!isWhole(domain))
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
    await noteEnd(tx, await lookUp(id, (one) => deleteDomainRule.first(tx, { id: one })));
  }

  /** Whether a rule would let the owner of this address in, once they prove that it is theirs. */
  async function admits(reader: Reader, email: string): Promise<boolean> {
    if (!canProve) return false;
    const domain = asciiDomainOf(email);
    return (await listTeamsOfDomain.first(reader, { domain, most })) !== undefined;
  }

  /** @throws NotFound @throws NotAllowed */
  async function listOfTeam(userId: string, team: string): Promise<DomainRule[]> {
    const { id: teamId } = await accessTeamAsAdmin(db, userId, team);
    return (await listDomainRulesOf.all(db, { teamId, most })).map(present);
  }

  /** @throws NotFound @throws NotAllowed */
  async function removeFromTeam(tx: Tx, userId: string, of: { team: string; rule: string }): Promise<void> {
    const { id: teamId } = await accessTeamAsAdmin(tx, userId, of.team);
    await noteEnd(tx, await lookUp(of.rule, (id) => deleteDomainRuleOf.first(tx, { id, teamId })));
  }

  const noteEnd = (tx: Tx, { id, domain, team_id }: { id: string; domain: string; team_id: string }) =>
    record(tx, {
      action: 'domain_rule.deleted',
      target: ['domain_rule', id],
      teamId: team_id,
      detail: { domain },
    });

  const isAny = async (): Promise<boolean> =>
    canProve && (await listDomainRules.first(db, { most: 1 })) !== undefined;

  /** For somebody who has just proved their address. Whom an admin has removed stays out. */
  async function joinProved(tx: Tx, user: Pick<UserRow, 'id' | 'email_key'>): Promise<void> {
    if (!canProve) return;
    const domain = asciiDomainOf(user.email_key);
    for (const { team_id: teamId } of await listTeamsOfDomain.all(tx, { domain, most })) {
      const team = await lockTeam.first(tx, { id: teamId });
      const stands = team?.active === 1 && (await findDomainRule.first(tx, { domain, teamId }));
      if (
        !stands ||
        !(await findHolder.first(tx, { teamId })) ||
        (await wasRemoved(tx, teamId, user.email_key))
      )
        continue;
      await teams.addMember(tx, { teamId, userId: user.id, type: MEMBER, inviterId: null });
    }
  }

  return { make, list, listOfTeam, remove, removeFromTeam, admits, isAny, joinProved };
}

/** Whether an admin removed the owner of this address, who has it with any tag (`ada+tag@example.org`, RFC 5233). */
async function wasRemoved(tx: Tx, teamId: string, emailKey: string): Promise<boolean> {
  const address = withoutTag(emailKey);
  const part = address.slice(0, address.lastIndexOf('@'));
  const removed = await listRemovedLike.all(tx, { teamId, address, part });
  return removed.some(({ email_key }) => withoutTag(email_key) === address);
}

const withoutTag = (emailKey: string) => emailKey.replace(TAG, '$1');
const TAG = /^([^+@]+)\+[^@]*(?=@)/;

type ListedRule = Awaited<ReturnType<typeof listDomainRules.all>>[number];

const present = ({ id, domain, team_id, name, color, icon, created_at }: ListedRule): DomainRule => ({
  id,
  domain,
  team: { id: team_id, name, color, icon },
  created_at: timestamp(created_at),
});
