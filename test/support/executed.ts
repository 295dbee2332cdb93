import { randomUUID } from 'node:crypto';
import { appendFileSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StatementEvent } from '../../src/platform/db/statement.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** `made`: a statement with a fixed text, and where. `ran`: its text. `queried`: the line that called `query`. */
export interface Noted {
  readonly kind: StatementEvent['kind'];
  readonly place: string;
  readonly sql: string;
}

/** Notes in a worker which statements its sources make, and which of them PostgreSQL was asked. */
export class Recorder {
  readonly #file: string;
  readonly #seen = new Set<string>();
  #made: { place: string; sql: () => string }[] = [];
  #notes: Noted[] = [];

  constructor(folder: string) {
    this.#file = join(folder, `${randomUUID()}.jsonl`);
  }

  note({ kind, dialect, sql }: StatementEvent): void {
    if (dialect !== 'postgres') return;
    if (kind === 'made') {
      this.#made.push({ place: placeOfCaller(), sql });
      return;
    }
    const place = kind === 'queried' ? placeOfCaller() : '';
    const key = `${kind} ${kind === 'queried' ? place : sql()}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#notes.push({ kind, place, sql: sql() });
  }

  /** Adds what is new to the file of this worker. */
  write(): void {
    const made = this.#made.map(({ place, sql }): Noted => ({ kind: 'made', place, sql: sql() }));
    const lines = [...made, ...this.#notes].map((noted) => `${JSON.stringify(noted)}\n`);
    if (lines.length > 0) appendFileSync(this.#file, lines.join(''));
    this.#made = [];
    this.#notes = [];
  }
}

/** The first frame that belongs to a store, as `src/teams/team.store.ts:40`; what only helps to build SQL is above it. */
function placeOfCaller(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = limit;
  for (const [, path = '', line] of stack.matchAll(/(\/[^\s():]+\.ts):(\d+):\d+/g)) {
    if (!path.startsWith(root)) continue;
    const file = path.slice(root.length);
    if (/^src\/(?!platform\/|schema\/)/.test(file)) return `${file}:${line}`;
  }
  return '';
}

export interface Executed {
  /** Files of statements that no worker loaded. */
  readonly unloaded: readonly string[];
  /** The file and text of each statement and query that PostgreSQL was never asked. */
  readonly missing: readonly string[];
  readonly count: number;
}

const MAKES =
  /\b(?:statement<|(?:insertion|deletion|modification|leasedQueue|lockedQueue|fairQueue|renewal)\()/;

/** So much of the beginning and of the end of a statement tells it from others; what is between changes with each column. */
const SHOWN = 200;

/** Without the number of the line, which moves. */
function named(place: string, text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const shown = line.length <= 2 * SHOWN ? line : `${line.slice(0, SHOWN)} … ${line.slice(-SHOWN)}`;
  return `${place.split(':')[0]}  ${shown}`;
}

/** Compares what the workers noted in a folder with what the sources hold. */
export function executedStatements(folder: string): Executed {
  const noted = readdirSync(folder)
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Noted);
  const ran = new Set(noted.filter(({ kind }) => kind === 'ran').map(({ sql }) => sql));
  const queried = new Set(noted.filter(({ kind }) => kind === 'queried').map(({ place }) => place));
  const makings = noted.filter(
    ({ kind, place }) => kind === 'made' && /^src\/.*(?<!\.test)\.ts:/.test(place),
  );
  const made = new Map(makings.map(({ sql, place }) => [sql, place]));
  const loaded = new Set(makings.map(({ place }) => place.split(':')[0]));
  const unloaded: string[] = [];
  /** The line of each call, by its place. */
  const queries = new Map<string, string>();
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    if (file.endsWith('.test.ts') || /^src\/(platform|schema)\//.test(file)) continue;
    const lines = readFileSync(join(root, file), 'utf8').split('\n');
    if (lines.some((line) => MAKES.test(line)) && !loaded.has(file)) unloaded.push(file);
    for (const [index, line] of lines.entries())
      if (/(?<![.\w])query[<(]/.test(line)) queries.set(`${file}:${index + 1}`, line);
  }
  const missing = [
    ...[...made].filter(([sql]) => !ran.has(sql)).map(([sql, place]) => named(place, sql)),
    ...[...queries].filter(([place]) => !queried.has(place)).map(([place, line]) => named(place, line)),
  ];
  return { unloaded, missing: missing.sort(), count: made.size + queries.size };
}
