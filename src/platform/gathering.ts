interface Waiting<Key, Value> {
  readonly key: Key;
  resolve(value: Value | undefined): void;
  reject(error: unknown): void;
}

/**
 * Gathers the keys that are asked for before the running code gives way, and has them read together.
 * @param read gives the values by key; a key without one is answered with undefined
 */
export function gathering<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let waiting: Waiting<Key, Value>[] = [];

  async function answer(): Promise<void> {
    const all = waiting;
    waiting = [];
    try {
      const values = await read([...new Set(all.map(({ key }) => key))]);
      for (const { key, resolve } of all) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ key, resolve, reject }) === 1) queueMicrotask(() => void answer());
    });
}
