import type { Tx } from '#platform/db/index.ts';
import { NotAllowed } from '../api/index.ts';
import { scopesOf } from '../applications/index.ts';
import type { InstallationService } from '../installations/index.ts';
import type { ApplicationRow } from '../schema/index.ts';
import { accessTeam, holdMembership } from '../teams/index.ts';
import type { TokenService } from './token.service.ts';

/** Who opens what, from where. */
export interface Opening {
  readonly userId: string;
  readonly application: ApplicationRow;
  readonly teamId: string;
  readonly redirectUri: string;
  /** RFC 7636; none where we begin, and not the application. */
  readonly codeChallenge?: string;
  /** Narrows what the team's admin granted. */
  readonly narrow?: (granted: string[]) => readonly string[];
}

export type CodeIssuer = ReturnType<typeof codeIssuer>;

/** The one way to a code: for a member of a team that has the application installed, while both stay so. */
export function codeIssuer(deps: { tokens: TokenService; installations: InstallationService }) {
  const { tokens, installations } = deps;

  /** @throws NotFound for a team that is not the user's @throws NotAllowed where it is not installed */
  return async function issue(tx: Tx, opening: Opening): Promise<{ code: string; platform_team_id: string }> {
    const { userId, application, redirectUri, codeChallenge, narrow } = opening;
    const team = await accessTeam(tx, userId, opening.teamId);
    const installation = await installations.hold(tx, application.id, team.id);
    await holdMembership.first(tx, { teamId: team.id, userId });
    if (!installation)
      throw new NotAllowed('app_not_installed', 'The application is not installed on this team');
    const granted = scopesOf(installation);
    const code = await tokens.issueCode(tx, {
      applicationId: application.id,
      userId,
      teamId: team.id,
      redirectUri,
      scopes: narrow ? narrow(granted) : granted,
      ...(codeChallenge !== undefined && { codeChallenge }),
    });
    return { code, platform_team_id: team.id };
  };
}
