import { parseId } from '#platform/ids.ts';
import { NotFound, ScopeMissing } from '../errors.ts';
import type { UserPrincipal } from './principal.ts';

/** The scopes that open a message route to a token. The `Viewer` decides how far each reaches. */
export const MAY_READ = { scope: ['messages:read', 'direct:read'] } as const;
export const MAY_WRITE = { scope: ['messages:write', 'direct:write'] } as const;

/** Of a team alone, which no scope of direct messages opens. */
export const MAY_READ_TEAM = { scope: ['messages:read'] } as const;
export const MAY_WRITE_TEAM = { scope: ['messages:write'] } as const;
export const MAY_WRITE_TEAM_ITSELF = { ...MAY_WRITE_TEAM, itself: 'messages:write' } as const;
export const MAY_READ_TEAM_ITSELF = { ...MAY_READ_TEAM, itself: 'messages:read' } as const;

/** Opens to an application as itself what people and it write to each other in a team. */
export const DIRECT_ITSELF = 'direct:app';

/** Messages of a team and direct ones, also for an application as itself: of the direct ones those with itself. */
export const MAY_READ_ITSELF = { ...MAY_READ, itself: ['messages:read', DIRECT_ITSELF] } as const;
export const MAY_WRITE_ITSELF = { ...MAY_WRITE, itself: ['messages:write', DIRECT_ITSELF] } as const;
/** An application as itself is no member of the team, and has no stream of it. */
export const LISTS_ITSELF =
  'An application as itself lists its conversation with one person alone, with the scope direct:app and `with`. What a team says it hears by a subscription, and lists by the token of a person';
/** For lists of messages. */
export const MAY_LIST = { ...MAY_READ, itself: DIRECT_ITSELF, advice: LISTS_ITSELF } as const;
/** For posting, which the interface gives every token of a person. */
export const MAY_POST = { itself: ['messages:write', DIRECT_ITSELF] } as const;

/** Each of these scopes opens one part of what those about messages open, in the team of the grant. */
export const MAY_READ_FILES = {
  scope: [...MAY_READ.scope, 'files:read'],
  itself: ['files:read', DIRECT_ITSELF],
} as const;
export const MAY_UPLOAD = { scope: [...MAY_WRITE.scope, 'files:write'], itself: 'files:write' } as const;
export const MAY_SEE_HIGH_FIVES = {
  scope: [...MAY_READ.scope, 'high_fives:read'],
  itself: 'high_fives:read',
} as const;
export const MAY_SEE_REACTIONS = {
  scope: [...MAY_READ.scope, 'reactions:read'],
  itself: 'reactions:read',
} as const;
/** The team and its members, for an application as itself; the second scope shows addresses, too. */
export const MEMBERS_ITSELF = { itself: ['members:read', 'members.email:read'] } as const;
export const MAY_MARK = { scope: ['inbox:write'] } as const;
export const MAY_CHANGE_PROFILE = { scope: ['profile:write'] } as const;
export const MAY_REACT = {
  scope: [...MAY_WRITE.scope, 'reactions:write'],
  itself: 'reactions:write',
} as const;
export const MAY_GIVE_HIGH_FIVES = { scope: [...MAY_WRITE.scope, 'high_fives:write'] } as const;

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
  /** False where the team is within reach for one part of its messages alone: then its sidebars are not. */
  readonly sidebars?: boolean;
  /** The team is seen as its members see it, by one who need be none of them: an application as itself. */
  readonly asTeam?: boolean;
  /** For an application as itself: the team in which conversations of people with it are within reach. */
  readonly withPeople?: string;
  /** False where people are shown without their addresses. */
  readonly addresses?: boolean;
  /** As a {@link Caller} has it: how people are is seen of those in this team alone. */
  readonly onlyTeam?: string;
}

/**
 * Builds the viewer of a request.
 * @param part a scope that opens this route, too, for messages of the team
 */
export function viewerOf(
  principal: UserPrincipal,
  doing: 'read' | 'write',
  part?: `${string}:${string}`,
): Viewer {
  const { userId, grant, itself } = principal;
  if (!grant) return asUser(userId);
  const { applicationId, teamId, scopes } = grant;
  const { onlyTeam } = callerOf(principal);
  const whole = scopes.includes(`messages:${doing}`);
  const reached = whole || (part !== undefined && scopes.includes(part));
  const reach = {
    applicationId,
    teamId: reached ? teamId : null,
    direct: scopes.includes(`direct:${doing}`),
    ...(reached && !whole && { sidebars: false }),
    ...(itself && { asTeam: true, addresses: seesAddresses(principal) }),
    ...(itself && scopes.includes(DIRECT_ITSELF) && { withPeople: teamId }),
    ...(onlyTeam !== undefined && { onlyTeam }),
  };
  return { userId, reach };
}

/** The viewer of a request that shows a token what the whole team of its grant sees, and a session everything. */
export function inTeamOf(principal: UserPrincipal): Viewer {
  const { userId, grant } = principal;
  if (!grant) return asUser(userId);
  const { applicationId, teamId } = grant;
  const { onlyTeam } = callerOf(principal);
  return {
    userId,
    reach: { applicationId, teamId, direct: false, ...(onlyTeam !== undefined && { onlyTeam }) },
  };
}

/**
 * For what a scope opens in the team of the grant alone.
 * @throws NotFound for a token that names another team
 */
export function refuseOtherTeam({ grant }: UserPrincipal, teamId: string): void {
  if (grant && parseId(teamId) !== grant.teamId) throw new NotFound();
}

/** Refuses applications where only the person may act. @throws ScopeMissing for a token */
export function refuseTokens({ grant }: UserPrincipal, isRefused = true): void {
  if (grant && isRefused) throw new ScopeMissing('session');
}

/** Whether lists show the caller the addresses of people. The interface gives them to every token of a person. */
export const seesAddresses = ({ grant, itself }: UserPrincipal): boolean =>
  !itself || grant?.scopes.includes('members.email:read') === true;

/** The caller of the routes open to every application: profile, teams, members, connections, posting. */
export interface Caller {
  readonly userId: string;
  /** The only team visible to the caller; undefined for all teams of the user. */
  readonly onlyTeam: string | undefined;
  /** An application as itself, which is no member of the team. */
  readonly isItself: boolean;
  /** Whether lists show the addresses of people. */
  readonly addresses: boolean;
}

export function callerOf(principal: UserPrincipal): Caller {
  const { userId, grant, itself } = principal;
  return {
    userId,
    onlyTeam: itself?.teamId ?? (grant?.confined ? grant.teamId : undefined),
    isItself: itself !== undefined,
    addresses: seesAddresses(principal),
  };
}

/** Whose people a viewer knows. */
export const onlookerOf = ({ userId, reach }: Viewer): Pick<Caller, 'userId' | 'onlyTeam'> => ({
  userId,
  onlyTeam: reach?.onlyTeam,
});

/** For what everybody in a team is shown: what is said there, and no sidebars. */
export const asTeam = (userId: string, teamId: string): Viewer => ({
  userId,
  reach: { applicationId: undefined, teamId, direct: false, asTeam: true, onlyTeam: teamId },
});

/** For work of the server itself, and for what a user has just posted. */
export const asUser = (userId: string): Viewer => ({ userId, reach: undefined });
