/** A secret or an address of the same length that ends in another letter: never the given one, whatever was drawn. */
export const forged = (text: string) => text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A');
