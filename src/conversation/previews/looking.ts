import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { Stopping } from '#api';
import type { Spool } from '#platform/files/index.ts';
import { PICTURE_TYPES, type PictureOrder, type Pictures } from '#platform/pictures/index.ts';
import type { PageCard } from '../messages/index.ts';
import type { ShownPicture } from '../pictures/index.ts';
import { pageAddress } from './address.ts';
import type { NoAnswer, Visitor } from './visit.ts';

/** What is shown of a page. */
export interface Look {
  readonly card: PageCard;
  readonly picture: ShownPicture | undefined;
}

export const PREVIEW_EDGE = 1200;
/** A page's picture that is smaller counts readers rather than showing them something. */
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

export interface LookAt {
  page(address: string, owner: string): Promise<Look | NoAnswer>;
  picture(address: string, owner: string): Promise<ShownPicture | NoAnswer>;
}

/**
 * Looks at pages and pictures as anybody may see them, so what is remembered of one is the same for all who show it.
 * @param deps.owner in a call, for whom the page is asked for
 */
export function looking(deps: {
  visitor: Visitor;
  pictures: Pictures;
  spool: Spool;
  allowsHttp: boolean;
}): LookAt {
  const { visitor, pictures, spool, allowsHttp } = deps;
  const pages = new LRUCache<string, Promise<Look | NoAnswer>>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  const shown = new LRUCache<string, Promise<ShownPicture | NoAnswer>>({
    ...{ max: REMEMBERED, ttl: REMEMBERED_MS },
  });

  async function look(address: string, owner: string): Promise<Look | NoAnswer> {
    const page = await visitor.page(address, owner);
    if (typeof page === 'string') return page;
    const { title, text, site, address: at } = page;
    const found = page.picture === undefined ? 'nothing' : await pictureAt(page.picture, owner, at);
    if (found === 'broken off') return found;
    const isShown = found !== 'nothing' && Math.min(found.width, found.height) >= LEAST_EDGE;
    const picture = isShown ? found : undefined;
    const size = picture && { width: picture.width, height: picture.height };
    const card = { title, text, fields: [], site, host: at.host, ...(size && { picture: size }) };
    return { card, picture };
  }

  async function pictureAt(address: string, owner: string, base?: URL): Promise<ShownPicture | NoAnswer> {
    const bytes = await visitor.picture(address, owner, base);
    if (typeof bytes === 'string') return bytes;
    const file = await spool.receive(Readable.from([bytes]));
    try {
      const made = await pictures.make({ source: `previews of ${owner}`, known: false }, file.path, ORDER);
      return (typeof made !== 'string' && fitted(made.sizes.get(NAME), made)) || 'nothing';
    } catch (error) {
      if (error instanceof Stopping) return 'broken off';
      // Too many pictures wait: what names it is shown without one.
      return 'nothing';
    } finally {
      await file.discard();
    }
  }

  return {
    page: async (link, owner) => {
      const address = pageAddress(link, allowsHttp)?.href;
      return address === undefined ? 'nothing' : once(pages, address, () => look(address, owner));
    },
    picture: (address, owner) =>
      // Blocks have addresses of https alone, which tests cannot serve.
      once(shown, address, () =>
        pictureAt(allowsHttp ? address.replace(/^https:/, 'http:') : address, owner),
      ),
  };
}

/** What was found at an address is remembered, unless the call was broken off. */
function once<Found>(
  known: LRUCache<string, Promise<Found | NoAnswer>>,
  address: string,
  ask: () => Promise<Found | NoAnswer>,
): Promise<Found | NoAnswer> {
  const before = known.get(address);
  if (before) return before;
  const found = ask();
  known.set(address, found);
  const forget = () => known.delete(address);
  found.then((seen) => seen === 'broken off' && forget(), forget);
  return found;
}

function fitted(
  bytes: Uint8Array | undefined,
  { width, height }: { width: number; height: number },
): ShownPicture | undefined {
  if (!bytes || bytes.length > MOST_STORED) return undefined;
  const part = Math.min(1, PREVIEW_EDGE / Math.max(width, height));
  return {
    bytes,
    width: Math.max(1, Math.round(width * part)),
    height: Math.max(1, Math.round(height * part)),
  };
}
