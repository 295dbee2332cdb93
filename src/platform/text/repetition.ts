/** Begins the line of a text that names the reply of which it is a copy: its words stand above already. */
export const REPEATED = '↩ ';

const ADDRESS = /^https?:\/\/\S+\/messages\/[0-9a-f-]{36}$/;

/** @returns a copy of a reply without the line that names the reply; any other text as it is */
export function withoutRepetition(text: string): string {
  const from = text.lastIndexOf('\n') + 1;
  const names =
    from > 0 && text.startsWith(REPEATED, from) && ADDRESS.test(text.slice(from + REPEATED.length));
  return names ? text.slice(0, from).trimEnd() : text;
}
