import type { Reader } from '#platform/db/index.ts';

/** A change of one member of a team, as an application gets it. */
export interface MemberChange {
  readonly change: string;
  /** A summary with `image`; null when the account was deleted. */
  readonly user: { readonly id: string; readonly [field: string]: unknown } | null;
  readonly membership_type: number | null;
}

/** The body of a `team_update`. The newest change also stands at the top, for applications that look at one alone. */
export interface TeamUpdate extends MemberChange {
  readonly type: 'team_update';
  readonly changes: readonly MemberChange[];
  /** Changes were left out, because there were too many: the application has to read the team's members. */
  readonly incomplete: boolean;
  readonly team: object;
  readonly installation: object;
}

/** Gives the members of a call the names that they bear now. */
export type NameMembers = (reader: Reader, update: Partial<TeamUpdate>) => Promise<Partial<TeamUpdate>>;

/** The most members in one call. */
export const MAX_CHANGES = 100;

/** Joins two bodies: the changes of the older one first, and of each member only the newest. */
export function mergeTeamUpdates(older: Partial<TeamUpdate>, newer: TeamUpdate): TeamUpdate {
  // The call of an erased team says nothing.
  const before = older.changes ?? [];
  const changes = newer.changes.map((change) => after(change, before.find(ofSame(change))));
  const all = [...before.filter((change) => !newer.changes.some(ofSame(change))), ...changes];
  return {
    ...newer,
    ...all.at(-1),
    changes: all.slice(-MAX_CHANGES),
    incomplete: newer.incomplete || older.incomplete === true || all.length > MAX_CHANGES,
  };
}

const ofSame = (one: MemberChange) => (other: MemberChange) =>
  one.user !== null && one.user.id === other.user?.id;

/** A member whom the application does not know yet is added, also if their role has changed since. */
function after(change: MemberChange, earlier: MemberChange | undefined): MemberChange {
  const isNew = earlier?.change === 'member_added' && change.change === 'role_changed';
  return isNew ? { ...change, change: 'member_added' } : change;
}
