/** Names in the order in which people sort them: 1, 2, 10; capitals and accents do not matter. */
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

export const byName = (one: string, other: string): number => collator.compare(one, other);
