import { type OwnPolicy, type ReadAddress, readAddress } from './addresses.ts';

/** A slash or a backslash that some servers read as one, and others as a letter of a name. */
const ENCODED_SLASH = /%(?:2f|5c)/i;

/** @returns the beginning of links in the form in which it is kept */
export function readLinkPrefix(text: string, policy: OwnPolicy): ReadAddress {
  const address = readAddress(text, policy);
  if (!address.ok) return address;
  if (address.href.includes('?')) return { ok: false, detail: 'must have no parameters: a path is compared' };
  if (ENCODED_SLASH.test(address.href)) return { ok: false, detail: 'must not have an encoded slash' };
  return address;
}

/**
 * Whether a link leads below an address: to its origin, and to its path or one within it. `/tasks` has `/tasks/1`, and
 * not `/tasks-old`.
 */
export function isBelow(link: string, prefix: string): boolean {
  // A browser reads a backslash as a slash; others find the host behind `one\@other`, as after a user name.
  if (link.includes('\\')) return false;
  const url = URL.parse(link);
  const base = URL.parse(prefix);
  if (!url || !base || url.origin !== base.origin || url.origin === 'null') return false;
  // A user name before an @ looks like a host to a person.
  if (url.username !== '' || url.password !== '') return false;
  const path = base.pathname.replace(/\/$/, '');
  return readingsOf(url).every((given) => given === path || given.startsWith(`${path}/`));
}

/** The path, and the one that a server finds which decodes slashes first. */
function readingsOf(url: URL): string[] {
  if (!ENCODED_SLASH.test(url.pathname)) return [url.pathname];
  const decoded = new URL(url);
  decoded.pathname = url.pathname.replaceAll(/%2f|%5c/gi, '/');
  return [url.pathname, decoded.pathname];
}
