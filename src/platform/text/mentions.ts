import { type Format, type Inline, linesOf, readText } from './formatting.ts';

/** The name that calls all members of a team. */
export const TEAM = 'team';

/** For so long after a message was posted, an edit notifies those whom it names for the first time. */
export const EDITS_CALL_MS = 10 * 60_000;

/** Further names in a text are ignored. */
const MAX_MENTIONS = 100;

/**
 * @returns the user names that a text calls, in lower case: none in code, in a quote or in the text of a link. A dot at the
 * end may belong to the sentence or to the name, so both are given.
 */
export function mentionedNames(text: string, format?: Format): Set<string> {
  const names = new Set<string>();
  if (!text.includes('@')) return names;
  let count = 0;
  for (const line of linesOf(readText(text, format), false))
    for (const { text: name, longest = name } of mentionsAmong(line)) {
      if (count++ >= MAX_MENTIONS) return names;
      names.add(longest.toLowerCase());
      names.add(name.toLowerCase());
    }
  return names;
}

type Mention = Inline & { kind: 'mention' };

const mentionsAmong = (pieces: readonly Inline[]): Mention[] =>
  pieces.flatMap((piece) => {
    if (piece.kind === 'mention') return [piece];
    return piece.kind !== 'link' && 'children' in piece ? mentionsAmong(piece.children) : [];
  });
