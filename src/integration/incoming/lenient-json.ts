import { visit } from 'jsonc-parser';
import { parse } from 'secure-json-parse';
import { UnreadableBody } from '#api';

/**
 * JSON as templates write it: with line breaks and other control characters in its texts.
 * @param what names the text in the error
 * @throws UnreadableBody with the place where it breaks
 */
export function readJson(text: string, what: string): unknown {
  const found = tryJson(text);
  if (found) return found.value;
  throw notJson(text, what);
}

/** @returns undefined for a text that is not JSON */
export function tryJson(text: string): { value: unknown } | undefined {
  const found = parsed(text);
  if (found) return found;
  const escaped = replaceControls(text, ESCAPES);
  return escaped === text ? undefined : parsed(escaped);
}

/** @returns the error for a text that `tryJson` could not read */
export const notJson = (text: string, what: string) =>
  new UnreadableBody(undefined, `${what} is not valid JSON${placeOf(text)}`);

function parsed(text: string): { value: unknown } | undefined {
  try {
    return { value: parse(text, { protoAction: 'remove', constructorAction: 'remove' }) };
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, BLANK] = [0x22, 0x5c, 0x20];

/** What JSON writes for each control character, and a blank for each. */
const ESCAPES = Array.from({ length: BLANK }, (_, sign) =>
  Buffer.from(JSON.stringify(String.fromCharCode(sign)).slice(1, -1)),
);
const BLANKS = ESCAPES.map(() => Buffer.from(' '));

/**
 * Replaces the control characters within texts; the last text may have no end. Goes through the bytes alone, twice: a body may
 * have nothing but line breaks, and everybody waits meanwhile.
 */
function replaceControls(json: string, by: readonly Buffer[]): string {
  const from = Buffer.from(json);
  const size = copied(from, undefined, by);
  if (size === from.length && by === ESCAPES) return json;
  const to = Buffer.allocUnsafe(size);
  copied(from, to, by);
  return to.toString();
}

/** @param to undefined to count only @returns the length of the copy */
function copied(from: Buffer, to: Buffer | undefined, by: readonly Buffer[]): number {
  let isWithin = false;
  let size = 0;
  for (let place = 0; place < from.length; place++) {
    const sign = from[place] as number;
    if (isWithin && sign < BLANK) {
      const instead = by[sign] as Buffer;
      for (let at = 0; to && at < instead.length; at++) to[size + at] = instead[at] as number;
      size += instead.length;
      continue;
    }
    if (to) to[size] = sign;
    size++;
    if (sign === QUOTE) isWithin = !isWithin;
    // What it escapes is a part of the text; a control character stands for itself.
    else if (isWithin && sign === BACKSLASH && (from[place + 1] as number) >= BLANK) {
      place++;
      if (to) to[size] = from[place] as number;
      size++;
    }
  }
  return size;
}

/** Where JSON breaks; nothing for what lies too deep to be looked at. */
function placeOf(text: string): string {
  const found = { at: -1 };
  const onError = (_: unknown, at: number) => {
    found.at = at;
    throw found;
  };
  try {
    visit(replaceControls(text, BLANKS), { onError }, { disallowComments: true });
  } catch (error) {
    if (error !== found && !(error instanceof RangeError)) throw error;
  }
  if (found.at < 0) return '';
  if (found.at >= text.trimEnd().length) return ': it ends too early';
  const lines = text.slice(0, found.at).split('\n');
  return `, from line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1} on`;
}
