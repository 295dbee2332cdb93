import { Conflict } from '#api';
import type { Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import type { SubjectRow } from '#schema';
import type { MessageListener } from '../view/message.listener.ts';
import { MOST_OPEN_SUBJECTS } from './subject.schema.ts';
import { countOpen, findNamed, insertSubjects, reopenSubjects } from './subject.store.ts';
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
   * @returns for each its subject, or why there is none: a team has only so many open ones
   */
  async function find(tx: Tx, teamId: string, asked: readonly Named[]): Promise<(SubjectRow | Conflict)[]> {
    const keys = asked.map(({ name }) => subjectKey(name));
    const rows = await findNamed.all(tx, { teamId, keys: [...new Set(keys)] });
    const known = new Map(rows.map((row) => [row.name_key, row]));
    const isSettled = (key: string) => known.get(key)?.closed_at === null;
    if (keys.every(isSettled)) return keys.map((key) => known.get(key) as SubjectRow);
    let room = MOST_OPEN_SUBJECTS - Number((await countOpen.first(tx, { teamId }))?.open ?? 0);
    const made: SubjectRow[] = [];
    const opened = new Map<SubjectRow, string>();
    const outcomes = asked.map(({ name, userId }, index) => {
      const key = keys[index] as string;
      const row = known.get(key);
      if (row?.closed_at === null) return row;
      if (room <= 0) return tooMany();
      room--;
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

export const tooMany = () =>
  new Conflict('too_many_subjects', `A team has at most ${MOST_OPEN_SUBJECTS} open subjects`);
