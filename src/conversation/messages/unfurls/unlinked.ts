import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { linksOf } from '../view/message.links.ts';
import { deleteSome, listShown, noteUnfurls } from './unfurl.store.ts';

/** Drops the cards of links that an edit took out of the text. */
export async function dropUnlinked(
  tx: Tx,
  row: Pick<MessageRow, 'id' | 'text' | 'format' | 'updated_at' | 'links_json' | 'has_unfurls'>,
): Promise<void> {
  if (row.has_unfurls !== 1) return;
  const links = new Set(linksOf(row));
  const shown = await listShown.all(tx, { messageId: row.id });
  const gone = shown.filter(({ url }) => !links.has(url)).map(({ id }) => id);
  if (gone.length === 0) return;
  await deleteSome.run(tx, { ids: gone });
  await noteUnfurls.run(tx, { messageId: row.id });
}
