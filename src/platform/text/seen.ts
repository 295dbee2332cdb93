/** Characters that show nothing, for a class of a regular expression: direction marks, zero-width characters, fillers, variation selectors. */
export const INVISIBLE = '\\p{Default_Ignorable_Code_Point}\\p{Cc}\\u2028\\u2029\\ufff9-\\ufffb';

/** White space, with the braille pattern without dots. */
export const BLANK = '\\s\\u2800';

const SEEN = new RegExp(`[^${BLANK}${INVISIBLE}]`, 'u');

/** Whether a text shows anything, be it a lone mark. The web application asks, too. */
export const isSeen = (text: string) => SEEN.test(text);
