import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, machine } from './table.ts';

/** The figures of the documents. Committed; `tools/tables.ts` makes a table of them. */
interface Measured {
  readonly machine: string;
  readonly figures: readonly Figure[];
}

const file = new URL('measured.json', import.meta.url);

/** Replaces, by their names, the figures that were measured before. */
export function record(figures: readonly Figure[]): void {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Measured;
  const now = figures.map((figure) => ({ ...figure, value: rounded(figure.value) }));
  const all = new Map([...before.figures, ...now].map((figure) => [figure.name, figure]));
  const sorted = [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  const made: Measured = { machine: machine(), figures: sorted };
  writeFileSync(file, `${JSON.stringify(made, undefined, 2)}\n`);
}

/** Further digits are noise. */
const rounded = (value: number) => Number(value.toPrecision(value < 10 ? 2 : 3));
