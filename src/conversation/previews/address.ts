/** A longer address is no link that a person reads. */
const MAX_ADDRESS = 2000;

/** Words that name what lets somebody in. */
const SECRETS = [
  'access',
  'apikey',
  'auth',
  'authorization',
  'authkey',
  'code',
  'confirm',
  'credential',
  'credentials',
  'hmac',
  'invitation',
  'invitations',
  'invite',
  'invited',
  'invites',
  'jsessionid',
  'jwt',
  'key',
  'magic',
  'nonce',
  'otp',
  'passcode',
  'passwd',
  'password',
  'phpsessid',
  'pin',
  'pwd',
  'reset',
  'secret',
  'secrets',
  'session',
  'sessionid',
  'sid',
  'sig',
  'sign',
  'signature',
  'ticket',
  'token',
  'tokens',
  'unsubscribe',
  'verify',
];
const SECRET = new Set(SECRETS);
/** The same at the end of a word that is written in one, such as `accesstoken` and `X-Amz-Signature`. */
const ENDS = ['apikey', 'code', 'hash', 'key', 'password', 'secret', 'signature', 'token'];
/** A part of a path is a name of such a thing when it has no more words: titles of articles have. */
const MOST_WORDS = 2;

const SIGN_IN = new Set([
  'authorize',
  'cas',
  'log-in',
  'log_in',
  'login',
  'logon',
  'oauth',
  'oauth2',
  'oidc',
  'saml',
  'saml2',
  'session',
  'sessions',
  'sign-in',
  'sign_in',
  'signin',
  'signon',
  'signup',
  'sso',
  'auth',
]);
/** First labels of hosts that sign people in. */
const SIGN_IN_HOSTS = new Set(['accounts', 'auth', 'id', 'idp', 'login', 'oauth', 'signin', 'sso']);

/** Shorter than this a word is no secret worth the name. */
const LONG = 16;
/** Of so many characters one changes between digits, capitals and small letters: words seldom do, random ones all the time. */
const EACH_CHANGES = 6;
/** Longer than any word of a language that an address has. */
const LONGEST_WORD = 26;
/** Digits within a word. */
const MIXED = /\p{L}\p{N}+\p{L}/u;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const SEPARATORS = /[^\p{L}\p{N}]+/u;

/**
 * @returns the address of a page as it may be asked for, without its fragment; undefined for one that could be meant for
 * its reader alone: with a user name, or with anything that looks like a secret. Asking for it could use it up.
 */
export function pageAddress(address: string, allowsHttp = false): URL | undefined {
  if (address.length > MAX_ADDRESS) return undefined;
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' && !(allowsHttp && url?.protocol === 'http:')) return undefined;
  if (url.username !== '' || url.password !== '' || looksSecret(url)) return undefined;
  url.hash = '';
  return url;
}

/** Whether a part of the path or of the query is named like a secret, or looks like one. */
export function looksSecret({ pathname, search }: URL): boolean {
  // A parameter may stand in the path, behind a semicolon (RFC 3986 §3.3).
  const parts = pathname.split(/[/;=]/).map(plain);
  if (parts.some((part) => isNamedSecret(part, MOST_WORDS) || looksRandom(part))) return true;
  return search
    .slice(1)
    .split(/[&;]/)
    .some((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at === -1 ? ['', pair] : [pair.slice(0, at), pair.slice(at + 1)];
      return (
        isNamedSecret(plain(name), Number.POSITIVE_INFINITY) || plain(value).split('/').some(looksRandom)
      );
    });
}

/** Whether an address is one at which people sign in. */
export function looksLikeSignIn({ hostname, pathname }: URL): boolean {
  if (SIGN_IN_HOSTS.has(hostname.split('.', 1)[0] as string)) return true;
  return pathname
    .toLowerCase()
    .split('/')
    .some((part) => SIGN_IN.has(part.replace(/\.[a-z]+$/, '')));
}

function isNamedSecret(name: string, mostWords: number): boolean {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(SEPARATORS)
    .filter((word) => word !== '');
  if (words.length === 0 || words.length > mostWords) return false;
  return words.some((word) => SECRET.has(word) || ENDS.some((end) => word.endsWith(end)));
}

function looksRandom(part: string): boolean {
  if (part.length < LONG) return false;
  if (UUID.test(part)) return true;
  const words = part.split(SEPARATORS);
  if (words.some((word) => word.length > LONGEST_WORD || (word.length >= LONG && MIXED.test(word))))
    return true;
  const changes = words.reduce((sum, word) => sum + changesIn(word), 0);
  return changes * EACH_CHANGES >= part.length;
}

const kindOf = (character: string) =>
  /[0-9]/.test(character) ? 'digit' : character === character.toUpperCase() ? 'capital' : 'small';

/** How often digits, capitals and small letters take turns in a word; not where it begins with a capital. */
function changesIn(word: string): number {
  let changes = 0;
  let before = '';
  for (const [at, character] of [...word].entries()) {
    const kind = kindOf(character);
    if (at > 0 && kind !== before && !(at === 1 && before === 'capital' && kind === 'small')) changes += 1;
    before = kind;
  }
  return changes;
}

/** What is encoded wrongly stays as it is. */
function plain(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
