import { InvalidFields, lookUp, type Page, pageOf, timestamp, type Viewer } from '#api';
import type { Database, Reader } from '#platform/db/index.ts';
import { HIGHEST_ID, parseId } from '#platform/ids.ts';
import { fold } from '#platform/text/fold.ts';
import { findConversation } from '../direct/conversation.store.ts';
import { accessTeam } from '../lists/team.access.ts';
import { type FileCursor, type FileView, findFiles, listFilesBelow } from '../view/file.view.ts';
import { bareOf, type Presenters, showsAddresses } from '../view/message.present.ts';
import type { PagePace } from '../view/page-pace.ts';
import type { FileKind, FilesQuery, PostedFile } from './file.schema.ts';

/** Read at once where some are left out. */
const AT_ONCE = 200;
/** Looked at for one page: what one looks for may be rare, and the next page goes on from there. */
export const MOST_LOOKED_AT = 2000;

export interface FileListing {
  readonly files: PostedFile[];
  readonly next: string | null;
}

/** The addresses of a file. */
export type Urls = (
  file: Pick<FileView, 'id' | 'thumbnail_file'>,
) => Pick<PostedFile, 'url' | 'thumbnail_url'>;

export type FileService = ReturnType<typeof fileService>;

/** Lists of files. Each is looked up through its message, as the viewer sees that now. */
export function fileService(deps: { db: Database; presenters: Presenters; urls: Urls; pace: PagePace }) {
  const { db, presenters, urls, pace } = deps;
  const bare = bareOf(presenters);

  /** @throws NotFound for a team that the viewer is not in, or does not reach */
  async function ofTeam(viewer: Viewer, team: string, query: FilesQuery, page: Page): Promise<FileListing> {
    const reader = await db.forLists();
    return list(reader, viewer, await accessTeam(reader, viewer, team), query, page);
  }

  /** @throws NotFound for a conversation that the viewer is not in */
  async function ofConversation(
    viewer: Viewer,
    id: string,
    query: FilesQuery,
    page: Page,
  ): Promise<FileListing> {
    const reader = await db.forLists();
    const { userId } = viewer;
    const found = await lookUp(id, (known) => findConversation.first(reader, { userId, id: known }));
    return list(reader, viewer, found.id, query, page);
  }

  async function list(
    reader: Reader,
    viewer: Viewer,
    placeId: string,
    query: FilesQuery,
    page: Page,
  ): Promise<FileListing> {
    const fits = matcher(query);
    const [messageId = HIGHEST_ID, fileId = HIGHEST_ID] = page.after ?? [];
    const found: FileView[] = [];
    let place: FileCursor = { messageId, fileId };
    /** The last one that the viewer sees: what they do not see leaves no trace in a cursor. */
    let shown: FileCursor | undefined;
    const goesOn = (after: FileCursor) => ({
      files: present(viewer, found),
      next: pageOf([after.messageId, after.fileId]),
    });
    const { q, kind, user } = query;
    const isWhole = q === undefined && kind === undefined && user === undefined;
    // One more than the page holds tells whether another one follows.
    const limit = isWhole ? page.limit + 1 : AT_ONCE;
    for (let seen = 0; seen < MOST_LOOKED_AT; seen += limit) {
      await pace.reading(viewer, limit);
      const held = await listFilesBelow.all(reader, { placeId, ...place, limit });
      for (const row of await seenAmong(reader, viewer, held)) {
        const isWanted = fits(row);
        if (isWanted && shown && found.length === page.limit) return goesOn(shown);
        if (isWanted) found.push(row);
        shown = { messageId: row.message_id, fileId: row.id };
      }
      const last = held.at(-1);
      if (!last || held.length < limit) return { files: present(viewer, found), next: null };
      place = { messageId: last.message_id, fileId: last.attachment_id };
    }
    return goesOn(shown ?? { messageId: endOfMillisecond(place.messageId), fileId: HIGHEST_ID });
  }

  const present = (viewer: Viewer, rows: readonly FileView[]): PostedFile[] => {
    const { users } = showsAddresses(viewer) ? presenters : bare;
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      type: row.content_type,
      size: row.size,
      ...urls(row),
      width: row.width,
      height: row.height,
      message: row.message_id,
      ...(row.root_id !== null && { reply_to: row.root_id }),
      ...(row.sidebar_id !== null && { sidebar: row.sidebar_id }),
      author: users.summary({ ...row, id: row.author_id }),
      posted_at: timestamp(row.posted_at),
    }));
  };

  return { ofTeam, ofConversation };
}

/** Leaves out the files that the viewer does not see, and keeps the order. */
async function seenAmong(reader: Reader, viewer: Viewer, held: readonly Held[]): Promise<FileView[]> {
  if (held.length === 0) return [];
  const messageIds = [...new Set(held.map(({ message_id }) => message_id))];
  const rows = await findFiles(reader, viewer, { messageIds });
  const byFile = new Map(rows.map((row) => [`${row.message_id} ${row.id}`, row]));
  return held.flatMap((one) => byFile.get(`${one.message_id} ${one.attachment_id}`) ?? []);
}

interface Held {
  readonly message_id: string;
  readonly attachment_id: string;
}

/** The highest id of the millisecond in which another one was made (RFC 9562 §5.7). */
const endOfMillisecond = (id: string) => id.slice(0, 13) + HIGHEST_ID.slice(13);

/** @throws InvalidFields */
function matcher({ q, kind, user }: FilesQuery): (file: FileView) => boolean {
  const part = q === undefined ? '' : fold(q.trim());
  const authorId = user === undefined ? undefined : parseId(user);
  if (user !== undefined && authorId === undefined)
    throw new InvalidFields({ field: 'user', message: 'must be the id of a user' });
  return (file) =>
    (authorId === undefined || file.author_id === authorId) &&
    (kind === undefined || kindOf(file.content_type) === kind) &&
    (part === '' || fold(file.name).includes(part));
}

const KINDS: Readonly<Record<string, FileKind>> = { image: 'picture', video: 'video', audio: 'audio' };

const kindOf = (type: string): FileKind => KINDS[type.split('/', 1)[0] ?? ''] ?? 'document';
