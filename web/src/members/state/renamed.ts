import type { UserSummary } from '../../api/types.ts';

/** What a person changes of themselves and everybody is shown. */
const SHOWN = ['first_name', 'last_name', 'username', 'title', 'images', 'active'] as const;

/**
 * Puts a person's present name and picture wherever an answer of the server names them.
 * @returns the answer itself where it does not
 */
export function renamed<T>(answer: T, user: Partial<UserSummary> & { id: string }): T {
  if (typeof answer !== 'object' || answer === null) return answer;
  if (Array.isArray(answer)) {
    const all = answer.map((one) => renamed(one, user));
    return all.some((one, at) => one !== answer[at]) ? (all as T) : answer;
  }
  const fields = Object.entries(answer).map(([name, value]) => [name, renamed(value, user)] as const);
  const isSame = fields.every(([name, value]) => value === answer[name as keyof T]);
  const now = isSame ? answer : (Object.fromEntries(fields) as T);
  if ((answer as Partial<UserSummary>).id !== user.id || !('first_name' in answer)) return now;
  const shown = SHOWN.filter((name) => user[name] !== undefined).map((name) => [name, user[name]]);
  return { ...now, ...Object.fromEntries(shown) };
}
