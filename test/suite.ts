/**
 * Runs vitest with the arguments that its command takes. With `SECOND_RUN=yes`, files in which a test failed run once more at
 * the end, alone: 10,000 tests, many with servers, kills and clocks, meet a race of their own on a busy machine now and then.
 * The summary names what passed at its second run only.
 */
import { createVitest, parseCLI } from 'vitest/node';

/** More files than this fail of a fault. */
const MOST_FILES = 5;

const { filter, options } = parseCLI(['vitest', 'run', ...process.argv.slice(2)]);
process.env.NODE_ENV ??= 'test';
const vitest = await createVitest({ ...options, watch: false });
try {
  const first = await vitest.start(filter);
  const failed = first.testModules.filter((module) => !module.ok());
  const isWorthIt = failed.length > 0 && failed.length <= MOST_FILES && first.unhandledErrors.length === 0;
  if (process.env.SECOND_RUN === 'yes' && isWorthIt) {
    process.stdout.write(`SECOND RUN  of ${failed.map((module) => module.relativeModuleId).join(', ')}\n`);
    const second = await vitest.runTestSpecifications(failed.map((module) => module.toTestSpecification()));
    const passed =
      second.unhandledErrors.length === 0 && vitest.state.getTestModules().every((module) => module.ok());
    process.exitCode = passed ? 0 : 1;
  }
} finally {
  await vitest.exit();
}
