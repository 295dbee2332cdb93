/** The name of a conversation: the other people, or the reader alone for notes to oneself. */
export function peopleKey(ids: Iterable<string>, me: string): string {
  const others = [...new Set(ids)].filter((id) => id !== me).sort();
  return others.length === 0 ? me : others.join();
}
