import { type Rate, readRecorded } from '../bench/measured.ts';
import { eventCatalogue } from '../src/conversation/live/index.ts';
import { mailCatalogue } from '../src/conversation/mails/index.ts';
import { scopeCatalogue } from '../src/integration/applications/index.ts';
import { heardCatalogue, scopesText } from '../src/integration/subscriptions/index.ts';
import { Refusal } from '../src/process/refusal.ts';

const code = (text: string) => `\`${text}\``;

const wanted = (target: number | undefined, bound: string, isMet: (target: number) => boolean) =>
  target === undefined ? '' : `${bound} ${target}${isMet(target) ? '' : ', missed'}`;

/** For a first impression: reading who one is, reading a stream, posting. */
const DAILY = ['GET /v1/users/me', 'GET 50 newest of a team', 'POST to a team, durable'];
const BESIDE_DISK = ['one fsync each'];

const ratesOf = (isShown: (one: Rate) => boolean) => readRecorded().rates.filter(isShown);

const RATES = [
  'request',
  'on',
  'a second',
  'half within',
  '99 of 100 within',
  'compared with',
  'our rate ÷ its rate',
];
const cellsOf = ({ name, database, rate, p50, p99, reference, ratio }: Rate) => [
  name,
  database,
  String(rate),
  `${p50} ms`,
  `${p99} ms`,
  reference,
  String(ratio),
];

/**
 * The tables that written documents take from the code. A document names one between `<!-- table: … -->` and
 * `<!-- /table -->`, each on a line of its own.
 */
const tables: Readonly<Record<string, () => readonly string[]>> = {
  events: () =>
    table(
      ['event', 'data', 'when'],
      Object.entries(eventCatalogue).map(([kind, { data, when }]) => [code(kind), data, when]),
    ),
  heard: () =>
    table(
      ['type', 'data', 'when', 'scope'],
      Object.entries(heardCatalogue).map(([kind, { data, when, scopes }]) => [
        code(kind),
        data,
        when,
        scopesText({ scopes }),
      ]),
    ),
  scopes: () =>
    table(
      ['scope', 'what it opens to the token of a person', 'and to an application as itself'],
      Object.entries(scopeCatalogue).map(([scope, { opens, itself = '' }]) => [code(scope), opens, itself]),
    ),
  figures: () =>
    table(
      ['figure', 'value', 'target'],
      readRecorded().figures.map(({ name, value, unit, below }) => [
        name,
        `${value} ${unit}`.trim(),
        wanted(below, 'below', (bound) => value < bound),
      ]),
    ),
  rates: () =>
    table(
      [...RATES, 'target'],
      ratesOf(() => true).map((one) => [
        ...cellsOf(one),
        wanted(one.target, 'at least', (bound) => one.ratio >= bound),
      ]),
    ),
  speed: () =>
    table(
      RATES,
      ratesOf(({ name, reference }) => DAILY.includes(name) && !BESIDE_DISK.includes(reference)).map(cellsOf),
    ),
  mails: () =>
    table(
      ['kind', 'to whom', 'when', 'switched off by'],
      Object.entries(mailCatalogue).map(([kind, { to, when, switches }]) => [
        code(kind),
        to,
        when,
        switches.map(code).join(', '),
      ]),
    ),
};

/** Writes today's tables into a document. @throws Refusal for an unknown table, and for a mark without its end */
export function withTables(file: string, document: string): string {
  const filled = document.replaceAll(
    /^<!-- table: (\S+) -->$(?:(?!^<!-- )[\s\S])*?^<!-- \/table -->$/gm,
    (_, name: string) => `<!-- table: ${name} -->\n\n${known(file, name).join('\n')}\n\n<!-- /table -->`,
  );
  const ends = filled.match(/<!-- \/table -->/g)?.length;
  if (filled.match(/<!-- table:/g)?.length !== ends)
    throw new Refusal(`${file}: each "<!-- table: … -->" needs its "<!-- /table -->" on a line of its own.`);
  return filled;
}

function known(file: string, name: string): readonly string[] {
  const make = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (!make) throw new Refusal(`${file}: there is no table "${name}" in tools/tables.ts.`);
  return make();
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}
