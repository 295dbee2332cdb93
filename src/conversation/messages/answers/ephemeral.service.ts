import { lookUp, timestamp, type Viewer } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { InteractionRow } from '#schema';
import { accessTeam } from '../../../teams/index.ts';
import type { Content } from '../posting/message-input.ts';
import { readersOf, withNames } from '../posting/named-people.ts';
import type { Presenters } from '../view/message.present.ts';
import {
  deleteAnswers,
  deleteAnswersBelow,
  deleteOfInstallation,
  insertAnswer,
  listAnswerIds,
  listAnswers,
  purgeAnswers,
  takeAnswer,
} from './answer.store.ts';

/** What a person was told below one message; the oldest gives way. */
export const MOST_BELOW = 20;
/** In one list: the newest. */
const MOST_LISTED = 100;
export const KEPT_MS = 24 * 3600 * 1000;

/** Tells the windows of a person that their answers in a team are others. */
export type TellAnswers = (tx: Tx, userId: string, team: string) => Promise<void>;

export type EphemeralService = ReturnType<typeof ephemeralService>;

/** Answers of applications that one person alone sees, for a day. */
export function ephemeralService(deps: {
  db: Database;
  clock: Clock;
  icon: Presenters['icon'];
  tell: TellAnswers;
}) {
  const { db, clock, icon, tell } = deps;

  async function add(tx: Tx, to: InteractionRow, { text: given, blocks, isMade }: Content): Promise<void> {
    const { message_id, team_id, application_id, user_id } = to;
    const text = isMade ? await withNames(tx, given, readersOf({ team_id }, [])) : given;
    const blocks_json = blocks ? JSON.stringify(blocks) : null;
    const of = { message_id, team_id, application_id, user_id };
    await insertAnswer(tx, [{ id: newId(), ...of, text, blocks_json, created_at: clock() }]);
    const known = await listAnswerIds.all(tx, { userId: user_id, messageId: message_id });
    const old = known.slice(MOST_BELOW).map(({ id }) => id);
    if (old.length > 0) await deleteAnswers.run(tx, { ids: old });
    await tell(tx, user_id, team_id);
  }

  /** The oldest first. @throws NotFound for a team that the person is not in */
  async function list({ userId }: Viewer, team: string) {
    const { id: teamId } = await accessTeam(db, userId, team);
    const since = clock() - KEPT_MS;
    const rows = await listAnswers.all(db, { userId, teamId, since, limit: MOST_LISTED });
    return rows.reverse().map((row) => ({
      id: row.id,
      message: row.message_id,
      team: row.team_id,
      application: {
        id: row.application_id,
        name: row.name,
        icon: icon({ id: row.application_id, icon: row.icon }),
      },
      text: row.text,
      ...(row.blocks_json !== null && { blocks: JSON.parse(row.blocks_json) as unknown[] }),
      created_at: timestamp(row.created_at),
      expires_at: timestamp(row.created_at + KEPT_MS),
    }));
  }

  /** @throws NotFound */
  async function dismiss(tx: Tx, userId: string, answer: string): Promise<void> {
    const { team_id } = await lookUp(answer, (id) => takeAnswer.first(tx, { id, userId }));
    await tell(tx, userId, team_id);
  }

  const onDeleted = (tx: Tx, { message }: { message: { id: string } }) =>
    deleteAnswersBelow.run(tx, { messageId: message.id });

  async function onInstallationChange(
    tx: Tx,
    of: { application_id: string; team_id: string; change: string },
  ): Promise<void> {
    const { application_id: applicationId, team_id: teamId } = of;
    if (of.change === 'removed') await deleteOfInstallation.run(tx, { applicationId, teamId });
  }

  return {
    add,
    list,
    dismiss,
    onDeleted,
    onInstallationChange,
    housekeeping: [cleaning(db, purgeAnswers, () => ({ before: clock() - KEPT_MS }))],
  };
}
