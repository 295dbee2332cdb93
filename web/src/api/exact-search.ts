/*
 * Queries of addresses, as values and back. Something is read as a number or a list only where writing it gives the
 * same text again: an application's `state=1e5` must come back to it as it was (RFC 6749 §4.1.2).
 */
import { parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

function read(text: string): unknown {
  const value = parseJson(text);
  if (value === undefined || JSON.stringify(value) !== text) return text;
  // Quotes are only needed around what would be read as something else.
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

/** The router puts quotes around the texts for which this does not throw. */
export const stringifySearch = stringifySearchWith(JSON.stringify, (text: string) => {
  if (read(text) === text) throw new Error('needs no quotes');
});

/** Each parameter's text as it stood in the address. */
export function textsOf(search: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(stringifySearch(search)));
}
