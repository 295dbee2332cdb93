import { readFileSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** The seconds of the long files, by project and path. */
type Durations = Record<string, Record<string, number>>;

const file = new URL('durations.json', import.meta.url);

/** In seconds. What is shorter may start at any time. */
const LONG = 4;

export const readDurations = () => JSON.parse(readFileSync(file, 'utf8')) as Durations;

/** Writes the durations of the files that ran, beside those of all others: `DURATIONS=yes npm test`. */
export class DurationsWriter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    if (process.env.DURATIONS !== 'yes') return;
    const durations = readDurations();
    for (const module of modules) {
      const { name, config } = module.project;
      const seconds = Math.round(module.diagnostic().duration / 1000);
      const path = module.moduleId.slice(config.root.length + 1);
      durations[name] ??= {};
      if (seconds < LONG) delete durations[name][path];
      else durations[name][path] = seconds;
    }
    for (const [name, of] of Object.entries(durations))
      durations[name] = Object.fromEntries(
        Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1)),
      );
    writeFileSync(file, `${JSON.stringify(durations, undefined, 2)}\n`);
  }
}
