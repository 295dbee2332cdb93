import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A server under test, in a process of its own so that it shares no event loop with the load. */
export interface Subject {
  readonly url: string;
  readonly pid: number;
  /** From starting `node` to the line that says it listens, in milliseconds. */
  readonly startedInMs: number;
  /** Resident memory in MiB: now, and the most it ever was. */
  memory(): { now: number; peak: number };
  /** Sends a signal and returns the match in the program's next output. */
  ask(signal: NodeJS.Signals, pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/** The flags with which bootstrap.cjs starts the platform; the references use them too. */
const FLAGS = ['--max-semi-space-size=8'];
/** The platform as `npm start` runs it. */
export const SERVER = ['build/server/main.js', 'start'];
const root = fileURLToPath(new URL('..', import.meta.url));

/** @param program relative to the repository; it prints an address when it listens */
export async function startSubject(
  program: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Subject> {
  const log = join(mkdtempSync(join(tmpdir(), 'parley-bench-log-')), 'log');
  const started = performance.now();
  const child = spawn(process.execPath, [...FLAGS, ...program], {
    cwd: root,
    env: { ...process.env, PROCESSES: '1', ...environment },
    // The log goes to a file: read by us, it would take turns from the load.
    stdio: ['ignore', openSync(log, 'w'), 'inherit'],
  });
  const end = () => child.kill('SIGTERM');
  process.once('exit', end);
  child.once('exit', () => process.removeListener('exit', end));
  const url = await firstAddress(child, log);
  const startedInMs = performance.now() - started;
  return {
    url,
    pid: child.pid as number,
    startedInMs,
    memory: () => memoryOf(child.pid as number),
    ask: async (signal, pattern) => {
      const { length } = readFileSync(log, 'utf8');
      child.kill(signal);
      for (;;) {
        const [, found] = pattern.exec(readFileSync(log, 'utf8').slice(length)) ?? [];
        if (found !== undefined) return found;
        await setTimeout(2);
      }
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => {
          rmSync(dirname(log), { recursive: true });
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

async function firstAddress(child: ChildProcess, log: string): Promise<string> {
  for (;;) {
    const [, url] = /(?:ready at|listening on) (http:\S+)/.exec(readFileSync(log, 'utf8')) ?? [];
    if (url) return url.replace('localhost', '127.0.0.1');
    if (child.exitCode !== null) throw new Error(`a server under test ended with ${child.exitCode}`);
    await setTimeout(2);
  }
}

/** Linux only; elsewhere the columns stay empty. */
export function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mib = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { now: mib('VmRSS'), peak: mib('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
