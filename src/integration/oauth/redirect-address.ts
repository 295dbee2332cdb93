import { Conflict } from '#api';

/**
 * Keeps the query of a registered address and leaves out undefined parameters. An address that was registered before
 * its parameters were checked may have one of ours, which is then there once, as ours (RFC 6749 §3.1).
 * @throws Conflict for an address registered before addresses were checked, to which no browser can be redirected
 */
export function withParameters(address: string, parameters: Record<string, string | undefined>): string {
  if (!/^[\x21-\x7e]+$/.test(address) || address.includes('\\') || !URL.canParse(address)) {
    const message = 'The application has an address that is not valid. Its owner has to enter it again.';
    throw new Conflict('wrong_address', message);
  }
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const own = withoutParameters(address, new Set(given.map(([name]) => name)));
  return `${own}${own.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}

function withoutParameters(address: string, names: ReadonlySet<string>): string {
  const start = address.indexOf('?');
  if (start < 0) return address;
  const parts = address.slice(start + 1).split('&');
  const kept = parts.filter((part) => ![...new URLSearchParams(part).keys()].some((name) => names.has(name)));
  if (kept.length === parts.length) return address;
  return kept.length === 0 ? address.slice(0, start) : `${address.slice(0, start)}?${kept.join('&')}`;
}
