import { lookUp, timestamp, type Viewer, Written } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { InteractionRow } from '#schema';
import { accessTeam } from '../../../teams/index.ts';
import type { Content } from '../posting/message-input.ts';
import type { Presenters } from '../view/message.present.ts';
import { readersOf, withNames } from '../view/named-people.ts';
import type { PagePace } from '../view/page-pace.ts';
import type { EphemeralAnswer } from './answer.schema.ts';
import {
  deleteAnswers,
  deleteAnswersBelow,
  deleteOfInstallation,
  insertAnswer,
  type ListedAnswer,
  listAnswerIds,
  listAnswerIdsInTeam,
  listAnswers,
  purgeAnswers,
  takeAnswer,
} from './answer.store.ts';

/** Answers of one application to one person below a message, or in a team; the oldest gives way. */
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
  pace: PagePace;
}) {
  const { db, clock, icon, tell, pace } = deps;

  async function add(tx: Tx, to: InteractionRow, { text: given, blocks, isMade }: Content): Promise<void> {
    const { message_id, team_id, application_id, user_id } = to;
    const text = isMade ? await withNames(tx, given, readersOf({ team_id }, [])) : given;
    const blocks_json = blocks ? JSON.stringify(blocks) : null;
    const of = { message_id, team_id, application_id, user_id };
    await insertAnswer(tx, [{ id: newId(), ...of, text, blocks_json, created_at: clock() }]);
    const own = { userId: user_id, applicationId: application_id };
    const known =
      message_id === null
        ? await listAnswerIdsInTeam.all(tx, { ...own, teamId: team_id })
        : await listAnswerIds.all(tx, { ...own, messageId: message_id });
    const old = known.slice(MOST_BELOW).map(({ id }) => id);
    if (old.length > 0) await deleteAnswers.run(tx, { ids: old });
    await tell(tx, user_id, team_id);
  }

  /** The oldest first. @throws NotFound for a team that the person is not in */
  async function list(viewer: Viewer, team: string): Promise<Written<EphemeralAnswer>> {
    const { userId } = viewer;
    const { id: teamId } = await accessTeam(db, userId, team);
    const since = clock() - KEPT_MS;
    await pace.reading(viewer, MOST_LISTED);
    const rows = await listAnswers.all(db, { userId, teamId, since, limit: MOST_LISTED });
    await pace.writing(viewer, rows);
    return new Written(rows.reverse().map(written));
  }

  /** Blocks are JSON already: to read and write those of a long list would keep all others waiting. */
  function written(row: ListedAnswer): readonly string[] {
    const { id, message_id: message, team_id: team, application_id, name, text, blocks_json } = row;
    const shown: Omit<EphemeralAnswer, 'blocks'> = {
      ...{ id, message, team },
      application: { id: application_id, name, icon: icon({ id: application_id, icon: row.icon }) },
      text,
      created_at: timestamp(row.created_at),
      expires_at: timestamp(row.created_at + KEPT_MS),
    };
    const json = JSON.stringify(shown);
    return blocks_json === null ? [json] : [json.slice(0, -1), ',"blocks":', blocks_json, '}'];
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
