/**
 * What this tab alone keeps, for a reload: it ends with the tab. A browser may refuse its storage, and it may be full: then
 * it holds until the page is left.
 */
const PREFIX = 'parley.';
const unkept = new Map<string, string>();

export function readOfTab(name: string): string | undefined {
  try {
    return unkept.get(name) ?? sessionStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @param value undefined removes it */
export function keepInTab(name: string, value: string | undefined): void {
  unkept.delete(name);
  try {
    if (value === undefined) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, value);
  } catch {
    if (value !== undefined) unkept.set(name, value);
  }
}
