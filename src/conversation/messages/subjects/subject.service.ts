import { Conflict, lookUp, NotAllowed, NotFound, type Page, pageOf, timestamp, type Viewer } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, HIGHEST_ID, parseId } from '#platform/ids.ts';
import type { SubjectRow } from '#schema';
import type { Recorder } from '../../../stewardship/audit/index.ts';
import { ADMIN, lockTeam } from '../../../teams/index.ts';
import { findCursor } from '../lists/list.store.ts';
import type { ReadingService } from '../reading/reading.service.ts';
import type { MessageListener, SubjectStep } from '../view/message.listener.ts';
import { findRoom } from './naming.ts';
import { MOST_UNREAD, type Subject, type SubjectChange } from './subject.schema.ts';
import {
  countMarkedUnread,
  findNamed,
  findSubject,
  type ListedSubject,
  listOne,
  listOpen,
  lockSubjects,
  pageOfClosed,
  updateSubject,
} from './subject.store.ts';
import { subjectKey } from './subject-name.ts';

export interface TeamSubject {
  readonly team: string;
  readonly subject: string;
}

export type SubjectService = ReturnType<typeof subjectService>;

/** The subjects of a team: listed with what is unread in each, renamed, closed and opened. */
export function subjectService(deps: {
  db: Database;
  clock: Clock;
  publish: MessageListener;
  record: Recorder;
  /** Moves the cursor of a member in a subject that is locked. */
  readSubject: ReadingService['readSubject'];
}) {
  const { db, clock, publish, record, readSubject } = deps;

  /** The open ones by their last message, then the closed ones. @throws NotFound */
  async function list(viewer: Viewer, team: string, page: Page) {
    const teamId = await accessSubjects(db, viewer, team);
    const [seq, id] = page.after ?? [];
    const asked = { teamId, userId: viewer.userId, most: MOST_UNREAD };
    const isBehind = ({ last_seq, id: own }: ListedSubject) =>
      seq === undefined ||
      (last_seq ?? 0) < Number(seq) ||
      ((last_seq ?? 0) === Number(seq) && own < (id ?? ''));
    const limit = page.limit + 1;
    const open = seq === CLOSED ? [] : await listOpen.all(db, { ...asked, before: HIGHEST_ID, limit });
    const rows = open.filter(isBehind).sort(byLastMessage).slice(0, limit);
    if (rows.length < limit) {
      const before = seq === CLOSED ? (parseId(id) ?? HIGHEST_ID) : HIGHEST_ID;
      rows.push(...(await pageOfClosed.all(db, { ...asked, before, limit: limit - rows.length })));
    }
    const marked = await countMarkedUnread.all(db, asked);
    const markedIn = new Map(marked.map((row) => [row.subject_id, Number(row.marked)]));
    const shown = rows.slice(0, page.limit);
    const last = shown.at(-1);
    return {
      subjects: shown.map((row) => present(row, markedIn.get(row.id))),
      next:
        rows.length > page.limit && last
          ? pageOf([last.closed_at === null ? String(last.last_seq ?? 0) : CLOSED, last.id])
          : null,
    };
  }

  /**
   * By who named it first, or an admin of the team. Nobody is notified.
   * @throws NotFound @throws NotAllowed @throws Conflict for a name that is taken, and for one open subject too many
   */
  async function change(tx: Tx, viewer: Viewer, place: TeamSubject, fields: SubjectChange): Promise<Subject> {
    const { userId } = viewer;
    const teamId = await accessSubjects(tx, viewer, place.team);
    if (!(await lockTeam.first(tx, { id: teamId }))) throw new NotFound();
    const row = await accessSubject(tx, userId, { team: teamId, subject: place.subject });
    if (row.created_by !== userId && row.membership_type !== ADMIN)
      throw new NotAllowed('not_admin', 'Only who named the subject, or an admin of the team, may do this');
    const name = fields.name ?? row.name;
    const closed = fields.closed ?? row.closed_at !== null;
    const changed = {
      ...row,
      name,
      name_key: subjectKey(name),
      closed_at: closed ? (row.closed_at ?? clock()) : null,
    };
    await refuseTaken(tx, row, changed);
    const steps = stepsOf(row, changed);
    if (steps.includes('reopened')) await takeRoom(tx, row, userId);
    if (steps.length > 0) await updateSubject.run(tx, changed);
    for (const step of steps) await publish(tx, { kind: 'subject', change: step, row: changed, userId });
    if (steps.length > 0 && row.created_by !== userId) {
      const detail = { fields: ['subjects'], subject: row.id };
      await record(tx, { action: 'team.changed', target: ['team', teamId], teamId, detail });
    }
    return seenSubject(tx, userId, changed);
  }

  /** @param upTo the id of a message of the team; all of the subject without one @throws NotFound @throws InvalidFields */
  async function read(
    tx: Tx,
    viewer: Viewer,
    place: TeamSubject,
    upTo: string | undefined,
  ): Promise<Subject> {
    const { userId } = viewer;
    const teamId = await accessSubjects(tx, viewer, place.team);
    const row = await accessSubject(tx, userId, { team: teamId, subject: place.subject });
    await lockSubjects.toRead.all(tx, { ids: [row.id] });
    await readSubject(tx, userId, { teamId, subjectId: row.id }, upTo);
    return seenSubject(tx, userId, row);
  }

  return { list, change, read };
}

/** The first part of the cursor of a page that begins among the closed ones: no place in a stream. */
const CLOSED = '-1';

const byLastMessage = (one: ListedSubject, other: ListedSubject) =>
  (other.last_seq ?? 0) - (one.last_seq ?? 0) || (one.id < other.id ? 1 : -1);

/** @returns the id of the team @throws NotFound where the viewer is not in it, or does not reach its messages */
export async function accessSubjects(db: Reader, { userId, reach }: Viewer, team: string): Promise<string> {
  const teamId = parseId(team);
  if (!teamId || (reach && reach.teamId !== teamId)) throw new NotFound();
  if (!(await findCursor.first(db, { userId, teamId }))) throw new NotFound();
  return teamId;
}

/** @throws NotFound for a subject of another team, too */
export async function accessSubject(db: Reader, userId: string, { team, subject }: TeamSubject) {
  const row = await lookUp(subject, (id) => findSubject.first(db, { id, userId }));
  if (row.team_id !== parseId(team)) throw new NotFound();
  return row;
}

/** The subject as a member sees it. */
export async function seenSubject(
  db: Reader,
  userId: string,
  { id, team_id: teamId }: SubjectRow,
): Promise<Subject> {
  const asked = { teamId, userId, most: MOST_UNREAD };
  const row = await listOne.first(db, { ...asked, id, before: HIGHEST_ID, limit: 1 });
  if (!row) throw new NotFound();
  const marked = await countMarkedUnread.all(db, asked);
  return present(row, Number(marked.find((one) => one.subject_id === id)?.marked ?? 0));
}

async function refuseTaken(tx: Tx, row: SubjectRow, changed: SubjectRow): Promise<void> {
  if (changed.name_key === row.name_key) return;
  const found = await findNamed.all(tx, { teamId: row.team_id, keys: [changed.name_key] });
  if (found.length > 0) throw new Conflict('subject_name', 'The team has a subject with this name');
}

async function takeRoom(tx: Tx, row: SubjectRow, userId: string): Promise<void> {
  const opening = { userId, namedBy: row.created_by };
  const refused = (await findRoom(tx, row.team_id, [opening]))(opening);
  if (refused) throw refused;
}

function stepsOf(row: SubjectRow, changed: SubjectRow): SubjectStep[] {
  const isOpen = changed.closed_at === null;
  return [
    ...(row.name === changed.name ? [] : (['renamed'] as const)),
    ...((row.closed_at === null) === isOpen ? [] : ([isOpen ? 'reopened' : 'closed'] as const)),
  ];
}

const present = (row: ListedSubject, marked = 0): Subject => ({
  id: row.id,
  name: row.name,
  closed: row.closed_at !== null,
  num_unread: Math.min(MOST_UNREAD, Number(row.num_unread) + marked),
  last_message_at: row.last_message_at === null ? null : timestamp(Number(row.last_message_at)),
  created_by: row.created_by,
});
