import { readText } from '#platform/text/formatting.ts';
import { plainText } from '#platform/text/index.ts';

/** Signs of formatting where they mean something: a backslash before them ends that. */
const SIGNS = /[*_~`[\]|]|:(?=[a-z0-9_+-]{2,32}:)|@(?=[A-Za-z0-9])|\{(?=0\})|(?<=^[ \t]*)[#>]/gm;
/** An address stays whole. */
const ADDRESS = /(https?:\/\/[^\s<>"`[\]]+)/;
/** What a backslash does not end has a sign before it that is not seen: the beginning of a list, and a sign that follows a backslash. */
const LIST = /^([ \t]*)(?=(?:[-+*]|\d{1,9}[.)])[ \t])/gm;
const AFTER_BACKSLASH = /(?<=\\)(?=[*_~`[\]{}@:#>|])/g;
const UNSEEN = '\u2060';

/** @returns a text that a message shows exactly as this one was written. Addresses in it are links */
export function literal(text: string): string {
  if (isInert(text)) return text;
  return text
    .replaceAll(LIST, `$1${UNSEEN}`)
    .replaceAll(AFTER_BACKSLASH, UNSEEN)
    .split(ADDRESS)
    .map((piece, at) => (at % 2 === 1 ? piece : piece.replaceAll(SIGNS, '\\$&')))
    .join('');
}

/** Whether nothing of a text means anything: it has neither formatting nor names. */
export const isInert = (text: string): boolean =>
  plainText(text) === text &&
  readText(text).every(
    (block) =>
      block.kind === 'paragraph' && block.children.every(({ kind }) => kind === 'text' || kind === 'link'),
  );
