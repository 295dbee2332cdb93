import { fitting, type Page, pageOf, timeKeyOf, type Viewer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { HIGHEST_ID } from '#platform/ids.ts';
import type { MessagePresenter } from './message.present.ts';
import type { Message } from './message.schema.ts';
import type { PagePace } from './page-pace.ts';
import { findMessages } from './view.store.ts';

/** A row that notes a message at some time, such as a pin. */
interface Note {
  readonly message_id: string;
}

/** The place in a list of notes, the newest first, of which a page asks for the next. */
export interface BeforeNote {
  readonly before: number;
  readonly beforeId: string;
  readonly limit: number;
}

/**
 * Shows the messages of a page of notes as the viewer sees them now. Those that were deleted, or are out of sight, are left
 * out.
 * @param of.find also gives one note beyond the page, where there is one
 */
export async function notedPage<Row extends Note>(
  reader: Reader,
  viewer: Viewer,
  page: Page,
  of: {
    readonly find: (place: BeforeNote) => Promise<readonly Row[]>;
    readonly at: (row: Row) => number;
    readonly present: MessagePresenter;
    readonly pace: PagePace;
  },
): Promise<{ shown: { message: Message; row: Row }[]; next: string | null }> {
  const { at: before, id: beforeId } = timeKeyOf(page) ?? { at: Number.MAX_SAFE_INTEGER, id: HIGHEST_ID };
  const rows = await of.find({ before, beforeId, limit: page.limit + 1 });
  const asked = new Map(rows.slice(0, page.limit).map((row) => [row.message_id, row]));
  await of.pace.reading(viewer, asked.size);
  const found = await findMessages(reader, viewer, [...asked.keys()]);
  const seen = found.filter(({ deleted_at }) => deleted_at === null);
  const [, end] = fitting(seen);
  const kept = seen.slice(0, end);
  await of.pace.writing(viewer, kept);
  const shown = (await of.present(reader, kept, viewer)).map((message) => ({
    message,
    row: asked.get(message.id) as Row,
  }));
  const isCut = end < seen.length;
  const last = isCut ? asked.get(kept.at(-1)?.id ?? '') : [...asked.values()].at(-1);
  const more = isCut || rows.length > page.limit;
  return { shown, next: more && last ? pageOf([String(of.at(last)), last.message_id]) : null };
}
