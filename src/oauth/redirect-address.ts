/** A registered address may have a query of its own. What is undefined is left out. */
export function withParameters(address: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`;
}
