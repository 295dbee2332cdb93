import { type Viewer, Written, writer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { remembering } from '#platform/remembering.ts';
import type { MentionedObject } from '../../../integration/objects/index.ts';
import { UserSummary } from '../../../people/users/index.ts';
import { unpackMessage } from './message.columns.ts';
import { findBeside, mentionedIn, type Presenters, presentMessage } from './message.present.ts';
import { Message, Sidebar } from './message.schema.ts';
import type { SidebarView } from './sidebar.store.ts';
import type { PackedMessage } from './view.store.ts';

/** The parts of a message that are not in its row; few messages have any. */
interface Beside {
  readonly objects: readonly (readonly [string, MentionedObject])[];
  readonly sidebars: readonly SidebarView[];
}

const writeMessage = writer(Message, [UserSummary, Sidebar]);

export type MessageWriter = ReturnType<typeof messageWriter>;

/** Writes lists of messages. What looks alike to several viewers is written once. */
export function messageWriter(others: Presenters, baseUrl: () => string) {
  /** JSON has no line breaks of its own, so two texts can stand in one. */
  const written = remembering(baseUrl, (text) => {
    const [packed = '', beside] = text.split('\n');
    const { objects, sidebars }: Beside =
      beside === undefined ? { objects: [], sidebars: [] } : JSON.parse(beside);
    return writeMessage(presentMessage(unpackMessage(packed), new Map(objects), sidebars, others));
  });

  return async (db: Reader, rows: readonly PackedMessage[], viewer: Viewer): Promise<Written<Message>> => {
    const { objects, sidebars } = await findBeside(db, viewer, rows);
    const items = rows.map((row) => {
      const [mentioned, own] = [mentionedIn(row), sidebars.get(row.id) ?? []];
      if (mentioned.length === 0 && own.length === 0) return [written(row.packed)];
      const beside: Beside = {
        objects: [...objects].filter(([id]) => mentioned.includes(id)),
        sidebars: own,
      };
      return [written(`${row.packed}\n${JSON.stringify(beside)}`)];
    });
    return new Written(items);
  };
}
