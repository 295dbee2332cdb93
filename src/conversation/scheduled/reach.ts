import { DIRECT_ITSELF, type UserPrincipal } from '#api';
import type { ScheduledRow } from '#schema';
import type { Message } from '../messages/index.ts';

type Doing = 'read' | 'write';
/** What a token needs where something is scheduled. */
export type Needs = Pick<ScheduledRow, 'to_write' | 'to_read'>;

/** Scopes as a row names them: those about a team with its id, so that they hold there alone. */
const inTeam = (doing: Doing, teamId: string) => `messages:${doing} ${teamId}`;
const inDirect = (doing: Doing) => `direct:${doing}`;
const inSidebar = (doing: Doing, teamId: string) => `${inDirect(doing)}, ${inTeam(doing, teamId)}`;
const NOTHING = '';

/** @param teamId of the message, and of that beside which a sidebar is; null for a direct one */
export function needsAt(author: UserPrincipal, message: Message, teamId: string | null): Needs {
  const { sidebar, reply_to, addressed_application } = message;
  if (author.itself && teamId === null) return { to_write: DIRECT_ITSELF, to_read: DIRECT_ITSELF };
  const at = (doing: Doing) => {
    if (teamId === null) return inDirect(doing);
    return sidebar === undefined ? inTeam(doing, teamId) : inSidebar(doing, teamId);
  };
  // The interface gives every token of a person what opens a conversation in a team, or with people.
  const isOpen = [author.itself, sidebar, reply_to, addressed_application].every((one) => one === undefined);
  return { to_write: isOpen ? NOTHING : at('write'), to_read: at('read') };
}

/** @param about the message that its author is reminded of */
export function needsOfReminder({ grant }: UserPrincipal, about: Message | undefined): Needs {
  const [team] = about?.sidebar === undefined ? (about?.addressed_teams ?? []) : [grant?.teamId];
  return {
    to_write: inDirect('write'),
    to_read: team === undefined ? inDirect('read') : inSidebar('read', team),
  };
}

/** What a token may do, in the words of rows. */
function allOf(doing: Doing, teamId: string, has: (scope: string) => boolean): string[] {
  const team = has(`messages:${doing}`);
  const direct = has(`direct:${doing}`);
  return [
    ...(team ? [inTeam(doing, teamId)] : []),
    ...(direct ? [inDirect(doing)] : []),
    ...(team && direct ? [inSidebar(doing, teamId)] : []),
    ...(has(DIRECT_ITSELF) ? [DIRECT_ITSELF] : []),
  ];
}

/** Which rows of its user a caller sees. */
export interface Reach {
  /** The application and the team of a token; null for a session, which sees all. */
  readonly through: string | null;
  readonly grantId: string | null;
  readonly mayWrite: readonly string[];
  readonly mayRead: readonly string[];
  /** Whether the operator keeps it to `places`. */
  readonly isKept: 0 | 1;
  /** Those of its team and of people, read or not. */
  readonly places: readonly string[];
}

const SESSION: Reach = { through: null, grantId: null, mayWrite: [], mayRead: [], isKept: 0, places: [] };

export function reachOf({ grant }: UserPrincipal): Reach {
  if (!grant) return SESSION;
  const { id, applicationId, teamId, scopes, confined } = grant;
  const has = (scope: string) => scopes.includes(scope);
  return {
    through: `${applicationId}:${teamId}`,
    grantId: id,
    mayWrite: [NOTHING, ...allOf('write', teamId, has)],
    mayRead: allOf('read', teamId, has),
    isKept: confined ? 1 : 0,
    places: allOf('read', teamId, () => true),
  };
}
