import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, type Line, machine } from './table.ts';

/** What the documents tell of the bench. Committed; `tools/tables.ts` makes tables of it. */
interface Measured {
  readonly machine: string;
  readonly lines: readonly Told[];
  readonly figures: readonly Figure[];
}

type Told = Pick<Line, 'name' | 'database' | 'ratio' | 'target'> & {
  readonly rate: number;
  readonly reference: string;
};

const file = new URL('measured.json', import.meta.url);

/** Replaces, case by case, what was measured before. */
export function record(lines: readonly Line[], figures: readonly Figure[]): void {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Measured;
  const made: Measured = {
    machine: machine(),
    lines: replaced(before.lines, lines.map(told), ({ name, database, reference }) =>
      [name, database, reference].join(', '),
    ),
    figures: replaced(
      before.figures,
      figures.map((figure) => ({ ...figure, value: rounded(figure.value) })),
      ({ name }) => name,
    ),
  };
  writeFileSync(file, `${JSON.stringify(made, undefined, 2)}\n`);
}

const told = ({ name, database, subject, reference, ratio, target }: Line): Told => ({
  name,
  database,
  rate: rounded(subject.rate),
  reference: reference.name,
  ratio: rounded(ratio),
  target,
});

/** Further digits are noise. */
const rounded = (value: number) => Number(value.toPrecision(value < 10 ? 2 : 3));

function replaced<One>(before: readonly One[], now: readonly One[], nameOf: (one: One) => string): One[] {
  const all = new Map([...before, ...now].map((one) => [nameOf(one), one]));
  return [...all.keys()].sort().map((name) => all.get(name) as One);
}
