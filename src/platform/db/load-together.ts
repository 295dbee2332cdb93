interface Asked<Row> {
  readonly answer: Promise<Row | undefined>;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

/**
 * Look-ups by a key that are asked for in one turn of the event loop become one statement, in which each key stands
 * once. Nothing is kept beyond the turn: the statement runs after the last of them was asked for.
 * @param find gives the rows of all keys, of which each has at most one
 * @returns the look-up of one key: its row, or undefined
 */
export function loadTogether<Row>(
  find: (keys: readonly string[]) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  let asked = new Map<string, Asked<Row>>();

  async function flush(): Promise<void> {
    const all = asked;
    asked = new Map();
    try {
      const rows = new Map((await find([...all.keys()])).map((row) => [keyOf(row), row]));
      for (const [key, { resolve }] of all) resolve(rows.get(key));
    } catch (error) {
      for (const { reject } of all.values()) reject(error);
    }
  }

  return (key) => {
    const known = asked.get(key);
    if (known) return known.answer;
    if (asked.size === 0) setImmediate(flush);
    const { promise: answer, resolve, reject } = Promise.withResolvers<Row | undefined>();
    asked.set(key, { answer, resolve, reject });
    return answer;
  };
}
