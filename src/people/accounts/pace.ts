import { type LimitName, TooManyRequests } from '#api';
import { sign } from '#platform/crypto/index.ts';
import type { Reader, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findArrival, giveBackArrival, takeArrival } from './pace.store.ts';

/** A burst, then one request per interval. */
export interface Pace {
  readonly name: string;
  readonly burst: number;
  readonly everyMs: number;
}

/** A pace whose name is shown to the refused caller. */
export type NamedPace = Pace & { readonly name: LimitName };

/** A slot taken under a pace. */
export interface Taken {
  readonly key: string;
  readonly pace: Pace;
  /** How many slots of the burst are in use, including this one. */
  readonly used: number;
}

export type Paces = ReturnType<typeof paces>;

/**
 * Slows callers down by the generic cell rate algorithm (GCRA, ITU-T I.371): one number for each caller, the arrival
 * time up to which they have used their pace. All nodes of a database share it.
 */
export function paces({ clock, key: secret }: { clock: Clock; key: Buffer }) {
  const keyOf = (pace: Pace, caller: string) => sign(secret, `pace ${pace.name} ${caller}`);

  /** @returns undefined when the caller is too early */
  async function tryTake(tx: Tx, pace: Pace, caller: string): Promise<Taken | undefined> {
    const now = clock();
    const { burst, everyMs } = pace;
    const key = keyOf(pace, caller);
    const latest = now + (burst - 1) * everyMs;
    // Beyond it no caller comes: the clock was ahead then, and is right again. One slot is left to them.
    const most = latest + everyMs;
    const taken = await takeArrival.first(tx, { key, now, everyMs, first: now + everyMs, latest, most });
    return taken && { key, pace, used: Math.ceil((taken.arrival_at - now) / everyMs) };
  }

  /** @throws TooManyRequests with the time until the next slot */
  async function take(tx: Tx, pace: NamedPace, caller: string): Promise<Taken> {
    return (await tryTake(tx, pace, caller)) ?? refuse(tx, pace, caller);
  }

  async function refuse(reader: Reader, pace: NamedPace, caller: string): Promise<never> {
    const found = await findArrival.first(reader, { key: keyOf(pace, caller) });
    const waitMs = (found?.arrival_at ?? 0) - clock() - (pace.burst - 1) * pace.everyMs;
    throw new TooManyRequests(pace.name, Math.max(1, Math.ceil(waitMs / 1000)));
  }

  async function giveBack(tx: Tx, taken: readonly Taken[]): Promise<void> {
    for (const { key, pace } of taken) await giveBackArrival.run(tx, { key, everyMs: pace.everyMs });
  }

  return { take, tryTake, giveBack };
}
