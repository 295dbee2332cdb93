import type { UserPrincipal } from './principal.ts';

/** The scopes that open a message route to a token. The `Viewer` decides how far each reaches. */
export const MAY_READ = { scope: ['messages:read', 'direct:read'] } as const;
export const MAY_WRITE = { scope: ['messages:write', 'direct:write'] } as const;

/** The same, also for an application as itself. It is in no direct conversation. */
export const MAY_READ_ITSELF = { ...MAY_READ, itself: 'messages:read' } as const;
export const MAY_WRITE_ITSELF = { ...MAY_WRITE, itself: 'messages:write' } as const;
/** For posting, which the interface gives every token of a person. */
export const MAY_POST = { itself: 'messages:write' } as const;

/**
 * The user on whose behalf messages and files are read or changed, and the reach of the request. Every look-up takes
 * a viewer, never a bare user id, so that the reach of a token cannot be left out.
 */
export interface Viewer {
  readonly userId: string;
  /** Undefined for a session: everything that the user can see. */
  readonly reach: Reach | undefined;
}

/** The part of a user's messages that an access token reaches. */
export interface Reach {
  /** Undefined for the server itself. */
  readonly applicationId: string | undefined;
  /** Conversations of this team; null for conversations without a team. */
  readonly teamId: string | null;
  /** Direct messages, and sidebars whose parent message is within reach too. */
  readonly direct: boolean;
  /** The team is seen as its members see it, by one who need be none of them: an application as itself. */
  readonly asTeam?: boolean;
}

/** Builds the viewer of a request. */
export function viewerOf({ userId, grant, itself }: UserPrincipal, doing: 'read' | 'write'): Viewer {
  if (!grant) return asUser(userId);
  const { applicationId, teamId, scopes } = grant;
  const reach = {
    applicationId,
    teamId: scopes.includes(`messages:${doing}`) ? teamId : null,
    direct: scopes.includes(`direct:${doing}`),
    ...(itself && { asTeam: true }),
  };
  return { userId, reach };
}

/** The caller of the routes open to every application: profile, teams, members, connections, posting. */
export interface Caller {
  readonly userId: string;
  /** The only team visible to the caller; undefined for all teams of the user. */
  readonly onlyTeam: string | undefined;
}

export const callerOf = ({ userId, grant, itself }: UserPrincipal): Caller => ({
  userId,
  onlyTeam: itself?.teamId ?? (grant?.confined ? grant.teamId : undefined),
});

/** For what everybody in a team is shown: what is said there, and no sidebars. */
export const asTeam = (userId: string, teamId: string): Viewer => ({
  userId,
  reach: { applicationId: undefined, teamId, direct: false, asTeam: true },
});

/** For work of the server itself, and for what a user has just posted. */
export const asUser = (userId: string): Viewer => ({ userId, reach: undefined });
