import { ApiError, callOne, mayPass } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import { onLive } from '../../api/live.ts';
import { queryClient, serverQuery } from '../../api/queries.ts';
import { signal } from '../../api/signal.ts';
import type { Message } from '../../api/types.ts';
import { alone } from '../../storage/alone.ts';
import { kept } from '../../storage/kept.ts';
import { bytesOf } from '../../storage/texts.ts';
import { type AlsoTo, besideReply } from './also-to-team.ts';
import type { Attached } from './drafts.ts';
import { addMessage } from './lists.ts';
import type { Neighbour } from './message-list.ts';
import { nameOfSubject } from './subjects.ts';
import { lostFileOf, uploadAgain } from './upload.ts';

/** The target of a message. */
export type Target =
  | {
      readonly kind: 'team';
      readonly id: string;
      /** What it is about; one that begins with this message has no id yet. */
      readonly subject?: { readonly id?: string; readonly name: string };
    }
  | { readonly kind: 'people'; readonly ids: readonly string[]; readonly emails: readonly string[] }
  | { readonly kind: 'application'; readonly application: string; readonly team: string }
  | { readonly kind: 'replies'; readonly id: string }
  /** `message` is the one that the sidebar belongs to. */
  | { readonly kind: 'sidebar'; readonly id: string; readonly message: string };

const KINDS: readonly Target['kind'][] = ['team', 'people', 'application', 'replies', 'sidebar'];

/** A refusal by the server: told in the reader's language when it is shown. */
interface Refused {
  readonly status: number;
  readonly code: number;
  /** The entries of the answer: what is said of which field, or reason. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A message that the server does not have yet. The browser keeps it. */
export interface Unsent {
  /** The idempotency key: retries post it once. */
  readonly key: string;
  readonly target: Target;
  readonly text: string;
  readonly files: readonly Attached[];
  /** A reply that the team is to see as well. */
  readonly also?: AlsoTo;
  /** Milliseconds since 1970. */
  readonly written: number;
  /** Time of the first attempt. It may have arrived although no answer came. */
  readonly tried?: number;
  /** Why it is not sent. */
  readonly refused?: Refused | typeof TOO_OLD | typeof LOST_FILE;
  /** The name of a file that neither the server nor this browser has any more; it is taken from the message. */
  readonly lost?: string;
  /** The bytes that were uploaded again: a second refusal has another cause. */
  readonly renewed?: readonly string[];
}

/** An entry as the message that it will be: it stands so from the beginning, and does not move when it is sent. */
export function asNeighbour({ target, written }: Unsent): Neighbour {
  const about = target.kind === 'team' ? target.subject : undefined;
  const subject_id = about?.id ?? about?.name;
  return {
    ...{ author: { id: owner ?? '' }, via_app: null, created_at: written / 1000 },
    ...(subject_id !== undefined && { subject_id }),
  };
}

/** The server remembers a key for a day. A message that was tried longer ago is not sent again without asking. */
const KEY_LIVES_MS = 23 * 3_600_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
/** A proxy may ask for days, and a timer of more than 24 days ends at once. */
const LONGEST_ASKED_MS = 3_600_000;
const TOO_OLD = 'too_old';
const LOST_FILE = 'lost_file';

let owner: string | undefined;
const unsent = signal<readonly Unsent[]>([]);
let sending = false;
/** A message was added while `sendAll` was running, perhaps after it had looked for the last time. */
let again = false;
let failures = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

// One entry for each message: several windows write at the same time.
const prefixOf = (user: string) => `outbox.${user}.`;
const nameOf = ({ key, written }: Unsent) => `${prefixOf(owner ?? '')}${written}.${key}`;

function refresh(): void {
  const user = owner;
  const entries = user === undefined ? [] : kept.list<Unsent>(prefixOf(user));
  // The storage may be damaged, or of a later version: one that cannot be sent must not keep back the others.
  const whole = entries.filter(({ key, target, written }) => key && KINDS.includes(target?.kind) && written);
  unsent.set(whole.sort((one, other) => one.written - other.written));
}

function save(entry: Unsent): void {
  kept.set(nameOf(entry), entry);
}

function drop(entry: Unsent): void {
  kept.remove(nameOf(entry));
}

/** Removes it, and the bytes of its files. */
export function discard(entry: Unsent): void {
  drop(entry);
  for (const name of bytesOf(entry)) kept.removeFile(name);
}

/** Removes it, and leaves its files to a draft. */
export const release = drop;

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
  // A sweep that failed is repeated at the next start.
  kept.sweepFiles(bytesOf).catch(() => undefined);
  const wake = () => {
    failures = 0;
    void send();
  };
  const endKept = kept.watch((name, elsewhere) => {
    if (!name.startsWith(prefixOf(userId))) return;
    refresh();
    if (elsewhere) void send();
  });
  addEventListener('online', wake);
  const endLive = onLive('ready', wake);
  void send();
  return () => {
    removeEventListener('online', wake);
    endKept();
    endLive();
    clearTimeout(timer);
    owner = undefined;
    refresh();
  };
}

/**
 * Posts a message: it is shown at once, and sent as soon as possible.
 * @param alsoTo the team that is to see a reply as well
 */
export function post(target: Target, text: string, files: readonly Attached[], alsoTo?: string): void {
  // Keeps the order of two messages in the same millisecond.
  const written = Math.max(Date.now(), (unsent.get().at(-1)?.written ?? 0) + 1);
  const also = alsoTo === undefined ? {} : { also: { team: alsoTo, key: newKey() } };
  save({ key: newKey(), target, text, files, written, ...also });
  void send();
}

/**
 * Sends a refused message under a new key, since the server may have stored the old one.
 * @param entry may have got other recipients
 */
export function sendAgain(entry: Unsent): void {
  drop(entry);
  const { refused: _, tried: __, lost: ___, renewed: ____, ...rest } = entry;
  save({ ...rest, key: newKey() });
  failures = 0;
  void send();
}

/** One window sends at a time. The others wait for the lock, in case that window is closed first. */
async function send(): Promise<void> {
  again = true;
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    while (again) {
      again = false;
      await alone(`parley.outbox.${owner}`, sendAll);
    }
  } finally {
    sending = false;
  }
}

/** Sends one after the other, to keep the order. */
async function sendAll(): Promise<void> {
  // The window that sent before this one may have told of it, but it may not have been heard yet.
  if (owner !== undefined) await kept.refresh(prefixOf(owner));
  for (;;) {
    const user = owner;
    const entry = unsent.get().find(({ refused }) => refused === undefined);
    if (!entry || user === undefined) {
      await kept.settled();
      return;
    }
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
  // A repeated request is the same, also where the subject was renamed meanwhile.
  const target = entry.tried === undefined ? named(entry.target) : entry.target;
  const tried = { ...entry, target, tried: entry.tried ?? now };
  if (entry.tried === undefined) save(tried);
  try {
    const { path, body } = requestOf(tried);
    const message = await callOne<Message>(path, { method: 'POST', body, idempotencyKey: entry.key });
    failures = 0;
    addMessage(message);
    // Before the reply is dropped: a window that is closed here asks again, under the same keys.
    const beside = besideReply(entry, message, await longestText(entry));
    if (beside) save(beside);
    discard(entry);
    return undefined;
  } catch (error) {
    const lost = lostFileOf(tried.files, error);
    return lost ? renew(tried, lost) : settle(tried, error);
  }
}

/** The longest text, asked for only where it counts. */
async function longestText({ also }: Unsent): Promise<number> {
  return also ? (await queryClient.ensureQueryData(serverQuery)).max_text_length : 0;
}

/** Uploads a file again that the server has dropped. Where that is impossible, the author decides without it. */
async function renew(entry: Unsent, file: Attached): Promise<number | undefined> {
  const { bytes: key = '' } = file;
  try {
    const fresh = entry.renewed?.includes(key) ? undefined : await uploadAgain(file);
    if (!fresh) {
      const files = entry.files.filter((one) => one !== file);
      save({ ...entry, files, lost: file.name, refused: LOST_FILE });
      return undefined;
    }
    const files = entry.files.map((one) => (one === file ? { ...fresh, bytes: key } : one));
    const { tried: _, ...rest } = entry;
    drop(entry);
    // Another body needs another key.
    save({ ...rest, key: newKey(), files, renewed: [...(entry.renewed ?? []), key] });
    return undefined;
  } catch (error) {
    return settle(entry, error);
  }
}

function settle(entry: Unsent, error: unknown): number | undefined {
  if (error instanceof ApiError && !mayPass(error) && error.reason !== 'in_progress') {
    const { status, code, fields } = error;
    save({ ...entry, refused: { status, code, fields } });
    return undefined;
  }
  failures += 1;
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(
    Math.min(asked, LONGEST_ASKED_MS),
    Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS),
  );
}

/** The refusal as the server gave it. */
export function refusalOf({ refused }: Unsent): ApiError | undefined {
  if (refused === undefined || typeof refused === 'string') return undefined;
  const problems = Object.entries(refused.fields).map(([reason, message]) => ({
    code: refused.code,
    reason,
    message,
  }));
  return new ApiError(refused.status, problems);
}

/** The code of addressees who cannot be reached (docs/errors.md). */
const UNREACHABLE_PEOPLE = 4008;

/** @returns the people or addresses that kept a message from being sent */
export function unreachable({ target, refused }: Unsent): string[] {
  if (typeof refused !== 'object' || refused.code !== UNREACHABLE_PEOPLE || target.kind !== 'people')
    return [];
  return Object.keys(refused.fields);
}

/** The same message to all others; undefined where nobody is left. */
export function toTheOthers(entry: Unsent): Unsent | undefined {
  if (entry.target.kind !== 'people') return undefined;
  const gone = new Set(unreachable(entry));
  const ids = entry.target.ids.filter((id) => !gone.has(id));
  const emails = entry.target.emails.filter((email) => !gone.has(email.toLowerCase()));
  return ids.length + emails.length === 0 ? undefined : { ...entry, target: { kind: 'people', ids, emails } };
}

export const isTooOld = ({ refused }: Unsent) => refused === TOO_OLD;

/** With the present name of its subject. */
function named(target: Target): Target {
  if (target.kind !== 'team' || target.subject?.id === undefined) return target;
  const name = nameOfSubject(target.id, target.subject.id) ?? target.subject.name;
  return { ...target, subject: { ...target.subject, name } };
}

function requestOf({ target, text, files }: Unsent): { path: string; body: object } {
  const content = { text, ...(files.length > 0 && { attachments: { files: files.map(({ id }) => id) } }) };
  switch (target.kind) {
    case 'team':
      return {
        path: '/v1/messages',
        body: {
          ...content,
          addressed_teams: [target.id],
          ...(target.subject && { subject: target.subject.name }),
        },
      };
    case 'people':
      return {
        path: '/v1/messages',
        body: { ...content, addressed_users: { ids: target.ids, emails: target.emails } },
      };
    case 'application':
      return {
        path: '/v1/messages',
        body: { ...content, addressed_application: target.application, team: target.team },
      };
    case 'replies':
      return { path: `/v1/messages/${target.id}/replies`, body: content };
    case 'sidebar':
      return { path: `/v1/sidebars/${target.id}/messages`, body: content };
  }
}

/** What a scheduled message is made of. */
export function postedAs(
  given: Target,
  text: string,
  files: readonly Attached[],
): object & { readonly text: string } {
  const target = named(given);
  const { body } = requestOf({ key: '', written: 0, target, text, files });
  return {
    ...body,
    text,
    ...(target.kind === 'replies' && { reply_to: target.id }),
    ...(target.kind === 'sidebar' && { sidebar: target.id }),
  };
}

/** The keys of own messages that are about to come, by their ids. */
const posted = new Map<string, string>();

/** Notes which message was sent under a key, by this window or another one: it may come before the answer. */
export const notePosted = ({ key, message }: { key: string; message: string }) =>
  void posted.set(message, key);

/** Notes that one's own message came: it is shown as sent. */
export function noteArrival({ id }: Message): void {
  const key = posted.get(id);
  if (key !== undefined) arrived.add(key);
  posted.delete(id);
}
