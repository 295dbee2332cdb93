import { lookUp, NotFound, type Viewer } from '#api';
import { type Reader, together } from '#platform/db/index.ts';
import type { MessagePresenter } from './message.present.ts';
import type { Message } from './message.schema.ts';
import { findMessages } from './view.store.ts';

export type MessageFinder = ReturnType<typeof messageFinder>;

/** A message, and who looks at it. */
export interface Look {
  readonly viewer: Viewer;
  readonly id: string;
}

/** Messages by their ids, as their viewers see them. */
export function messageFinder(present: MessagePresenter) {
  /** @throws NotFound for a message that the viewer may not see */
  async function get(reader: Reader, viewer: Viewer, id: string): Promise<Message> {
    return lookUp(id, async (known) => (await find(reader, viewer, known))[0]);
  }

  /** The message in a list of one, or an empty list for a viewer who may not see it. */
  async function find(reader: Reader, viewer: Viewer, id: string): Promise<Message[]> {
    return present(reader, await findMessages(reader, viewer, [id]), viewer);
  }

  /** Some messages in this order, with one read for each viewer. @throws NotFound for one that its viewer may not see */
  async function getAll(reader: Reader, looks: readonly Look[]): Promise<Message[]> {
    const byViewer = Map.groupBy(looks, ({ viewer }) => JSON.stringify(viewer));
    const seen = new Map<Look, Message>();
    const read = async (own: readonly Look[]) => {
      const [{ viewer }] = own as [Look];
      const rows = await findMessages(
        reader,
        viewer,
        own.map(({ id }) => id),
      );
      const messages = new Map((await present(reader, rows, viewer)).map((message) => [message.id, message]));
      for (const look of own) seen.set(look, messages.get(look.id) ?? notThere());
    };
    await together([...byViewer.values()].map(read));
    return looks.map((look) => seen.get(look) as Message);
  }

  return { get, getAll, find };
}

function notThere(): never {
  throw new NotFound();
}
