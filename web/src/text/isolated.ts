/** An address in a sentence from right to left keeps its order. */
export const isolated = (address: string) => `\u2066${address}\u2069`;
