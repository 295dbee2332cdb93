/**
 * Everything that must pass before a change lands: the suite, and the static checks beside its first tests. With
 * arguments, runs the suite only and passes them on: `npm test -- --project sqlite src/integration/oauth`. `--quick` alone
 * is the static checks and the part of the suite that `vitest.config.ts` chooses for it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);

/** The file that a package's command runs. */
function command(name: string, bin = name): string {
  const file = join(root, 'node_modules', name, 'package.json');
  const { bin: bins } = require(file) as { bin: string | Record<string, string> };
  return join(dirname(file), typeof bins === 'string' ? bins : (bins[bin] ?? ''));
}

/** Makes the next run incremental. */
function remembering(name: string): string[] {
  return ['--incremental', '--tsBuildInfoFile', join(root, `node_modules/.cache/${name}.tsbuildinfo`)];
}

/** Four checkers side by side work most types out four times, and the suite needs the other processors. */
const ALONE = ['--checkers', '1'];

interface Check {
  readonly name: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

const checks: Check[] = [
  { name: 'types', args: [command('typescript', 'tsc'), ...ALONE, ...remembering('types')] },
  {
    name: 'types of the web application',
    args: [command('typescript', 'tsc'), ...ALONE, '-p', 'web', ...remembering('web-types')],
  },
  {
    name: 'types of the worker',
    args: [command('typescript', 'tsc'), ...ALONE, '-p', 'web/worker', ...remembering('worker-types')],
  },
  { name: 'format and lint', args: [command('@biomejs/biome', 'biome'), 'check', '.'] },
  {
    name: 'architecture',
    args: [
      command('dependency-cruiser', 'depcruise'),
      'src',
      'ops',
      'tools',
      'sdk',
      'examples',
      'web/src',
      '--output-type',
      'err',
    ],
  },
  { name: 'unused code', args: [command('knip')] },
  {
    name: 'description of the interface',
    args: [command('@redocly/cli', 'redocly'), 'lint', 'openapi.json'],
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  },
  { name: 'generated documents', args: ['tools/documents.ts', '--check'] },
];

/** What runs now, and gets our signals. */
const children = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isEnding = true;
    for (const child of children) child.kill(signal);
  });
let isEnding = false;

interface Result {
  readonly code: number;
  readonly output: string;
}

function run(args: string[], show: boolean, env: Record<string, string> = {}): Promise<Result> {
  if (isEnding) return Promise.resolve({ code: 1, output: '' });
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('exit', (code) => {
      children.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

async function runCheck({ name, args, env }: Check): Promise<boolean> {
  const start = performance.now();
  const { code, output } = await run(args, false, env);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  process.stdout.write(code === 0 ? `ok      ${name} (${seconds} s)\n` : `FAILED  ${name}\n${output}\n`);
  return code === 0;
}

/** One after the other, since the suite runs beside them. @returns whether all passed */
async function runChecks(): Promise<boolean> {
  let passed = true;
  for (const check of checks) passed = (await runCheck(check)) && passed;
  return passed;
}

const given = process.argv.slice(2);
const isQuick = given.length === 1 && given[0] === '--quick';
const isWhole = given.length === 0 || isQuick;
const [passed, suite] = await Promise.all([
  !isWhole || runChecks(),
  run(['test/suite.ts', ...(isQuick ? ['--project', 'unit', '--project', 'sqlite'] : given)], true, {
    ...(isQuick && { QUICK: 'yes' }),
    ...(isWhole && { SECOND_RUN: 'yes' }),
  }),
]);
if (!passed) process.stderr.write('A static check failed: see FAILED above.\n');
process.exitCode = passed ? suite.code : 1;
