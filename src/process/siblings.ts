import { waitAtMost } from '#platform/pause.ts';
import type { OwnProcess } from './processes.ts';

/** Longer than the supervisor waits for a process: after that, it is frozen itself. */
export const GATHERING_MS = 4000;

/** Messages between the processes that share a port and their supervisor. */
export type Said = { readonly wanted: number } | { readonly told: number; readonly text: string };
export type Heard = { readonly tell: number } | { readonly gathered: number; readonly texts: string[] };

/** The other processes that share the port of this one, reached by way of the supervisor. */
export class Siblings {
  readonly #waiting = new Map<number, (texts: string[]) => void>();
  #asked = 0;
  #tell: (() => Promise<string>) | undefined;

  /** The number of this process. */
  readonly number: number;
  /** How many there are besides this one. */
  readonly others: number;

  constructor({ number, of }: OwnProcess) {
    this.number = number;
    this.others = of - 1;
    process.on('message', (heard: Heard) => void this.#hear(heard));
  }

  /** @returns the text of each of the others; one that does not answer, as one that is frozen, is left out */
  async gather(): Promise<string[]> {
    this.#asked += 1;
    const wanted = this.#asked;
    const gathered = new Promise<string[]>((resolve) => {
      this.#waiting.set(wanted, resolve);
      say({ wanted });
    });
    try {
      return (await waitAtMost(GATHERING_MS, gathered)) ?? [];
    } finally {
      this.#waiting.delete(wanted);
    }
  }

  /** @param tell what the others are told when they gather */
  answerWith(tell: () => Promise<string>): void {
    this.#tell = tell;
  }

  async #hear(heard: Heard): Promise<void> {
    if ('tell' in heard) {
      const text = await this.#tell?.().catch(() => undefined);
      if (text !== undefined) say({ told: heard.tell, text });
    } else if ('gathered' in heard) {
      this.#waiting.get(heard.gathered)?.(heard.texts);
    }
  }
}

/** A supervisor that has ended hears nothing. */
const say = (said: Said) => process.connected && process.send?.(said);
