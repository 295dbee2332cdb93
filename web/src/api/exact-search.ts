/*
 * Parses and formats query strings. A value is read as a number or a list only where formatting it gives the
 * same text again: an application's `state=1e5` must be returned unchanged (RFC 6749 §4.1.2).
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

function read(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined || JSON.stringify(value) !== text) return text;
  // Only a text that would parse as another type needs quotes.
  return typeof value === 'string' && read(value) === value ? text : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const parseSearch = parseSearchWith(read);

/** The router quotes the texts for which this does not throw. */
export const stringifySearch = stringifySearchWith(JSON.stringify, (text: string) => {
  if (read(text) === text) throw new Error('needs no quotes');
});

/** Each parameter's raw text in the URL. */
export function textsOf(search: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(stringifySearch(search)));
}
