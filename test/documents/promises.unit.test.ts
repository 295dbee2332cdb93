import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * A sentence that says "never", "always", "once" or "until" is a promise. Its paragraph names it with
 * `<!-- claim: … -->`, and a test of that name holds it.
 */
const root = new URL('../..', import.meta.url).pathname;
const DOCUMENTS = [
  'README.md',
  'docs/tour.md',
  'SECURITY.md',
  'docs/members.md',
  'docs/developers.md',
  'docs/events.md',
  'docs/operations.md',
  ...['developers', 'operations'].flatMap((folder) =>
    readdirSync(join(root, 'docs', folder)).map((page) => `docs/${folder}/${page}`),
  ),
  'docs/security.md',
];
const PROMISE = /\b(?:never|always|(?<!\bat )once|until)\b/i;
const CLAIM = /<!-- claim: ([a-z0-9-]+) -->/g;
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Paragraphs, list items and rows of tables; no code and no headings. */
function blocksOf(document: string): string[] {
  return read(document)
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) ?)/)
    .filter((block) => !/^(?:#| {4})/.test(block));
}

const prose = (block: string) => block.replaceAll(/`[^`]*`/g, '').replaceAll(/<!-- .*? -->/g, '');

/** The claims in the titles of tests. */
function claimsOfTests(): string[] {
  const files = ['src', 'ops', 'tools', 'test', 'sdk', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  );
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(/^.*['"`].*\bclaim: .*$/gm)])
    .flatMap(([line]) =>
      [...line.matchAll(/\bclaim: ([a-z0-9]+(?:-[a-z0-9]+)*)/g)].map(([, id]) => id as string),
    );
}

const claimsIn = (text: string) => [...text.matchAll(CLAIM)].map(([, id]) => id as string);
const documented = new Set(DOCUMENTS.flatMap((document) => claimsIn(read(document))));
const tested = new Set(claimsOfTests());

describe('promises of the documents', () => {
  it.each(DOCUMENTS)('%s: every sentence with never, always, once or until names its test', (document) => {
    const bare = blocksOf(document).filter(
      (block) => PROMISE.test(prose(block)) && claimsIn(block).length === 0,
    );
    expect(bare).toEqual([]);
  });

  it('every promise has a test, and every test that names a promise has one', () => {
    expect([...documented].filter((id) => !tested.has(id))).toEqual([]);
    expect([...tested].filter((id) => !documented.has(id))).toEqual([]);
  });

  it('finds its patterns', () => {
    expect(documented.size).toBeGreaterThan(20);
    expect(PROMISE.test('It never ends')).toBe(true);
    expect(PROMISE.test('It is told at once')).toBe(false);
  });
});

describe('the attacks', () => {
  const attacks = readdirSync(join(root, 'test/attacks')).filter((file) => file.endsWith('.test.ts'));

  it('are all in the threat model', () => {
    const model = read('docs/security.md');
    expect(attacks.filter((file) => !model.includes(`test/attacks/${file}`))).toEqual([]);
  });

  it('each say at their top what they try and what holds', () => {
    const comment = /^(?:\/\*+[\s\S]{80,}?\*\/|(?:\/\/ .+\n){2,})/m;
    expect(attacks.filter((file) => !comment.test(read(`test/attacks/${file}`)))).toEqual([]);
  });
});

/** A file, or a document; a folder shows too little. */
const NAMED_FILE = /`((?:src|test|web|docs|sdk|examples)\/[\w./-]+|\w[\w.-]*\.md)`/;

it('every requirement that is met names a file or a test that shows it', () => {
  const rows = read('docs/standards.md')
    .split('\n')
    .filter((line) => line.split('|')[3]?.trim() === 'met');
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter((row) => !NAMED_FILE.test(row))).toEqual([]);
});

it('every file that the pages about security and contributing name is there', () => {
  const named = ['docs/security.md', 'docs/standards.md', 'SECURITY.md', 'CONTRIBUTING.md'].flatMap(
    (document) => [...read(document).matchAll(new RegExp(NAMED_FILE, 'g'))].map(([, file]) => file as string),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
