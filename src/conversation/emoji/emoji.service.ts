import { Conflict, listPage, NotAllowed, NotFound, type Page, timestamp } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import type { Recorder } from '../../stewardship/audit/index.ts';
import type { CustomEmoji } from './emoji.schema.ts';
import {
  countEmoji,
  deleteEmoji,
  findEmoji,
  findPicture,
  insertEmoji,
  type ListedEmoji,
  lockOldest,
  pageOfEmoji,
} from './emoji.store.ts';
import { foldName, isEmojiName } from './emoji-name.ts';
import type { EmojiPicture } from './emoji-picture.ts';

/** Of one server: each client loads the list. */
export const MOST_EMOJI = 1000;
/** Of one person who does not administer the server: no member takes the room of all. */
export const MOST_EMOJI_OF_PERSON = 200;

/** The people who may add custom emoji (`CUSTOM_EMOJI`). */
export type WhoAdds = 'members' | 'admins' | 'off';

/** A person, and whether they administer the server. */
export interface Adder {
  readonly userId: string;
  readonly superuser?: boolean;
}

export type EmojiService = ReturnType<typeof emojiService>;

/** The emoji that the people of a server add to those of Unicode. */
export function emojiService(deps: {
  db: Database;
  clock: Clock;
  baseUrl: () => string;
  record: Recorder;
  whoAdds: WhoAdds;
}) {
  const { db, clock, baseUrl, record, whoAdds } = deps;

  /** @throws NotAllowed */
  function refuseAdding({ superuser }: Adder): void {
    if (whoAdds === 'off') throw new NotAllowed('emoji_off', 'Nobody may add emoji on this server');
    if (whoAdds === 'admins' && !superuser)
      throw new NotAllowed('emoji_admins', 'Administrators of the server add its emoji');
  }

  /** @throws Conflict for a name that is taken, and for one emoji too many of the server or of the person */
  async function add(
    tx: Tx,
    { userId, superuser }: Adder,
    of: { name: string } & EmojiPicture,
  ): Promise<CustomEmoji> {
    await lockOldest.first(tx, {});
    const count = await countEmoji.first(tx, { userId });
    if (Number(count?.emoji) >= MOST_EMOJI)
      throw new Conflict('too_many_emoji', `A server has at most ${MOST_EMOJI} emoji of its own`);
    if (!superuser && Number(count?.own) >= MOST_EMOJI_OF_PERSON)
      throw new Conflict('too_many_own_emoji', `A member adds at most ${MOST_EMOJI_OF_PERSON} emoji`);
    const row = {
      name: of.name,
      version: newId(),
      created_by: userId,
      created_at: clock(),
      animated: Number(of.moving !== undefined),
      still: base64(of.still),
      moving: of.moving ? base64(of.moving) : null,
    };
    if (!(await insertEmoji.first(tx, row)))
      throw new Conflict('emoji_name', `There is an emoji :${of.name}: already`);
    await record(tx, { action: 'emoji.added', detail: { name: of.name } });
    return present(row);
  }

  /** Messages and reactions keep its name. @throws NotFound @throws NotAllowed unless added by the caller or as an administrator */
  async function remove(tx: Tx, { userId, superuser }: Adder, given: string): Promise<void> {
    const name = foldName(given);
    const row = isEmojiName(name) ? await findEmoji.first(tx, { name }) : undefined;
    if (!row) throw new NotFound();
    if (row.created_by !== userId && !superuser)
      throw new NotAllowed(
        'emoji_of_another',
        'Who added an emoji may delete it, and administrators of the server',
      );
    if (!(await deleteEmoji.first(tx, { name }))) throw new NotFound();
    await record(tx, { action: 'emoji.deleted', detail: { name } });
  }

  async function list(page: Page) {
    const [after = ''] = page.after ?? [];
    const { rows, next } = await listPage(
      page,
      (limit) => pageOfEmoji.all(db, { after, limit: limit ?? MOST_EMOJI }),
      (row) => [row.name],
    );
    return { emoji: rows.map(present), next };
  }

  /** @throws NotFound unless the address is one that a list holds */
  async function picture(name: string, version: string, variant: string): Promise<Buffer> {
    const known = parseId(version);
    const found = known && isEmojiName(name) && (await findPicture.first(db, { name, version: known }));
    const content = found && (variant === 'moving' ? found.moving : variant === 'still' ? found.still : null);
    if (!content) throw new NotFound();
    return Buffer.from(content, 'base64');
  }

  function present(row: ListedEmoji): CustomEmoji {
    const url = (variant: 'moving' | 'still') =>
      `${baseUrl()}/v1/emoji/${encodeURIComponent(row.name)}/${variant}/${row.version}`;
    return {
      name: row.name,
      url: url(row.animated === 1 ? 'moving' : 'still'),
      still_url: url('still'),
      animated: row.animated === 1,
      creator: row.created_by,
      created_at: timestamp(row.created_at),
    };
  }

  /** Whether one may react with a custom emoji of this name. */
  const exists = async (reader: Reader, name: string): Promise<boolean> =>
    isEmojiName(name) && (await findEmoji.first(reader, { name })) !== undefined;

  return { refuseAdding, add, remove, list, picture, exists };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
