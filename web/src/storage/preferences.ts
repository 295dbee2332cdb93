/**
 * Small choices of this browser: the theme, the language, whom its windows notify. A browser may refuse its storage, and it
 * may be full: then a choice holds until the page is left.
 */
const PREFIX = 'parley.';
/** The choices that the storage does not take. */
const unkept = new Map<string, string>();

export function readPreference(name: string): string | null {
  try {
    return unkept.get(name) ?? localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** @param value null for no choice */
export function keepPreference(name: string, value: string | null): void {
  unkept.delete(name);
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    if (value !== null) unkept.set(name, value);
  }
}
