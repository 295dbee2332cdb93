import { readFileSync } from 'node:fs';

export interface Rate {
  readonly name: string;
  readonly database: string;
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly reference: string;
  readonly ratio: number;
  readonly target?: number;
}

/** What `npm run bench -- --record` has kept. */
interface Recorded {
  readonly rates: readonly Rate[];
  readonly figures: readonly {
    readonly name: string;
    readonly value: number;
    readonly unit: string;
    readonly below?: number;
  }[];
}

export const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../bench/measured.json', import.meta.url), 'utf8'),
);

/** @throws when nothing of this name was recorded */
export function figureOf(name: string): number {
  const found = recorded.figures.find((figure) => figure.name === name);
  if (!found) throw new Error(`bench/measured.json has no "${name}"`);
  return found.value;
}
