import type { UserSummary } from '../../api/types.ts';

/** The fields that people change of themselves and that everybody is shown. */
const SHOWN = ['first_name', 'last_name', 'username', 'title', 'images', 'active'] as const;

type Known = Readonly<Record<string, unknown>>;
const NOTHING: Known = {};

/**
 * Puts a person's present name and picture wherever an answer of the server names them.
 * @returns the answer itself where it does not
 */
export function renamed<T>(answer: T, user: Partial<UserSummary> & { id: string }): T {
  const shown = SHOWN.filter((name) => user[name] !== undefined).map((name) => [name, user[name]]);
  const now: Known = Object.fromEntries(shown);
  return changedIn(answer, (known) => (known.id === user.id && 'first_name' in known ? now : NOTHING));
}

/** The same for the name of a subject, at the messages about it. */
export const withSubject = <T>(answer: T, id: string, subject: string): T =>
  changedIn(answer, (known) => (known.subject_id === id && 'subject' in known ? { subject } : NOTHING));

/** @param changesOf gives what is put into an object of the answer */
function changedIn<T>(answer: T, changesOf: (known: Known) => Known): T {
  if (typeof answer !== 'object' || answer === null) return answer;
  const known = answer as Known;
  // Copied when the first of its values changes: most answers, and most of each, are read through only.
  let now: Record<string, unknown> | undefined;
  const put = (name: string, value: unknown) => {
    if (value === known[name]) return;
    now ??= (Array.isArray(answer) ? [...answer] : { ...answer }) as Record<string, unknown>;
    now[name] = value;
  };
  for (const name of Object.keys(known)) put(name, changedIn(known[name], changesOf));
  for (const [name, value] of Object.entries(changesOf(known))) put(name, value);
  return (now ?? answer) as T;
}
