/** Control characters, line ends, and what turns the direction of the text around it. */
const COMMANDS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]+/gu;

/** Text of others without what a terminal would obey. */
export const printable = (text: string) => text.replaceAll(COMMANDS, ' ');
