import { lookUp, type Viewer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import type { MessagePresenter } from './message.present.ts';
import type { Message } from './message.schema.ts';
import { findMessages } from './view.store.ts';

export type MessageFinder = ReturnType<typeof messageFinder>;

/** One message by its id, as its viewer sees it. */
export function messageFinder(present: MessagePresenter) {
  /** @throws NotFound for a message that the viewer may not see */
  async function get(reader: Reader, viewer: Viewer, id: string): Promise<Message> {
    return lookUp(id, async (known) => (await find(reader, viewer, known))[0]);
  }

  /** The message in a list of one, or an empty list for a viewer who may not see it. */
  async function find(reader: Reader, viewer: Viewer, id: string): Promise<Message[]> {
    return present(reader, await findMessages(reader, viewer, [id]), viewer);
  }

  return { get, find };
}
