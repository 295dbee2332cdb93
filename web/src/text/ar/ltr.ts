/** Code, a file name or an address in the middle of an Arabic sentence: read from left to right, with its signs. */
export const ltr = (text: string): string => `\u2066${text}\u2069`;
