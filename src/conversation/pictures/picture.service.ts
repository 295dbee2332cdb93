import { Readable } from 'node:stream';
import { NotFound, type Viewer } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type FileStore, newFileName, type Spool } from '#platform/files/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { inPortions } from '#platform/jobs/index.ts';
import type { PictureRow } from '#schema';
import {
  deletePicture,
  findPicture,
  insertPicture,
  listOfPlace,
  listRemoved,
  markInterrupted,
  markShown,
  releaseOf,
  releaseSome,
} from './picture.store.ts';
import type { PicturePlace, References } from './reference.ts';

/** WebP, as our decoder made it. */
export interface ShownPicture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** No picture takes longer to be stored. */
const ARRIVING_MS = 3600_000;
const REMOVED_AT_ONCE = 100;

/** Joined in src/app: for each kind of place, whether the viewer sees it. */
export type CanSeePlace = Readonly<
  Record<PicturePlace['kind'], (reader: Reader, viewer: Viewer, id: string) => Promise<boolean>>
>;

export type PictureService = ReturnType<typeof pictureService>;

/** Pictures of foreign origin that are shown on our pages: fetched, encoded again and handed out by this server. */
export function pictureService(deps: {
  db: Database;
  clock: Clock;
  files: FileStore;
  spool: Spool;
  references: References;
  canSee: CanSeePlace;
  baseUrl: () => string;
}) {
  const { db, clock, files, spool, references, canSee, baseUrl } = deps;

  const address = (place: PicturePlace, pictureId: string): string =>
    `${baseUrl()}/v1/pictures/${references.write(place, pictureId)}`;

  /**
   * Stores the bytes. Until {@link show} nobody sees them; what is not shown within the hour is removed.
   * @param source_url of a picture in blocks: where they say it is
   */
  async function keep(
    placeId: string,
    { bytes, width, height }: ShownPicture,
    source_url: string | null = null,
  ): Promise<string> {
    const id = newId();
    const row = { id, place_id: placeId, file: newFileName(), size: bytes.length, width, height, source_url };
    await db.write((tx) => insertPicture.run(tx, { ...row, status: 'arriving', released_at: clock() }));
    const file = await spool.receive(Readable.from([bytes]));
    try {
      await files.put(row.file, file);
    } finally {
      await file.discard();
    }
    return id;
  }

  /** In the transaction that writes what shows it. */
  async function show(tx: Tx, id: string): Promise<void> {
    if (!(await markShown.first(tx, { id }))) throw new Error('The picture took too long');
  }

  /** Hides pictures from this transaction on; their files are deleted later. */
  const release = (tx: Tx, ids: readonly string[]) => releaseSome.run(tx, { ids, now: clock() });

  const releaseAll = (tx: Tx, placeIds: readonly string[]) => releaseOf.run(tx, { placeIds, now: clock() });

  /** Releases those of a place that it does not show any more. */
  async function keepOnly(tx: Tx, placeId: string, shown: ReadonlySet<string>): Promise<void> {
    const known = await listOfPlace.all(tx, { placeId });
    const ids = known.map(({ id }) => id).filter((id) => !shown.has(id));
    if (ids.length > 0) await release(tx, ids);
  }

  /** @throws NotFound alike for a reference that is not ours, a picture that is gone, and a viewer who may not see it */
  async function access(viewer: Viewer, reference: string): Promise<PictureRow> {
    const named = references.read(reference);
    if (!named) throw new NotFound();
    const { place, pictureId } = named;
    const row = await findPicture.first(db, { id: pictureId, placeId: place.id });
    if (!row || !(await canSee[place.kind](db, viewer, place.id))) throw new NotFound();
    return row;
  }

  async function sweep(stopping: AbortSignal): Promise<void> {
    await inPortions(db, (tx) => markInterrupted(tx, { before: clock() - ARRIVING_MS }), stopping);
    for (const { id, file } of await listRemoved.all(db, { limit: REMOVED_AT_ONCE })) {
      if (stopping.aborted) return;
      await files.delete(file);
      // Last: while the row is there, the next round knows what is left to delete.
      await db.write((tx) => deletePicture.run(tx, { id }));
    }
  }

  return { address, keep, show, release, releaseAll, keepOnly, access, sweep };
}
