import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A server under test, in a process of its own so that it shares no event loop with the load. */
export interface Subject {
  readonly url: string;
  /** From starting `node` to the line that says it listens, in milliseconds. */
  readonly startedInMs: number;
  /** Resident memory in MiB: now, and the most it ever was. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** @param program relative to the repository; it prints an address when it listens */
export async function startSubject(program: string[], environment: NodeJS.ProcessEnv): Promise<Subject> {
  const started = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...program], {
    cwd: root,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await firstAddress(child);
  const startedInMs = performance.now() - started;
  // Its log must go somewhere, as it would in service.
  child.stdout?.resume();
  return {
    url,
    startedInMs,
    memory: () => memoryOf(child.pid as number),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

function firstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const [, url] = /(?:ready at|listening on) (http:\S+)/.exec(output) ?? [];
      if (url) resolve(url.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', (code) => reject(new Error(`a server under test ended with ${code}: ${output}`)));
  });
}

/** Only Linux tells; elsewhere the columns stay empty. */
function memoryOf(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mib = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
    return { now: mib('VmRSS'), peak: mib('VmHWM') };
  } catch {
    return { now: Number.NaN, peak: Number.NaN };
  }
}
