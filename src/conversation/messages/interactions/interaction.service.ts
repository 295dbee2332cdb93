import { Conflict, NotAllowed, type Viewer } from '#api';
import type { Tx } from '#platform/db/index.ts';
import { type Act, type Block, type GivenAct, readAct } from '../../blocks/index.ts';
import { accessMessage, refuseDeleted } from '../view/message.access.ts';
import { lockMessage } from '../view/view.store.ts';

/** A press or a choice in a message. Only the application that posted the message hears of it. */
export interface Interaction extends Act {
  readonly id: string;
  readonly team: string;
  readonly application: string;
  readonly user: string;
  readonly message: string;
}

export type InteractionService = ReturnType<typeof interactionService>;

export function interactionService(deps: {
  /** In the transaction of the click. */
  publish: (tx: Tx, interaction: Interaction) => Promise<void>;
  /** @throws NotAllowed for an application that does not hear of this team */
  expectHearing: (tx: Tx, application: string, team: string) => Promise<void>;
}) {
  const { publish, expectHearing } = deps;

  /**
   * Tells the application of a click.
   * @throws NotFound for a message that the viewer does not see
   * @throws Conflict for a message that was deleted, or whose blocks are gone
   * @throws NotAllowed where no application hears of it
   * @throws InvalidFields
   */
  async function act(tx: Tx, viewer: Viewer, id: string, click: string, given: GivenAct): Promise<void> {
    const seen = await accessMessage(tx, viewer, id);
    const row = await lockMessage.first(tx, { id: seen.id });
    if (!row) throw new Error(`message ${id} is gone in the transaction that read it`);
    refuseDeleted(row);
    const { blocks_json, team_id: team, application_id: application } = row;
    if (blocks_json === null) throw new Conflict('no_blocks', 'The message has no blocks any more');
    if (team === null || row.sidebar_id !== null)
      throw new NotAllowed('private_place', 'Applications do not hear of clicks in private conversations');
    if (application === null)
      throw new NotAllowed('app_not_installed', 'No application hears of clicks in this message');
    const told = readAct(JSON.parse(blocks_json) as Block[], given);
    await expectHearing(tx, application, team);
    await publish(tx, { id: click, team, application, user: viewer.userId, message: row.id, ...told });
  }

  return { act };
}
