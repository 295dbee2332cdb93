const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;

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
  // The host may be left out before a socket's folder.
  if (!hosts.split(',').every((host) => URL.canParse(`${before}${host || 'host'}${after}`)))
    throw new RangeError('not an address');
  const several = hosts.split(',');
  if (several.length > 1 && several.includes('')) throw new RangeError('a server without a name');
  const rest = withoutAttributes(after);
  return several.map((host) => `${before}${host}${rest}`);
}

/** The driver does not know `target_session_attrs`. */
function withoutAttributes(after: string): string {
  const [path = '', query = ''] = after.split('?', 2);
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
