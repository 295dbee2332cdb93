import { cpus } from 'node:os';
import type { Comparison, Measured } from './load.ts';

/** One line of the result. */
export interface Line {
  readonly name: string;
  readonly database: string;
  readonly subject: Measured;
  readonly reference: { readonly name: string; readonly rate: number };
  readonly ratio: number;
  /** The least acceptable ratio; undefined without a target. */
  readonly target: number | undefined;
}

/** @param of the case, its database, the name of its reference, and the least acceptable ratio */
export const lineOf = (
  { subject, reference, ratio }: Comparison,
  of: { name: string; database: string; reference: string; target: number | undefined },
): Line => ({ ...of, subject, reference: { name: of.reference, rate: reference.rate }, ratio });

/** A figure that stands alone. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The upper bound. */
  readonly below: number | undefined;
}

const TAIL_TARGET = 5;

export function machine(): string {
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}, ${process.platform}`;
}

export function print(lines: readonly Line[], figures: readonly Figure[]): void {
  console.log(`\n${machine()}\n`);
  const head = [
    'case',
    'on',
    'req/s',
    'reference',
    'ref/s',
    'ratio',
    'target',
    'p50 ms',
    'p99 ms',
    'p99 < 5 p50',
  ];
  const rows = lines.map(({ name, database, subject, reference, ratio, target }) => [
    name,
    database,
    subject.rate.toFixed(0),
    reference.name,
    reference.rate.toFixed(0),
    ratio.toFixed(2),
    target === undefined ? '' : `${target} ${ratio >= target ? 'met' : 'MISSED'}`,
    subject.p50.toFixed(1),
    subject.p99.toFixed(1),
    subject.p99 <= TAIL_TARGET * Math.max(subject.p50, 1) ? 'met' : 'MISSED',
  ]);
  printAligned([head, ...rows]);
  console.log('');
  printAligned(
    figures.map(({ name, value, unit, below }) => [
      name,
      `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ${unit}`,
      below === undefined ? '' : `below ${below} ${value < below ? 'met' : 'MISSED'}`,
    ]),
  );
}

function printAligned(rows: readonly string[][]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
