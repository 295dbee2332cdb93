/** As in a URL, the last @ begins the hosts: a password may have one too, and must never pass for a host. */
const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;

/** The values of `target_session_attrs` that ask for the server that takes writes. */
const PRIMARY = ['read-write', 'primary'];

/** An address that asks for a server that may take no writes. */
export class NotThePrimary extends RangeError {}

/**
 * One address for each server of an address, which may have several as libpq writes them:
 * `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`.
 * @throws RangeError for one that cannot be read
 */
export function serversOf(address: string): string[] {
  const [, before = '', hosts = '', after = ''] = ADDRESS.exec(address) ?? [];
  const several = hosts.split(',');
  // The host may be left out before a path, for a socket's folder.
  const missing = after.startsWith('/') ? 'host' : '';
  if (!several.every((host) => URL.canParse(`${before}${host || missing}${after}`)))
    throw new RangeError('not an address');
  refuseEscapes(`${before}${hosts}${parted(after)[0]}`);
  if (several.length > 1 && several.includes('')) throw new RangeError('a server without a name');
  refuseHosts(after, several.length > 1);
  const rest = checkingCertificates(withoutAttributes(after));
  return several.map((host) => `${before}${host}${rest}`);
}

/** Modes in which the driver checks the certificate as in `verify-full`, and warns that a later one will not. */
const CHECKING = /([?&]sslmode=)(?:allow|prefer|require|verify-ca)(?=&|$)/;

const checkingCertificates = (after: string) => after.replace(CHECKING, '$1verify-full');

/** The driver decodes each part. */
function refuseEscapes(text: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw new RangeError('an escape of no character');
  }
}

/** The driver takes one host and one port there, and prefers them: each of several addresses would be that one. */
function refuseHosts(after: string, isOfSeveral: boolean): void {
  const [, query] = parted(after);
  for (const name of ['host', 'port'])
    for (const value of new URLSearchParams(query).getAll(name))
      if (isOfSeveral || value.includes(',')) throw new RangeError(`several servers beside ${name}`);
}

/** The text before the first question mark, and the text after it. */
function parted(after: string): [path: string, query: string] {
  const mark = after.indexOf('?');
  return mark === -1 ? [after, ''] : [after.slice(0, mark), after.slice(mark + 1)];
}

/** The driver does not know `target_session_attrs`. */
function withoutAttributes(after: string): string {
  const [path, query] = parted(after);
  const asked = new URLSearchParams(query).get('target_session_attrs');
  if (asked === null) return after;
  if (!PRIMARY.includes(asked)) throw new NotThePrimary(asked);
  const others = query.split('&').filter((pair) => !pair.startsWith('target_session_attrs='));
  return others.length > 0 ? `${path}?${others.join('&')}` : path;
}

/** The host and port of one server. */
export function hostOf(address: string): string {
  const [, , host = ''] = ADDRESS.exec(address) ?? [];
  return host;
}
