/** `atext` (RFC 5322 §3.2.3), and letters beyond ASCII (RFC 6531 §3.3). */
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[\\p{L}\\p{M}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]*[\\p{L}\\p{M}\\p{N}])?';
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})*$`, 'u');
/** RFC 5321 §4.5.3.1. */
const MOST_CHARACTERS = 254;

/**
 * Whether a text is one address whose local part is a dot-string (RFC 5321 §4.1.2). Quotes, comments, groups and routes
 * are other spellings of a mailbox, which mail programs read each in their own way.
 */
export const isMailAddress = (text: string): boolean => text.length <= MOST_CHARACTERS && ADDRESS.test(text);
