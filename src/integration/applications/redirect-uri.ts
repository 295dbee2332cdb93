import { isOnServer } from '#platform/text/index.ts';
import { type OwnPolicy, type ReadAddress, readAddress, readSpelling } from './addresses.ts';

/** RFC 8252 §7.3: a program that listens on its user's own machine. Other spellings of these hosts do not count. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::([1-9]\d{0,4}))?(\/.*)?$/;

/** RFC 8252 §7.1: the scheme is a domain name in reverse, so it has a dot, and no scheme of a browser has one. */
const PRIVATE_USE = /^([a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+):\//i;

/** Schemes that begin with the name of a browser's own scheme: nobody owns a domain of that name. */
const BROWSERS = /^(?:https?|wss?|ftp|file|data|blob|about|javascript|vbscript)\./i;

const ALLOWED =
  'A redirect address begins with https://, with http:// and 127.0.0.1, [::1] or localhost, or with a scheme of your own that has a dot, as com.example.app:/';

/**
 * The redirect address of a client in its normalised form. The browser goes there and not the server, so programs on
 * the person's own machine may have theirs on any server.
 */
export function readRedirectUri(text: string, policy: OwnPolicy): ReadAddress {
  if (isPrivateUse(text)) return readPrivateUse(text);
  const isLoopback = isLoopbackRedirect(text.toLowerCase());
  const address = readAddress(text, isLoopback ? { ...policy, allowLoopback: true } : policy);
  if (!address.ok) return address.reason === 'not_https' ? { ...address, detail: ALLOWED } : address;
  return isSpelledAsRead(text, address.href) ? address : { ok: false, detail: ALLOWED };
}

function readPrivateUse(text: string): ReadAddress {
  const url = URL.parse(text);
  if (!url) return { ok: false, detail: 'This is not an absolute address.' };
  if (text.includes('#')) return { ok: false, detail: 'The address must not contain a fragment (#).' };
  if (url.username || url.password || /^[^/]*\/\/[^/?]*@/.test(text))
    return { ok: false, detail: 'The address must not contain a user name or password.' };
  return readSpelling(text, url);
}

/** The parser takes numbers and short forms for 127.0.0.1, and others may not: `http://127.1/` is not what is compared. */
function isSpelledAsRead(text: string, href: string): boolean {
  if (!href.startsWith('http:')) return true;
  const start = `http://${URL.parse(href)?.hostname}`;
  return text.toLowerCase().startsWith(start) && /^(?:[:/?]|$)/.test(text.slice(start.length));
}

export const isPrivateUse = (uri: string): boolean => PRIVATE_USE.test(uri) && !BROWSERS.test(uri);
export const isLoopbackRedirect = (uri: string): boolean => LOOPBACK.test(uri);

/**
 * The first address of a site. On a server for development sites are on loopback, too; elsewhere a program listens
 * there, which nobody but itself knows to be running. @returns undefined for programs alone
 */
export const siteOf = (uris: readonly string[], allowLoopback: boolean): string | undefined =>
  uris.find((uri) => uri.startsWith('https:') || (allowLoopback && uri.startsWith('http:')));

/** Where the answer goes, for the person who is asked: a host, or the scheme of a program. */
export const destinationOf = (uri: string): string =>
  PRIVATE_USE.exec(uri)?.[1] ?? URL.parse(uri)?.host ?? '';

/**
 * Whether a request names a registered address: the same text (RFC 9700 §2.1), except that the root may omit its slash,
 * and that a program on loopback listens on the port that it gets (RFC 8252 §7.3).
 * @param origin of this server, whose own port no program has
 */
export function matchesRedirectUri(registered: string, given: string, origin: string): boolean {
  if (given === registered || (isRoot(registered) && registered === `${given}/`)) return true;
  const portless = withoutPort(registered);
  if (portless === undefined || portless !== withoutPort(given)) return false;
  const url = URL.parse(given);
  return url !== null && !isOnServer(url, origin);
}

const isRoot = (uri: string) => uri === `${URL.parse(uri)?.origin}/`;

function withoutPort(uri: string): string | undefined {
  const [, start, , path = '/'] = LOOPBACK.exec(uri) ?? [];
  return start && start + path;
}

/**
 * Parameters of an authorization response. A redirect address must not hold them (RFC 6749 §3.1: no parameter twice): ours are
 * appended, and a client that takes the first one would take the address's.
 */
const RESERVED = [
  'access_token',
  'code',
  'error',
  'error_description',
  'error_uri',
  'expires_in',
  'id_token',
  'iss',
  'platform_team_id',
  'response',
  'session_state',
  'state',
  'token_type',
];

/** The first parameter of a redirect address that belongs to the answer. */
export const reservedParameter = (text: string): string | undefined => firstOf(RESERVED, text);

/** The same for the address where a login begins. */
export const loginParameter = (text: string): string | undefined =>
  firstOf(['iss', 'platform_team_id', 'code'], text);

function firstOf(names: readonly string[], text: string): string | undefined {
  const parameters = URL.parse(text)?.searchParams;
  return names.find((name) => parameters?.has(name));
}
