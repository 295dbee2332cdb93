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

interface Narrowed {
  readonly scopes_json: string;
  readonly asked_json: string;
  readonly installed_json: string;
  readonly agreed_json: string;
}

/** The effective scopes of a grant's tokens. */
export const narrowed = (row: Narrowed) =>
  scopesInAll(row.scopes_json, row.asked_json, row.installed_json, row.agreed_json);
