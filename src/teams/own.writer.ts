import { Written, writer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { remembering } from '#platform/remembering.ts';
import { findSummaries, type UserPresenter, UserSummary } from '../people/users/index.ts';
import { presentStanding, presentTeam } from './team.present.ts';
import { type Membership, Standing, Team } from './team.schema.ts';
import { listOwnMemberships, unpackStanding, unpackTeam } from './team.store.ts';

const writeStanding = writer(Standing, []);
const writeTeam = writer(Team, []);
const writeSummary = writer(UserSummary, []);

export type OwnWriter = ReturnType<typeof ownWriter>;

/** Writes the list of a user's own memberships. A team is written once for each content and each count of unread messages. */
export function ownWriter(users: UserPresenter) {
  const always = () => '';
  const standingOf = remembering(always, (packed) =>
    writeStanding(presentStanding(unpackStanding(packed))).slice(0, -1),
  );
  const teamOf = remembering(always, (packed) => writeTeam(presentTeam(unpackTeam(packed))));

  return async (db: Reader, userId: string, onlyTeam?: string): Promise<Written<Membership>> => {
    const all = await listOwnMemberships.all(db, { userId });
    const rows = onlyTeam === undefined ? all : all.filter(({ team_id }) => team_id === onlyTeam);
    const inviters = rows.flatMap(({ inviter_id }) => inviter_id ?? []);
    const people = await findSummaries(db, { userId, onlyTeam }, [...new Set([userId, ...inviters])]);
    const summaries = new Map(people.map((row) => [row.id, writeSummary(users.summary(row))]));
    const user = `,"userid":"${userId}","user":${summaries.get(userId)},"team":`;
    return new Written(
      rows.map(({ standing, team, inviter_id }) => {
        const inviter = (inviter_id !== null && summaries.get(inviter_id)) || 'null';
        return [standingOf(standing), user, teamOf(team), ',"inviter":', inviter, '}'];
      }),
    );
  };
}
