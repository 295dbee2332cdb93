import type { ReactNode } from 'react';
import styles from './code.module.css';
import type { Job, Word } from './code-words.ts';

/** A code for which it takes longer has no colours. */
const LONGEST_MS = 200;
/** So many codes are known at a time. */
const MOST_KNOWN = 200;

let worker: Promise<Worker> | undefined;
let last: Promise<unknown> = Promise.resolve();
const known = new Map<string, Promise<readonly Word[] | undefined>>();

/**
 * A code in the colours of its language, as elements; the worker that reads it is ended when it takes too long, since a
 * pattern of a language may take the square of its text.
 * @returns undefined for a language that is not known, and where it took too long
 */
export async function colouredCode(job: Job): Promise<ReactNode | undefined> {
  const name = `${job.language}\n${job.text}`;
  let words = known.get(name);
  if (!words) {
    // One after the other, so that none waits for another in its time.
    words = last.then(() => read(job)).catch(() => undefined);
    last = words;
    known.set(name, words);
    const [oldest] = known.keys();
    if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  }
  return (await words)?.map(([kind, text], at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words have nothing else, and hold no state
    <span key={at} className={styles[kind]}>
      {text}
    </span>
  ));
}

async function read(job: Job): Promise<readonly Word[] | undefined> {
  worker ??= start();
  const running = await worker.catch(() => undefined);
  if (!running) {
    worker = undefined;
    return undefined;
  }
  const { promise, resolve } = Promise.withResolvers<readonly Word[] | undefined>();
  running.onmessage = ({ data }) => resolve(data);
  running.postMessage(job);
  const timer = setTimeout(() => {
    running.terminate();
    worker = undefined;
    resolve(undefined);
  }, LONGEST_MS);
  return promise.finally(() => clearTimeout(timer));
}

/** Its script may be long on its way: the time begins when it runs. */
function start(): Promise<Worker> {
  const { promise, resolve, reject } = Promise.withResolvers<Worker>();
  const started = new Worker(new URL('./code-worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = () => resolve(started);
  started.onerror = () => reject(new Error('not loaded'));
  return promise;
}
