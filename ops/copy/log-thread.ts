import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { QUIET } from '../../src/platform/quiet.ts';
import type { LogWork } from './log.worker.ts';

/** The main thread's side of the log thread. */
export class LogThread {
  readonly #worker: Worker;
  readonly #database: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;
  #failure: Error | undefined;

  /** @param onEnd called when the thread ends with an error */
  constructor(file: string, onEnd: () => void) {
    // It stays open until the connections are closed: closing any file of the database ends the locks that a process has on it
    // (fcntl(2)).
    this.#database = openSync(file, 'r');
    const url = new URL(import.meta.resolve('#ops/copy/log.worker.ts'));
    this.#worker = new Worker(url, { workerData: { file, database: this.#database }, execArgv: QUIET });
    this.#worker.on('message', ({ id, value, error }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(value);
      else waiting?.reject(error);
    });
    const end = (error: Error) => {
      if (this.#failure) return;
      this.#failure = error;
      for (const { reject } of this.#waiting.values()) reject(error);
      onEnd();
    };
    this.#worker.once('error', end);
    this.#worker.once('exit', (code) => end(new Error(`the thread ended with ${code}`)));
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  ask<Name extends keyof LogWork>(
    name: Name,
    ...[given]: Parameters<LogWork[Name]>
  ): Promise<ReturnType<LogWork[Name]>> {
    if (this.#failure) return Promise.reject(this.#failure);
    const waiting = Promise.withResolvers<unknown>();
    const id = this.#asked++;
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ id, name, given });
    return waiting.promise as Promise<ReturnType<LogWork[Name]>>;
  }

  /** Ends the thread, and with it its connections. */
  async stop(): Promise<void> {
    await this.ask('close').catch(() => undefined);
    await this.#worker.terminate();
  }

  /** Call it only after the database is closed. */
  release(): void {
    closeSync(this.#database);
  }
}
