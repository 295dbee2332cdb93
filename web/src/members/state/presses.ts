import { callOne, mayPass } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { signal } from '../../api/signal.ts';
import { keepInTab, parsed, readOfTab } from '../../storage/tab.ts';
import { openForm } from './open-forms.ts';

/** The server's answer to a press, and the live event about it. */
export interface Interaction {
  readonly id: string;
  readonly status: 'pending' | 'done' | 'failed';
  readonly reason?: string;
  /** With which the application has answered. */
  readonly form?: string;
}

/** What an application is asked for. */
export interface Ask {
  /** Two that are equal are the same. */
  readonly what: unknown;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Made at each attempt: what stands beside it may have changed. */
  readonly body: () => object;
  /** Of what has a name, a command or a shortcut, whose status stands outside of the application's frame. */
  readonly named?: Named;
  /** In place of opening the form, if it is one; what was asked is then over. */
  readonly whenDone?: (form: string | undefined) => Promise<void>;
}

export interface Named {
  readonly name: string;
  readonly application: string;
}

/** Something that was asked of an application, by a click in a block, a command or a shortcut. */
export interface Press {
  /** The same for each attempt: together they have one effect. */
  readonly click: string;
  readonly ask: Ask;
  readonly status: 'sent' | Interaction['status'] | 'unanswered';
  /** It takes so long that the person is told. */
  readonly isSlow: boolean;
  readonly interaction?: string;
  readonly reason?: string | undefined;
  readonly error?: unknown;
  /** When it was sent first. */
  readonly at: number;
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

/** The part of a message or of a team in which commands and shortcuts are, as they are in no block. */
export const NO_BLOCK = '';

/** @param place a message, or a team @param part a block of it */
export const keyOf = (place: string, part: string, id: string) => JSON.stringify([place, part, id]);

export const usePressAt = (key: string): Press | undefined => presses.useSelected((all) => all.get(key));

const isIn = (place: string, part: string) => {
  const start = `${JSON.stringify([place, part]).slice(0, -1)},`;
  return (key: string) => key.startsWith(start);
};

/** What is under way, or has failed, in a part of a place, by its key. */
export function usePressesIn(place: string, part: string): (readonly [key: string, press: Press])[] {
  const isHere = isIn(place, part);
  return [...presses.useValue()].filter(([key]) => isHere(key));
}

/** Whether anything is; its reader is drawn again only when this changes. */
export const useHasPresses = (place: string, part: string): boolean =>
  presses.useSelected((all) => [...all.keys()].some(isIn(place, part)));

function put(key: string, press: Press | undefined): void {
  const all = new Map(presses.get());
  if (press) all.set(key, press);
  else all.delete(key);
  presses.set(all);
  keepPending();
}

/*
 * A click that the server has is asked for again where an event may have been missed: after a reload, and once the stream is
 * open again. An application may have answered it with a form meanwhile.
 */

/** What is older may have been forgotten by the server, which would do it once more: no timer runs while a device sleeps. */
const isFresh = (at: number) => Date.now() - at < UNANSWERED_MS;

const PENDING = 'asked';
let user: string | undefined;

/** A press as the tab keeps it for a reload. */
interface Kept extends Pick<Ask, 'what' | 'path' | 'query' | 'named'> {
  readonly key: string;
  readonly click: string;
  readonly at: number;
  readonly body: object;
}

/** A form knows itself what was submitted. */
const pending = () =>
  [...presses.get()].filter(
    ([
      ,
      {
        status,
        ask: { whenDone },
      },
    ]) => status === 'pending' && !whenDone,
  );

function keepPending(): void {
  const all = pending().map(
    ([
      key,
      {
        click,
        at,
        ask: { what, path, query, named, body },
      },
    ]): Kept => {
      return { key, click, at, what, path, query, named, body: body() };
    },
  );
  keepInTab(PENDING, all.length > 0 && user !== undefined ? JSON.stringify({ user, all }) : undefined);
}

/** Asks again how clicks go that this tab has sent before it was reloaded. @param of whose window this is */
export function restorePresses(of: string): void {
  user = of;
  const kept = parsed<{ user: string; all: Kept[] }>(readOfTab(PENDING));
  if (kept?.user !== of) return;
  for (const { key, click, at, body, ...given } of kept.all)
    if (isFresh(at)) void send(key, click, { ...given, body: () => body }, at);
}

onLive('ready', () => {
  for (const [key, { click, at, ask: given }] of pending()) if (isFresh(at)) void send(key, click, given, at);
});

const isUnderWay = (press: Press | undefined) => press?.status === 'sent' || press?.status === 'pending';

export const isUnderWayAt = (key: string): boolean => isUnderWay(presses.get().get(key));

/** What is asked again while it is under way is the same click; another choice at its place follows it. */
export function ask(key: string, given: Ask): void {
  const before = presses.get().get(key);
  if (before && isUnderWay(before)) {
    if (JSON.stringify(before.ask.what) !== JSON.stringify(given.what)) next.set(key, () => ask(key, given));
    return;
  }
  void send(key, newKey(), given);
}

/** One that may have arrived is the same click; after a refusal it is another one. */
export function askAgain(key: string, { click, ask: given, status, error }: Press): void {
  const mayHaveArrived = status === 'failed' && error !== undefined && mayPass(error);
  void send(key, mayHaveArrived ? click : newKey(), given);
}

/** @returns why the server did not take it, which the press says as well */
export async function send(key: string, click: string, given: Ask, at = Date.now()): Promise<unknown> {
  put(key, { click, ask: given, status: 'sent', isSlow: false, at });
  later(key, click, SLOW_MS, (now) => (isUnderWay(now) ? { ...now, isSlow: true } : now));
  try {
    const { path, query = {} } = given;
    const body = { ...given.body(), click };
    settle(key, click, await callOne<Interaction>(path, { method: 'POST', query, body }));
    return undefined;
  } catch (error) {
    change(key, click, (now) => ({ ...now, status: 'failed', error }));
    return error;
  }
}

export const dismiss = (key: string): void => put(key, undefined);

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

/** What was asked in an earlier life of the window, and is under way still. */
export function follow(key: string, given: Ask, answer: Interaction): void {
  if (isUnderWay(presses.get().get(key))) return;
  const click = newKey();
  put(key, { click, ask: given, status: 'sent', isSlow: true, at: Date.now() });
  settle(key, click, answer);
}

function settle(key: string, click: string, answer: Interaction): void {
  const { id, status, reason, form } = early.get(answer.id) ?? answer;
  early.delete(id);
  const then =
    presses.get().get(key)?.ask.whenDone ?? (form === undefined ? undefined : () => openForm(form));
  if (status === 'done' && then) {
    // Under way until it is seen.
    void then(form).finally(() => change(key, click, () => undefined));
    return;
  }
  if (status === 'done') later(key, click, SHOWN_DONE_MS, (now) => (now.status === 'done' ? undefined : now));
  if (status === 'pending')
    later(key, click, UNANSWERED_MS, (now) =>
      now.status === 'pending' ? { ...now, status: 'unanswered' } : now,
    );
  change(key, click, ({ error: _, ...now }) => ({ ...now, status, reason, interaction: id }));
}

/** What the server tells of a click, of this window or of another one. */
export function onInteraction(heard: Interaction): void {
  const found = [...presses.get()].find(([, { interaction }]) => interaction === heard.id);
  if (found) settle(found[0], found[1].click, heard);
  if (found || heard.status === 'pending') return;
  early.set(heard.id, heard);
  const [oldest] = early.keys();
  if (early.size > MOST_EARLY && oldest !== undefined) early.delete(oldest);
}

// This window's own: nothing can be pressed before the code is there.
onLive('interaction', onInteraction);
