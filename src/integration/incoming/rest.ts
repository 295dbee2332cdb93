import type { Fact } from './card.ts';
import { fieldsOf, textOf, valueText } from './payload.ts';

/** More is never shown: a message ends before. */
const MOST_LINES = 2000;
const MOST_CHARACTERS = 100_000;
const MOST_LOOKED_AT = 20_000;

/**
 * All that a value holds, one line for each text or number, named by the way to it.
 * @param isKnown tells the ways that were read already
 */
export function restOf(value: unknown, isKnown: (path: string) => boolean = () => false): Fact[] {
  const rest: Fact[] = [];
  let [characters, looked] = [0, 0];
  const isFull = () => rest.length >= MOST_LINES || characters >= MOST_CHARACTERS || looked > MOST_LOOKED_AT;
  const add = (name: string, inner: unknown): void => {
    looked++;
    if (isFull() || isKnown(name)) return;
    const entries: readonly [string | number, unknown][] = isPlainList(inner)
      ? []
      : Array.isArray(inner)
        ? inner.map((one, at) => [at + 1, one] as const)
        : Object.entries(fieldsOf(inner));
    for (const [key, one] of entries) add(name === '' ? String(key) : `${name}.${key}`, one);
    if (entries.length > 0) return;
    const text = valueText(inner);
    if (text === '') return;
    rest.push({ name, value: text });
    characters += name.length + text.length;
  };
  add('', value);
  return !isFull() ? rest : [...rest, { name: '', value: '…' }];
}

const isPlainList = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object' || textOf(one) !== '');
