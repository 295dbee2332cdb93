import type { Fact } from './card.ts';
import { fieldsOf, textOf, valueText } from './payload.ts';
import { HIDDEN, isSecretPair, isSecretWay, withoutSecrets } from './secrets.ts';

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
  const add = (name: string, inner: unknown, isHidden = false): void => {
    looked++;
    if (isFull() || isKnown(name)) return;
    const entries: readonly [string | number, unknown][] = isPlainList(inner)
      ? []
      : Array.isArray(inner)
        ? inner.map((one, at) => [at + 1, one] as const)
        : Object.entries(fieldsOf(inner));
    for (const [key, one] of entries)
      add(
        name === '' ? String(key) : `${name}.${key}`,
        one,
        key === 'value' && isSecretPair(fieldsOf(inner)),
      );
    if (entries.length > 0) return;
    const said = momentText(name, inner) || valueText(inner);
    if (said === '') return;
    const text = isHidden || isSecretWay(name) ? HIDDEN : withoutSecrets(said);
    rest.push({ name, value: text });
    characters += name.length + text.length;
  };
  add('', value);
  return !isFull() ? rest : [...rest, { name: '', value: '…' }];
}

/** The names that moments have: `created_at`, `startTime`, `ts`. */
const MOMENT =
  /(?:^|[._-]|[a-z](?=[A-Z]))(?:at|time|timestamp|ts|date|datetime|created|updated|started|finished|ended)(?:[._]?utc)?$/i;

/** A moment that was sent as a number, of seconds or of milliseconds, as people read it. */
function momentText(path: string, value: unknown): string {
  const number = textOf(value);
  return MOMENT.test(path.slice(-40)) ? momentOf(number) : '';
}

/** @returns an empty text for what is no moment of our time */
export function momentOf(value: unknown): string {
  const number = textOf(value);
  if (!/^1\d{9}(?:\d{3})?(?:\.\d{1,9})?$/.test(number)) return '';
  const milliseconds = Number(number) * (number.split('.', 1)[0]?.length === 10 ? 1000 : 1);
  return new Date(milliseconds)
    .toISOString()
    .replace(/:\d\d\.\d{3}Z$/, ' UTC')
    .replace('T', ' ');
}

/** What programs tell each other: names and addresses for them, and moments. */
export const isNoise = (path: string, value: string): boolean =>
  !isAdvisory(value) &&
  (/(?:^|[._])(?:id|ids|gid|uid|uuid|self|token|hash|sha|digest|signature|secret|avatar\w*|version|unsubscribe|callback_url|timestamp)$|(?:_id|Id|ID|_ids|Ids|_at|At|_uuid|Date|DateTime|_timestamp|Timestamp|[aA]vatar_?[uU]rls?|_token|_sha|_hash)$/.test(
    path.slice(-60),
  ) ||
    /^\{?[\da-f]{8}-[\da-f-]{20,}\}?$/i.test(value));

/** An id by which people know a weakness. */
export const isAdvisory = (value: unknown): boolean =>
  /^(?:CVE-\d{4}-\d{4,9}|GHSA(?:-\w{4}){3})$/.test(textOf(value));

const isPlainList = (value: unknown) =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object' || textOf(one) !== '');
