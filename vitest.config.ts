import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { DurationsWriter } from './test/support/durations.ts';
import { LongFirst } from './test/support/order.ts';
import { Summary } from './test/support/summary.ts';

/** Of the product and of what its parts promise together; those in `test/postgres` are about PostgreSQL alone. */
const files = ['src', 'ops', 'tools', 'test', 'sdk', 'examples'].map((folder) => `${folder}/**/*.test.ts`);
const onPostgresAlone = ['test/postgres/*.test.ts'];
const unit = ['**/*.unit.test.ts'];
const browser = ['**/*.browser.test.ts'];
const executed = ['test/schema/executed-statements.test.ts'];
const costs = ['test/costs/*.test.ts'];
/**
 * What PostgreSQL can answer differently: the domains, the rights, the bodies, races, faults, upgrades and histories. All else
 * ends before a database is asked, or asks it what the domains have asked, and runs on SQLite only.
 * `test/schema/executed-statements.test.ts` fails when PostgreSQL was not asked a statement of the sources.
 */
const postgres = [
  ...['src/**', 'ops/**', ...['faults', 'nodes', 'postgres', 'schema'].map((folder) => `test/${folder}`)].map(
    (folder) => `${folder}/*.test.ts`,
  ),
  ...Object.entries({
    interface: ['authorization', 'bodies', 'flow', 'interface', 'lists', 'reading', 'server'],
    ops: ['backups', 'cleaning', 'monitoring', 'move', 'move-files', 'rotate-keys'],
    cli: ['commands', 'doctor'],
    attacks: [
      'application-as-somebody',
      'application-beyond-a-narrowed-team',
      'application-in-direct-messages',
      'application-in-other-teams',
      'applications-after-a-reset',
      'applications-in-other-hands',
      'between-portions',
      'conversations-of-others',
      'ended-streams',
      'icon-tracker',
      'invitations-of-others',
      'join-links',
      'lagging-replica',
      'multiplied-limits',
      'open-teams',
      'outdated-deliveries',
      'presence-of-strangers',
      'previews-of-links',
      'refresh-family',
      'reinstall-race',
      'scheduled-by-wider-tokens',
      'scheduled-used-up',
      'search-behind-renames',
      'search-flood',
      'slow-application',
    ],
  }).flatMap(([folder, names]) => names.map((name) => `test/${folder}/${name}.test.ts`)),
];

/** What is built, installed or started as a program of its own, and takes seconds each time. */
const programs = ['test/package/*.unit.test.ts', 'test/cli/settings.unit.test.ts'];
/** What `npm test -- --quick` runs, on SQLite: each domain, and the tables that try every route. */
const quick = ['src/**/*.test.ts', 'test/interface/authorization.test.ts', 'test/interface/bodies.test.ts'];
const isQuick = process.env.QUICK === 'yes';

/** Where the workers note which statements they asked PostgreSQL. */
const STATEMENTS_FOLDER = join(tmpdir(), `parley-statements-${process.pid}`);

/** What can differ runs on both databases; all else runs once, and so does the browser. */
export default defineConfig({
  test: {
    // A bound for what hangs: the longest tests take a quiet machine a quarter of it.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    sequence: { shuffle: true, sequencer: LongFirst },
    reporters: [new DurationsWriter(), new Summary()],
    // A test waits a third of its time: for programs, connections and pages.
    maxWorkers: availableParallelism() + 1,
    // A test file leaves nothing behind: so a worker loads the application once, not once for each file. Projects run one
    // after the other (`groupOrder`), since a worker serves one project: with all at once, each file got a new one.
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: unit,
          exclude: ['node_modules/**', ...(isQuick ? programs : [])],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'sqlite',
          include: isQuick ? quick : files,
          exclude: ['node_modules/**', ...unit, ...browser, ...costs, ...executed, ...onPostgresAlone],
          env: { TEST_DATABASE: 'sqlite' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: postgres,
          exclude: ['node_modules/**', ...unit, ...browser, ...executed, 'src/web/**'],
          env: { TEST_DATABASE: 'postgres', STATEMENTS_FOLDER },
          setupFiles: ['test/support/executed-setup.ts'],
          globalSetup: ['test/support/global-postgres.ts'],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'statements',
          include: executed,
          env: { STATEMENTS_FOLDER },
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'costs',
          include: costs,
          exclude: ['node_modules/**', ...unit],
          env: { TEST_DATABASE: 'sqlite' },
          sequence: { groupOrder: 4 },
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
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
