import { readFileSync } from 'node:fs';
import { ConfigError } from './config-error.ts';

const NOTHING = /^\s*(?:#.*)?$/;
const SETTING = /^\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/;
const QUOTED = /^\s*(["'`])(.*)$/;
/** Allowed after a quoted value: white space and a comment. */
const AFTER = /^\s*(?:#.*)?$/;

/**
 * Reads a file of settings; one that is not there has none. What cannot be read is refused, since a setting that is
 * passed over in silence may lead to another database.
 * @throws ConfigError with the number of the line, and without its content, which may be a secret
 */
export function readSettingsFile(file: string): NodeJS.Dict<string> {
  const lines = textOf(file).split(/\r?\n/);
  const refuse = (index: number, why: string) =>
    new ConfigError(`Line ${index + 1} of the settings file ${file} cannot be read: ${why}.`);
  const found: NodeJS.Dict<string> = {};
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (NOTHING.test(line)) continue;
    const [, name, value = ''] = SETTING.exec(line) ?? [];
    if (name === undefined) throw refuse(index, 'it must be NAME=value, or a comment that begins with #');
    const begin = index;
    const [, quote, inQuotes = ''] = QUOTED.exec(value) ?? [];
    if (quote === undefined) {
      const [bare = ''] = value.split(/\s#/);
      if (bare.includes('#'))
        throw refuse(begin, `${name} has a # without white space before it: put the value in quotes`);
      found[name] = bare.trim();
      continue;
    }
    let rest = inQuotes;
    while (!rest.includes(quote) && index < lines.length - 1) rest += `\n${lines[++index]}`;
    const end = rest.indexOf(quote);
    if (end === -1) throw refuse(begin, `${name} begins with a quote that is not closed`);
    if (!AFTER.test(rest.slice(end + 1)))
      throw refuse(begin, `${name} goes on after its closing quote: put the value in another kind of quotes`);
    const inner = rest.slice(0, end);
    found[name] = quote === '"' ? inner.replaceAll('\\n', '\n') : inner;
  }
  return found;
}

/** The text of a file in UTF-8, without the mark that some editors put at its beginning. */
function textOf(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new ConfigError(`The settings file ${file} cannot be read: ${(error as Error).message}.`);
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // UTF-16 without a mark at its beginning is UTF-8 with a zero beside each letter.
    if (!text.includes('\0')) return text;
  } catch {
    // Refused below.
  }
  throw new ConfigError(
    `The settings file ${file} is not in UTF-8, as a file that PowerShell writes with ">": save it as UTF-8.`,
  );
}
