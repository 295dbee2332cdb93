import { Readable } from 'node:stream';
import {
  type Again,
  InvalidFields,
  lookUp,
  NotAllowed,
  NotFound,
  turnOf,
  type UserPrincipal,
  type Viewer,
} from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type FileStore, newFileName, type Spool, type SpooledFile } from '#platform/files/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { inPortions } from '#platform/jobs/index.ts';
import type { Pictures } from '#platform/pictures/index.ts';
import type { AttachmentRow } from '#schema';
import { type AttachmentPresenter, storedItem } from './attachment.present.ts';
import type { Attachment } from './attachment.schema.ts';
import {
  deleteAttachment,
  findAttachment,
  giveUp,
  insertAttachment,
  joinMessage,
  listAttachable,
  listRemoved,
  lockAttachment,
  lockUploader,
  markReady,
  markRemoved,
  messagesWith,
  partFile,
  partMessages,
  releaseAttachment,
  sizeOfUser,
} from './attachment.store.ts';
import { contentTypeOf } from './content-type.ts';
import { cleanFileName } from './file-name.ts';
import { thumbnailOf } from './thumbnail.ts';

/** The most messages with one file: access to the file is looked up in each of them. */
const MAX_MESSAGES = 100;
/** An upload that has been arriving for longer was interrupted, unless this process still receives it. */
export const ARRIVING_MS = 2 * 3600 * 1000;
const REMOVED_AT_ONCE = 100;

/** Joined in src/app: whether the viewer sees one of these messages. */
export type CanSee = (reader: Reader, viewer: Viewer, messageIds: readonly string[]) => Promise<boolean>;

/** Runs the last step in one transaction. The fingerprint tells one upload from another. */
type Commit = (
  fingerprint: string,
  work: (tx: Tx) => Promise<Attachment[]>,
  again: Again<Attachment>,
) => Promise<Attachment[]>;

export type AttachmentService = ReturnType<typeof attachmentService>;

export function attachmentService(deps: {
  db: Database;
  clock: Clock;
  files: FileStore;
  spool: Spool;
  present: AttachmentPresenter;
  canSee: CanSee;
  pictures: Pictures;
  /** In bytes; 0 for no limit. */
  userQuota: number;
  orphanLifetimeMs: number;
}) {
  const { db, clock, files, spool, present, canSee, pictures, userQuota, orphanLifetimeMs } = deps;
  /** The uploads that this process is storing: the clock may jump meanwhile. */
  const underWay = new Set<string>();

  /** Keeps a received file. Only once its bytes are safe does anybody see it. @throws NotAllowed beyond the quota */
  async function keep(
    principal: UserPrincipal,
    given: { file: SpooledFile; name: string | undefined },
    commit: Commit,
  ): Promise<Attachment[]> {
    const { userId, grant } = principal;
    const { file } = given;
    const contentType = await contentTypeOf(file.path);
    const picture = await thumbnailOf(pictures, { origin: turnOf(principal), file: file.path });
    const now = clock();
    const row: AttachmentRow = {
      id: newId(),
      user_id: userId,
      application_id: grant?.applicationId ?? null,
      status: 'arriving',
      name: cleanFileName(given.name),
      content_type: contentType,
      size: file.size,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      file: newFileName(),
      thumbnail_file: picture ? newFileName() : null,
      num_messages: 0,
      released_at: now,
      created_at: now,
    };
    underWay.add(row.id);
    try {
      await db.write((tx) => announce(tx, row));
      return await storeAndShow(row, file, picture?.bytes, commit);
    } finally {
      underWay.delete(row.id);
    }
  }

  async function storeAndShow(
    row: AttachmentRow,
    file: SpooledFile,
    thumbnail: Uint8Array | undefined,
    commit: Commit,
  ): Promise<Attachment[]> {
    const abandon = () => db.write((tx) => giveUp.run(tx, { id: row.id }));
    try {
      await storeBytes(row, file, thumbnail);
      const shown = await commit(`${file.sha256} ${row.name}`, (tx) => show(tx, row), showAgain);
      // A repeated request gets its first upload again, and needs no second one.
      if (shown[0]?.id !== row.id) await abandon();
      return shown;
    } catch (error) {
      await abandon();
      throw error;
    }
  }

  /** @throws NotAllowed for more than a user may have */
  async function announce(tx: Tx, row: AttachmentRow): Promise<void> {
    if (userQuota > 0) await lockUploader.first(tx, { userId: row.user_id });
    await insertAttachment.run(tx, row);
    if (userQuota === 0) return;
    const size = await sizeOfUser.first(tx, { userId: row.user_id });
    // PostgreSQL sums whole numbers to a text.
    if (Number(size?.total) <= userQuota) return;
    throw new NotAllowed('upload_quota', `All your uploads together may be ${userQuota} bytes`);
  }

  async function storeBytes(row: AttachmentRow, file: SpooledFile, thumbnail: Uint8Array | undefined) {
    await files.put(row.file, file);
    if (!thumbnail || row.thumbnail_file === null) return;
    const small = await spool.receive(Readable.from([thumbnail]));
    try {
      await files.put(row.thumbnail_file, small);
    } finally {
      await small.discard();
    }
  }

  async function show(tx: Tx, row: AttachmentRow): Promise<Attachment[]> {
    if (!(await markReady.first(tx, { id: row.id }))) throw new Error('The upload took too long');
    return [present.attachment(row)];
  }

  /** @throws NotFound when it was removed meanwhile */
  async function showAgain(tx: Tx, id: string): Promise<Attachment[]> {
    const row = await findAttachment.first(tx, { id });
    if (!row) throw new NotFound();
    return [present.attachment(row)];
  }

  /**
   * @param held files that the message holds already
   * @throws InvalidFields for an upload that {@link attach} would refuse
   */
  async function check(
    reader: Reader,
    uploader: UserPrincipal,
    ids: readonly string[],
    held: readonly string[] = [],
  ): Promise<void> {
    const fresh = [...new Set(ids)].filter((id) => !held.includes(id));
    if (fresh.length === 0) return;
    const found = await listAttachable.all(reader, { ...attachableTo(uploader), ids: fresh });
    const known = new Set([...held, ...found.map(({ id }) => id)]);
    const wrong = ids.findIndex((id) => !known.has(id));
    if (wrong !== -1) throw notAttachable(wrong);
  }

  /**
   * Gives a message, which the same transaction writes, these files: uploads that it does not hold join it, and what it
   * holds besides is let go.
   * @param message its id, the team or the direct conversation in which its files are listed, and those that it holds
   * @returns what the message keeps of the uploads that join it, by their ids
   * @throws InvalidFields for an upload that is unknown, another user's or application's, or in too many messages
   */
  async function attach(
    tx: Tx,
    uploader: UserPrincipal,
    message: { readonly id: string; readonly placeId: string | null; readonly held: readonly string[] },
    ids: readonly string[],
  ): Promise<Map<string, unknown>> {
    const joined = new Map<string, unknown>();
    // Rows are locked in one order everywhere, so that no two transactions deadlock.
    for (const id of [...new Set([...ids, ...message.held])].sort()) {
      const isWanted = ids.includes(id);
      if (isWanted && message.held.includes(id)) continue;
      if (!isWanted) {
        await partFile.run(tx, { messageId: message.id, attachmentId: id });
        await releaseAttachment.run(tx, { id, messages: 1, now: clock() });
        continue;
      }
      const row = await lockAttachment.first(tx, { ...attachableTo(uploader), id });
      if (!row) throw notAttachable(ids.indexOf(id));
      await joinMessage.run(tx, { messageId: message.id, attachmentId: id, placeId: message.placeId });
      joined.set(id, storedItem(row));
    }
    return joined;
  }

  /** Takes the files of some messages from them. */
  async function detach(tx: Tx, messageIds: readonly string[]): Promise<void> {
    const parted = await partMessages.all(tx, { messageIds });
    const ids = parted.map((row) => row.attachment_id);
    for (const id of [...new Set(ids)].sort()) {
      const messages = ids.filter((one) => one === id).length;
      await releaseAttachment.run(tx, { id, messages, now: clock() });
    }
  }

  /** @throws NotFound for a viewer who neither uploaded it nor sees a message that holds it */
  async function access(viewer: Viewer, id: string): Promise<AttachmentRow> {
    const row = await lookUp(id, (known) => findAttachment.first(db, { id: known }));
    if (isUploader(viewer, row)) return row;
    const messages = await messagesWith.all(db, { id: row.id });
    const ids = messages.map((message) => message.message_id);
    if (!(await canSee(db, viewer, ids))) throw new NotFound();
    return row;
  }

  /** Removes what no message took up, and what interrupted uploads left. */
  async function sweep(stopping: AbortSignal): Promise<void> {
    const now = clock();
    const orphans = { status: 'ready', before: now - orphanLifetimeMs } as const;
    const unfinished = { status: 'arriving', before: now - ARRIVING_MS } as const;
    for (const kind of [orphans, unfinished])
      await inPortions(db, (tx) => markRemoved(tx, { ...kind, but: [...underWay] }), stopping);
    for (const row of await listRemoved.all(db, { limit: REMOVED_AT_ONCE })) {
      if (stopping.aborted) return;
      await files.delete(row.file);
      if (row.thumbnail_file !== null) await files.delete(row.thumbnail_file);
      // Last: while the row is there, the next round knows what is left to delete.
      await db.write((tx) => deleteAttachment.run(tx, { id: row.id }));
    }
    await spool.removeLeftovers(ARRIVING_MS);
  }

  return { keep, check, attach, detach, access, sweep, item: present.item, urls: present.urls };
}

/** An application does not count as the uploader of a file that its user uploaded without it. */
const isUploader = ({ userId, reach }: Viewer, row: AttachmentRow) =>
  row.user_id === userId && (!reach || row.application_id === reach.applicationId);

const attachableTo = ({ userId, grant }: UserPrincipal) => ({
  userId,
  applicationId: grant?.applicationId ?? null,
  most: MAX_MESSAGES,
});

function notAttachable(index: number): InvalidFields {
  const message = `must be the id of an upload of your own, in fewer than ${MAX_MESSAGES} messages`;
  return new InvalidFields({ field: `attachments.files.${index}`, message });
}
