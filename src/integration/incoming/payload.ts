/** Values of a payload that others wrote: anything may be missing, or be of another kind. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text or a number, on one line or several; empty for all else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';

/** A number that was sent as one; 0 for all else. */
export const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** The first line alone. */
export const lineOf = (value: unknown): string => textOf(value).split('\n', 1)[0] ?? '';

/** A value in a tree of objects. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce((found, name) => fieldsOf(found)[name], value);
}

/** The beginning of a text, of so many UTF-16 units at most. Never ends within a character. */
export const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '');

/** Puts parts together, without the empty ones. */
export const joined = (parts: readonly (string | undefined | false)[], between = '\n'): string =>
  parts.filter((part) => part !== undefined && part !== false && part !== '').join(between);

/** A text, and the address that it led to. */
export const linked = (text: string, url: unknown): string => {
  const address = /^https?:\/\//.test(textOf(url)) ? textOf(url) : '';
  return address === '' || text.includes(address) ? text : joined([text, address], ' ');
};

/** A word of a product, as `timed_out`, as people write it. */
export const prose = (word: string): string => word.replaceAll(/[_-]+/g, ' ').trim();

/** The words of a text, in lower case and between blanks, so that one text can be sought in another. */
export const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Texts of three signs would end a block of code. */
const unfenced = (text: string) => text.replaceAll('```', "'''");

/** The parts of others that have a name: people, projects, labels. */
const NAMES = [
  'login',
  'username',
  'display_name',
  'displayName',
  'name',
  'full_name',
  'title',
  'slug',
  'summary',
  'message',
  'key',
  'id',
];

/** What an object is called. */
export function nameOf(value: unknown): string {
  if (typeof value !== 'object') return lineOf(value);
  const fields = fieldsOf(value);
  return NAMES.map((name) => lineOf(fields[name])).find((name) => name !== '') ?? '';
}

/** More of a list is never shown: a message ends before. */
const MOST_VALUES = 5000;

/** A value of any kind in words; empty for one that says nothing. */
export function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value))
    return joined([...value.slice(0, MOST_VALUES).map(valueText), value.length > MOST_VALUES && '…'], ', ');
  if (typeof value === 'object' && value !== null)
    return joined(
      Object.entries(value).map(([name, inner]) => {
        const text = valueText(inner);
        return text === '' ? '' : `${name}: ${text}`;
      }),
      ', ',
    );
  return unfenced(textOf(value));
}
