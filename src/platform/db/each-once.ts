/**
 * Rows to be written together: each key once, and in the order of the keys. Transactions that lock the same rows in opposing
 * orders would deadlock.
 * @param merge makes one of two rows with the same key, the earlier one first
 */
export function eachOnce<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  merge: (one: Row, other: Row) => Row,
): Row[] {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = byKey.get(key);
    byKey.set(key, known === undefined ? row : merge(known, row));
  }
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}
