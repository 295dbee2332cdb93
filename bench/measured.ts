import { readFileSync, writeFileSync } from 'node:fs';
import { type Figure, type Line, machine } from './table.ts';

/** A case beside its reference. */
export interface Rate {
  readonly name: string;
  readonly database: string;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly reference: string;
  readonly ratio: number;
  readonly target?: number | undefined;
}

/** The results that documents tell (`tools/tables.ts`, `tools/values.ts`). Committed. */
interface Recorded {
  readonly machine: string;
  readonly rates: readonly Rate[];
  readonly figures: readonly Figure[];
}

const file = new URL('measured.json', import.meta.url);

/** Reads the results that `npm run bench -- --record` has kept. */
export const readRecorded = () => JSON.parse(readFileSync(file, 'utf8')) as Recorded;

/** Replaces what was measured before of the same names. */
export function record(lines: readonly Line[], figures: readonly Figure[]): void {
  const before = readRecorded();
  const made: Recorded = {
    machine: machine(),
    rates: replaced(before.rates, lines.map(rateOf), (one) => `${one.name} ${one.database} ${one.reference}`),
    figures: replaced(
      before.figures,
      figures.map((figure) => ({ ...figure, value: rounded(figure.value) })),
      ({ name }) => name,
    ),
  };
  writeFileSync(file, `${JSON.stringify(made, undefined, 2)}\n`);
}

function replaced<One>(before: readonly One[], now: readonly One[], keyOf: (one: One) => string): One[] {
  const all = new Map([...before, ...now].map((one) => [keyOf(one), one]));
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

const rateOf = ({ name, database, subject, reference, ratio, target }: Line): Rate => ({
  name,
  database,
  rate: rounded(subject.rate),
  p50: rounded(subject.p50),
  p99: rounded(subject.p99),
  reference: reference.name,
  ratio: rounded(ratio),
  target,
});

/** Further digits are noise. */
const rounded = (value: number) => Number(value.toPrecision(value < 10 ? 2 : 3));
