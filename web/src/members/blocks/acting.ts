import { callOne, mayPass } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { signal } from '../../api/signal.ts';
import type { Block } from '../../api/types.ts';
import { type States, statesOf, type Value } from './values.ts';

/** What somebody presses or chooses. */
export interface Act {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string | undefined;
  readonly values?: readonly string[];
}

/** The server's answer to a click, and the live event about it. */
interface Interaction {
  readonly id: string;
  readonly status: 'pending' | 'done' | 'failed';
  readonly reason?: string;
}

export interface Press {
  /** The same for each attempt: together they have one effect. */
  readonly click: string;
  readonly act: Act;
  readonly status: 'sent' | Interaction['status'] | 'unanswered';
  /** It takes so long that the person is told. */
  readonly isSlow: boolean;
  readonly interaction?: string;
  readonly reason?: string | undefined;
  readonly error?: unknown;
}

const SLOW_MS = 300;
const SHOWN_DONE_MS = 4000;
/** Nobody looks at a button for longer. What comes later is shown as well, and until then a repetition is the same click. */
const UNANSWERED_MS = 60_000;
const MOST_EARLY = 50;

const presses = signal<ReadonlyMap<string, Press>>(new Map());
/** What was chosen while an earlier choice was under way: the last one counts. */
const next = new Map<string, () => void>();
/** Events that came before the answer that names them. */
const early = new Map<string, Interaction>();

const keyOf = (message: string, { block_id, action_id }: Pick<Act, 'block_id' | 'action_id'>) =>
  JSON.stringify([message, block_id, action_id]);

export const usePress = (message: string, block_id: string, action_id: string): Press | undefined =>
  presses.useSelected((all) => all.get(keyOf(message, { block_id, action_id })));

/** What is under way, or has failed, in a block. */
export function usePressesIn(message: string, block: string): Press[] {
  const all = presses.useValue();
  const start = `${JSON.stringify([message, block]).slice(0, -1)},`;
  return [...all].filter(([key]) => key.startsWith(start)).map(([, press]) => press);
}

function put(key: string, press: Press | undefined): void {
  const all = new Map(presses.get());
  if (press) all.set(key, press);
  else all.delete(key);
  presses.set(all);
}

const isUnderWay = (press: Press | undefined) => press?.status === 'sent' || press?.status === 'pending';

/** Tells the application. What is pressed again while it is under way is the same click; another choice follows it. */
export function press(message: string, act: Act, states: () => States): void {
  const key = keyOf(message, act);
  const before = presses.get().get(key);
  if (before && isUnderWay(before)) {
    if (JSON.stringify(before.act) !== JSON.stringify(act)) next.set(key, () => press(message, act, states));
    return;
  }
  void send(message, { click: newKey(), act, status: 'sent', isSlow: false }, states);
}

/** One that may have arrived is the same click; after a refusal it is another one. */
export function pressAgain(
  message: string,
  { click, act, status, error }: Press,
  states: () => States,
): void {
  const mayHaveArrived = status === 'failed' && error !== undefined && mayPass(error);
  void send(
    message,
    { click: mayHaveArrived ? click : newKey(), act, status: 'sent', isSlow: false },
    states,
  );
}

async function send(message: string, begun: Press, states: () => States): Promise<void> {
  const key = keyOf(message, begun.act);
  const { click, act } = begun;
  put(key, begun);
  later(key, click, SLOW_MS, (now) => (isUnderWay(now) ? { ...now, isSlow: true } : now));
  try {
    const path = `/v1/messages/${message}/interactions`;
    const body = { ...act, state: states(), click };
    settle(key, click, await callOne<Interaction>(path, { method: 'POST', body }));
  } catch (error) {
    change(key, click, (now) => ({ ...now, status: 'failed', error }));
  }
}

/** Changes a press, unless another one has taken its place. */
function change(key: string, click: string, to: (press: Press) => Press | undefined): void {
  const now = presses.get().get(key);
  if (now?.click !== click) return;
  const changed = to(now);
  if (changed !== now) put(key, changed);
  if (isUnderWay(changed)) return;
  const following = next.get(key);
  next.delete(key);
  if (following && !isUnderWay(presses.get().get(key))) following();
}

const later = (key: string, click: string, ms: number, to: (press: Press) => Press | undefined) =>
  void setTimeout(() => change(key, click, to), ms);

function settle(key: string, click: string, answer: Interaction): void {
  const { id, status, reason } = early.get(answer.id) ?? answer;
  early.delete(id);
  if (status === 'done') later(key, click, SHOWN_DONE_MS, (now) => (now.status === 'done' ? undefined : now));
  if (status === 'pending')
    later(key, click, UNANSWERED_MS, (now) =>
      now.status === 'pending' ? { ...now, status: 'unanswered' } : now,
    );
  change(key, click, ({ error: _, ...now }) => ({ ...now, status, reason, interaction: id }));
}

function onInteraction(heard: Interaction): void {
  const found = [...presses.get()].find(([, { interaction }]) => interaction === heard.id);
  if (found) settle(found[0], found[1].click, heard);
  if (found || heard.status === 'pending') return;
  early.set(heard.id, heard);
  const [oldest] = early.keys();
  if (early.size > MOST_EARLY && oldest !== undefined) early.delete(oldest);
}

// This window's own: nothing can be pressed before the code is there.
onLive('interaction', onInteraction);

/** Half-made choices, by message and place: an update of the message, or a row that leaves the view, loses none. */
const choices = signal<ReadonlyMap<string, Chosen>>(new Map());

interface Chosen {
  readonly value: Value;
  /** What the application had chosen then. Once it was told, another value of its own is its answer. */
  readonly initial: string;
  readonly isTold: boolean;
}

export function useChoice(message: string, block_id: string, action_id: string, initial: Value): Value {
  const chosen = choices.useSelected((all) => all.get(keyOf(message, { block_id, action_id })));
  return heldBy(chosen, initial);
}

const heldBy = (chosen: Chosen | undefined, initial: Value): Value =>
  chosen && !(chosen.isTold && chosen.initial !== JSON.stringify(initial)) ? chosen.value : initial;

const chosenAt = (message: string, block_id: string, action_id: string, initial: Value): Value =>
  heldBy(choices.get().get(keyOf(message, { block_id, action_id })), initial);

/** What all elements of a message hold now. */
export const stateOf = (message: string, blocks: readonly Block[]): States =>
  statesOf(blocks, (block, action, initial) => chosenAt(message, block, action, initial));

export function choose(
  message: string,
  at: Pick<Act, 'block_id' | 'action_id'>,
  { value, initial, isTold }: { value: Value | undefined; initial: Value; isTold: boolean },
): void {
  const all = new Map(choices.get());
  const key = keyOf(message, at);
  if (value === undefined) all.delete(key);
  else all.set(key, { value, initial: JSON.stringify(initial), isTold });
  choices.set(all);
}
