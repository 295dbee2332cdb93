import { type Viewer, Written, writer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { remembering } from '#platform/remembering.ts';
import { linksOf } from '../../../integration/objects/index.ts';
import { UserSummary } from '../../../people/users/index.ts';
import { unpackMessage } from './message.columns.ts';
import { type Presenters, parse, presentMessage, type StoredMention } from './message.present.ts';
import { Message, Sidebar } from './message.schema.ts';
import { listSidebars, type SidebarView } from './sidebar.store.ts';
import type { PackedMessage } from './view.store.ts';

/** What few messages have beside their row: the addresses of mentioned objects, and the viewer's sidebars. */
interface Beside {
  readonly links: readonly (readonly [string, string])[];
  readonly sidebars: readonly SidebarView[];
}

const writeMessage = writer(Message, [UserSummary, Sidebar]);

export type MessageWriter = ReturnType<typeof messageWriter>;

/** Writes lists of messages. What looks alike to several viewers is written once. */
export function messageWriter(others: Presenters, baseUrl: () => string) {
  /** JSON has no line breaks of its own, so two texts can stand in one. */
  const written = remembering(baseUrl, (text) => {
    const [packed = '', beside] = text.split('\n');
    const { links, sidebars }: Beside =
      beside === undefined ? { links: [], sidebars: [] } : JSON.parse(beside);
    return writeMessage(presentMessage(unpackMessage(packed), new Map(links), sidebars, others));
  });

  return async (db: Reader, rows: readonly PackedMessage[], viewer: Viewer): Promise<Written<Message>> => {
    const mentionsOf = new Map(rows.map((row) => [row, parse<StoredMention>(row.mentions_json)]));
    const [links, sidebars] = await Promise.all([
      linksOf(
        db,
        [...mentionsOf.values()].flat().map(({ id }) => id),
      ),
      rows.length === 0
        ? []
        : listSidebars(
            db,
            viewer,
            rows.map(({ id }) => id),
          ),
    ]);
    const sidebarsOf = Map.groupBy(sidebars, (sidebar) => sidebar.message_id);
    const items = rows.map((row) => {
      const mentioned = mentionsOf.get(row)?.map(({ id }) => id) ?? [];
      const own = sidebarsOf.get(row.id) ?? [];
      if (mentioned.length === 0 && own.length === 0) return written(row.packed);
      const beside: Beside = { links: [...links].filter(([id]) => mentioned.includes(id)), sidebars: own };
      return written(`${row.packed}\n${JSON.stringify(beside)}`);
    });
    return new Written([items.join(',')]);
  };
}
