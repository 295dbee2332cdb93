import { parseSync } from 'vite';

/** A word of the glossary, and where exported names may use it. Folders are paths that end with a slash; files are whole paths. */
export interface Word {
  /** As in the glossary. */
  readonly means: string;
  /** All forms; one of several words, such as `look-up`, has hyphens. */
  readonly forms: readonly string[];
  /** Where it has this meaning. */
  readonly in: readonly string[];
  /** Where it mirrors a name of the interface, the command line or the tables that means something else. */
  readonly mirrors?: Readonly<Record<string, string>>;
}

export type Words = Readonly<Record<string, Word>>;

/** A name that a file exports. */
export interface Exported {
  readonly file: string;
  readonly name: string;
}

/** What a file declares and exports, or exports under another name. What it only passes on stands where it is declared. */
export function exportedNames(file: string, source: string): Exported[] {
  return parseSync(file, source)
    .module.staticExports.flatMap(({ entries }) => entries)
    .filter(({ exportName, importName }) => exportName.name === null || exportName.name !== importName.name)
    .flatMap(({ exportName, localName }) => exportName.name ?? localName.name ?? [])
    .map((name) => ({ file, name }));
}

/** `lookUpHTTPLines2` is look-up-http-lines-2, and MOST_IN_GROUP is most-in-group. */
const hyphened = (name: string): string =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).join('-').toLowerCase();

export const hasWord = (name: string, { forms }: Pick<Word, 'forms'>): boolean =>
  forms.some((form) => `-${hyphened(name)}-`.includes(`-${form}-`));

const isIn = (place: string, file: string): boolean =>
  place.endsWith('/') ? file.startsWith(place) : file === place;

const placesOf = (word: Word): string[] => [...word.in, ...Object.keys(word.mirrors ?? {})];

/** The names that use a word elsewhere than it may be used. */
export function misused(words: Words, names: readonly Exported[]): string[] {
  return Object.entries(words).flatMap(([word, rule]) =>
    names
      .filter(({ name, file }) => hasWord(name, rule) && !placesOf(rule).some((place) => isIn(place, file)))
      .map(({ name, file }) => `${file}: ${name} says ${word}, which means: ${rule.means}`),
  );
}

/** The places where a word may be used, and is not. */
export function unused(words: Words, names: readonly Exported[]): string[] {
  return Object.entries(words).flatMap(([word, rule]) =>
    placesOf(rule)
      .filter((place) => !names.some(({ name, file }) => isIn(place, file) && hasWord(name, rule)))
      .map((place) => `${word}: ${place}`),
  );
}
