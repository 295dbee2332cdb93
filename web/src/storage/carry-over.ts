/** What earlier versions kept in localStorage, by the beginning of its name, and the fields that it may lack. */
const EARLIER: Readonly<Record<string, object>> = {
  'parley.draft.': { text: '', files: [] },
  'parley.outbox.': {},
};

interface CarriedOver {
  readonly name: string;
  readonly value: object;
  /** Removes it from its earlier place. */
  forget(): void;
}

/** @returns the drafts and unsent messages that an earlier version has left, or still leaves in another window */
export function carriedOver(): CarriedOver[] {
  try {
    return Object.keys(localStorage).flatMap((key) => {
      const prefix = Object.keys(EARLIER).find((one) => key.startsWith(one));
      const value = prefix && asObject(localStorage.getItem(key));
      if (!value) return [];
      const forget = () => localStorage.removeItem(key);
      return [{ name: key.replace(/^parley\./, ''), value: { ...EARLIER[prefix], ...value }, forget }];
    });
  } catch {
    return [];
  }
}

function asObject(text: string | null): object | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
