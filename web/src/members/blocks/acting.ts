import { signal } from '../../api/signal.ts';
import type { Block } from '../../api/types.ts';
import { isOpenForm, keepTyped, readTyped } from '../state/open-forms.ts';
import { ask, askAgain, keyOf, type Press, usePressAt } from '../state/presses.ts';
import type { Surface } from './surface.ts';
import { type States, statesOf, type Value } from './values.ts';

/** What somebody presses or chooses. */
export interface Act {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string | undefined;
  readonly values?: readonly string[];
}

export const usePress = ({ id }: Surface, block_id: string, action_id: string): Press | undefined =>
  usePressAt(keyOf(id, block_id, action_id));

/** Tells the application. */
export const press = ({ id, path, query }: Surface, act: Act, states: () => States): void =>
  ask(keyOf(id, act.block_id, act.action_id), {
    what: act,
    path: `${path}/interactions`,
    query,
    body: () => ({ ...act, state: states() }),
  });

/** @param states of the blocks as they are now */
export const pressAgain = (key: string, before: Press, states: () => States): void =>
  askAgain(key, {
    ...before,
    ask: { ...before.ask, body: () => ({ ...(before.ask.what as Act), state: states() }) },
  });

/** Half-made choices, by surface and place: an update of the blocks, or a row that leaves the view, loses none. */
const choices = signal<ReadonlyMap<string, Chosen>>(new Map());

interface Chosen {
  readonly value: Value;
  /** What the application had chosen then. Once it was told, another value of its own is its answer. */
  readonly initial: string;
  readonly isTold: boolean;
}

export function useChoice({ id }: Surface, block_id: string, action_id: string, initial: Value): Value {
  const chosen = choices.useSelected((all) => all.get(keyOf(id, block_id, action_id)));
  return heldBy(chosen, initial);
}

const heldBy = (chosen: Chosen | undefined, initial: Value): Value =>
  chosen && !(chosen.isTold && chosen.initial !== JSON.stringify(initial)) ? chosen.value : initial;

/** What all elements of a surface hold now. */
export const stateOf = ({ id }: Surface, blocks: readonly Block[]): States =>
  statesOf(blocks, (block, action, initial) => heldBy(choices.get().get(keyOf(id, block, action)), initial));

export function choose(
  { id }: Surface,
  at: Pick<Act, 'block_id' | 'action_id'>,
  { value, initial, isTold }: { value: Value | undefined; initial: Value; isTold: boolean },
): void {
  const all = new Map(choices.get());
  const key = keyOf(id, at.block_id, at.action_id);
  if (value === undefined) all.delete(key);
  else all.set(key, { value, initial: JSON.stringify(initial), isTold });
  choices.set(all);
  if (isOpenForm(id)) keepTyped(id, [...all].filter(isOf(id)));
}

type Entry = readonly [key: string, chosen: Chosen];

const isOf = (surface: string) => {
  const start = `${JSON.stringify([surface]).slice(0, -1)},`;
  return ([key]: Entry) => key.startsWith(start);
};

/** After a reload: what was typed in a form. */
export function restoreChoices({ id }: Surface): void {
  const now = choices.get();
  if ([...now].some(isOf(id))) return;
  choices.set(new Map([...now, ...(readTyped<Entry[]>(id) ?? [])]));
}

/** Whether somebody has chosen or typed something. */
export const isBegun = (surface: Surface, blocks: readonly Block[]): boolean =>
  JSON.stringify(stateOf(surface, blocks)) !==
  JSON.stringify(statesOf(blocks, (_block, _action, initial) => initial));

/** What all elements of a surface hold, as it changes. */
export function useStateOf(surface: Surface, blocks: readonly Block[]): States {
  choices.useValue();
  return stateOf(surface, blocks);
}
