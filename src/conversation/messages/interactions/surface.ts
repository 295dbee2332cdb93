import { Conflict, NotAllowed, type Viewer } from '#api';
import type { Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import type { InteractionRow, MessageRow } from '#schema';
import type { Act, Block } from '../../blocks/index.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import { lockMessage } from '../view/view.store.ts';
import { findClick, insertInteraction } from './interaction.store.ts';

/** A message, a form or a home, which its person sees and this transaction has locked. */
export interface Surface {
  readonly kind: InteractionRow['surface'];
  readonly id: string;
  /** @throws Conflict @throws NotAllowed where nothing in it can be used now */
  readonly open: () => Usable;
}

/** Blocks that can be used, and the application that hears of it. */
export interface Usable {
  readonly blocks: readonly Block[];
  readonly team: string;
  readonly application: string;
  readonly message: string | null;
  readonly form?: ToldForm;
}

/** A form as its application is told of it. */
export interface ToldForm {
  readonly id: string;
  readonly hash: string;
  readonly title: string;
  readonly callback_id?: string;
  readonly metadata?: string;
}

/** Clicks in one message come one after the other. @throws NotFound for a message that the viewer does not see */
export async function lockSeen(tx: Tx, viewer: Viewer, id: string): Promise<Surface> {
  const seen = await accessMessage(tx, viewer, id);
  const row = await lockMessage.first(tx, { id: seen.id });
  if (!row) throw new Error(`message ${id} is gone in the transaction that read it`);
  return { kind: 'message', id: row.id, open: () => usable(row) };
}

/**
 * @throws Conflict for a message that was deleted, or whose blocks are gone
 * @throws NotAllowed where no application hears of it
 */
function usable(row: MessageRow): Usable {
  refuseDeleted(row);
  const { blocks_json, application_id: application, direct_application_id: direct } = row;
  const team = row.team_id ?? row.direct_team_id;
  if (blocks_json === null) throw new Conflict('no_blocks', 'The message has no blocks any more');
  if (team === null || row.sidebar_id !== null || (direct !== null && direct !== application))
    throw new NotAllowed('private_place', 'Applications do not hear of clicks in private conversations');
  if (application === null)
    throw new NotAllowed('app_not_installed', 'No application hears of clicks in this message');
  return { blocks: JSON.parse(blocks_json) as Block[], team, application, message: row.id };
}

/** A command or a shortcut, by its name. */
export interface Asked {
  readonly command?: string;
  /** The arguments of a command. */
  readonly text?: string;
  readonly action_id?: string;
}

/**
 * A press or a choice, a question for options, what somebody asked for by its name, or what became of a form or a home. One
 * application hears of it: the one that posted the message, opened the form, or has the name.
 */
export interface Interaction extends Partial<Act>, Asked {
  readonly id: string;
  readonly kind: InteractionRow['kind'];
  readonly team: string;
  readonly application: string;
  readonly user: string;
  readonly message?: string;
  readonly form?: ToldForm;
}

/** In the transaction of the click or question. */
export type Publish = (tx: Tx, interaction: Interaction) => Promise<void>;

type Begun = Pick<
  InteractionRow,
  | 'kind'
  | 'click'
  | 'user_id'
  | 'place_id'
  | 'surface'
  | 'message_id'
  | 'block_id'
  | 'action_id'
  | 'team_id'
  | 'application_id'
  | 'value_hash'
  | 'created_at'
>;

/** The fields of an interaction that its kind brings. */
export type Told = Partial<Act> & Asked & { readonly form?: ToldForm | undefined };

/** Tells an application of what somebody does, which is pending for some time. The same click that comes twice is told once. */
export async function begin(
  tx: Tx,
  publish: Publish,
  begun: Begun,
  { told, pendingMs }: { told: Told; pendingMs: number },
): Promise<InteractionRow> {
  const expires_at = begun.created_at + pendingMs;
  const made: InteractionRow = {
    id: newId(),
    ...begun,
    status: 'pending',
    reason: null,
    expires_at,
    due_at: expires_at,
    uses: 0,
    options_json: null,
    form_id: null,
  };
  if (!(await insertInteraction.first(tx, made))) {
    const known = await findClick.first(tx, made);
    if (!known) throw new Error(`click ${made.click} is neither new nor known`);
    return known;
  }
  const { id, kind, team_id: team, application_id: application, user_id: user, message_id } = made;
  const message = message_id === null ? {} : { message: message_id };
  const { form, ...what } = told;
  await publish(tx, { id, kind, team, application, user, ...message, ...what, ...(form && { form }) });
  return made;
}

/** How it goes, as its person is told. */
export interface ShownInteraction {
  id: string;
  status: InteractionRow['status'];
  reason?: Failure;
  /** The form with which its application has answered. */
  form?: string;
}

export type Failure = NonNullable<InteractionRow['reason']>;

export const presentInteraction = ({
  id,
  status,
  reason,
  form_id,
}: Pick<InteractionRow, 'id' | 'status' | 'reason' | 'form_id'>): ShownInteraction => ({
  id,
  status,
  ...(reason !== null && { reason }),
  ...(form_id !== null && { form: form_id }),
});
