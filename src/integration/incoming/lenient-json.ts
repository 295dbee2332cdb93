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
  const escaped = replaceControls(text, (signs) => JSON.stringify(signs).slice(1, -1));
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

/** As far as it goes: the last one may have no end. */
const TEXT = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROLS = /[\0-\x1f]+/g;

/** Replaces the control characters within texts. */
const replaceControls = (json: string, replacement: (signs: string) => string): string =>
  json.search(CONTROLS) < 0 ? json : json.replaceAll(TEXT, (text) => text.replaceAll(CONTROLS, replacement));

/** Where JSON breaks; nothing for what lies too deep to be looked at. */
function placeOf(text: string): string {
  const found = { at: -1 };
  const onError = (_: unknown, at: number) => {
    found.at = at;
    throw found;
  };
  try {
    visit(
      replaceControls(text, (signs) => ' '.repeat(signs.length)),
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
