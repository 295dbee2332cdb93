import { Conflict, InvalidFields, lookUp, NotFound, timestamp, type Viewer } from '#api';
import { hashToken } from '#platform/crypto/index.ts';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { cleaning } from '#platform/jobs/index.ts';
import type { FormRow, InteractionRow } from '#schema';
import { accessTeam, listMembersAmong } from '../../../teams/index.ts';
import { type Block, chosenPeople, readPageBlocks, readSubmission } from '../../blocks/index.ts';
import { findInteraction, lockInteraction, setForm } from '../interactions/interaction.store.ts';
import { findOffered } from '../interactions/question.service.ts';
import {
  begin,
  type Failure,
  type Publish,
  presentInteraction,
  type ShownInteraction,
  type Surface,
  type Told,
  type ToldForm,
} from '../interactions/surface.ts';
import type { Presenters } from '../view/message.present.ts';
import { type GivenForm, LONGEST_ERROR, MOST_LEVELS, type ShownForm } from './form.schema.ts';
import {
  deleteForms,
  deleteFormsOfInstallation,
  findBelow,
  findForm,
  insertForm,
  listStacks,
  listSubmitted,
  lockStack,
  purgeForms,
  type SeenForm,
  setErrors,
  setSubmission,
  updateForm,
} from './form.store.ts';

/** How long after a click a form may still open: later, its person has gone on. */
export const OPENS_WITHIN_MS = 30_000;
/** How long a form can be filled in. */
export const OPEN_FOR_MS = 24 * 3600 * 1000;
/** Stacks of forms that one application has open for one person; the oldest gives way. */
export const MOST_STACKS = 10;

/** Tells the windows of a person about one of their forms. */
export type TellForm = (
  tx: Tx,
  userId: string,
  form: { id: string; change: 'changed' | 'closed' },
) => Promise<void>;

export type FormService = ReturnType<typeof formService>;

/** Forms that applications open for the person who has pressed or asked for something. */
export function formService(deps: {
  db: Database;
  clock: Clock;
  /** How long an application has time to answer a submission. */
  expiryMs: number;
  icon: Presenters['icon'];
  publish: Publish;
  tell: TellForm;
  /** @throws NotAllowed for an application that does not hear of this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
}) {
  const { db, clock, expiryMs, icon, publish, tell, expectHearing } = deps;

  /** @throws NotFound for a form of somebody else, a closed one, and where its person has left the team */
  async function access(reader: Reader, userId: string, form: string): Promise<SeenForm> {
    const since = clock() - OPEN_FOR_MS;
    const row = await lookUp(form, (id) => findForm.first(reader, { id, since }));
    if (row.user_id !== userId) throw new NotFound();
    await accessTeam(reader, userId, row.team_id);
    return row;
  }

  /** @throws NotFound as `access` does @returns its whole stack too, which this transaction has locked */
  async function lock(tx: Tx, userId: string, form: string): Promise<{ row: FormRow; stack: FormRow[] }> {
    const seen = await access(tx, userId, form);
    const stack = await lockStack.all(tx, { rootId: seen.root_id });
    const row = stack.find(({ id }) => id === seen.id);
    if (!row) throw new NotFound();
    return { row, stack };
  }

  /** @throws NotFound */
  async function get({ userId }: Viewer, form: string): Promise<ShownForm> {
    const row = await access(db, userId, form);
    const { id, title, submit, close, hash, errors_json, submission_id } = row;
    const { application_id, name, root_id: rootId, level } = row;
    const below = level === 1 ? undefined : await findBelow.first(db, { rootId, level: level - 1 });
    const submission = submission_id && (await findInteraction.first(db, { id: submission_id }));
    return {
      id,
      application: { id: application_id, name, icon: icon({ id: application_id, icon: row.icon }) },
      team: row.team_id,
      title,
      blocks: blocksOf(row) as unknown[],
      ...(submit !== null && { submit }),
      ...(close !== null && { close }),
      hash,
      ...(errors_json !== null && { errors: JSON.parse(errors_json) as Record<string, string> }),
      ...(below && { below: below.id }),
      ...(submission && { submission: presentInteraction(submission) }),
      expires_at: timestamp(row.created_at + OPEN_FOR_MS),
    };
  }

  /** @throws NotFound */
  async function surface(tx: Tx, { userId }: Viewer, form: string): Promise<Surface> {
    const { row } = await lock(tx, userId, form);
    return {
      kind: 'form',
      id: row.id,
      open: () => ({
        blocks: blocksOf(row),
        team: row.team_id,
        application: row.application_id,
        message: row.message_id,
        form: told(row),
      }),
    };
  }

  /**
   * Tells the application what its form holds. While it has not answered, submitting again is the same submission.
   * @throws NotFound @throws InvalidFields for fields that are missing or wrong
   * @throws Conflict for a form that was changed meanwhile, or cannot be submitted
   * @throws NotAllowed where the application does not hear of it
   */
  async function submit(
    tx: Tx,
    { userId }: Viewer,
    form: string,
    given: { state?: unknown; hash: string },
  ): Promise<ShownInteraction> {
    const { row } = await lock(tx, userId, form);
    const known = row.submission_id && (await findInteraction.first(tx, { id: row.submission_id }));
    if (known) return presentInteraction(known);
    if (row.hash !== given.hash.toLowerCase()) throw changed();
    if (row.submit === null) throw new Conflict('no_submit', 'The form has no button that submits it');
    const blocks = blocksOf(row);
    const offered = await findOffered(tx, { userId, placeId: row.id }, blocks);
    const state = readSubmission(blocks, given.state, offered);
    await refuseStrangers(tx, row.team_id, chosenPeople(blocks, state));
    await expectHearing(tx, row.application_id, row.team_id);
    const made = await tellOf(tx, row, 'form', { state, form: told(row) });
    await setSubmission.run(tx, { id: row.id, submissionId: made.id });
    return presentInteraction(made);
  }

  /** With those that lie on it. @throws NotFound */
  async function close(tx: Tx, { userId }: Viewer, form: string): Promise<void> {
    const { row, stack } = await lock(tx, userId, form);
    await closeFrom(tx, stack, row.level);
  }

  /** Closes the forms of a stack from one level on, and tells their application where it asked for that. */
  async function closeFrom(tx: Tx, stack: readonly FormRow[], lowest: number): Promise<void> {
    const gone = stack.filter(({ level }) => level >= lowest).reverse();
    await remove(tx, gone);
    for (const one of gone)
      if (one.notify_on_close === 1 && one.submission_id === null)
        await tellOf(tx, one, 'form_closed', { state: {}, form: told(one) });
  }

  const tellOf = (tx: Tx, row: FormRow, kind: 'form' | 'form_closed', what: Told): Promise<InteractionRow> =>
    begin(
      tx,
      publish,
      {
        ...{ kind, surface: 'form', place_id: row.id, message_id: row.message_id },
        ...{ user_id: row.user_id, team_id: row.team_id, application_id: row.application_id },
        ...{ block_id: kind, action_id: '', click: newId(), value_hash: hashToken(row.hash) },
        created_at: clock(),
      },
      { told: what, pendingMs: expiryMs },
    );

  async function remove(tx: Tx, rows: readonly FormRow[]): Promise<void> {
    await deleteForms.run(tx, { ids: rows.map(({ id }) => id) });
    for (const { id, user_id } of rows) await tell(tx, user_id, { id, change: 'closed' });
  }

  /**
   * Opens a form, lays it on the one that was used, or changes that one.
   * @returns its id
   * @throws Conflict for what comes too late @throws InvalidFields
   */
  async function show(tx: Tx, { id: answeredId }: InteractionRow, given: GivenForm): Promise<string> {
    const content = contentOf(given);
    const answered = await lockAnswered(tx, answeredId);
    const used = answered.form_id ?? (answered.surface === 'form' ? answered.place_id : undefined);
    const id = used === undefined ? await open(tx, answered, given, content) : await change(tx, used);
    await setForm.run(tx, { id: answered.id, formId: id });
    return id;

    async function change(tx: Tx, id: string): Promise<string> {
      const { row, stack } = await lockToAnswer(tx, answered, id);
      if (given.hash !== undefined && given.hash !== row.hash) throw changed();
      const pushes = given.push === true && answered.form_id === null;
      if (!pushes) {
        // A click may be answered while the form is submitted: that waits for its own answer.
        const submission_id = row.submission_id === answered.id ? null : row.submission_id;
        await updateForm.run(tx, { id, ...content, hash: newId(), submission_id });
        await tell(tx, row.user_id, { id, change: 'changed' });
        return id;
      }
      if (row.level >= MOST_LEVELS)
        throw new InvalidFields({
          field: 'form.push',
          message: `would lay more than ${MOST_LEVELS} on each other`,
        });
      if (stack.length > row.level) throw changed();
      if (row.submission_id === answered.id) await setSubmission.run(tx, { id, submissionId: null });
      return insert(tx, answered, content, { root_id: row.root_id, level: row.level + 1 });
    }
  }

  /** @throws Conflict */
  async function open(tx: Tx, answered: InteractionRow, given: GivenForm, content: Content): Promise<string> {
    if (given.push === true || given.hash !== undefined)
      throw new InvalidFields({
        field: given.push ? 'form.push' : 'form.hash',
        message: 'belongs to the answer to a form',
      });
    if (clock() > answered.created_at + OPENS_WITHIN_MS)
      throw new Conflict('form_late', 'A form opens within 30 seconds of what asked for it');
    const id = await insert(tx, answered, content);
    const own = { userId: answered.user_id, applicationId: answered.application_id };
    for (const { root_id: rootId } of (await listStacks.all(tx, own)).slice(MOST_STACKS))
      await closeFrom(tx, await lockStack.all(tx, { rootId }), 1);
    return id;
  }

  async function insert(
    tx: Tx,
    { user_id, team_id, application_id, message_id }: InteractionRow,
    content: Content,
    at?: Pick<FormRow, 'root_id' | 'level'>,
  ): Promise<string> {
    const id = newId();
    await insertForm(tx, [
      {
        id,
        ...(at ?? { root_id: id, level: 1 }),
        ...{ user_id, team_id, application_id, message_id },
        ...content,
        ...{ errors_json: null, hash: newId(), submission_id: null, created_at: clock() },
      },
    ]);
    return id;
  }

  /** Two answers to one interaction come one after the other. */
  async function lockAnswered(tx: Tx, id: string): Promise<InteractionRow> {
    const row = await lockInteraction.first(tx, { id });
    if (!row) throw new NotFound();
    return row;
  }

  /** The form of an interaction. @throws Conflict for one that is closed, or waits for another answer by now */
  async function lockToAnswer(tx: Tx, answered: InteractionRow, id: string) {
    const seen = await findForm.first(tx, { id, since: clock() - OPEN_FOR_MS });
    const stack = seen ? await lockStack.all(tx, { rootId: seen.root_id }) : [];
    const row = stack.find((one) => one.id === id);
    if (!row) throw new Conflict('form_closed', 'The form is closed');
    const isSubmission = answered.kind === 'form' && answered.place_id === id;
    const isOpen = answered.form_id !== null && row.submission_id === null;
    if (isSubmission && row.submission_id !== answered.id && !isOpen) throw changed();
    return { row, stack };
  }

  /**
   * The form stays open, and says what is wrong.
   * @returns its id
   * @throws InvalidFields @throws Conflict for what comes too late
   */
  async function refuse(tx: Tx, { id }: InteractionRow, errors: unknown): Promise<string> {
    const answered = await lockAnswered(tx, id);
    const { row } = await lockToAnswer(tx, answered, answered.place_id);
    if (row.submission_id !== answered.id) throw changed();
    const json = JSON.stringify(readErrors(blocksOf(row), errors));
    await setErrors.run(tx, { id: row.id, json, hash: newId() });
    await setForm.run(tx, { id: answered.id, formId: row.id });
    await tell(tx, row.user_id, { id: row.id, change: 'changed' });
    return row.id;
  }

  /** Submissions that end without another form close theirs; those that have failed can be sent again. */
  async function settle(tx: Tx, ids: readonly string[], failure: Failure | undefined): Promise<void> {
    for (const { root_id: rootId } of await listSubmitted.all(tx, { ids })) {
      const stack = await lockStack.all(tx, { rootId });
      const waiting = stack.filter((row) => row.submission_id !== null && ids.includes(row.submission_id));
      for (const row of waiting) {
        if (failure === undefined)
          await remove(
            tx,
            stack.filter(({ level }) => level >= row.level),
          );
        else await setSubmission.run(tx, { id: row.id, submissionId: null });
      }
    }
  }

  async function onInstallationChange(
    tx: Tx,
    of: { application_id: string; team_id: string; change: string },
  ): Promise<void> {
    const { application_id: applicationId, team_id: teamId } = of;
    if (of.change === 'removed') await deleteFormsOfInstallation.run(tx, { applicationId, teamId });
  }

  return {
    get,
    surface,
    submit,
    close,
    show,
    refuse,
    settle,
    onInstallationChange,
    housekeeping: [cleaning(db, purgeForms, () => ({ before: clock() - OPEN_FOR_MS }))],
  };
}

/** @throws InvalidFields for people who are not in the team */
async function refuseStrangers(
  tx: Tx,
  teamId: string,
  chosen: readonly { readonly field: string; readonly ids: readonly string[] }[],
): Promise<void> {
  const ids = [...new Set(chosen.flatMap((one) => one.ids.map((id) => id.toLowerCase())))];
  if (ids.length === 0) return;
  const members = new Set((await listMembersAmong.all(tx, { teamId, ids })).map(({ id }) => id));
  const wrong = chosen.filter((one) => one.ids.some((id) => !members.has(id.toLowerCase())));
  if (wrong.length > 0)
    throw new InvalidFields(wrong.map(({ field }) => ({ field, message: 'must be of people in the team' })));
}

const changed = () => new Conflict('form_changed', 'The form has changed meanwhile: read it again');

const blocksOf = ({ blocks_json }: Pick<FormRow, 'blocks_json'>) => JSON.parse(blocks_json) as Block[];

const told = ({ id, hash, title, callback_id, metadata }: FormRow): ToldForm => ({
  ...{ id, hash, title },
  ...(callback_id !== null && { callback_id }),
  ...(metadata !== null && { metadata }),
});

type Content = ReturnType<typeof contentOf>;

/** @throws InvalidFields */
function contentOf({ title, blocks, ...given }: GivenForm) {
  const { submit = null, close = null, callback_id = null, metadata = null } = given;
  return {
    ...{ title, submit, close, callback_id, metadata },
    notify_on_close: given.notify_on_close === true ? 1 : 0,
    blocks_json: JSON.stringify(readPageBlocks(blocks, 'form')),
  };
}

/** @throws InvalidFields for what is not `{block_id: text}` of blocks of the form */
function readErrors(blocks: readonly Block[], given: unknown): Record<string, string> {
  const wrong = (field: string, message: string) =>
    new InvalidFields({ field: field.slice(0, 600), message });
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw wrong('errors', 'must be an object of texts by the ids of blocks');
  const known = new Set(blocks.map(({ block_id }) => block_id));
  const entries = Object.entries(given as Record<string, unknown>);
  if (entries.length === 0) throw wrong('errors', 'must hold at least one text');
  for (const [block, text] of entries) {
    if (!known.has(block)) throw wrong(`errors.${block}`, 'is not the id of a block of the form');
    if (typeof text !== 'string' || text === '' || text.length > LONGEST_ERROR || text.includes('\0'))
      throw wrong(`errors.${block}`, `must be a text of 1 to ${LONGEST_ERROR} characters`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}
