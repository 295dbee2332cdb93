/** The emoji behind the interface's high fives. */
export const HIGH_FIVE = '🙌';

/** How many people reacted with each emoji, in the order of the first of each. */
export type Counts = readonly (readonly [emoji: string, count: number])[];

/** @param json `messages.reactions_json` */
export const countsOf = (json: string | null): Counts => (json === null ? [] : (JSON.parse(json) as Counts));
