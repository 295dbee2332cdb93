import { signal } from './signal.ts';
import type { Message, Sidebar, UserProfile, UserSummary } from './types.ts';

/** What the stream of events tells, by the event's name (GET /v1/events). */
export interface LiveEvents {
  /** From here on nothing is missed; what was read before may be old. */
  ready: object;
  /** `beside`: of what is said in a sidebar, the message that it stands at. */
  'message.created': { message: Partial<Message> & { id: string }; beside?: string };
  'message.updated': { message: Partial<Message> & { id: string }; beside?: string };
  'message.state': { message: Message };
  'sidebar.created': { sidebar: Partial<Sidebar> & { id: string } };
  /** Without a team, everything. */
  read: { team: string | null };
  'user.updated': { user: Partial<UserSummary> & { id: string; image?: UserProfile['image'] } };
  'team.updated': { team: string; change: string };
  'team.members': { team: string; user: string; change: string };
  presence: { user: string; online: boolean };
  'installation.updated': { installation: { id: string; team: string } };
  /** There was an answer, and it was no stream: perhaps nobody is signed in any more. */
  refused: object;
}

type Name = keyof LiveEvents;
type Listener<N extends Name> = (data: LiveEvents[N]) => void;

const NAMES: Name[] = [
  'ready',
  'message.created',
  'message.updated',
  'message.state',
  'sidebar.created',
  'read',
  'user.updated',
  'team.updated',
  'team.members',
  'presence',
  'installation.updated',
];
/** How soon a stream that the server refused is asked for again. */
const RETRY_MS = 3000;
const CHANNEL = 'parley.live';

/** `waiting`: not there yet; `lost`: there was one, or it was refused. */
type Status = 'waiting' | 'open' | 'lost';

const listeners = new Map<Name, Set<Listener<never>>>();
const status = signal<Status>('waiting');

/** @returns a function that ends it */
export function onLive<N extends Name>(name: N, listener: Listener<N>): () => void {
  const all = listeners.get(name) ?? new Set();
  all.add(listener as Listener<never>);
  listeners.set(name, all);
  return () => void all.delete(listener as Listener<never>);
}

/** Whether this window receives events. */
export const useLiveStatus = () => status.useValue();

function tell(name: Name, data: unknown): void {
  for (const listener of listeners.get(name) ?? []) (listener as (data: unknown) => void)(data);
}

type Told = { readonly name: Name; readonly data: unknown } | { readonly status: Status } | 'who is there?';

/**
 * Begins to listen; call once somebody is signed in. Of all windows of a browser one holds the stream and tells the
 * others: a browser opens six connections to a server that speaks HTTP/1.1, and each stream keeps one.
 * @returns a function that ends it
 */
export function startLive(): () => void {
  const ended = new AbortController();
  if (!('locks' in navigator)) {
    // Not on HTTPS: each window has its own.
    void holdStream(ended.signal, hear);
    return () => ended.abort();
  }
  const channel = new BroadcastChannel(CHANNEL);
  let holding = false;
  const share = (told: Told) => {
    hear(told);
    channel.postMessage(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data !== 'who is there?') hear(data);
    else if (holding) channel.postMessage({ status: status.get() } satisfies Told);
  };
  channel.postMessage('who is there?' satisfies Told);
  navigator.locks
    .request(CHANNEL, { signal: ended.signal }, () => {
      holding = true;
      // The window that held the stream before may be gone for a while: once it is open again, all catch up.
      share({ status: 'waiting' });
      return holdStream(ended.signal, share);
    })
    .catch(ignoreEnd);
  ended.signal.addEventListener('abort', () => channel.close());
  return () => ended.abort();
}

/** Has the other windows of this browser look who is signed in: after signing out, sooner than their stream tells. */
export function tellOfSession(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ name: 'refused', data: {} } satisfies Told);
  channel.close();
}

function hear(told: Told): void {
  if (told === 'who is there?') return;
  if ('status' in told) {
    // A window that came later than the stream has to read what it shows anew, too.
    if (told.status === 'open' && status.get() !== 'open') tell('ready', {});
    status.set(told.status);
  } else {
    tell(told.name, told.data);
  }
}

/** @returns once it is ended; until then it opens the stream again whenever it is lost */
function holdStream(signal: AbortSignal, share: (told: Told) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource('/v1/events');
      for (const name of NAMES) {
        source.addEventListener(name, ({ data }) => {
          if (name === 'ready') share({ status: 'open' });
          else share({ name, data: JSON.parse(data) });
        });
      }
      // It is too long ago to be told what was missed.
      source.addEventListener('reset', () => share({ name: 'ready', data: {} }));
      source.addEventListener('error', () => {
        share({ status: 'lost' });
        // Refused, as while the server starts: the browser does not try again by itself.
        if (source.readyState !== EventSource.CLOSED) return;
        share({ name: 'refused', data: {} });
        timer = setTimeout(open, RETRY_MS);
      });
    };
    open();
    // A connection that is gone may look open for minutes: the browser knows of it first.
    const onOffline = () => {
      clearTimeout(timer);
      source.close();
      share({ status: 'lost' });
    };
    const onOnline = () => {
      onOffline();
      open();
    };
    addEventListener('offline', onOffline, { signal });
    addEventListener('online', onOnline, { signal });
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      source.close();
      status.set('waiting');
      resolve();
    });
  });
}

/** A request for a lock that is ended is rejected; that is how it ends. */
function ignoreEnd(error: unknown): void {
  if ((error as Error).name !== 'AbortError') throw error;
}
