import { type Viewer, Written, writer } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { remembering } from '#platform/remembering.ts';
import type { MentionedObject } from '../../../objects/index.ts';
import { UserSummary } from '../../../people/users/index.ts';
import { unpackMessage } from './message.columns.ts';
import {
  type Beside,
  findBeside,
  forViewers,
  mentionedIn,
  type Presenters,
  presentMessage,
} from './message.present.ts';
import { Message, Sidebar, Unfurl } from './message.schema.ts';
import type { PagePace } from './page-pace.ts';
import type { PackedMessage } from './view.store.ts';

/** The parts of a message that are not in its row, as JSON; few messages have any. */
interface Packed extends Omit<Beside, 'objects'> {
  readonly objects: readonly (readonly [string, MentionedObject])[];
}

const NOTHING: Packed = { objects: [], sidebars: [], unfurls: [], pictures: [] };

const writeMessage = writer(Message, [UserSummary, Sidebar, Unfurl]);

export type MessageWriter = ReturnType<typeof messageWriter>;

/** Writes lists of messages, long ones in turns. What looks alike to several viewers is written once. */
export function messageWriter(others: Presenters, baseUrl: () => string, pace: PagePace) {
  /** JSON has no line breaks of its own, so two texts can stand in one. */
  const writtenBy = (presenters: Presenters) =>
    remembering(baseUrl, (text) => {
      const [packed = '', beside] = text.split('\n');
      const { objects, ...own }: Packed = beside === undefined ? NOTHING : JSON.parse(beside);
      return writeMessage(
        presentMessage(unpackMessage(packed), { objects: new Map(objects), ...own }, presenters),
      );
    });
  const writtenFor = forViewers(others, writtenBy);

  /** @param rows undefined gives null in its place */
  return async <Row extends PackedMessage | undefined>(
    db: Reader,
    rows: readonly Row[],
    viewer: Viewer,
  ): Promise<Written<Message | (undefined extends Row ? null : never)>> => {
    const known = rows.filter((row) => row !== undefined);
    const { objects, unfurls, ownOf } = await findBeside(db, viewer, known);
    await pace.writing(viewer, [...known, ...unfurls]);
    const written = writtenFor(viewer);
    const items = rows.map((row) => {
      if (row === undefined) return ['null'];
      const mentioned = mentionedIn(row);
      const own = ownOf(row.id);
      const count = mentioned.length + own.sidebars.length + own.unfurls.length + own.pictures.length;
      if (count === 0) return [written(row.packed)];
      const beside: Packed = { objects: [...objects].filter(([id]) => mentioned.includes(id)), ...own };
      return [written(`${row.packed}\n${JSON.stringify(beside)}`)];
    });
    return new Written(items);
  };
}
