/*
 * Which addresses are this server's own, and which of them no text of a person may link to: with the reader's session a
 * click there would act for the reader. Browsers, servers and proxies read many spellings as one, so all of them count.
 */

/** The parts of the server that are not pages for members: the API, its documents, and the first set-up. */
const INNER = /^\/(?:v1|docs|set-up)(?![a-z0-9_-])/;
/** More layers of percent-encoding than an honest address has. */
const MOST_LAYERS = 5;

/** @returns whether the address leads to the API, the documents or the set-up of the server at `origin` */
export function leadsInside(address: string, origin: string): boolean {
  const url = URL.parse(address);
  if (!url || !isOnServer(url, origin)) return false;
  const path = plainPath(url.pathname);
  return path === undefined || INNER.test(path);
}

/** @returns whether the address is on the host and the port of the server at `origin`, whatever its scheme and path */
export function isOnServer(url: URL, origin: string): boolean {
  const own = URL.parse(origin);
  return own !== null && hostOf(url) === hostOf(own) && portsOf(own).includes(portOf(url));
}

/** @returns the path as the most lenient server reads it; undefined for one that is encoded too often to tell */
function plainPath(path: string): string | undefined {
  let plain = path;
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const before = plain;
    plain = before.replaceAll(/%([0-7][0-9a-f])/gi, (_, code) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (plain === before) return withoutDots(plain);
  }
  return undefined;
}

function withoutDots(path: string): string | undefined {
  const slashes = path.replaceAll(/[\\/]+/g, '/').replaceAll(/[?#]/g, '');
  return URL.parse(`http://host${slashes}`)?.pathname.toLowerCase();
}

const LOOPBACK =
  /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[0-9a-f]{2}:[0-9a-f]+|0:0)\])$/;

/** The parser has lower-cased the name and turned it into ASCII. A dot at its end changes nothing. */
function hostOf({ hostname }: URL): string {
  const host = hostname.replace(/(?<!\.)\.+$/, '');
  return LOOPBACK.test(host) ? 'localhost' : host;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

/** A server on one of the two ports of the web is commonly reached by the other one too. */
function portsOf(own: URL): readonly string[] {
  const port = portOf(own);
  return port === '80' || port === '443' ? ['80', '443'] : [port];
}

/** A word of a text that a mail program may turn into a link, with or without a scheme. */
const WORD = /[^\s<>"']+/g;
const START = /https?:/i;

/** @returns the text, in which addresses that lead inside the server at `origin` are no links for any program */
export function withoutInnerLinks(text: string, origin: string): string {
  return text.replaceAll(WORD, (word) => (isInnerWord(word, origin) ? inert(word) : word));
}

function isInnerWord(word: string, origin: string): boolean {
  if (!/[./\\%]/.test(word)) return false;
  const start = word.search(START);
  const address = start >= 0 ? word.slice(start) : `https://${word.replace(/^[^\p{L}\p{N}[]+/u, '')}`;
  return leadsInside(address, origin);
}

/** An invisible word joiner keeps mail programs from taking a text for an address. */
export const inert = (text: string): string =>
  text.replaceAll('://', ': ').replaceAll(/(?<=[\p{L}\p{N}])[.@](?=[\p{L}\p{N}])/gu, '$&\u2060');
