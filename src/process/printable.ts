/** Control characters, line ends, and what turns the direction of the text around it. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Text of others without what a terminal would obey. */
export const printable = (text: string) => text.replaceAll(COMMANDS, ' ');

/** JSON with terminal control characters escaped as \uXXXX. */
export const printableJson = (value: unknown) =>
  JSON.stringify(value).replaceAll(COMMANDS, (characters) =>
    [...characters].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );

/** Prints one line for the operator. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
