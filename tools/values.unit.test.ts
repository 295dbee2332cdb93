import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorClasses } from '../src/api/index.ts';
import { withTables } from './tables.ts';
import { bytes, interval, values, withValues } from './values.ts';

/** Numbers in the documents come from the code: a limit that changes there cannot stay as it was in a sentence. */
const root = new URL('..', import.meta.url).pathname;
/** `docs/errors.md` and `docs/routes.md` are made from the code as a whole. */
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  ...['src/platform/db', 'src/conversation', 'src/integration', 'ops'].map((folder) => `${folder}/README.md`),
].concat(
  readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !['errors.md', 'routes.md'].includes(name))
    .map((name) => `docs/${name}`),
);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const VALUE = /<!-- value: \S+ -->[^\n]*?<!-- \/value -->|^<!-- table: \S+ -->$[\s\S]*?^<!-- \/table -->$/gm;
/**
 * Text with digits that are not limits: code, addresses, links, headings, sections of standards, names of algorithms
 * and formats.
 */
const NO_LIMITS = [
  /^```[\s\S]*?^```$/gm,
  /^(?: {4}|#).*$/gm,
  /`[^`]*`/g,
  /\]\([^)]*\)/g,
  /\bhttps?:\/\/\S+/g,
  /<!-- claim: \S+ -->/g,
  /\bRFC \d+|§[\d.]*\d|\b\d+\.\d+(?:\.\d+)*(?:[–,] ?\d+(?:\.\d+)*)*/g,
  /\b(?:SHA-256|S256|AES-256-GCM|Argon2id|UTF-8|UUIDv7|FTS5|S3|IPv[46]|DoS2|NAT64|HMAC-SHA256)\b/g,
  /\bASVS 5\b|\boauth4webapi\b|\bOAuth 2\b|\bV\d+\b|\bF6\b/g,
  /^\d+\. /gm,
  /\b(?:200|303|307|404|409|410|429|503)\b(?! (?:members|people|characters|files))|\b[245]xx\b/g,
  new RegExp(`\\b(?:${errorClasses.map(({ code }) => code).join('|')})\\b`, 'g'),
];
const NUMBER =
  /\d[\d,.]*|\b(?:four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|twenty|thirty|forty|fifty|sixty|hundreds?|thousand|million)\b/gi;
/** Small numbers are common words; with a unit of time or size they are limits. */
const SMALL =
  /\b(?:an?|one|two|three|half an?) (?:(?:few|quarter of an?) )?(?:milliseconds?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|[KMG]i?B|bytes?|characters?)\b/gi;

/** Exceptions, each with the reason why no module defines it. */
const EXCEPTIONS: readonly { readonly text: string; readonly why: string }[] = [
  { text: 'Node.js 20', why: '`engines` of package.json, which npm reads' },
  { text: '(version 15 or later)', why: 'of PostgreSQL' },
  { text: 'within ten. We agree', why: 'working days of people' },
  { text: 'at the latest 90 days after the report', why: 'an agreement with people' },
  { text: 'verifier of 43 characters or more', why: 'RFC 7636 §4.1' },
  { text: 'in base64url', why: 'the name of an encoding' },
  { text: 'high five', why: 'the name of a reaction' },
  { text: '`unread_count` 0', why: 'what a field holds' },
  { text: '`sequence` 1', why: 'what a field holds' },
  { text: '1 admin, 2 member, null for one', why: 'what a field holds' },
  { text: 'port 465', why: 'RFC 8314' },
  { text: 'port 587', why: 'RFC 6409' },
  { text: '; 0 for ever', why: 'what switches a setting off' },
  { text: 'A second signal', why: 'a further one, not a time' },
  { text: 'stops a server within a second', why: 'measured, and no bound in the code' },
  {
    text: 'a company of 600 people in 60 teams on one server, with 500 streams',
    why: 'the day of the bench',
  },
  {
    text: 'Each step is 20 seconds of n times that mix, on both databases, in about five minutes',
    why: 'the day of the bench',
  },
  {
    text: 'less than 250 ms and mentions are noticed within 300 ms (p99), and no notice waits for more than 2 seconds',
    why: 'what the bench asks of the day',
  },
  { text: 'carries out ten seconds of a small company', why: 'the day of the bench' },
  { text: 'A second pass', why: 'a further one, not a time' },
  { text: 'how often a minute', why: 'the unit of a setting' },
  { text: 'a minute for one account', why: 'the unit of a rate whose number comes from the code' },
  { text: 'mode 0600', why: 'the permissions of a file' },
  { text: '256 random bits', why: '43 characters of 62, `src/platform/crypto/index.ts`' },
  { text: 'up to level 2', why: 'of a standard' },
  { text: '| 9 | self-contained', why: 'a chapter of a standard' },
  { text: '128 bits', why: 'of a standard' },
  { text: '| 17 | WebRTC', why: 'a chapter of a standard' },
];

/** A phrase, across line breaks. */
const inProse = (text: string) => new RegExp(text.replaceAll(/[()|.]/g, '\\$&').replaceAll(' ', '\\s+'), 'g');

function bareNumbersIn(document: string): string[] {
  const without = (text: string, found: string | RegExp) => text.replaceAll(found, ' ');
  const told = EXCEPTIONS.map(({ text }) => inProse(text)).reduce(without, document.replaceAll(VALUE, ' '));
  const rest = NO_LIMITS.reduce<string>(without, told).replaceAll(/\s+/g, ' ');
  return [NUMBER, SMALL].flatMap((pattern) =>
    [...rest.matchAll(pattern)].map(({ index }) => rest.slice(Math.max(0, index - 40), index + 30)),
  );
}

describe('numbers in the documents', () => {
  it.each(DOCUMENTS)('%s: every limit and lifetime comes from the code', (file) => {
    expect(bareNumbersIn(read(file))).toEqual([]);
  });

  it.each(DOCUMENTS)('%s: holds the numbers and tables of today', (file) => {
    expect(withValues(file, withTables(file, read(file)))).toBe(read(file));
  });

  it.each([...DOCUMENTS, 'CONTRIBUTING.md', 'CHANGELOG.md'])('%s: no line of prose is too long', (file) => {
    const prose = read(file).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
    const isLong = (line: string) => line.length > 120 && !/^ *\||https?:/.test(line);
    expect(prose.split('\n').filter(isLong)).toEqual([]);
  });

  it.each(DOCUMENTS)('%s: no mark begins a line, where Markdown would end the paragraph', (file) => {
    expect(
      read(file).match(/^\s*<!-- (?:value: |\/value|claim: \S+ -->(?!\s*(?:<!-- claim|$))).*$/gm),
    ).toBeNull();
  });

  it('use every value', () => {
    const all = DOCUMENTS.map(read).join('\n');
    expect(Object.keys(values).filter((name) => !all.includes(`<!-- value: ${name} -->`))).toEqual([]);
  });

  it('have no exception that nothing needs', () => {
    const all = DOCUMENTS.map((file) => read(file).replaceAll(VALUE, ' ')).join('\n');
    expect(EXCEPTIONS.filter(({ text }) => !inProse(text).test(all))).toEqual([]);
  });

  it('are found, as figures and as words', () => {
    const found = (text: string) => bareNumbersIn(text).length;
    expect(found('It lives for 60 days.')).toBe(1);
    expect(found('It lives for ten minutes, or a week.')).toBe(2);
    expect(found('It lives for <!-- value: x -->60 days<!-- /value --> (RFC 9700 §4.14).')).toBe(0);
  });
});

describe('a value', () => {
  it('is shown in the largest unit that it fills', () => {
    expect([1000, 60_000, 90_000, 3_600_000, 172_800_000, 250].map(interval)).toEqual([
      '1 second',
      '1 minute',
      '90 seconds',
      '1 hour',
      '2 days',
      '250 milliseconds',
    ]);
    expect([1, 1024, 26_214_400].map(bytes)).toEqual(['1 byte', '1 KiB', '25 MiB']);
  });

  it('is put into the document, and the rest stays', () => {
    const [name = '', text] = Object.entries(values)[0] ?? [];
    const document = `Lives <!-- value: ${name} -->a day<!-- /value -->, then ends.`;
    expect(withValues('x.md', document)).toBe(
      `Lives <!-- value: ${name} -->${text}<!-- /value -->, then ends.`,
    );
  });

  it('must be known and closed', () => {
    expect(() => withValues('x.md', '<!-- value: nothing -->1<!-- /value -->')).toThrow('"nothing"');
    expect(() => withValues('x.md', '<!-- value: lease -->1')).toThrow('x.md');
  });
});

describe('a table', () => {
  it('takes the place of what stood between its marks', () => {
    const [before, rows, after] = [
      'Events:\n\n<!-- table: events -->\n',
      '| stale |\n',
      '<!-- /table -->\n\nMore.',
    ];
    const made = withTables('x.md', before + rows + after);
    expect(made).toMatch(/^Events:\n\n<!-- table: events -->\n\n\| event \|/);
    expect(made).toContain('| `presence` |');
    expect(made).not.toContain('stale');
    expect(made).toMatch(/<!-- \/table -->\n\nMore\.$/);
  });

  it('must be known and closed', () => {
    expect(() => withTables('x.md', '<!-- table: nothing -->\n<!-- /table -->')).toThrow('"nothing"');
    expect(() => withTables('x.md', '<!-- table: events -->\n')).toThrow('x.md');
  });
});
