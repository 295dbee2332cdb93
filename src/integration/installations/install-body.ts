import type { Reader } from '#platform/db/index.ts';
import { LOWEST_ID } from '#platform/ids.ts';
import { findSummariesIn, findUser, type UserPresenter } from '../../people/users/index.ts';
import { findMember, listMembers, type presentTeam } from '../../teams/index.ts';
import type { MemberChange, NameMembers } from '../callbacks/index.ts';

export type PresentedTeam = ReturnType<typeof presentTeam>;

/**
 * A team in a callback: without unread counts, and with its id also in `team_id`, the field name that memberships
 * use.
 */
export const calledTeam = ({ description: _, open: __, ...team }: PresentedTeam) => ({
  ...team,
  unread_count: 0,
  team_id: team.id,
});

/** A team reduced to its id. */
export const bareTeam = (id: string) => ({ id, team_id: id });

/** The installation that a call is about, and its sequence number among those calls: the highest is the latest. */
export interface CalledInstallation {
  readonly id: string;
  readonly sequence: number;
}

/** Makes the body of the install callback (part 2.9), but for the client secret. */
export function installBody(deps: {
  present: UserPresenter;
  isDeveloper: (db: Reader, userId: string) => Promise<boolean>;
}) {
  const { present, isDeveloper } = deps;

  async function installer(db: Reader, userId: string) {
    const user = await findUser.first(db, { id: userId });
    if (!user) throw new Error('the installer is gone');
    // The original service's own page shows these two here.
    return {
      ...present.installer(user, await isDeveloper(db, userId)),
      email: user.email,
      image: present.image(user),
    };
  }

  async function users(db: Reader, teamId: string) {
    const members = await listMembers.all(db, { teamId });
    return members.map(describe);
  }

  const describe = (row: Parameters<UserPresenter['image']>[0]) => ({
    ...present.summary(row),
    image: present.image(row),
  });

  const nameMembers: NameMembers = async (db, update) => {
    const { changes } = update;
    // The call of an erased team says nothing.
    if (changes === undefined || changes.length === 0) return update;
    const ids = changes.flatMap(({ user }) => user?.id ?? []);
    const { id = LOWEST_ID } = (update.team ?? {}) as { id?: string };
    const known = new Map((await findSummariesIn(db, id, ids)).map((row) => [row.id, row]));
    const named = changes.map((change) => {
      const row = change.user && known.get(change.user.id);
      return row ? { ...change, user: describe(row) } : change;
    });
    return { ...update, ...named.at(-1), changes: named };
  };

  return {
    nameMembers,

    async ofTeam(
      db: Reader,
      installerId: string,
      team: PresentedTeam,
      installation: CalledInstallation,
    ): Promise<object> {
      return {
        installer: await installer(db, installerId),
        team: calledTeam(team),
        type: 'team',
        users: await users(db, team.id),
        installation,
      };
    },

    /** A sample with a team that does not exist, for the test callback. */
    async sample(db: Reader, installerId: string, now: number): Promise<object> {
      const user = await findUser.first(db, { id: installerId });
      if (!user) throw new Error('the installer is gone');
      const seconds = now / 1000;
      const team: PresentedTeam = {
        id: '00000000-0000-4000-8000-000000000000',
        name: 'Sample team',
        color: '#1f6feb',
        icon: '',
        description: '',
        open: false,
        programs_notify: false,
        link_previews: 'people',
        num_members: 1,
        unread_count: 0,
        active: true,
        created_at: seconds,
        updated_at: seconds,
      };
      const users = [describe(user)];
      return {
        installer: await installer(db, installerId),
        team: calledTeam(team),
        type: 'team',
        users,
        installation: { id: '00000000-0000-4000-8000-000000000001', sequence: 1 },
      };
    },

    /** The member after a change of them. */
    async changedMember(
      db: Reader,
      { kind, teamId, userId }: { kind: string; teamId: string; userId: string },
    ): Promise<MemberChange> {
      const member = await findMember.first(db, { teamId, userId });
      const user = await findUser.first(db, { id: userId });
      return {
        change: kind,
        user: user ? describe(user) : null,
        membership_type: member?.membership_type ?? null,
      };
    },
  };
}
