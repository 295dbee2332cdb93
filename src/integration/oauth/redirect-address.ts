import { Conflict } from '#api';

/**
 * Keeps the query of a registered address and leaves out undefined parameters.
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
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
