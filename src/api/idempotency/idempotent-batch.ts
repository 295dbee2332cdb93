import { type Batch, type Outcome, settle, type Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Again, Attempt } from './attempt.ts';
import { ANSWERS_KEPT_MS, type claim, forget, saveAnswers, UNFINISHED } from './idempotency.store.ts';

/** An item of a batch, and how its request may be repeated. */
interface Asked<Item, T> {
  readonly item: Item;
  readonly attempt: Attempt | undefined;
  readonly again: Again<T> | undefined;
}

type AnyBatch = Batch<Asked<unknown, unknown>, unknown[]>;

const nameOf = ({ scope, key }: Attempt) => JSON.stringify([scope, key]);
const requestOf = ({ scope, key, requestHash }: Attempt) => JSON.stringify([scope, key, requestHash]);

/** Batches of items with Idempotency-Keys: one statement claims all keys, and one saves all answers. */
export function idempotentBatches(deps: {
  clock: Clock;
  encrypt: (data: readonly unknown[]) => string;
  keptOf: <T>(data: readonly T[], again: Again<T> | undefined) => readonly unknown[];
  repeat: <T>(tx: Tx, attempt: Attempt, again: Again<T> | undefined) => Promise<T[]>;
  claimKeys: typeof claim;
}) {
  const { clock, encrypt, keptOf, repeat, claimKeys } = deps;
  const known = new WeakMap<object, AnyBatch>();

  /** Always the same one for a batch, so that its items join each other. */
  function withKeys<Item, T>(batch: Batch<Item, T[]>): Batch<Asked<Item, T>, T[]> {
    const made = known.get(batch) ?? (keyed(batch) as unknown as AnyBatch);
    known.set(batch, made);
    return made as unknown as Batch<Asked<Item, T>, T[]>;
  }

  function keyed<Item, T>(batch: Batch<Item, T[]>): Batch<Asked<Item, T>, T[]> {
    return async (tx, asked) => {
      const outcomes = new Map<Asked<Item, T>, Outcome<T[]>>();
      const note = (items: readonly Asked<Item, T>[], done: readonly Outcome<T[]>[]) => {
        for (const [index, one] of items.entries()) outcomes.set(one, done[index] as Outcome<T[]>);
      };
      const held = clock() + ANSWERS_KEPT_MS;
      const claimed = await claimAll(tx, asked, held);
      const fresh = asked.filter((one) => !one.attempt || claimed.has(one));
      if (fresh.length > 0) {
        const items = fresh.map(({ item }) => item);
        note(fresh, await batch(tx, items));
      }
      await finish(tx, held, claimed, outcomes);
      // Equal requests in one batch share one outcome, refusals included.
      const byRequest = new Map<string, Outcome<T[]>>();
      for (const one of [...claimed, ...asked]) {
        const { attempt, again } = one;
        if (!attempt) continue;
        const name = requestOf(attempt);
        const outcome =
          outcomes.get(one) ?? byRequest.get(name) ?? (await settle(repeat(tx, attempt, again)));
        byRequest.set(name, outcome);
        outcomes.set(one, outcome);
      }
      return asked.map((one) => outcomes.get(one) as Outcome<T[]>);
    };
  }

  /** Claims the keys in one order. Of several items with one key, the first may have it. */
  async function claimAll<One extends { readonly attempt: Attempt | undefined }>(
    tx: Tx,
    asked: readonly One[],
    held: number,
  ): Promise<Set<One>> {
    const byName = new Map<string, One>();
    for (const one of asked) {
      const name = one.attempt && nameOf(one.attempt);
      if (name !== undefined && !byName.has(name)) byName.set(name, one);
    }
    const rows = [...byName]
      .sort(([name], [other]) => (name < other ? -1 : 1))
      .map(([, { attempt }]) => rowOf(attempt as Attempt, UNFINISHED, held));
    const claimed = await claimKeys(tx, rows);
    return new Set(claimed.map((row) => byName.get(nameOf(row as Attempt)) as One));
  }

  /** Saves the answers, and frees the keys of refused requests. */
  async function finish<T>(
    tx: Tx,
    held: number,
    claimed: ReadonlySet<Asked<unknown, T>>,
    outcomes: ReadonlyMap<Asked<unknown, T>, Outcome<T[]>>,
  ): Promise<void> {
    const answers: ReturnType<typeof rowOf>[] = [];
    for (const one of claimed) {
      const attempt = one.attempt as Attempt;
      const outcome = outcomes.get(one);
      if (outcome && 'value' in outcome) {
        answers.push(rowOf(attempt, encrypt(keptOf(outcome.value, one.again)), clock() + ANSWERS_KEPT_MS));
      } else {
        await forget.run(tx, { ...attempt, held });
      }
    }
    await saveAnswers(tx, answers);
  }

  return { withKeys };
}

export const rowOf = ({ scope, key, requestHash }: Attempt, answer: string, expires_at: number) => ({
  scope,
  key,
  request_hash: requestHash,
  answer,
  expires_at,
});
