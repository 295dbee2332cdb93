/**
 * The effective scopes of a token: the intersection of the requested, registered, granted and agreed ones. Each is a
 * JSON list, as stored.
 */
export function scopesInAll(...lists: readonly string[]): string[] {
  // Most tokens have none, and this runs with every request of a token.
  if (lists.includes('[]')) return [];
  const [first = [], ...others] = lists.map((json) => JSON.parse(json) as string[]);
  return first.filter((scope) => others.every((list) => list.includes(scope)));
}
