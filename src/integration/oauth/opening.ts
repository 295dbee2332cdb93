import { demandPassword, type UserPrincipal } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import { accessTeam, lockMembership } from '../../teams/index.ts';
import { scopesOf } from '../applications/index.ts';
import { expectInstalled, type InstallationService, refuseAsleep } from '../installations/index.ts';
import { findAgreement } from './agreement.store.ts';
import type { Agree } from './agreements.ts';
import { scopesInAll } from './scopes.ts';
import type { TokenService } from './token.service.ts';

/** The opening of an application by a user from a team. */
export interface Opening {
  readonly person: UserPrincipal;
  readonly application: ApplicationRow;
  readonly teamId: string;
  readonly redirectUri: string;
  /** RFC 7636; absent when we start the flow and not the application. */
  readonly codeChallenge?: string;
  /** The scopes that the application requests now; all registered ones if omitted. */
  readonly wanted?: readonly string[] | undefined;
  /**
   * The scopes that the person just agreed to; `all` is everything that could be shown. If omitted, the earlier
   * consent applies: there is none the first time, even where no scope is beyond the default.
   */
  readonly agreed?: readonly string[] | 'all';
}

export type CodeIssuer = ReturnType<typeof codeIssuer>;

/** The only way to a code: requires a member of a team that has the application installed, and locks both. */
export function codeIssuer(deps: { tokens: TokenService; installations: InstallationService; agree: Agree }) {
  const { tokens, installations, agree } = deps;

  /**
   * @returns undefined when the person has to be asked first
   * @throws NotFound for a team that is not the user's @throws NotAllowed where it is not installed, or sleeps
   */
  return async function issue(
    tx: Tx,
    opening: Opening,
  ): Promise<{ code: string; platform_team_id: string } | undefined> {
    const { person, application, redirectUri, codeChallenge, wanted, agreed } = opening;
    const { userId } = person;
    const { id: teamId } = await accessTeam(tx, userId, opening.teamId);
    const key = { userId, applicationId: application.id, teamId };
    await lockMembership.first(tx, { teamId, userId });
    const installation = await installations.lock(tx, application.id, teamId);
    expectInstalled(installation);
    refuseAsleep(application, installation);
    const granted = scopesInAll(application.scopes_json, installation.scopes_json);
    const scopes = granted.filter((scope) => wanted?.includes(scope) ?? true);
    const before = await findAgreement.first(tx, key);
    const known = before ? scopesOf(before) : [];
    if (agreed === undefined && !(before && scopes.every((scope) => known.includes(scope)))) return undefined;
    const now = scopes.filter((scope) => agreed === 'all' || agreed?.includes(scope));
    // What is agreed to outlives the session.
    if (!before || !now.every((scope) => known.includes(scope))) demandPassword(person);
    const all = await agree(tx, key, now);
    const code = await tokens.issueCode(tx, {
      ...key,
      redirectUri,
      scopes: scopes.filter((scope) => all.includes(scope)),
      ...(codeChallenge !== undefined && { codeChallenge }),
    });
    return { code, platform_team_id: teamId };
  };
}
