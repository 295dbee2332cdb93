const PERSONAL = ['email', 'username', 'last_name', 'title', 'location', 'company'] as const;

/** @returns the same JSON with everything blanked that identifies one user, except their id */
export function withoutPerson(value: unknown, userId: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPerson(item, userId));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withoutPerson(item, userId)]);
  const copy = Object.fromEntries(entries) as Record<string, unknown>;
  if (copy.user_id === userId && 'address' in copy) copy.address = '';
  if (copy.id !== userId) return copy;
  for (const name of PERSONAL) if (name in copy) copy[name] = '';
  if ('first_name' in copy) copy.first_name = 'Deleted user';
  if ('images' in copy) copy.images = [];
  return copy;
}
