import { NotAllowed } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { ApplicationRow } from '#schema';
import { accessTeam, holdMembership } from '../../teams/index.ts';
import { scopesOf } from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import { findAgreement } from './agreement.store.ts';
import type { Agree } from './agreements.ts';
import { scopesInAll } from './scopes.ts';
import type { TokenService } from './token.service.ts';

/** Who opens what, from where. */
export interface Opening {
  readonly userId: string;
  readonly application: ApplicationRow;
  readonly teamId: string;
  readonly redirectUri: string;
  /** RFC 7636; none where we begin, and not the application. */
  readonly codeChallenge?: string;
  /** The scopes that the application wants this time; all that it may have where it does not say. */
  readonly wanted?: readonly string[] | undefined;
  /** What the person agreed to just now: `all` is everything that could be shown to them. Else what they did before counts. */
  readonly agreed?: readonly string[] | 'all';
}

export type CodeIssuer = ReturnType<typeof codeIssuer>;

/** The one way to a code: for a member of a team that has the application installed, while both stay so. */
export function codeIssuer(deps: { tokens: TokenService; installations: InstallationService; agree: Agree }) {
  const { tokens, installations, agree } = deps;

  /**
   * @returns undefined when the person has to be asked first
   * @throws NotFound for a team that is not the user's @throws NotAllowed where it is not installed
   */
  return async function issue(
    tx: Tx,
    opening: Opening,
  ): Promise<{ code: string; platform_team_id: string } | undefined> {
    const { userId, application, redirectUri, codeChallenge, wanted, agreed } = opening;
    const { id: teamId } = await accessTeam(tx, userId, opening.teamId);
    const place = { userId, applicationId: application.id, teamId };
    const installation = await installations.hold(tx, application.id, teamId);
    await holdMembership.first(tx, { teamId, userId });
    if (!installation)
      throw new NotAllowed('app_not_installed', 'The application is not installed on this team');
    const granted = scopesInAll(application.scopes_json, installation.scopes_json);
    const scopes = granted.filter((scope) => wanted?.includes(scope) ?? true);
    if (agreed === undefined) {
      const before = await findAgreement.first(tx, place);
      if (!scopes.every((scope) => before && scopesOf(before).includes(scope))) return undefined;
    }
    const all = await agree(
      tx,
      place,
      scopes.filter((scope) => agreed === 'all' || agreed?.includes(scope)),
    );
    const code = await tokens.issueCode(tx, {
      ...place,
      redirectUri,
      scopes: scopes.filter((scope) => all.includes(scope)),
      ...(codeChallenge !== undefined && { codeChallenge }),
    });
    return { code, platform_team_id: teamId };
  };
}
