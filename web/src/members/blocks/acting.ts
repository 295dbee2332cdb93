import { signal } from '../../api/signal.ts';
import type { Block } from '../../api/types.ts';
import { ask, askAgain, keyOf, type Press, usePressAt } from '../state/presses.ts';
import { type States, statesOf, type Value } from './values.ts';

/** What somebody presses or chooses. */
export interface Act {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string | undefined;
  readonly values?: readonly string[];
}

export const usePress = (message: string, block_id: string, action_id: string): Press | undefined =>
  usePressAt(keyOf(message, block_id, action_id));

/** Tells the application. */
export const press = (message: string, act: Act, states: () => States): void =>
  ask(keyOf(message, act.block_id, act.action_id), {
    what: act,
    path: `/v1/messages/${message}/interactions`,
    body: () => ({ ...act, state: states() }),
  });

/** @param states of the blocks as they are now */
export const pressAgain = (key: string, before: Press, states: () => States): void =>
  askAgain(key, {
    ...before,
    ask: { ...before.ask, body: () => ({ ...(before.ask.what as Act), state: states() }) },
  });

/** Half-made choices, by message and place: an update of the message, or a row that leaves the view, loses none. */
const choices = signal<ReadonlyMap<string, Chosen>>(new Map());

interface Chosen {
  readonly value: Value;
  /** What the application had chosen then. Once it was told, another value of its own is its answer. */
  readonly initial: string;
  readonly isTold: boolean;
}

export function useChoice(message: string, block_id: string, action_id: string, initial: Value): Value {
  const chosen = choices.useSelected((all) => all.get(keyOf(message, block_id, action_id)));
  return heldBy(chosen, initial);
}

const heldBy = (chosen: Chosen | undefined, initial: Value): Value =>
  chosen && !(chosen.isTold && chosen.initial !== JSON.stringify(initial)) ? chosen.value : initial;

const chosenAt = (message: string, block_id: string, action_id: string, initial: Value): Value =>
  heldBy(choices.get().get(keyOf(message, block_id, action_id)), initial);

/** What all elements of a message hold now. */
export const stateOf = (message: string, blocks: readonly Block[]): States =>
  statesOf(blocks, (block, action, initial) => chosenAt(message, block, action, initial));

export function choose(
  message: string,
  at: Pick<Act, 'block_id' | 'action_id'>,
  { value, initial, isTold }: { value: Value | undefined; initial: Value; isTold: boolean },
): void {
  const all = new Map(choices.get());
  const key = keyOf(message, at.block_id, at.action_id);
  if (value === undefined) all.delete(key);
  else all.set(key, { value, initial: JSON.stringify(initial), isTold });
  choices.set(all);
}
