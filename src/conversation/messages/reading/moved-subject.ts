import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { addSubjectsRead } from '../../../teams/index.ts';
import { insertReadMarks } from './reading.store.ts';
import { listReadersOf, lockReadersBeyond, takeMarks } from './subject-cursor.store.ts';

/**
 * Keeps read what was read, and unread what was not, while a message gets another subject. Only for members whose cursors
 * of the two subjects differ at its place does that take an exception, or the end of one.
 */
export async function keepReadWhileMoved(tx: Tx, row: MessageRow, to: string | null): Promise<void> {
  const { team_id: teamId, seq, subject_id: from } = row as MessageRow & { team_id: string; seq: number };
  const subjectIds = [from, to].filter((id) => id !== null);
  const readers = await lockReadersBeyond.all(tx, { teamId, subjectIds, seq });
  if (readers.length === 0) return;
  const userIds = readers.map((reader) => reader.user_id);
  const readersOf = async (subjectId: string | null) =>
    subjectId === null
      ? []
      : (await listReadersOf.all(tx, { subjectId, userIds, seq })).map((one) => one.user_id);
  const [before, after] = [await readersOf(from), await readersOf(to)];
  await cover(tx, row, { userIds: before.filter((id) => !after.includes(id)), by: -1 });
  await cover(tx, row, { userIds: after.filter((id) => !before.includes(id)), by: 1 });
}

/** An exception says the opposite of what the cursors say, so it ends where they say it themselves now. */
async function cover(
  tx: Tx,
  row: MessageRow,
  { userIds, by }: { userIds: readonly string[]; by: 1 | -1 },
): Promise<void> {
  if (userIds.length === 0) return;
  const at = { teamId: row.team_id as string, seq: row.seq as number };
  await addSubjectsRead.run(tx, { teamId: at.teamId, userIds, by });
  const had = new Set((await takeMarks.all(tx, { ...at, userIds })).map((mark) => mark.user_id));
  const marks = userIds
    .filter((id) => !had.has(id))
    .map((user_id) => ({
      ...{ user_id, team_id: at.teamId, message_id: row.id, seq: at.seq },
      is_read: Number(by < 0),
    }));
  await insertReadMarks(tx, marks);
}
