import { isBrokenOff, type Outbound, type OutboundResponse } from '#platform/outbound/index.ts';
import { looksLikeSignIn, pageAddress } from './address.ts';
import { decodePage, type Head, readHead } from './page.ts';

export const MOST_REDIRECTS = 3;
/** For all requests of a page together; the same again for its picture. */
export const VISIT_MS = 5000;
export const PAGE_BYTES = 512 * 1024;
export const PICTURE_BYTES = 2 * 1024 * 1024;

export interface Page extends Head {
  /** Where the page was in the end. */
  readonly address: URL;
}

/** Nothing comes of an address; or the server's stop ended the call, and it can be asked again. */
export type NoAnswer = 'nothing' | 'broken off';

interface Wanted {
  readonly accept: string;
  readonly maxBytes: number;
  /** Media types, or their beginnings. */
  readonly types: readonly string[];
  /** @returns the address in a form that may be asked for */
  readonly allows: (address: string) => URL | undefined;
}

export type Visitor = ReturnType<typeof visitor>;

/**
 * Asks for pages and their pictures: by GET, without cookies, without telling where the link stood. Each redirect is
 * checked like a first request, here and by the guard of outbound calls.
 * @param deps.allowsHttp for tests, where pages are on this machine
 */
export function visitor({ outbound, allowsHttp = false }: { outbound: Outbound; allowsHttp?: boolean }) {
  const pages: Wanted = {
    accept: 'text/html',
    maxBytes: PAGE_BYTES,
    types: ['text/html'],
    allows: (address) => {
      const url = pageAddress(address, allowsHttp);
      return url && looksLikeSignIn(url) ? undefined : url;
    },
  };
  const pictures: Wanted = {
    accept: 'image/webp,image/png,image/jpeg,image/gif,image/avif',
    maxBytes: PICTURE_BYTES,
    types: ['image/'],
    // The address is the page's or the block's own, which all who read it are told.
    allows: (address) => {
      const url = URL.parse(address);
      if (url?.protocol !== 'https:' && !(allowsHttp && url?.protocol === 'http:')) return undefined;
      url.hash = '';
      return url;
    },
  };

  /** @param owner for whom it is asked @returns what the page says of itself, and where it is in the end */
  async function page(address: string, owner: string): Promise<Page | NoAnswer> {
    const found = await ask(address, owner, pages);
    if (typeof found === 'string') return found;
    const { answer, at } = found;
    const head = readHead(decodePage(answer.bytes, answer.headers['content-type'] ?? ''));
    return head ? { ...head, address: at } : 'nothing';
  }

  /** @param base of an address that a page names @returns the bytes, which may be anything */
  async function picture(address: string, owner: string, base?: URL) {
    const url = URL.parse(address.trim(), base?.href);
    if (!url) return 'nothing';
    const found = await ask(url.href, owner, pictures);
    if (typeof found === 'string') return found;
    // A part of a picture is none.
    return found.answer.truncated ? 'nothing' : found.answer.bytes;
  }

  async function ask(
    address: string,
    owner: string,
    { accept, maxBytes, types, allows }: Wanted,
  ): Promise<{ answer: OutboundResponse; at: URL } | NoAnswer> {
    const until = performance.now() + VISIT_MS;
    let url = allows(address);
    // Where the server would pack the body all the same, it is not read: what is small packed may be endless.
    const headers = { accept, 'accept-encoding': 'identity' };
    const isWanted = (status: number, given: OutboundResponse['headers']) =>
      status === 200 &&
      (given['content-encoding'] ?? 'identity') === 'identity' &&
      types.some((type) => given['content-type']?.trim().toLowerCase().startsWith(type));
    for (let redirects = 0; url !== undefined && redirects <= MOST_REDIRECTS; redirects++) {
      const timeoutMs = until - performance.now();
      if (timeoutMs <= 0) return 'nothing';
      const answer = await outbound.get(url.href, maxBytes, owner, { headers, timeoutMs, wants: isWanted });
      if (!answer.ok) return isBrokenOff(answer) ? 'broken off' : 'nothing';
      if (isWanted(answer.status, answer.headers)) return { answer, at: url };
      const { location } = answer.headers;
      if (!REDIRECTS.has(answer.status) || location === undefined) return 'nothing';
      url = allows(URL.parse(location, url.href)?.href ?? '');
    }
    return 'nothing';
  }

  return { page, picture };
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
