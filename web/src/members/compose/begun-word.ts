import { COMMAND_NAME } from './commands.ts';

/** A name that is being typed, from its sign to the cursor. */
export interface BegunWord {
  readonly sign: '@' | ':' | '/';
  /** Behind the sign. */
  readonly typed: string;
  /** Where the sign is. */
  readonly start: number;
}

/** The longest name, with its sign and what stands before it. */
const NEAR = 192;

const OF_NAME = "[\\p{L}\\p{M}\\p{N}._'’-]";
/** People have up to four names, with one blank between them. */
const PERSON = new RegExp(`(?<![\\w.@+-])@(${OF_NAME}{0,40}(?:(?<=${OF_NAME}) ${OF_NAME}{0,40}){0,3})$`, 'u');

/** Scripts that put no blanks between words, emoji and their parts, so that a name may follow at once. */
const UNBROKEN =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}' +
  '\\ufe0f\\u20e3';
/** Where no name begins: in a word, a time, an address, a path, a key of JSON, and behind another colon. */
const BOUNDARY = `(?<!(?![${UNBROKEN}])[\\p{L}\\p{M}\\p{N}:/\\\\@#&=%$^+|)\\]}"'\`.<-])`;
/** Two letters: one is an emoticon, as in `:D`. */
const EMOJI = new RegExp(`${BOUNDARY}:((?=(?:[^\\p{L}]*\\p{L}){2})[\\p{L}\\p{M}\\p{N}_+'-]{2,60})$`, 'u');
const CLOSED_EMOJI = new RegExp(`${BOUNDARY}:([a-z0-9_+'-]{1,60}):$`, 'u');
const GOES_ON = new RegExp(`^(?![${UNBROKEN}])[\\p{L}\\p{N}:]`, 'u');

/** A command stands at the beginning of the text. */
const BEGUN_COMMAND = new RegExp(`^/((?:${COMMAND_NAME})?)$`, 'u');

/** @returns the name of a command, a person or an emoji that ends at the cursor */
export function begunWord(text: string, cursor: number): BegunWord | undefined {
  const command = cursor <= NEAR ? BEGUN_COMMAND.exec(text.slice(0, cursor))?.[1] : undefined;
  if (command !== undefined) return { sign: '/', typed: command, start: 0 };
  const near = text.slice(Math.max(0, cursor - NEAR), cursor);
  const person = PERSON.exec(near)?.[1];
  if (person !== undefined) return { sign: '@', typed: person, start: cursor - person.length - 1 };
  const emoji = EMOJI.exec(near)?.[1];
  if (emoji === undefined) return undefined;
  const start = cursor - emoji.length - 1;
  return isProse(text, start) ? { sign: ':', typed: emoji, start } : undefined;
}

/** @returns the name of an emoji between colons, the second of which is before the cursor, and where the first one is */
export function closedName(text: string, cursor: number): { name: string; start: number } | undefined {
  const name = CLOSED_EMOJI.exec(text.slice(Math.max(0, cursor - NEAR), cursor))?.[1];
  if (name === undefined || GOES_ON.test(text.slice(cursor, cursor + 2))) return undefined;
  const start = cursor - name.length - 2;
  return isProse(text, start) ? { name, start } : undefined;
}

/** Whether a place is in code, finished or just begun. */
export function isInCode(text: string, place: number): boolean {
  const lines = text.slice(0, place).split('\n');
  const fences = lines.filter((one) => one.startsWith('```')).length;
  const marks = (lines.at(-1) ?? '').split('`').length - 1;
  return fences % 2 === 1 || marks % 2 === 1;
}

/** Whether a place is neither in code nor in the address of a page. */
function isProse(text: string, place: number): boolean {
  const line = text.slice(text.lastIndexOf('\n', place - 1) + 1, place);
  const word = line.split(/\s/).at(-1) ?? '';
  return !isInCode(text, place) && !/:\/\/|^\W*www\./i.test(word);
}
