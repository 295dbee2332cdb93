/**
 * What this tab alone keeps, for a reload: it ends with the tab, and with the session of its person. A browser may refuse its
 * storage, and it may be full: then it holds until the page is left.
 */
const PREFIX = 'parley.tab.';
const unkept = new Map<string, string>();
const channel = new BroadcastChannel('parley.tabs');
channel.onmessage = () => forgetHere();

export function readOfTab(name: string): string | undefined {
  try {
    return unkept.get(name) ?? sessionStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** @returns undefined for what is missing or damaged */
export function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
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

/** Removes all of it, in each tab of the browser: its person has signed out. */
export function forgetInTabs(): void {
  forgetHere();
  channel.postMessage('forget');
}

function forgetHere(): void {
  unkept.clear();
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(PREFIX));
    for (const name of names) sessionStorage.removeItem(name);
  } catch {
    // Nothing is kept.
  }
}
