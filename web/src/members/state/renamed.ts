import type { UserSummary } from '../../api/types.ts';

/** The fields that people change of themselves and that everybody is shown. */
const SHOWN = ['first_name', 'last_name', 'username', 'title', 'images', 'active'] as const;

/**
 * Puts a person's present name and picture wherever an answer of the server names them.
 * @returns the answer itself where it does not
 */
export function renamed<T>(answer: T, user: Partial<UserSummary> & { id: string }): T {
  if (typeof answer !== 'object' || answer === null) return answer;
  // Copied when the first of its values changes: most answers, and most of each, are read through only.
  let now: Record<string, unknown> | undefined;
  const put = (name: string, value: unknown) => {
    now ??= (Array.isArray(answer) ? [...answer] : { ...answer }) as Record<string, unknown>;
    now[name] = value;
  };
  const known = answer as Record<string, unknown>;
  for (const name of Object.keys(known)) {
    const value = renamed(known[name], user);
    if (value !== known[name]) put(name, value);
  }
  if (known.id === user.id && 'first_name' in known)
    for (const name of SHOWN)
      if (user[name] !== undefined && user[name] !== known[name]) put(name, user[name]);
  return (now ?? answer) as T;
}
