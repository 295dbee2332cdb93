/** The origin of a piece of work. */
export interface Origin {
  /** Work of one source runs in order. */
  readonly source: string;
  /** Has a lane of its own, which others cannot fill. */
  readonly known: boolean;
}

/** Too much waits already, of this source or of all of them, so that it is refused or its turn would come too late. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
  readonly ofSource: boolean;

  constructor(ofSource: boolean) {
    super(ofSource ? 'too much of one source waits' : 'too much waits');
    this.ofSource = ofSource;
  }
}

export interface QueueLimits {
  readonly atOnce: number;
  readonly waitingOfSource: number;
  readonly waitingInLane: number;
  /** Work that has not begun after this time is refused: its caller has given up. */
  readonly longestWaitMs?: number;
}

type Start = () => void;

/**
 * Runs a few pieces of work at once. Sources take turns, so that somebody who has one piece waits for one of each
 * other source, however many those have; and the two lanes take turns.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #lanes = [new Map<string, Start[]>(), new Map<string, Start[]>()] as const;
  #running = 0;
  #next: 0 | 1 = 1;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** @throws QueueFull */
  async run<T>(origin: Origin, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limits.atOnce) this.#running++;
    else await this.#wait(origin);
    try {
      return await work();
    } finally {
      const start = this.#takeNext();
      if (start) start();
      else this.#running--;
    }
  }

  #wait({ source, known }: Origin): Promise<void> {
    const lane = this.#lanes[known ? 1 : 0];
    const waiting = lane.get(source) ?? [];
    if (waiting.length >= this.#limits.waitingOfSource) throw new QueueFull(true);
    if (count(lane) >= this.#limits.waitingInLane) throw new QueueFull(false);
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(start), 1);
        if (waiting.length === 0) lane.delete(source);
        reject(new QueueFull(false));
      };
      const { longestWaitMs } = this.#limits;
      const timer = longestWaitMs === undefined ? undefined : setTimeout(giveUp, longestWaitMs);
      waiting.push(start);
      lane.set(source, waiting);
    });
  }

  #takeNext(): Start | undefined {
    const [first, second] = this.#next === 1 ? [1, 0] : [0, 1];
    this.#next = this.#next === 1 ? 0 : 1;
    return takeFrom(this.#lanes[first as 0 | 1]) ?? takeFrom(this.#lanes[second as 0 | 1]);
  }
}

function count(lane: ReadonlyMap<string, readonly Start[]>): number {
  let sum = 0;
  for (const waiting of lane.values()) sum += waiting.length;
  return sum;
}

/** The first of the source whose turn it is; its next one comes after one of every other source. */
function takeFrom(lane: Map<string, Start[]>): Start | undefined {
  const [first] = lane;
  if (!first) return undefined;
  const [source, waiting] = first;
  const start = waiting.shift();
  lane.delete(source);
  if (waiting.length > 0) lane.set(source, waiting);
  return start;
}
