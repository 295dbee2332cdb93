import { globSync, readFileSync } from 'node:fs';

/** One place in the sources whose SQL names a table. */
export interface Use {
  readonly file: string;
  readonly domain: string;
  readonly table: string;
  readonly writes: boolean;
}

/** Calls whose first argument is the table that they write; `insertion`, `deletion`, `modification`, `rewriting`, `renewal` and `leasedQueue` are those of src/schema. */
const WRITES =
  /\b(?:insertInto|updateTable|deleteFrom|replaceInto|mergeInto|insertion|deletion|modification|rewriting|renewal|leasedQueue)\(\s*([^\s,)]+)/g;
/** The same for reading; `lockedQueue` is that of src/schema. */
const READS = /\b(?:selectFrom|\w+Join|\w+JoinLateral|from|using|lockedQueue)\(\s*(\[[^\]]*\]|'[^']*')/g;
/** A table that is not named where it is read. */
const UNNAMED_READS = /\b(?:selectFrom|\w+Join)\(\s*(\w+ as [^,)]+)/g;
/** SQL that is written out, in capitals. */
const RAW_WRITES =
  /\b(?:(?:INSERT|REPLACE|MERGE) INTO|DELETE FROM|TRUNCATE(?: TABLE)?|(?<!FOR |KEY |DO |ON )UPDATE(?! SET|')) ([\w"$]+)/g;
/** Not the functions that give rows, as `json_each(…)`. */
const RAW_READS = /(?<!DELETE |DISTINCT )\b(?:FROM|JOIN) ([\w"]+)(?![\w"(])/g;
/** What a database tells of itself. */
const CATALOGUE = /^(?:pg|sqlite)_/;
/** A name that SQL text gives to a result of its own. */
const COMMON = /\b(\w+)(?: \([\w, ]+\))? AS (?:NOT )?(?:MATERIALIZED )?\(/g;
/** The same where the statement is built. */
const WITH = /\.with\(\s*\(\w+\) => (?:foundFirst\(dialect, )?\w+\('(\w+)'\)/g;
/** Here the name of a table is a value: of all that builds statements, and of what copies each table. */
const BUILDERS = [
  'src/schema/index.ts',
  'src/platform/',
  ...['transfer-table', 'file', 'postgres', 'side'].map((name) => `ops/transfer/${name}.ts`),
];

/** Every table that the sources of src/ and ops/ read and write, by the text of their statements. */
export function usesOfTables(): readonly Use[] {
  return globSync('{src,ops}/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/schema/migrations/'))
    .filter((file) => !BUILDERS.some((builder) => file.startsWith(builder)))
    .sort()
    .flatMap((file) => usesIn(file, readFileSync(file, 'utf8')));
}

/** @throws where a statement takes its table from a variable: the check could not see which */
export function usesIn(file: string, source: string): Use[] {
  const text = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const found = (table: string, writes: boolean): Use => ({ file, domain: domainOf(file), table, writes });
  const own = new Set([...matches(text, COMMON), ...matches(text, WITH)]);
  for (const argument of matches(text, UNNAMED_READS)) literal(file, argument);
  return [
    ...matches(text, WRITES).map((argument) => found(literal(file, argument), true)),
    ...matches(text, RAW_WRITES).map((name) => found(word(file, name), true)),
    ...matches(text, READS)
      .flatMap(names)
      .filter((name) => !own.has(name))
      .map((name) => found(name, false)),
    ...matches(text, RAW_READS)
      .filter((name) => !own.has(name) && !CATALOGUE.test(name))
      .map((name) => found(word(file, name), false)),
  ];
}

const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] as string);
const names = (argument: string) => [...argument.matchAll(/'(\w+)/g)].map((match) => match[1] as string);

function literal(file: string, argument: string): string {
  const name = /^'(\w+)/.exec(argument)?.[1];
  if (name === undefined) throw new Error(`${file}: name the table of the statement: ${argument}`);
  return name;
}

function word(file: string, name: string): string {
  if (!/^\w+$/.test(name)) throw new Error(`${file}: name the table of the statement: ${name}`);
  return name;
}

/** The domain of a file, or the folder of src/ that is none. */
export function domainOf(file: string): string {
  const [folder, wing = '', domain = ''] = file.split('/');
  if (folder === 'ops') return folder;
  const isWing = ['people', 'conversation', 'integration', 'stewardship'].includes(wing);
  return isWing ? domain : wing;
}
