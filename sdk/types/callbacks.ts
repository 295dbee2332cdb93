import type { Team } from './teams.ts';
import type { Image, Installer, UserSummary } from './users.ts';

/** A member as callbacks show them. */
export type CallbackUser = UserSummary & { image: Image };

/** A team installs the application: answer exactly 200, or it does not (part 2.9 of the interface). */
export interface InstallCallback {
  type: 'team';
  installer: Installer;
  team: Team;
  /** All members. */
  users: CallbackUser[];
  client_secret: string;
}

/** A team uninstalled the application. Its tokens have ended already. */
export interface UninstallCallback {
  type: 'uninstall';
  /** Only the id for a deleted team. */
  team: Pick<Team, 'id'> & Partial<Team>;
  client_secret: string;
}

/** A member joined or left a team that has the application installed, or changed roles. */
export interface TeamUpdateCallback {
  type: 'team_update';
  change: 'member_added' | 'member_removed' | 'role_changed';
  team: Pick<Team, 'id'> & Partial<Team>;
  /** The member; null when the account was deleted. */
  user: CallbackUser | null;
  /** 1 is an admin, 2 a member; null after leaving the team. */
  membership_type: number | null;
  client_secret: string;
}

/** The body of a callback; `type` names its kind. */
export type Callback = InstallCallback | UninstallCallback | TeamUpdateCallback;
