/**
 * What a token may do now: what was asked for, registered, granted and agreed to, all at once. Each is a JSON list, as
 * its row holds it.
 */
export function scopesInAll(...lists: readonly string[]): string[] {
  // Most tokens have none, and this runs with every request of a token.
  if (lists.includes('[]')) return [];
  const [first = [], ...others] = lists.map((json) => JSON.parse(json) as string[]);
  return first.filter((scope) => others.every((list) => list.includes(scope)));
}
