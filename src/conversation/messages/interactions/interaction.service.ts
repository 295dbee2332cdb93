import { lookUp, NotFound } from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { InteractionRow } from '#schema';
import { type GivenAct, readAct } from '../../blocks/index.ts';
import type { MessageChange } from '../view/message.listener.ts';
import {
  anyDue,
  deleteInteractions,
  endInteractions,
  findClick,
  findInteraction,
  findPending,
  hurryInTeam,
  hurryOfApplication,
  listPendingOf,
  listUnanswered,
  listUnansweredTeams,
  lockDue,
  lockPending,
  purgeInteractions,
  purgeOrphans,
  wait,
} from './interaction.store.ts';
import { findOffered } from './question.service.ts';
import {
  begin,
  type Failure,
  type Publish,
  presentInteraction,
  type ShownInteraction,
  type Surface,
} from './surface.ts';

/** Why no answer of an application is to be expected; undefined where one may still come. */
export type FindObstacle = (tx: Tx, applicationId: string, teamId: string) => Promise<Failure | undefined>;

/** Clicks that one transaction ends: each is told to its person. */
const ENDED_AT_ONCE = 100;
const DAY_MS = 24 * 3600 * 1000;

export type InteractionService = ReturnType<typeof interactionService>;

export function interactionService(deps: {
  db: Database;
  clock: Clock;
  /** How long an application has time to answer. */
  expiryMs: number;
  publish: Publish;
  /** Tells the windows of a person how their click went. */
  tell: (tx: Tx, userId: string, interaction: ShownInteraction) => Promise<void>;
  /** @throws NotAllowed for an application that does not hear of this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
  findObstacle: FindObstacle;
  /** Closes the forms whose submissions end, or lets them be submitted again. */
  settleForms: (tx: Tx, ids: readonly string[], failure: Failure | undefined) => Promise<void>;
}) {
  const { db, clock, expiryMs, publish, tell, expectHearing, findObstacle, settleForms } = deps;

  /**
   * Tells the application of a click, once however often it is sent. As long as it is pending, the same value again is the
   * same click.
   * @throws Conflict @throws NotAllowed where nothing in it can be used now
   * @throws InvalidFields
   */
  async function act(
    tx: Tx,
    userId: string,
    surface: Surface,
    named: string,
    given: GivenAct,
  ): Promise<ShownInteraction> {
    const click = named.toLowerCase();
    const { block_id, action_id } = given;
    const element = { user_id: userId, place_id: surface.id, block_id, action_id };
    const known = await findClick.first(tx, { ...element, click });
    if (known) return presentInteraction(known);
    const { blocks, team, application, message, form } = surface.open();
    const offered = await findOffered(tx, { userId, placeId: surface.id }, blocks);
    const told = readAct(blocks, given, offered);
    const value_hash = hashToken(JSON.stringify([told.value, told.values]));
    const now = clock();
    const pending = await findPending.first(tx, { ...element, now });
    if (pending?.value_hash === value_hash) return presentInteraction(pending);
    await expectHearing(tx, application, team);
    const place = { surface: surface.kind, message_id: message };
    const of = { ...element, ...place, team_id: team, application_id: application };
    const made = await begin(
      tx,
      publish,
      { ...of, kind: 'action', click, value_hash, created_at: now },
      { told: { ...told, form }, pendingMs: expiryMs },
    );
    return presentInteraction(made);
  }

  /** @throws NotFound for a click of somebody else, and one that is no longer known */
  async function get(tx: Tx, userId: string, id: string): Promise<ShownInteraction> {
    const row = await lookUp(id, (known) => findInteraction.first(tx, { id: known }));
    if (row.user_id !== userId) throw new NotFound();
    return presentInteraction(row);
  }

  /** Ends those of some clicks that are pending. @param reason why they have failed; undefined once they are answered */
  async function end(tx: Tx, ids: readonly string[], reason?: Failure): Promise<void> {
    if (ids.length === 0) return;
    const ended = await lockPending.all(tx, { ids });
    if (ended.length === 0) return;
    const status = reason === undefined ? 'done' : 'failed';
    const outcome = { status, reason: reason ?? null } as const;
    const endedIds = ended.map(({ id }) => id);
    await endInteractions.run(tx, { ids: endedIds, ...outcome });
    await settleForms(tx, endedIds, reason);
    for (const { user_id, ...one } of ended)
      await tell(tx, user_id, presentInteraction({ ...one, ...outcome }));
  }

  /** For one that was answered once more: with a form, after it had ended. */
  async function tellAgain(tx: Tx, id: string): Promise<void> {
    const row = await findInteraction.first(tx, { id });
    if (row) await tell(tx, row.user_id, presentInteraction(row));
  }

  /** An application that edits its message has answered those who wait. Of very many, the others wait for its acknowledgement. */
  async function onEdited(tx: Tx, { message, byProgram }: Extract<MessageChange, { kind: 'edited' }>) {
    if (!byProgram || message.application_id === null) return;
    const pending = await listPendingOf.all(tx, { messageId: message.id, limit: ENDED_AT_ONCE });
    await end(
      tx,
      pending.map(({ id }) => id),
    );
  }

  const onDeleted = (tx: Tx, { message }: { message: { id: string } }) =>
    deleteInteractions.run(tx, { messageId: message.id });

  /** The worker then finds out whether an answer can still come. */
  async function onInstallationChange(
    tx: Tx,
    of: { application_id: string; team_id: string; change: string },
  ): Promise<void> {
    if (of.change !== 'removed' && of.change !== 'standing') return;
    await hurryInTeam(tx, { applicationId: of.application_id, teamId: of.team_id, now: clock() });
  }

  /** For an application that sleeps, or hears less. */
  async function hurry(tx: Tx, applicationId: string): Promise<void> {
    await hurryOfApplication(tx, { applicationId, now: clock() });
  }

  /** The clicks of a team that an application owes an answer, the first ones first. */
  const unanswered = (tx: Tx, of: { applicationId: string; teamId: string; limit: number }) =>
    listUnanswered.all(tx, of);

  const unansweredTeams = async (tx: Tx, applicationId: string) =>
    (await listUnansweredTeams.all(tx, { applicationId })).map(({ team_id }) => team_id);

  /** Ends what waited too long, or waits in vain. @returns whether there is more to do at once */
  async function work(): Promise<boolean> {
    if (!(await anyDue.first(db, { now: clock() }))) return false;
    return db.write(async (tx) => {
      const now = clock();
      const due = await lockDue.all(tx, { now, limit: ENDED_AT_ONCE });
      const byPlace = Map.groupBy(due, (row) => `${row.application_id} ${row.team_id}`);
      for (const rows of byPlace.values()) {
        const [{ application_id, team_id }] = rows as [InteractionRow];
        const obstacle = await findObstacle(tx, application_id, team_id);
        const over = rows.filter(({ expires_at }) => obstacle !== undefined || expires_at <= now);
        const waiting = rows.filter((row) => !over.includes(row));
        await end(
          tx,
          over.map(({ id }) => id),
          obstacle ?? 'no_answer',
        );
        if (waiting.length > 0) await wait.run(tx, { ids: waiting.map(({ id }) => id) });
      }
      return due.length === ENDED_AT_ONCE;
    });
  }

  return {
    act,
    get,
    end,
    tellAgain,
    onEdited,
    onDeleted,
    onInstallationChange,
    hurry,
    unanswered,
    unansweredTeams,
    work,
    housekeeping: [
      cleaning(db, purgeInteractions, () => ({ before: clock() - DAY_MS })),
      cleaning(db, purgeOrphans, () => ({})),
    ],
  };
}
