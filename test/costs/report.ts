import { afterAll } from 'vitest';
import type { Growth } from '../support/growth.ts';

const costs: { readonly what: string; readonly cost: Growth }[] = [];

export const noteCost = (what: string, cost: Growth) => void costs.push({ what, cost });

/** With COSTS=yes, the most expensive ones are listed. */
if (process.env.COSTS === 'yes')
  afterAll(() => {
    for (const kind of ['piece', 'cpu', 'times'] as const) {
      console.log(kind);
      for (const { what, cost } of costs
        .toSorted((one, other) => other.cost[kind] - one.cost[kind])
        .slice(0, 30))
        console.log(
          `${cost.cpu.toFixed(1)} ms of the processor, ${cost.piece.toFixed(1)} ms in one piece, ×${cost.times.toFixed(1)}: ${what}`,
        );
    }
  });
