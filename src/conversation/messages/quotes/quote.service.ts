import { InvalidFields, type Viewer, type Written } from '#api';
import type { Database } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID, parseId } from '#platform/ids.ts';
import type { Message } from '../view/message.schema.ts';
import type { MessageWriter } from '../view/message.writer.ts';
import type { PagePace } from '../view/page-pace.ts';
import { packMessages } from '../view/view.store.ts';

/** Messages in an answer. */
export const MOST_QUOTED = 20;

export type QuoteService = ReturnType<typeof quoteService>;

export function quoteService(deps: {
  db: Database;
  clock: Clock;
  writeMessages: MessageWriter;
  pace: PagePace;
}) {
  const { db, clock, writeMessages, pace } = deps;

  /**
   * Each by its id, as the viewer sees it at this moment; null where there is nothing for them. What is no id is looked
   * for like all others. A replica might not know yet that a right has ended, so it is not asked.
   * @throws InvalidFields for too many
   */
  async function find(viewer: Viewer, given: readonly string[]): Promise<Written<Message | null>> {
    if (given.length > MOST_QUOTED)
      throw new InvalidFields({ field: 'messages', message: `must be at most ${MOST_QUOTED} ids` });
    const ids = given.map((id) => parseId(id.trim()) ?? LOWEST_ID);
    await pace.reading(viewer, ids.length);
    const found = await packMessages(db, viewer, { ids: [...new Set(ids)], now: clock() });
    const byId = new Map(found.map((row) => [row.id, row]));
    return writeMessages(
      db,
      ids.map((id) => byId.get(id)),
      viewer,
    );
  }

  return { find };
}
