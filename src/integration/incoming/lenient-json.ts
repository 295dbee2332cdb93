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
  throw new UnreadableBody(undefined, `${what} is not valid JSON${placeOf(text)}`);
}

/** @returns undefined for a text that is not JSON */
export function tryJson(text: string): { value: unknown } | undefined {
  for (const one of [() => text, () => replaceControls(text, escaped)])
    try {
      return { value: parse(one(), { protoAction: 'remove', constructorAction: 'remove' }) };
    } catch {
      // The next one, if there is one.
    }
  return undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** As RFC 8259 §7 asks. */
const escaped = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;

/** Replaces the control characters within texts. */
function replaceControls(json: string, replacement: (code: number) => string): string {
  const parts: string[] = [];
  let done = 0;
  let inText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) inText = !inText;
    else if (code === BACKSLASH && inText) at++;
    else if (code < 0x20 && inText) {
      parts.push(json.slice(done, at), replacement(code));
      done = at + 1;
    }
  }
  return parts.join('') + json.slice(done);
}

/** Where JSON breaks; nothing for what lies too deep to be looked at. */
function placeOf(text: string): string {
  const found = { at: -1 };
  const onError = (_: unknown, at: number) => {
    found.at = at;
    throw found;
  };
  try {
    visit(
      replaceControls(text, () => ' '),
      { onError },
      { disallowComments: true },
    );
  } catch (error) {
    if (error !== found && !(error instanceof RangeError)) throw error;
  }
  if (found.at < 0) return '';
  if (found.at >= text.trimEnd().length) return ': it ends too early';
  const lines = text.slice(0, found.at).split('\n');
  return `, from line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1} on`;
}
