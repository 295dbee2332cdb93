import { eventKinds, type SentEvents } from '../../../src/conversation/live/catalogue.ts';
import { signal } from './signal.ts';

/** The data of live events, by the event's name (GET /v1/events). */
interface LiveEvents extends SentEvents {
  /** The stream is open: no event is missed from here on, but data read earlier may be stale. */
  ready: object;
  /** The server answered without a stream: the session may have ended. */
  refused: object;
}

type Name = keyof LiveEvents;
type Listener<N extends Name> = (data: LiveEvents[N]) => void;

/** Delay before a refused stream is opened again. */
const RETRY_MS = 3000;
/** The window that holds the stream answers in this time, unless the browser has put it to sleep. */
const PATIENCE_MS = 5000;
const CHANNEL = 'parley.live';

/** `waiting`: not open yet; `lost`: closed after it was open, or refused. */
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
export const isLive = () => status.get() === 'open';

function tell(name: Name, data: unknown): void {
  for (const listener of listeners.get(name) ?? []) (listener as (data: unknown) => void)(data);
}

let again: ReturnType<typeof setTimeout> | undefined;

/** Tells once more that data read earlier may be stale; several calls at once tell it once. */
export function repeatReady(): void {
  clearTimeout(again);
  again = setTimeout(() => tell('ready', {}));
}

type Told = { readonly name: Name; readonly data: unknown } | { readonly status: Status } | 'who is there?';

/**
 * Starts listening; call it after signing in. One window of the browser holds the stream and passes events to the
 * others: over HTTP/1.1 a browser opens six connections to a server, and each stream would occupy one.
 * @returns a function that ends it
 */
export function startLive(): () => void {
  const ended = new AbortController();
  if (!('locks' in navigator)) {
    // Web Locks need HTTPS. Without them each window has a stream of its own.
    void holdStream(ended.signal, hear);
    return () => ended.abort();
  }
  const channel = new BroadcastChannel(CHANNEL);
  let holding = false;
  /** Ends the stream that this window has of its own, while the one that holds the lock sleeps. */
  let own: AbortController | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const endOwn = () => {
    clearTimeout(patience);
    own?.abort();
    own = undefined;
  };
  const listenAlone = () => {
    endOwn();
    own = new AbortController();
    void holdStream(own.signal, hear);
  };
  const ask = () => {
    if (holding || own) return;
    clearTimeout(patience);
    channel.postMessage('who is there?' satisfies Told);
    patience = setTimeout(listenAlone, PATIENCE_MS);
  };
  const share = (told: Told) => {
    hear(told);
    channel.postMessage(told);
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data === 'who is there?') {
      if (holding) channel.postMessage({ status: status.get() } satisfies Told);
      return;
    }
    const wasAlone = own !== undefined;
    endOwn();
    hear(data);
    if (wasAlone) ask();
  };
  ask();
  document.addEventListener('visibilitychange', () => document.hidden || ask(), { signal: ended.signal });
  navigator.locks
    .request(CHANNEL, { signal: ended.signal }, () => {
      endOwn();
      holding = true;
      // The previous holder may have been gone for a while, so all windows catch up once the stream is open.
      share({ status: 'waiting' });
      return holdStream(ended.signal, share);
    })
    // The normal end; or a browser that refuses locks with its storage: then this window has a stream of its own.
    .catch(() => {
      if (!ended.signal.aborted) listenAlone();
    });
  ended.signal.addEventListener('abort', () => {
    endOwn();
    channel.close();
  });
  return () => ended.abort();
}

/** Makes the browser's other windows check the session, earlier than their stream would, as after signing out. */
export function tellOfSession(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage({ name: 'refused', data: {} } satisfies Told);
  channel.close();
}

/** For a window without a stream. @returns a function that ends it */
export function onSessionElsewhere(listener: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Told>) => {
    if (typeof data === 'object' && 'name' in data && data.name === 'refused') listener();
  };
  return () => channel.close();
}

function hear(told: Told): void {
  if (told === 'who is there?') return;
  if ('status' in told) {
    // A window that was opened after the stream has to refresh its data as well.
    if (told.status === 'open' && status.get() !== 'open') tell('ready', {});
    status.set(told.status);
  } else {
    tell(told.name, told.data);
  }
}

/** Keeps the stream open, and reopens it when it is lost. @returns once the signal aborts */
function holdStream(signal: AbortSignal, share: (told: Told) => void): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = () => {
      source = new EventSource('/v1/events');
      for (const name of eventKinds)
        source.addEventListener(name, ({ data }) => share({ name, data: JSON.parse(data) }));
      // `reset`: the server no longer has the missed events.
      for (const begins of ['ready', 'reset'])
        source.addEventListener(begins, () => share({ status: 'open' }));
      source.addEventListener('error', () => {
        share({ status: 'lost' });
        // After a refusal (the server may be starting) the browser does not reconnect by itself.
        if (source.readyState !== EventSource.CLOSED) return;
        share({ name: 'refused', data: {} });
        timer = setTimeout(open, RETRY_MS);
      });
    };
    open();
    // A dead connection may look open for minutes; the browser's own event comes sooner.
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
