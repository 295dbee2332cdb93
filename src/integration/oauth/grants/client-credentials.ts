import { attribute, originOf, ScopeMissing, type UserPrincipal } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import { insertAuthor, newAuthor } from '../../../people/users/index.ts';
import type { Recorder } from '../../../stewardship/audit/index.ts';
import {
  findApplication,
  lockApplication,
  OWN_SCOPES,
  scopesOf,
  setAuthor,
} from '../../applications/index.ts';
import { expectInstalled, type InstallationService, refuseAsleep } from '../../installations/index.ts';
import { type AccessToken, issueAccessTokens } from '../access-token.ts';
import { insertAgreement, widenAgreement } from '../agreement.store.ts';
import { findGrant, insertGrant, noteTold } from '../oauth.store.ts';
import { scopesInAll } from '../scopes.ts';
import { refusal, TokenError } from '../token-error.ts';

/** RFC 6749 §4.4.3: without a refresh token. */
export interface OwnTokenAnswer extends AccessToken {
  scope: string;
}

/** The team, by its id or as a resource (RFC 8707), and perhaps fewer scopes. */
export interface OwnTokenWanted {
  readonly team: string | undefined;
  readonly resource: string | undefined;
  readonly scope: string | undefined;
}

/** Between two entries about the tokens of an application for a team, by its address and by another. */
export const TOLD_EVERY_MS = 24 * 3600 * 1000;
export const TOLD_ELSEWHERE_MS = 3600 * 1000;
const OWN_JSON = JSON.stringify(OWN_SCOPES);

export type OwnTokenService = ReturnType<typeof ownTokenService>;

/** Tokens with which an application acts as itself on a team that has it installed. */
export function ownTokenService(deps: {
  db: Database;
  clock: Clock;
  installations: InstallationService;
  accessTokenMs: number;
  baseUrl: () => string;
  record: Recorder;
}) {
  const { db, clock, installations, accessTokenMs, baseUrl, record } = deps;

  /** RFC 6749 §4.4. @throws TokenError */
  const issue = (applicationId: string, wanted: OwnTokenWanted, address: string): Promise<OwnTokenAnswer> => {
    const teamId = readTeam(wanted);
    return db.write((tx) => {
      attribute(tx, { kind: 'application', id: applicationId, address });
      return issueFor(tx, applicationId, teamId, wanted.scope);
    });
  };

  /** RFC 8707 §2: `invalid_target` for what is no team of this server. */
  function readTeam({ team, resource }: OwnTokenWanted): string {
    if (team === undefined && resource === undefined) throw refusal('no_team');
    const start = `${baseUrl()}/v1/teams/`;
    const named = [
      ...(team === undefined ? [] : [team]),
      ...(resource === undefined ? [] : [resource.startsWith(start) ? resource.slice(start.length) : '']),
    ].map(parseId);
    const [teamId] = named;
    if (teamId === undefined || named.some((other) => other !== teamId)) throw refusal('unknown_team');
    return teamId;
  }

  async function issueFor(
    tx: Tx,
    applicationId: string,
    teamId: string,
    scope: string | undefined,
  ): Promise<OwnTokenAnswer> {
    const application = await withAuthor(tx, applicationId);
    if (!application) throw new TokenError('invalid_client');
    const installation = await installations.lock(tx, applicationId, teamId);
    if (!installation) throw refusal('unknown_team');
    if (installation.asleep_since !== null) throw refusal('unconfirmed');
    const wanted = readScopes(scope);
    const scopes = scopesInAll(JSON.stringify(wanted), application.scopes_json, installation.scopes_json);
    if (scopes.length === 0 || (scope !== undefined && scopes.length < wanted.length))
      throw refusal('wider_scope');
    await agree(tx, { userId: application.author_id, applicationId, teamId });
    const grantId = await grantOf(tx, {
      application_id: applicationId,
      user_id: application.author_id,
      team_id: teamId,
      scopes_json: JSON.stringify(wanted),
    });
    await tell(tx, { grantId, applicationId, teamId, scopes });
    const [token] = await issueAccessTokens(tx, [grantId], { now: clock(), lifetimeMs: accessTokenMs });
    return { ...(token as AccessToken), scope: scopes.join(' ') };
  }

  /** The application with its author, which the first token makes; undefined for one that was deleted. The application is locked before its installation. */
  async function withAuthor(tx: Tx, id: string) {
    const found = await findApplication.first(tx, { id });
    const row = found && found.author_id === null ? await lockApplication.first(tx, { id }) : found;
    if (!row) return undefined;
    if (row.author_id !== null) return { ...row, author_id: row.author_id };
    const authorId = newId();
    await insertAuthor.run(tx, newAuthor({ id: authorId, name: row.name, now: clock() }));
    await setAuthor.run(tx, { id, authorId });
    return { ...row, author_id: authorId };
  }

  /** As with a person, the agreement ends with the installation; the team's admin decided with the installation. */
  async function agree(tx: Tx, key: { userId: string; applicationId: string; teamId: string }) {
    const now = clock();
    const agreement = await insertAgreement.first(tx, { ...key, id: newId(), now });
    if (!agreement) throw new Error('an agreement was not written');
    const agreed = scopesOf(agreement);
    if (OWN_SCOPES.every((scope) => agreed.includes(scope))) return;
    await widenAgreement.run(tx, { id: agreement.id, scopes_json: OWN_JSON, agreed_at: now });
  }

  /** All tokens with the same scopes share a grant. */
  async function grantOf(tx: Tx, of: Parameters<typeof findGrant.first>[1]): Promise<string> {
    const found = await findGrant.first(tx, of);
    if (found) return found.id;
    const id = newId();
    await insertGrant.run(tx, { ...of, id, created_at: clock() });
    return id;
  }

  /**
   * Programs ask for tokens all day. The audit log has the first of a day for a team and some scopes, and the first from
   * another address, no more than one an hour.
   */
  async function tell(
    tx: Tx,
    of: { grantId: string; applicationId: string; teamId: string; scopes: string[] },
  ): Promise<void> {
    const now = clock();
    const { address } = originOf(tx);
    const times = { now, dayAgo: now - TOLD_EVERY_MS, hourAgo: now - TOLD_ELSEWHERE_MS };
    if (!(await noteTold.first(tx, { id: of.grantId, address, ...times }))) return;
    const { applicationId, teamId, scopes } = of;
    await record(tx, {
      action: 'application.token_issued',
      target: ['application', applicationId],
      teamId,
      detail: { scopes },
    });
  }

  /**
   * The application as itself on a team, for the time of a transaction: what lets it act there without a token has been
   * checked. Its row and that of its installation are locked.
   * @throws NotAllowed where it is not installed, or sleeps @throws ScopeMissing
   */
  async function actAs(
    tx: Tx,
    applicationId: string,
    teamId: string,
    anyOf: readonly [string, ...string[]],
  ): Promise<UserPrincipal> {
    const application = await withAuthor(tx, applicationId);
    expectInstalled(application);
    const installation = await installations.lock(tx, applicationId, teamId);
    expectInstalled(installation);
    refuseAsleep(application, installation);
    const scopes = scopesInAll(OWN_JSON, application.scopes_json, installation.scopes_json);
    if (!anyOf.some((scope) => scopes.includes(scope))) throw new ScopeMissing(anyOf[0]);
    const grant = { id: installation.id, applicationId, teamId, scopes, expiresAt: clock() };
    return { userId: application.author_id, itself: { teamId }, grant };
  }

  return { issue, actAs };
}

/** Without a scope, all that there are: what the application may do is decided at each request. */
function readScopes(scope: string | undefined): readonly string[] {
  const given = new Set(scope?.split(' ').filter((one) => one !== ''));
  if (given.size === 0) return OWN_SCOPES;
  const wanted = OWN_SCOPES.filter((one) => given.has(one));
  if (wanted.length < given.size) throw refusal('wider_scope');
  return wanted;
}
