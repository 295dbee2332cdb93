import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The seconds of the long files, by project and path. */
type Durations = Record<string, Record<string, number>>;

const file = new URL('durations.json', import.meta.url);

/** In seconds. What is shorter may start at any time. */
const LONG = 4;

export const readDurations = () => JSON.parse(readFileSync(file, 'utf8')) as Durations;

/** Writes the durations of all the files that ran: `DURATIONS=yes npm test`. */
export class DurationsWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.DURATIONS !== 'yes') return;
    const durations: Durations = {};
    for (const module of [...modules].sort((one, other) => (one.moduleId < other.moduleId ? -1 : 1))) {
      const { name, config } = module.project;
      const seconds = Math.round(module.diagnostic().duration / 1000);
      if (seconds < LONG) continue;
      durations[name] ??= {};
      durations[name][module.moduleId.slice(config.root.length + 1)] = seconds;
    }
    writeFileSync(file, `${JSON.stringify({ ...readDurations(), ...durations }, undefined, 2)}\n`);
  }
}
