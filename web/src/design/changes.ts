/** The fields that differ from those before. A form sends them alone: another window may have changed others. */
export function changesOf<Fields extends object>(before: Fields, after: Fields): Partial<Fields> {
  const known = new Map<string, unknown>(Object.entries(before));
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(known.get(name));
  return Object.fromEntries(Object.entries(after).filter(differs)) as Partial<Fields>;
}
