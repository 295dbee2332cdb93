import { Conflict } from '#api';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { SubjectRow } from '#schema';
import type { MessageListener } from '../view/message.listener.ts';
import { MOST_OPEN_OF_MEMBER, MOST_OPEN_SUBJECTS } from './subject.schema.ts';
import { countOpen, findNamed, insertSubjects, listAdminsAmong, reopenSubjects } from './subject.store.ts';
import { subjectKey } from './subject-name.ts';

/** What a message is to be about. */
export interface Named {
  readonly name: string;
  /** Who says so. */
  readonly userId: string;
}

export type NamingOfSubjects = ReturnType<typeof namingOfSubjects>;

/** Finds the subjects that messages name, makes those that a team has not, and opens those that are closed. */
export function namingOfSubjects({ clock, publish }: { clock: Clock; publish: MessageListener }) {
  /**
   * Reads once for any number of names, and writes only for new and closed ones. The caller has locked the team's row.
   * @returns for each its subject, or why there is none: a team, and each member, has only so many open ones
   */
  async function find(tx: Tx, teamId: string, asked: readonly Named[]): Promise<(SubjectRow | Conflict)[]> {
    const keys = asked.map(({ name }) => subjectKey(name));
    const rows = await findNamed.all(tx, { teamId, keys: [...new Set(keys)] });
    const known = new Map(rows.map((row) => [row.name_key, row]));
    const isSettled = (key: string) => known.get(key)?.closed_at === null;
    if (keys.every(isSettled)) return keys.map((key) => known.get(key) as SubjectRow);
    const takeRoom = await findRoom(
      tx,
      teamId,
      asked.map(({ userId }, at) => ({
        userId,
        namedBy: known.get(keys[at] as string)?.created_by ?? userId,
      })),
    );
    const made: SubjectRow[] = [];
    const opened = new Map<SubjectRow, string>();
    const outcomes = asked.map(({ name, userId }, index) => {
      const key = keys[index] as string;
      const row = known.get(key);
      if (row?.closed_at === null) return row;
      const refused = takeRoom({ userId, namedBy: row?.created_by ?? userId });
      if (refused) return refused;
      const open = { ...(row ?? newSubject(teamId, name, key, userId)), closed_at: null };
      known.set(key, open);
      if (row) opened.set(open, userId);
      else made.push(open);
      return open;
    });
    await insertSubjects(tx, made);
    if (opened.size > 0) await reopenSubjects.run(tx, { ids: [...opened.keys()].map(({ id }) => id) });
    for (const row of made)
      await publish(tx, { kind: 'subject', change: 'created', row, userId: row.created_by });
    for (const [row, userId] of opened)
      await publish(tx, { kind: 'subject', change: 'reopened', row, userId });
    return outcomes;
  }

  const newSubject = (team_id: string, name: string, name_key: string, created_by: string): SubjectRow => ({
    ...{ id: newId(), team_id, name, name_key, created_by },
    created_at: clock(),
    closed_at: null,
  });

  return { find };
}

interface Opening {
  /** The person who begins the subject, or opens it again. */
  readonly userId: string;
  /** The person who named it first: it counts among their open ones. */
  readonly namedBy: string;
}

/**
 * The room for open subjects in a team whose row is locked. A member has a share of them; an admin of the team names as
 * many as there are, and opens those of others beyond their share.
 * @param openings all that may ask for room
 * @returns takes the room for one, or says why there is none
 */
export async function findRoom(tx: Tx, teamId: string, openings: readonly Opening[]) {
  const counted = await countOpen.all(tx, { teamId });
  const openOf = new Map(counted.map(({ created_by, open }) => [created_by, Number(open)]));
  let all = counted.reduce((sum, { open }) => sum + Number(open), 0);
  const mayBeFull = ({ namedBy }: Opening) =>
    (openOf.get(namedBy) ?? 0) + openings.length > MOST_OPEN_OF_MEMBER;
  const people = openings.filter(mayBeFull).flatMap(({ userId, namedBy }) => [userId, namedBy]);
  const found = people.length === 0 ? [] : await listAdminsAmong.all(tx, { teamId, ids: people });
  const admins = new Set(found.map(({ id }) => id));
  return ({ userId, namedBy }: Opening): Conflict | undefined => {
    const own = openOf.get(namedBy) ?? 0;
    if (all >= MOST_OPEN_SUBJECTS)
      return new Conflict('too_many_subjects', `A team has at most ${MOST_OPEN_SUBJECTS} open subjects`);
    if (own >= MOST_OPEN_OF_MEMBER && !admins.has(userId) && !admins.has(namedBy)) {
      const message = `At most ${MOST_OPEN_OF_MEMBER} subjects that one member named are open`;
      return new Conflict('too_many_own_subjects', message);
    }
    all++;
    openOf.set(namedBy, own + 1);
    return undefined;
  };
}
