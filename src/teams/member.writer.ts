import { Written, writer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { remembering } from '#platform/remembering.ts';
import { findSummariesIn, type UserPresenter, UserSummary } from '../people/users/index.ts';
import { presentMember } from './team.present.ts';
import { Belonging, Member, type Membership, Team } from './team.schema.ts';
import { unpackMember } from './team.store.ts';

interface PackedMember {
  readonly packed: string;
  readonly inviter_id: string | null;
}

const writeMember = writer(Member, [UserSummary]);
const writeBelonging = writer(Belonging, [Team]);

export type MemberWriter = ReturnType<typeof memberWriter>;

/** Writes lists of members. A member is written once; the team, with what its caller has not read, each time. */
export function memberWriter(users: UserPresenter, baseUrl: () => string) {
  const beginning = remembering(baseUrl, (packed) => {
    const member = writeMember(presentMember(unpackMember(packed), users));
    return `${member.slice(0, -1)},`;
  });

  /** By the inviter's id, the rest of a member. */
  async function endings(db: Reader, rows: readonly PackedMember[], team: Team) {
    const ids = [...new Set(rows.map(({ inviter_id }) => inviter_id))];
    const known = ids.filter((id) => id !== null);
    const inviters = await findSummariesIn(db, team.id, known);
    const inviterOf = new Map(inviters.map((row) => [row.id, users.summary(row)]));
    return new Map(
      ids.map((id) => {
        const inviter = (id !== null && inviterOf.get(id)) || null;
        return [id, writeBelonging({ team, inviter }).slice(1)];
      }),
    );
  }

  return async (db: Reader, rows: readonly PackedMember[], team: Team): Promise<Written<Membership>> => {
    const endingOf = await endings(db, rows, team);
    return new Written(
      rows.map(({ packed, inviter_id }) => [beginning(packed), endingOf.get(inviter_id) as string]),
    );
  };
}
