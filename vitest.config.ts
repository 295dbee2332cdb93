import { defineConfig } from 'vitest/config';
import { LongFirst } from './test/support/order.ts';
import { SecondRuns } from './test/support/second-runs.ts';

const files = ['src', 'ops', 'tools', 'test', 'sdk', 'examples'].map((folder) => `${folder}/**/*.test.ts`);
const unit = ['**/*.unit.test.ts'];
const browser = ['**/*.browser.test.ts'];
const costs = ['test/costs/*.test.ts'];
/** What ends before a database is asked. It runs on SQLite only. */
const anyDatabase = [
  'src/web/web.test.ts',
  'test/attacks/slow-bodies.test.ts',
  'test/bench.test.ts',
  'test/crowd.test.ts',
  'test/demo.test.ts',
  'test/openapi.test.ts',
  'test/pictures.test.ts',
  'test/python.test.ts',
  'test/sdk-package.test.ts',
  'test/uploads.test.ts',
];

/** The same files on each database; what touches no database runs once, and so does the browser. */
export default defineConfig({
  test: {
    // A bound for what hangs: the longest tests take a quiet machine a quarter of it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { shuffle: true, sequencer: LongFirst },
    reporters: [new SecondRuns(), 'default'],
    maxWorkers: 2,
    // A test file leaves nothing behind: so a worker loads the application once, not once for each file. Projects run one
    // after the other (`groupOrder`), since a worker serves one project: with all at once, each file got a new one.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'unit', include: unit, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: files,
          exclude: ['node_modules/**', ...unit, ...browser, ...costs],
          env: { TEST_DATABASE: 'sqlite' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: files,
          exclude: ['node_modules/**', ...unit, ...browser, ...costs, ...anyDatabase],
          env: { TEST_DATABASE: 'postgres' },
          globalSetup: ['test/support/global-postgres.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'costs',
          include: costs,
          exclude: ['node_modules/**', ...unit],
          env: { TEST_DATABASE: 'sqlite' },
          sequence: { groupOrder: 3 },
          // What one file makes the machine do would be measured by the other.
          maxWorkers: 1,
          // What else runs on the machine makes linear work look worse now and then. A square stays one.
          retry: 2,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: browser,
          env: { TEST_DATABASE: 'sqlite' },
          globalSetup: ['test/support/global-browser.ts'],
          sequence: { groupOrder: 4 },
          // A browser on a busy machine has races that are not the product's. What passed at its second run is named at the end.
          retry: 1,
        },
      },
    ],
  },
});
