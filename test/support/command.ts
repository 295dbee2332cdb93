import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../src/cli/program.ts';
import { type Ended, type RunOptions, runBinary } from './process.ts';

/** The commands that have begun: they run one after the other, since a process has one environment and one folder. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Runs one command of the command line to its end: in this process, which costs a tenth of a program's start. A server, the
 * options of the program and what nobody reads to its end are of a process, and so run in one. Several at once: `runBinary`.
 */
export function runCommand(args: string[], options: RunOptions): Promise<Ended> {
  const [command = 'start'] = args;
  if (command === 'start' || command.startsWith('-') || options.closeAfter) return runBinary(args, options);
  const ended = before.then(() => run(args, options));
  before = ended.catch(() => undefined);
  return ended;
}

class Exit extends Error {}

async function run(args: readonly string[], { cwd, environment, input = '' }: RunOptions): Promise<Ended> {
  let output = '';
  let exit: number | undefined;
  const collect = () =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _encoding, done) => {
        if (exit === undefined) output += chunk;
        done();
      },
    });
  const { argv, env, exitCode } = process;
  const [folder, mask] = [process.cwd(), process.umask()];
  const kept = (['stdin', 'stdout', 'stderr', 'exit'] as const).map((name) => {
    return [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const;
  });
  const put = (name: string, value: unknown) =>
    Object.defineProperty(process, name, { value, configurable: true });
  process.argv = [...argv.slice(0, 1), 'parley', ...args];
  process.env = { PATH: env.PATH, ...environment };
  process.exitCode = undefined;
  process.chdir(cwd);
  put('stdin', Readable.from(input === '' ? [] : [input]));
  put('stdout', collect());
  put('stderr', collect());
  // Nothing that the command writes on its way out belongs to its output.
  put('exit', (code?: number) => {
    exit ??= code ?? 0;
    throw new Exit();
  });
  try {
    await runProgram();
    return { code: exit ?? Number(process.exitCode ?? 0), output };
  } finally {
    for (const [name, descriptor] of kept) Object.defineProperty(process, name, descriptor);
    process.chdir(folder);
    process.umask(mask);
    Object.assign(process, { argv, env, exitCode });
  }
}
