import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'vite';

/** A regular expression of the sources, and where it stands. */
export interface Pattern {
  readonly where: string;
  readonly pattern: RegExp;
}

const SOURCES = ['{src,ops}/**/*.ts', 'web/**/*.{ts,tsx}', 'sdk/**/*.ts'];

/** Stands for a name that a pattern is made with when it is used. */
const NAMED = 'name';

/** Every pattern in what runs: literals, those that are made of parts, and those of the interface's schemas. */
export async function allPatterns(): Promise<Pattern[]> {
  const found: Pattern[] = schemaPatterns();
  for (const file of SOURCES.flatMap((glob) => globSync(glob)).sort()) {
    if (/\.test\.tsx?$|node_modules|dist\//.test(file)) continue;
    const source = readFileSync(file, 'utf8');
    const { program } = parseSync(file, source);
    const made: string[] = [];
    new Visitor({
      Literal(node) {
        if ('regex' in node && node.regex)
          found.push({ where: file, pattern: new RegExp(node.regex.pattern, node.regex.flags) });
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp')
          made.push(source.slice(node.start, node.end));
      },
    }).visit(program);
    for (const text of made)
      found.push({ where: file, pattern: await evaluate(text, program, source, file) });
  }
  return [...new Map(found.map((one) => [String(one.pattern), one])).values()];
}

/** Evaluates an expression by the constants of its file, and by what the file imports. */
async function evaluate(
  text: string,
  program: ESTree.Program,
  source: string,
  file: string,
): Promise<RegExp> {
  const known: Record<string, unknown> = {};
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') await importInto(known, statement, file, text + source);
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) {
      if (id.type !== 'Identifier' || !init) continue;
      try {
        known[id.name] = run(source.slice(init.start, init.end), known);
      } catch {
        // Not a constant that a pattern is made of.
      }
    }
  }
  return run(text, {
    method: NAMED,
    path: NAMED,
    ownName: () => NAMED,
    name: NAMED,
    ...known,
  }) as RegExp;
}

const run = (text: string, known: object): unknown =>
  new Function(...Object.keys(known), `return (${text.replaceAll(/ as const\b/g, '')})`)(
    ...Object.values(known),
  );

async function importInto(
  known: Record<string, unknown>,
  { source, specifiers }: ESTree.ImportDeclaration,
  file: string,
  text: string,
): Promise<void> {
  const isUsed = specifiers.some(({ local }) => /^[A-Z_]+$/.test(local.name) && text.includes(local.name));
  if (!isUsed) return;
  const path = source.value.startsWith('.')
    ? pathToFileURL(join(process.cwd(), file, '..', source.value)).href
    : source.value;
  const module = (await import(path)) as object;
  for (const one of specifiers)
    if (one.type === 'ImportSpecifier' && one.local.name in module)
      known[one.local.name] = module[one.local.name as keyof typeof module];
}

function schemaPatterns(): Pattern[] {
  const found: Pattern[] = [];
  JSON.parse(readFileSync('openapi.json', 'utf8'), (key, value) => {
    if (key === 'pattern' && typeof value === 'string')
      found.push({ where: 'openapi.json', pattern: new RegExp(value, 'u') });
    return value;
  });
  return found;
}

const USUAL = ['a', 'Z', '0', '_', ' ', '\t', '\n', '-', '.', '/', 'é', '中', '\u0301', '\u200d', '\u00a0'];
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  s: ' ',
  S: 'x',
  d: '1',
  w: 'b',
};

/** What a pattern is about: its own signs and words, and a few characters of the usual classes. */
function atomsOf({ source }: RegExp): string[] {
  const signs = [...source.matchAll(/\\u\{?([0-9a-f]{4,5})\}?|\\(.)|([^\\])/gi)].map(
    ([, code, escaped, sign]) => {
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return escaped === undefined ? (sign as string) : (ESCAPES[escaped] ?? escaped);
    },
  );
  const words = source.match(/[\w:/<>*`{}"'=#-]{2,}/g) ?? [];
  return [...new Set([...USUAL, ...signs, ...words])];
}

/** Makes a text of about so many characters. */
export type Text = (characters: number) => string;

/** Texts that a pattern may take long for. */
export function* worstTexts(pattern: RegExp): Generator<Text> {
  const atoms = atomsOf(pattern);
  const times = (text: string) => (characters: number) => text.repeat(Math.ceil(characters / text.length));
  for (const one of atoms) {
    yield times(one);
    for (const other of atoms) {
      if (other === one) continue;
      yield (characters) => other + times(one)(characters) + other;
      yield times(one + other);
    }
  }
}
