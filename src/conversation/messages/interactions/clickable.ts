import { Conflict, NotAllowed, type Viewer } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { InteractionRow, MessageRow } from '#schema';
import type { Act, Block } from '../../blocks/index.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import { lockMessage } from '../view/view.store.ts';

/** A message whose blocks can be used, and the application that hears of it. */
export interface Clickable {
  readonly blocks: readonly Block[];
  readonly team: string;
  readonly application: string;
}

/** Clicks in one message come one after the other. @throws NotFound for a message that the viewer does not see */
export async function lockSeen(tx: Tx, viewer: Viewer, id: string): Promise<MessageRow> {
  const seen = await accessMessage(tx, viewer, id);
  const row = await lockMessage.first(tx, { id: seen.id });
  if (!row) throw new Error(`message ${id} is gone in the transaction that read it`);
  return row;
}

/**
 * @throws Conflict for a message that was deleted, or whose blocks are gone
 * @throws NotAllowed where no application hears of it
 */
export function clickable(row: MessageRow): Clickable {
  refuseDeleted(row);
  const { blocks_json, team_id: team, application_id: application } = row;
  if (blocks_json === null) throw new Conflict('no_blocks', 'The message has no blocks any more');
  if (team === null || row.sidebar_id !== null)
    throw new NotAllowed('private_place', 'Applications do not hear of clicks in private conversations');
  if (application === null)
    throw new NotAllowed('app_not_installed', 'No application hears of clicks in this message');
  return { blocks: JSON.parse(blocks_json) as Block[], team, application };
}

/** A press or a choice in a message, or a question for options. Only the application that posted the message hears of it. */
export interface Interaction extends Act {
  /** Missing for a press or a choice. */
  readonly kind?: 'options';
  readonly id: string;
  readonly team: string;
  readonly application: string;
  readonly user: string;
  readonly message: string;
}

/** How it goes, as its person is told. */
export interface ShownInteraction {
  id: string;
  status: InteractionRow['status'];
  reason?: Failure;
}

export type Failure = NonNullable<InteractionRow['reason']>;

export const presentInteraction = ({
  id,
  status,
  reason,
}: Pick<InteractionRow, 'id' | 'status' | 'reason'>): ShownInteraction => ({
  id,
  status,
  ...(reason !== null && { reason }),
});
