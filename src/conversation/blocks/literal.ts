/** Signs of formatting where they could mean something: a backslash before them ends that. */
const SIGNS = [
  /`/,
  /\*(?! )|(?<! )\*/,
  /~(?=~)|(?<=~)~/,
  /(?<!\w)_|_(?!\w)/,
  // The text of a link ends.
  /\](?=\()/,
  // Names of emoji and of people, and the place of an object.
  /:(?=[a-z0-9_+-]{2,32}:)/,
  /@(?=[A-Za-z0-9])/,
  /\{(?=0\})/,
  /(?<=^[ \t]*)[#>]/,
];
/** An address stays whole. */
const ADDRESS = /https?:\/\/[^\s<>"`[\]]+/;
const SIGN = new RegExp([ADDRESS, ...SIGNS].map(({ source }) => source).join('|'), 'gm');
/**
 * Places where a backslash ends nothing, so that an invisible sign is put there: the beginning of a list, the second line
 * of a table, and a sign that follows a backslash.
 */
const UNESCAPED =
  /^[ \t]{0,80}(?=(?:[-+*]|\d{1,9}[.)])[ \t])|^[ \t]{0,80}(?=\|?[ \t]{0,80}:?-+:?[ \t]{0,80}\|)|(?<=\\)(?=[*_~`[\]{}@:#>|])/gm;
const UNSEEN = '\u2060';

/** @returns a text that a message shows exactly as this one was written. Addresses in it are links */
export const literal = (text: string): string =>
  text
    .replaceAll(UNESCAPED, `$&${UNSEEN}`)
    .replaceAll(SIGN, (found) => (found.length > 1 ? found : `\\${found}`));
