import type { UserPrincipal } from './principal.ts';

/** What opens a route about messages to a token. How far each scope reaches is decided by the `Viewer`. */
export const MAY_READ = { scope: ['messages:read', 'direct:read'] } as const;
export const MAY_WRITE = { scope: ['messages:write', 'direct:write'] } as const;

/**
 * On whose behalf messages and files are looked at or changed, and how many of those that this user sees. Everything
 * that finds them takes a viewer, never a bare user id, so that the reach of a token cannot be left out.
 */
export interface Viewer {
  readonly userId: string;
  /** Undefined for the users themselves: everything that they see. */
  readonly reach: Reach | undefined;
}

/** The part that an access token reaches. */
export interface Reach {
  readonly applicationId: string;
  /** Conversations of this team; null for those of no team. */
  readonly teamId: string | null;
  /** Direct messages; and sidebars, where the message beside them is within reach too. */
  readonly direct: boolean;
}

/** Routes make their viewer here. */
export function viewerOf({ userId, grant }: UserPrincipal, doing: 'read' | 'write'): Viewer {
  if (!grant) return asUser(userId);
  const { applicationId, teamId, scopes } = grant;
  const reach = {
    applicationId,
    teamId: scopes.includes(`messages:${doing}`) ? teamId : null,
    direct: scopes.includes(`direct:${doing}`),
  };
  return { userId, reach };
}

/** Who calls what the interface gives every application: profile, teams, members, connections, posting. */
export interface Caller {
  readonly userId: string;
  /** The only team that exists for the caller; undefined for all teams of the user. */
  readonly onlyTeam: string | undefined;
}

export const callerOf = ({ userId, grant }: UserPrincipal): Caller => ({
  userId,
  onlyTeam: grant?.confined ? grant.teamId : undefined,
});

/** For what the server does by itself, and for what a user has just posted. */
export const asUser = (userId: string): Viewer => ({ userId, reach: undefined });
