import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { Stopping } from '#api';
import type { Spool } from '#platform/files/index.ts';
import { PICTURE_TYPES, type PictureOrder, type Pictures } from '#platform/pictures/index.ts';
import type { PageCard } from '../messages/index.ts';
import type { ShownPicture } from '../pictures/index.ts';
import { pageAddress } from './address.ts';
import type { NoAnswer, Page, Visitor } from './visit.ts';

/** What is shown of a page. */
export interface Look {
  readonly card: PageCard;
  readonly picture: ShownPicture | undefined;
}

export const PREVIEW_EDGE = 1200;
/** What is smaller counts readers rather than showing them something. */
const LEAST_EDGE = 32;
/** Encoded again: a photograph has less. */
export const MOST_STORED = 512 * 1024;
const NAME = 'preview';
const ORDER: PictureOrder = {
  types: PICTURE_TYPES,
  sizes: [{ name: NAME, width: PREVIEW_EDGE, height: PREVIEW_EDGE, fit: 'inside' }],
  quality: 75,
};
/** A page that many post in these minutes is asked for once. */
export const REMEMBERED_MS = 5 * 60_000;
const REMEMBERED = 32;

export type LookAt = (address: string, owner: string) => Promise<Look | NoAnswer>;

/**
 * Looks at pages as anybody may see them, so what is remembered of one is the same for all who link to it.
 * @param deps.owner in a call, for whom the page is asked for
 */
export function looking(deps: {
  visitor: Visitor;
  pictures: Pictures;
  spool: Spool;
  allowsHttp: boolean;
}): LookAt {
  const { visitor, pictures, spool, allowsHttp } = deps;
  const known = new LRUCache<string, Promise<Look | NoAnswer>>({ max: REMEMBERED, ttl: REMEMBERED_MS });

  async function look(address: string, owner: string): Promise<Look | NoAnswer> {
    const page = await visitor.page(address, owner);
    if (typeof page === 'string') return page;
    const picture = await pictureOf(page, owner);
    if (picture === 'broken off') return picture;
    const { title, text, site, address: at } = page;
    const size = picture && { width: picture.width, height: picture.height };
    const card = { title, text, fields: [], site, host: at.host, ...(size && { picture: size }) };
    return { card, picture };
  }

  async function pictureOf(page: Page, owner: string): Promise<ShownPicture | 'broken off' | undefined> {
    if (page.picture === undefined) return undefined;
    const bytes = await visitor.picture(page, owner);
    if (typeof bytes === 'string') return bytes === 'broken off' ? bytes : undefined;
    const file = await spool.receive(Readable.from([bytes]));
    try {
      const made = await pictures.make({ source: `previews of ${owner}`, known: false }, file.path, ORDER);
      return typeof made === 'string' ? undefined : fitted(made.sizes.get(NAME), made);
    } catch (error) {
      if (error instanceof Stopping) return 'broken off';
      // Too many pictures wait: the page is shown without one.
      return undefined;
    } finally {
      await file.discard();
    }
  }

  return (link, owner) => {
    const address = pageAddress(link, allowsHttp)?.href;
    if (address === undefined) return Promise.resolve('nothing');
    const before = known.get(address);
    if (before) return before;
    const found = look(address, owner);
    known.set(address, found);
    const forget = () => known.delete(address);
    found.then((seen) => seen === 'broken off' && forget(), forget);
    return found;
  };
}

function fitted(
  bytes: Uint8Array | undefined,
  { width, height }: { width: number; height: number },
): ShownPicture | undefined {
  if (!bytes || bytes.length > MOST_STORED || Math.min(width, height) < LEAST_EDGE) return undefined;
  const part = Math.min(1, PREVIEW_EDGE / Math.max(width, height));
  return {
    bytes,
    width: Math.max(1, Math.round(width * part)),
    height: Math.max(1, Math.round(height * part)),
  };
}
