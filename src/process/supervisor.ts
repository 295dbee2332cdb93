import { type ChildProcess, fork } from 'node:child_process';
import type { FastifyBaseLogger } from 'fastify';
import { pause, waitAtMost } from '#platform/pause.ts';
import { environmentOf, type OwnProcess } from './processes.ts';
import type { Heard, Said } from './siblings.ts';

/** A server ends within a second. One that does not, as one that is frozen, is killed. */
const ENDING_MS = 20_000;
/** How long a process may take to tell the others something. */
const TELLING_MS = 2000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 30_000;
/** A process that has run for so long is started again without a pause. */
const STEADY_MS = 60_000;

/** Where a server can be reached. */
export interface Ready {
  readonly url: string;
  /** The link with which the first account is made; undefined once there is one. */
  readonly setUpUrl: string | undefined;
}

/** How a process ended: with a code, by a signal, or why it did not begin. */
type Ending = number | string;

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ending>;
  isReady: boolean;
  /** Whether another one was wanted in its place. */
  isReplaced: boolean;
}

/** Tells the supervisor that this process serves. */
export const tellReady = ({ url, setUpUrl }: Ready) => process.send?.({ ready: { url, setUpUrl } });

/**
 * Runs several processes of this program that share one port (`reusePort`): the system gives each connection to one of them.
 * Handed out here, as node:cluster does in turns, one that was given to a process in the moment in which that is killed
 * would wait for ever.
 */
export class Supervisor {
  readonly #count: number;
  readonly #logger: FastifyBaseLogger;
  readonly #stopping = new AbortController();
  readonly #running = new Map<number, Started>();
  /** Called when the process of a number serves. */
  readonly #awaited = new Map<number, () => void>();
  /** By the number of a question to a process: takes its answer. */
  readonly #asking = new Map<number, (text: string) => void>();
  #asked = 0;
  #code = 0;
  #isRestarting = false;

  constructor(count: number, logger: FastifyBaseLogger) {
    this.#count = count;
    this.#logger = logger;
  }

  /**
   * Starts the first process, which makes keys and tables where there are none, and then the others. Ends when all have ended:
   * after `stop`, or because none can be started.
   * @param onReady called when the first one serves
   * @returns the exit code
   */
  async run(onReady: (ready: Ready) => void): Promise<number> {
    const first = this.#keep(1, (ready) => {
      onReady(ready);
      for (let number = 2; number <= this.#count; number++) others.push(this.#keep(number));
    });
    const others: Promise<void>[] = [];
    await first;
    await Promise.all(others);
    return this.#code;
  }

  /** @returns the exit code: 0 when each process ended in order */
  async stop(): Promise<number> {
    this.#stopping.abort();
    await Promise.all([...this.#running.values()].map(endInOrder));
    return this.#code;
  }

  /** Replaces the processes one after the other: each when the one before serves, and those that do not serve yet first. */
  async restart(): Promise<void> {
    if (this.#isRestarting || this.#stopping.signal.aborted) return;
    this.#isRestarting = true;
    this.#logger.info({ processes: this.#count }, 'the processes are restarted one after the other');
    const numbers = Array.from({ length: this.#count }, (_, index) => index + 1);
    const before = numbers.map((number) => [number, this.#running.get(number)] as const);
    const serves = (number: number) => this.#running.get(number)?.isReady === true;
    for (const [number, started] of [
      ...before.filter(([number]) => !serves(number)),
      ...before.filter(([number]) => serves(number)),
    ]) {
      if (this.#stopping.signal.aborted) break;
      const serving = new Promise<void>((resolve) => this.#awaited.set(number, resolve));
      // One that ended by itself meanwhile is started again already.
      if (started && this.#running.get(number) === started) {
        started.isReplaced = true;
        await endInOrder(started);
      } else if (serves(number)) continue;
      await serving;
    }
    this.#isRestarting = false;
  }

  /** Starts a process again whenever it ends, until the server stops. @param onFirst called when it serves for the first time */
  async #keep(number: number, onFirst?: (ready: Ready) => void): Promise<void> {
    let ends = 0;
    let onReady = onFirst;
    while (!this.#stopping.signal.aborted) {
      const since = performance.now();
      const started = start({ number, of: this.#count }, (ready) => {
        onReady?.(ready);
        onReady = undefined;
        // The word of one that has just been ended says nothing about the next.
        if (!started.isReplaced) this.#awaited.get(number)?.();
      });
      started.child.on('message', (said: Said) => void this.#hear(started.child, said));
      this.#running.set(number, started);
      const how = await started.ended;
      this.#running.delete(number);
      if (this.#stopping.signal.aborted) {
        // One that had not begun to listen for signals is ended by them.
        if (how !== 0 && how !== 'SIGTERM') this.#code = 1;
        return;
      }
      if (started.isReplaced) continue;
      if (!started.isReady && this.#noneServes()) return this.#giveUp(how);
      ends = performance.now() - since > STEADY_MS ? 0 : ends + 1;
      const pauseMs = ends === 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (ends - 1), LONGEST_PAUSE_MS);
      this.#logger.error(
        { process: number, how, milliseconds: pauseMs },
        'a process ended, and is started again',
      );
      await pause(pauseMs, this.#stopping.signal);
    }
  }

  /** Asks the other processes for one that wants to know, or takes such an answer. */
  async #hear(child: ChildProcess, said: Said): Promise<void> {
    if ('told' in said) this.#asking.get(said.told)?.(said.text);
    if (!('wanted' in said)) return;
    const others = [...this.#running.values()].filter((other) => other.isReady && other.child !== child);
    const texts = await Promise.all(others.map((other) => this.#ask(other.child)));
    send(child, { gathered: said.wanted, texts: texts.filter((text) => text !== undefined) });
  }

  async #ask(child: ChildProcess): Promise<string | undefined> {
    this.#asked += 1;
    const tell = this.#asked;
    const told = new Promise<string>((resolve) => this.#asking.set(tell, resolve));
    send(child, { tell });
    const text = await waitAtMost(TELLING_MS, told);
    this.#asking.delete(tell);
    return text;
  }

  #noneServes(): boolean {
    return ![...this.#running.values()].some(({ isReady }) => isReady);
  }

  /** It is not tried again here: as with one process, a service manager decides that. */
  #giveUp(how: Ending): void {
    this.#code = 1;
    // With code 1 it has said itself what is wrong.
    if (how !== 1)
      process.stderr.write(
        `No process of the server could be started: the last one ended with ${how} too early.\n`,
      );
    void this.stop();
  }
}

/** One that has just ended hears nothing. */
const send = (child: ChildProcess, heard: Heard) => child.connected && child.send(heard);

function start(own: OwnProcess, onReady: (ready: Ready) => void): Started {
  const [, program = '', ...parameters] = process.argv;
  const child = fork(program, parameters, { env: { ...process.env, ...environmentOf(own) } });
  const ended = new Promise<Ending>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code ?? 1));
    // Where it could not be started there is no such event.
    child.on('error', ({ message }) => child.pid === undefined && resolve(message));
  });
  const started: Started = { child, ended, isReady: false, isReplaced: false };
  child.on('message', ({ ready }: { ready?: Ready }) => {
    if (!ready) return;
    started.isReady = true;
    onReady(ready);
  });
  return started;
}

async function endInOrder({ child, ended }: Started): Promise<void> {
  child.kill('SIGTERM');
  if ((await waitAtMost(ENDING_MS, ended)) === undefined) child.kill('SIGKILL');
  await ended;
}
