import { LRUCache } from 'lru-cache';

/** For each function. */
export const REMEMBERED_BYTES = 16 * 1024 * 1024;
/** The size of an entry beside its texts. */
const ENTRY_BYTES = 200;

/**
 * Remembers what a function makes of a text, as long as there is room; what was not asked for lately makes way. The
 * result must depend on the text, and else only on `setting`, whose change forgets everything.
 */
export function remembering(setting: () => string, make: (text: string) => string): (text: string) => string {
  const made = new LRUCache<string, string>({
    maxSize: REMEMBERED_BYTES,
    sizeCalculation: (value, text) => ENTRY_BYTES + 2 * (text.length + value.length),
  });
  let madeUnder = setting();
  return (text) => {
    const now = setting();
    if (now !== madeUnder) made.clear();
    madeUnder = now;
    const known = made.get(text);
    if (known !== undefined) return known;
    const value = flat(make(text));
    made.set(text, value);
    return value;
  };
}

/** A string that was put together keeps all its parts, and each reader walks through them. */
const flat = (text: string) => Buffer.from(text).toString();
