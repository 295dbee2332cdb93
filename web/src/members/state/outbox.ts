import { ApiError, callOne, mayPass } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { signal } from '../../api/signal.ts';
import type { Attachment, Message } from '../../api/types.ts';
import { addMessage } from './lists.ts';

/** The target of a message. */
export type Target =
  | { readonly kind: 'team'; readonly id: string }
  | { readonly kind: 'people'; readonly ids: readonly string[]; readonly emails: readonly string[] }
  | { readonly kind: 'replies'; readonly id: string }
  /** `message` is the one that the sidebar belongs to. */
  | { readonly kind: 'sidebar'; readonly id: string; readonly message: string };

/** A message that the server does not have yet. It is kept in the browser's storage. */
export interface Unsent {
  /** The idempotency key: retries post it once. */
  readonly key: string;
  readonly target: Target;
  readonly text: string;
  readonly files: readonly Attachment[];
  /** Milliseconds since 1970. */
  readonly written: number;
  /** Time of the first attempt. It may have arrived although no answer came. */
  readonly tried?: number;
  /** The server's reason for refusing it. */
  readonly refused?: string;
}

/** The server remembers a key for a day. A message that was tried longer ago is not sent again without asking. */
const KEY_LIVES_MS = 23 * 3_600_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const TOO_OLD = 'too_old';

let owner: string | undefined;
const unsent = signal<readonly Unsent[]>([]);
let sending = false;
/** A message was added while `sendAll` was running, perhaps after it had looked for the last time. */
let again = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

// One item per message: several windows write at the same time.
const prefixOf = (user: string) => `parley.outbox.${user}.`;
const nameOf = ({ key, written }: Unsent) => `${prefixOf(owner ?? '')}${written}.${key}`;

function readAll(): Unsent[] {
  const prefix = prefixOf(owner ?? '');
  const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix));
  return (
    names
      .map((name) => JSON.parse(localStorage.getItem(name) ?? 'null') as (Unsent & { place?: Target }) | null)
      .filter((entry) => entry !== null)
      // Earlier versions stored the target as `place`.
      .map(({ place, ...entry }) => ({ ...entry, target: place ?? entry.target }))
      .sort((one, other) => one.written - other.written)
  );
}

function refresh(): void {
  unsent.set(owner === undefined ? [] : readAll());
}

function save(entry: Unsent): void {
  localStorage.setItem(nameOf(entry), JSON.stringify(entry));
  refresh();
}

function drop(entry: Unsent): void {
  localStorage.removeItem(nameOf(entry));
  refresh();
}

/** The keys of messages whose event came before the answer; they are shown as sent. */
const arrived = new Set<string>();

/** The unsent messages that are to be shown in some place, oldest first. */
export const useUnsent = (fits: (entry: Unsent) => boolean) =>
  unsent.useValue().filter((entry) => fits(entry) && !arrived.has(entry.key));

/** The refused messages, oldest first; the author has to decide about them. */
export const useRefused = () => unsent.useValue().filter(({ refused }) => refused !== undefined);

export const sameTarget = (one: Target, other: Target) => JSON.stringify(one) === JSON.stringify(other);

/** Starts sending the user's messages from this window and earlier ones. @returns a function that ends it */
export function startOutbox(userId: string): () => void {
  owner = userId;
  refresh();
  const wake = () => {
    failures = 0;
    void send();
  };
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && !key.startsWith(prefixOf(userId))) return;
    refresh();
    void send();
  };
  addEventListener('online', wake);
  addEventListener('storage', onStorage);
  const endLive = onLive('ready', wake);
  void send();
  return () => {
    removeEventListener('online', wake);
    removeEventListener('storage', onStorage);
    endLive();
    clearTimeout(timer);
    owner = undefined;
    refresh();
  };
}

/** Posts a message: it is shown at once, and sent as soon as possible. */
export function post(target: Target, text: string, files: readonly Attachment[]): void {
  // Keeps the order of two messages in the same millisecond.
  const written = Math.max(Date.now(), (unsent.get().at(-1)?.written ?? 0) + 1);
  save({ key: newKey(), target, text, files, written });
  void send();
}

/** Sends a refused message under a new key, since the server may have stored the old one. */
export function sendAgain(entry: Unsent): void {
  drop(entry);
  const { refused: _, tried: __, ...rest } = entry;
  save({ ...rest, key: newKey() });
  failures = 0;
  void send();
}

export const discard = drop;

/** One window sends at a time. The others wait for the lock, in case that window is closed first. */
async function send(): Promise<void> {
  again = true;
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    while (again) {
      again = false;
      if ('locks' in navigator) await navigator.locks.request(`parley.outbox.${owner}`, sendAll);
      else await sendAll();
    }
  } finally {
    sending = false;
  }
}

/** Sends one after the other, to keep the order. */
async function sendAll(): Promise<void> {
  for (;;) {
    const user = owner;
    refresh();
    const entry = unsent.get().find(({ refused }) => refused === undefined);
    if (!entry || user === undefined) return;
    const wait = await sendOne(entry);
    if (owner !== user) return;
    if (wait === undefined) continue;
    timer = setTimeout(() => void send(), wait);
    return;
  }
}

/** @returns the delay before the next attempt; undefined once it is sent or refused */
async function sendOne(entry: Unsent): Promise<number | undefined> {
  const now = Date.now();
  if (entry.tried !== undefined && now - entry.tried > KEY_LIVES_MS) {
    save({ ...entry, refused: TOO_OLD });
    return undefined;
  }
  const tried = { ...entry, tried: entry.tried ?? now };
  save(tried);
  try {
    const { path, body } = requestOf(entry);
    const message = await callOne<Message>(path, { method: 'POST', body, idempotencyKey: entry.key });
    failures = 0;
    addMessage(message);
    drop(entry);
    return undefined;
  } catch (error) {
    return settle(tried, error);
  }
}

function settle(entry: Unsent, error: unknown): number | undefined {
  if (error instanceof ApiError && !mayPass(error) && error.reason !== 'in_progress') {
    save({ ...entry, refused: error.message });
    return undefined;
  }
  failures += 1;
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(asked, Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS));
}

export const isTooOld = ({ refused }: Unsent) => refused === TOO_OLD;

function requestOf({ target, text, files }: Unsent): { path: string; body: object } {
  const content = { text, ...(files.length > 0 && { attachments: { files: files.map(({ id }) => id) } }) };
  switch (target.kind) {
    case 'team':
      return { path: '/v1/messages', body: { ...content, addressed_teams: [target.id] } };
    case 'people':
      return {
        path: '/v1/messages',
        body: { ...content, addressed_users: { ids: target.ids, emails: target.emails } },
      };
    case 'replies':
      return { path: `/v1/messages/${target.id}/replies`, body: content };
    case 'sidebar':
      return { path: `/v1/sidebars/${target.id}/messages`, body: content };
  }
}

/** Notes the event of one's own message, which may come before the answer; matched by target and text. */
export function noteArrival(message: Message): void {
  const entry = unsent
    .get()
    .find(
      ({ tried, refused, text, target }) =>
        tried !== undefined && refused === undefined && text === message.text && fits(target, message),
    );
  if (entry) arrived.add(entry.key);
}

function fits(target: Target, message: Message): boolean {
  if (target.kind === 'replies') return message.reply_to === target.id;
  if (target.kind === 'sidebar') return message.sidebar === target.id;
  if (message.reply_to !== undefined || message.sidebar !== undefined) return false;
  if (target.kind === 'team') return message.addressed_teams.includes(target.id);
  return message.addressed_teams.length === 0;
}
