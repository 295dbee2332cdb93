import { write, writeSync } from 'node:fs';

/** A reader that is busy, as a pipe that is full, is given so much time. */
const BUSY_MS = 50;
const TRIES_AT_END = 20;

/**
 * Writes text to a file, a pipe or a terminal in the background, much at once. Where nothing can be written, as on a
 * full disk, it waits in memory up to a bound, and what comes beyond it is lost: a server does not end for its log.
 */
export class LogSink {
  readonly #fd: number;
  readonly #atOnce: number;
  readonly #most: number;
  readonly #together: number;
  #waiting: string[] = [];
  #length = 0;
  /** The rest of the text being written. */
  #rest = Buffer.alloc(0);
  #isWriting = false;
  #isClosed = false;

  /**
   * @param atOnce so many characters are written without `flush`
   * @param most so many wait
   * @param together so many bytes are one write, unless a single line is longer
   */
  constructor(fd: number, atOnce: number, most: number, together = Number.POSITIVE_INFINITY) {
    this.#fd = fd;
    this.#atOnce = atOnce;
    this.#most = most;
    this.#together = together;
  }

  write(text: string): void {
    if (this.#isClosed || this.#length + text.length > this.#most) return;
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length >= this.#atOnce) this.flush();
  }

  flush(): void {
    if (!this.#isWriting && this.#take()) this.#send();
  }

  /** For the end of the process. */
  flushAtEnd(): void {
    // Text being written in the background must not be written twice.
    if (this.#isWriting) this.#rest = Buffer.alloc(0);
    for (let tries = 0; tries < TRIES_AT_END && this.#take(); ) {
      try {
        const written = writeSync(this.#fd, this.#rest);
        this.#rest = this.#rest.subarray(written);
        if (written === 0) tries++;
      } catch (error) {
        if (!isBusy(error)) return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
      }
    }
  }

  /** @returns whether there is anything to write */
  #take(): boolean {
    if (this.#rest.length === 0) {
      const lines = this.#waiting.splice(0, this.#countTogether());
      const text = lines.join('');
      this.#rest = Buffer.from(text);
      this.#length -= text.length;
    }
    return this.#rest.length > 0;
  }

  /** How many lines are in the next write. */
  #countTogether(): number {
    if (this.#together === Number.POSITIVE_INFINITY) return this.#waiting.length;
    let bytes = 0;
    const beyond = this.#waiting.findIndex((line, index) => {
      bytes += Buffer.byteLength(line);
      return index > 0 && bytes > this.#together;
    });
    return beyond === -1 ? this.#waiting.length : beyond;
  }

  #send(): void {
    this.#isWriting = true;
    write(this.#fd, this.#rest, (error, written) => {
      this.#isWriting = false;
      if (!error) {
        this.#rest = this.#rest.subarray(written);
        if (this.#rest.length > 0 || this.#length >= this.#atOnce) this.flush();
      } else if (isBusy(error)) {
        setTimeout(() => this.flush(), BUSY_MS).unref();
      } else if ((error as NodeJS.ErrnoException).code === 'EPIPE') {
        this.#isClosed = true;
        this.#waiting = [];
        this.#length = 0;
        this.#rest = Buffer.alloc(0);
      }
    });
  }
}

const isBusy = (error: unknown) => ['EAGAIN', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
