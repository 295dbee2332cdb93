/**
 * A user name after an @ that is not inside a word. It ends where no letter of its script goes on: `@adaé` calls nobody, and
 * Chinese, which has no spaces, may follow.
 */
export const NAME_CALLED =
  '(?<![\\w.@+-])@(?<mention>[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?![\\p{Script=Latin}\\p{M}])';

/** Addresses are found to be passed over. */
const MENTION = new RegExp(`https?://[^\\s<>"]+|${NAME_CALLED}`, 'gu');

/** The name that calls all members of a team. */
export const TEAM = 'team';

/** For so long after a message was posted, an edit notifies those whom it names for the first time. */
export const EDITS_CALL_MS = 10 * 60_000;

/** Further names in a text are ignored. */
const MAX_MENTIONS = 100;

/**
 * @returns the user names that a text may mention, in lower case. A dot at the end may belong to the sentence or to
 * the name, so both are given.
 */
export function mentionedNames(text: string): Set<string> {
  const names = new Set<string>();
  for (const { groups } of text.matchAll(MENTION)) {
    const name = groups?.mention;
    if (name === undefined) continue;
    if (names.size >= MAX_MENTIONS) break;
    names.add(name.toLowerCase());
    names.add(name.toLowerCase().replace(/(?<![._-])[._-]+$/, ''));
  }
  return names;
}
