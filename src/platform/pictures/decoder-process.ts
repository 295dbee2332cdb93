import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome, Report } from './order.ts';

export interface DecoderLimits {
  /** Bytes of memory. */
  readonly mostResident: number;
  /** Of a processor's time, for one picture. */
  readonly mostCpuMs: number;
  /** By the clock, for one picture. */
  readonly mostMs: number;
  /** A process that has had nothing to do for so long is ended. */
  readonly idleMs: number;
}

export type Job = Omit<Order, 'mostResident' | 'mostCpuMs'>;

const LOOK_MS = 20;
const FLAGS = [
  '--disable-warning=ExperimentalWarning',
  '--max-semi-space-size=1',
  '--max-old-space-size=128',
];
/** Settings are secrets; a decoder needs none. Few arenas of memory and threads keep it small, and it writes no files. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2', VIPS_DISC_THRESHOLD: '1g' };
/** Without these no program starts on some system. */
const NEEDED = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];

/**
 * Decodes pictures in a process of its own, one after the other. A picture that takes too much memory or time ends that
 * process and not the server; the next one gets another.
 */
export class DecoderProcess {
  readonly #limits: DecoderLimits;
  #child: ChildProcess | undefined;
  #isUp = false;
  #resting: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(limits: DecoderLimits) {
    this.#limits = limits;
  }

  /** @returns `died` when the process ended or was ended over it @throws when none comes up */
  async decode(job: Job): Promise<Outcome | 'died'> {
    if (this.#isStopped) throw new Error('No picture is decoded any more');
    clearTimeout(this.#resting);
    const child = this.#child ?? this.#begin();
    const { mostResident, mostCpuMs, idleMs } = this.#limits;
    try {
      return await this.#ask(child, { ...job, mostResident, mostCpuMs });
    } finally {
      this.#resting = setTimeout(() => this.#end(), idleMs).unref();
    }
  }

  /** Ends the process, whatever it does. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#resting);
    const child = this.#child;
    if (!child) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // Nothing else may be left that keeps this program waiting.
    child.ref();
    this.#end();
    await ended;
  }

  #begin(): ChildProcess {
    const program = fileURLToPath(import.meta.resolve('#platform/pictures/decoder.ts'));
    const needed = NEEDED.flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]],
    );
    const child = fork(program, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: FLAGS,
      env: { ...Object.fromEntries(needed), ...ENVIRONMENT },
    });
    this.#child = child;
    this.#isUp = false;
    child.once('message', () => {
      this.#isUp = true;
    });
    const forget = () => {
      if (this.#child === child) this.#child = undefined;
    };
    child.once('exit', forget);
    child.on('error', forget);
    // While it rests it keeps no program from ending.
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** Its `exit` tells whoever waits. */
  #end(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #ask(child: ChildProcess, order: Order): Promise<Outcome | 'died'> {
    const until = performance.now() + this.#limits.mostMs;
    let reported = 0;
    return new Promise<Outcome | 'died'>((resolve, reject) => {
      const look = () => {
        const resident = Math.max(reported, residentOf(child.pid));
        if (resident > order.mostResident || performance.now() > until) child.kill('SIGKILL');
      };
      const looking = setInterval(look, LOOK_MS);
      const settle = (act: () => void) => {
        clearInterval(looking);
        child.off('message', hear).off('exit', died).off('error', failed);
        act();
      };
      const hear = (message: Outcome | Report) => {
        if (typeof message === 'object' && 'resident' in message) reported = message.resident;
        else settle(() => resolve(message));
      };
      const died = (code: number | null) => {
        // One that ends by itself before it is up would do so with every picture.
        const isBroken = code !== null && !this.#isUp;
        const error = new Error(`The decoder of pictures ended with ${code}`);
        settle(() => (isBroken ? reject(error) : resolve('died')));
      };
      const failed = (error: Error) => settle(() => reject(error));
      child.on('message', hear).on('exit', died).on('error', failed);
      child.send(order, (error) => {
        // One that dies at this moment is told by `exit`.
        if (error && child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      });
    });
  }
}

/** As the system counts it where it says so in a file, as Linux does; elsewhere the process itself tells. */
function residentOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
