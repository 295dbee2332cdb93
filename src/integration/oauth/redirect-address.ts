import { Conflict } from '#api';

/**
 * A registered address may have a query of its own. What is undefined is left out.
 * @throws Conflict for an address from before addresses were checked, which no browser can be sent to
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
