import type { Reader } from '#platform/db/index.ts';
import { findMember, listMembers, type presentTeam } from '../teams/index.ts';
import { findUser, type UserPresenter } from '../users/index.ts';

export type PresentedTeam = ReturnType<typeof presentTeam>;

/** Makes the body of the install callback (part 2.9), but for the client secret. */
export function installBody(deps: {
  present: UserPresenter;
  isDeveloper: (db: Reader, userId: string) => Promise<boolean>;
}) {
  const { present, isDeveloper } = deps;

  async function installer(db: Reader, userId: string) {
    const user = await findUser.first(db, { id: userId });
    if (!user) throw new Error('the installer is gone');
    return present.installer(user, await isDeveloper(db, userId));
  }

  async function users(db: Reader, teamId: string) {
    const members = await listMembers.all(db, { teamId });
    return members.map((row) => ({ ...present.summary(row), image: present.image(row) }));
  }

  return {
    async ofTeam(db: Reader, installerId: string, team: PresentedTeam): Promise<object> {
      return {
        installer: await installer(db, installerId),
        team,
        type: 'team',
        users: await users(db, team.id),
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
        num_members: 1,
        unread_count: 0,
        active: true,
        created_at: seconds,
        updated_at: seconds,
      };
      const users = [{ ...present.summary(user), image: present.image(user) }];
      return { installer: await installer(db, installerId), team, type: 'team', users };
    },

    /** Who was added, changed or removed; null when they are no member any more. */
    async changedMember(db: Reader, teamId: string, userId: string): Promise<object> {
      const member = await findMember.first(db, { teamId, userId });
      const user = await findUser.first(db, { id: userId });
      return {
        user: user ? { ...present.summary(user), image: present.image(user) } : null,
        membership_type: member?.membership_type ?? null,
      };
    },
  };
}
