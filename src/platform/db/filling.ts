import { Worker } from 'node:worker_threads';
import { QUIET } from '../quiet.ts';

/** Fills a new file of SQLite in a thread, one order after the other. */
export class Filling {
  readonly #worker: Worker;
  #failed: unknown;
  #settle: ((error: unknown) => void) | undefined;

  /** @param file a database with its tables, which nobody else has open */
  constructor(file: string) {
    this.#worker = new Worker(new URL(import.meta.resolve('#platform/db/fill.worker.ts')), {
      workerData: { file },
      execArgv: QUIET,
    });
    this.#worker.on('message', ({ error }: { error?: Error }) => this.#settle?.(error));
    for (const event of ['error', 'exit'] as const)
      this.#worker.once(event, (reason: unknown) => {
        this.#failed ??= reason instanceof Error ? reason : new Error('the thread that copies has ended');
        this.#settle?.(this.#failed);
      });
  }

  /** Empties a table, into which the next rows go. */
  begin(table: string, columns: readonly string[]): Promise<void> {
    return this.#order({ begin: table, columns });
  }

  insert(rows: readonly unknown[][]): Promise<void> {
    return this.#order({ rows });
  }

  /** Compares what is stored with what was sent, checks the file, and flushes it to the disk. @param statements run before */
  finish(statements: readonly string[]): Promise<void> {
    return this.#order({ finish: statements });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #order(order: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve());
      if (this.#failed) this.#settle(this.#failed);
      else this.#worker.postMessage(order);
    });
  }
}
