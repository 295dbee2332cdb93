import type { Clock } from '../ids.ts';
import { QueueFull, Turns } from '../jobs/index.ts';
import { waitAtMost } from '../pause.ts';
import {
  type AddressPolicy,
  checkUrl,
  hostOf,
  isForbiddenAddress,
  isLoopbackAddress,
} from './address-policy.ts';
import { type Connection, Connections, KEPT, NOT_KEPT } from './connections.ts';
import { guardedLookup, type Lookup } from './guarded-lookup.ts';
import {
  OutboundError,
  type OutboundReason,
  outOfTurn,
  shutDown,
  timedOut,
  toOutboundError,
  unreachable,
  wasClosed,
} from './outbound-error.ts';
import { isOwnAddress, type OwnAddress, portOf } from './own-address.ts';
import { readText } from './read-text.ts';
import { nameResolver } from './resolver.ts';

export {
  type AddressPolicy,
  checkUrl,
  isLoopbackHost,
  type UrlCheck,
  type UrlRefusal,
} from './address-policy.ts';
export type { Lookup } from './guarded-lookup.ts';
export type { OutboundReason } from './outbound-error.ts';
export { retryAfterMs } from './retry-after.ts';

export interface OutboundOptions extends AddressPolicy {
  /** The limit in milliseconds for a whole call, from resolving the name to the body's end. Default 10,000. */
  readonly timeoutMs?: number;
  /** How much of a response body is read, in bytes. Default 65,536. */
  readonly maxResponseBytes?: number;
  readonly userAgent: string;
  /** This server's own address, once it listens: calls to itself are refused. */
  readonly own?: () => OwnAddress | undefined;
  /**
   * Whether responses from this machine are shown in full. Otherwise a caller learns only the status, and of a
   * failure only that it happened: a malicious registration could probe other programs that listen here.
   */
  readonly showLoopback?: boolean;
  /** Name servers, each with or without a port; those of the system if absent. */
  readonly nameServers?: readonly string[] | undefined;
  readonly clock?: Clock;
  /** Where calls of one owner wait for each other: clients may share it. */
  readonly turns?: CallTurns;
  /** Takes the resolver's place in tests. */
  readonly lookup?: Lookup;
}

export interface OutboundResponse {
  readonly ok: true;
  /** Any status, a redirect's too: redirects are never followed. */
  readonly status: number;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as bytes. */
  readonly bytes: Uint8Array;
  /** Whether `body` is incomplete, because the response exceeded `maxResponseBytes`. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

export interface OutboundFailure {
  readonly ok: false;
  readonly reason: OutboundReason;
  /** A sentence that is safe to show to the person who chose the address. */
  readonly detail: string;
  readonly durationMs: number;
}

export type OutboundAnswer = OutboundResponse | OutboundFailure;

/** A GET of what nobody registered: a page that somebody linked to. */
export interface PageRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the client's own limit, in milliseconds. */
  readonly timeoutMs?: number;
  /** Whether the body is worth reading, by what came before it. Otherwise it is left, and empty here. */
  readonly wants?: (status: number, headers: Readonly<Record<string, string>>) => boolean;
}

/** What a POST sends, and where to. */
export interface Posting {
  readonly url: string;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Whether the receiver knows a repetition when it gets one. Such calls share connections, and one that found its connection
   * closed is made again.
   */
  readonly mayRepeat?: boolean;
}

export interface Outbound {
  /**
   * Makes one attempt, over a connection of its own unless the posting may be repeated.
   * @param owner who chose the address: calls of one owner, and look-ups of its names, wait for each other
   * @param compose runs when the turn of the call has come, right before it: secrets, addresses and rights may have changed
   * while it waited. Without a posting nothing is sent
   * @returns a failure for every reason that lies in the address, the network or the other side; undefined without a posting
   * @throws what `compose` throws, and for a mistake of the caller's: a header that HTTP does not allow.
   */
  post(owner: string, compose: () => Promise<Posting>): Promise<OutboundAnswer>;
  post(owner: string, compose: () => Promise<Posting | undefined>): Promise<OutboundAnswer | undefined>;
  /** A GET under the same rules. @param maxBytes how much of the body to read */
  get(url: string, maxBytes: number, owner: string, how?: PageRequest): Promise<OutboundAnswer>;
  /** Refuses new calls, and soon breaks off those under way: the reason of both is `closed`. */
  close(): Promise<void>;
}

/** Whether a call ended, or did not begin, for a reason of this server's own: the receiver is not to blame, and may have heard it. */
export const isBrokenOff = (answer: OutboundAnswer) =>
  !answer.ok && (answer.reason === 'closed' || answer.reason === 'busy');

/** Calls under way at once to addresses that one owner chose, whatever they are for. */
export const CALLS_OF_OWNER = 12;

export type CallTurns = Turns;

/** @param longestWaitMs how long a call waits for others of its owner; then it ends without having begun */
export const callTurns = (longestWaitMs: number): CallTurns =>
  new Turns({ ofSource: CALLS_OF_OWNER, longestWaitMs });

type Headers = Readonly<Record<string, string>>;
type Settings = Required<Omit<OutboundOptions, 'nameServers' | 'clock' | 'turns'>> & {
  readonly closing: AbortSignal;
  readonly kept: Connections;
};
interface Request extends Pick<PageRequest, 'wants'>, Pick<Posting, 'mayRepeat'> {
  readonly method: 'GET' | 'POST';
  readonly body: string | Uint8Array | null;
  readonly headers: Headers;
  readonly owner: string;
}

type Composed = Omit<Request, 'owner'> & { readonly url: string };
type Exchanged = Omit<OutboundResponse, 'ok' | 'durationMs'>;

const MAX_HEADER_BYTES = 16 * 1024;
/** How long a call may go on once the server stops. */
const CLOSING_MS = 250;

/** The one way out: calls to addresses that users and application developers chose. It fails closed. */
export function createOutbound(options: OutboundOptions): Outbound {
  const broken = new AbortController();
  const kept = new Connections();
  const settings = { ...withDefaults(options), closing: broken.signal, kept };
  const underWay = new Set<Promise<OutboundAnswer | undefined>>();
  const turns = options.turns ?? callTurns(settings.timeoutMs);
  let closed = false;

  function call(
    owner: string,
    compose: () => Promise<Composed | undefined>,
    limits: Pick<Settings, 'maxResponseBytes' | 'timeoutMs'>,
  ): Promise<OutboundAnswer | undefined> {
    const answer = turns
      .run(owner, async () => {
        if (closed) return answered(() => Promise.reject(shutDown()));
        const composed = await compose();
        if (composed === undefined) return composed;
        const { url, ...request } = composed;
        return answered(async () => {
          if (closed) throw shutDown();
          return attempt(url, { ...request, owner }, { ...settings, ...limits });
        });
      })
      .catch((error: unknown) => {
        if (!(error instanceof QueueFull)) throw error;
        return answered(() => Promise.reject(outOfTurn()));
      });
    underWay.add(answer);
    return answer.finally(() => underWay.delete(answer));
  }

  const post = (owner: string, compose: () => Promise<Posting | undefined>) =>
    call(
      owner,
      async () => {
        const posting = await compose();
        return posting && { method: 'POST', ...posting };
      },
      settings,
    );

  return {
    post: post as Outbound['post'],
    get: (url, maxResponseBytes, owner, { headers = {}, timeoutMs = settings.timeoutMs, wants } = {}) => {
      const composed: Composed = { url, method: 'GET', body: null, headers, ...(wants && { wants }) };
      const limits = { maxResponseBytes, timeoutMs };
      return call(owner, async () => composed, limits) as Promise<OutboundAnswer>;
    },
    async close() {
      closed = true;
      const settled = Promise.allSettled(underWay);
      await waitAtMost(CLOSING_MS, settled);
      broken.abort();
      await settled;
      await kept.close();
    },
  };
}

/** A look-up takes at most this long, and half of the whole call. */
const LOOKUP_MS = 5000;

function withDefaults({
  nameServers: servers,
  clock = Date.now,
  turns: _turns,
  ...options
}: OutboundOptions): Omit<Settings, 'closing' | 'kept'> {
  const timeoutMs = options.timeoutMs ?? 10_000;
  const patienceMs = Math.min(LOOKUP_MS, timeoutMs / 2);
  return {
    ...options,
    timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024,
    lookup: options.lookup ?? nameResolver({ servers, patienceMs, clock }),
    own: options.own ?? (() => undefined),
    showLoopback: options.showLoopback ?? true,
  };
}

/** Turns the result or the error of an attempt into an answer, with its duration. */
async function answered(run: () => Promise<Exchanged>): Promise<OutboundAnswer> {
  const start = performance.now();
  const durationMs = () => Math.round(performance.now() - start);
  try {
    return { ok: true, ...(await run()), durationMs: durationMs() };
  } catch (cause) {
    const { reason, message } = toOutboundError(cause);
    return { ok: false, reason, detail: message, durationMs: durationMs() };
  }
}

/** Reasons that say nothing about a program on this machine. */
const SHOWN_OF_LOOPBACK = new Set<OutboundReason>(['refused_address', 'closed', 'busy']);

async function attempt(address: string, request: Request, settings: Settings) {
  const target = targetOf(address, settings);
  try {
    const answer = await reach(target, request, settings);
    return target.isLocal && !settings.showLoopback ? withoutContent(answer) : answer;
  } catch (cause) {
    if (!target.isLocal || settings.showLoopback) throw cause;
    throw SHOWN_OF_LOOPBACK.has(toOutboundError(cause).reason) ? cause : unreachable(cause);
  }
}

/** The target of a call. */
interface Target {
  readonly url: URL;
  /** Whether the target is this machine; for a name, known once it is resolved. */
  isLocal: boolean;
}

/** @throws OutboundError for an address that shows already that it must not be called */
function targetOf(address: string, settings: Settings): Target {
  const checked = checkUrl(address, settings);
  if (!checked.ok) throw new OutboundError('refused_address', checked.detail);
  const { url } = checked;
  const host = hostOf(url);
  if (isOwn(host, url, settings)) throw new OutboundError('refused_address', OWN_ADDRESS);
  return { url, isLocal: isLoopbackAddress(host) };
}

const OWN_ADDRESS = 'The address leads to this server itself.';

function isOwn(host: string, url: URL, settings: Settings): boolean {
  const own = settings.own();
  return own !== undefined && isOwnAddress(host, portOf(url), own);
}

const HIDDEN =
  '(not kept: the application is on the server’s own machine; ALLOW_LOOPBACK_APPS=yes keeps answers from there)';

/** Keeps what a developer needs and drops what another program on this machine may have sent. */
function withoutContent(answer: Exchanged): Exchanged {
  const { 'retry-after': wait } = answer.headers;
  const headers: Headers = wait === undefined ? {} : { 'retry-after': wait };
  return { status: answer.status, headers, body: HIDDEN, bytes: new Uint8Array(), truncated: false };
}

async function reach(target: Target, request: Request, settings: Settings): Promise<Exchanged> {
  const limit = new AbortController();
  const { closing, kept } = settings;
  const end = () => limit.abort();
  const timer = setTimeout(end, settings.timeoutMs);
  closing.addEventListener('abort', end);
  const call: Call = { target, request, settings, limit: limit.signal };
  try {
    const known = request.mayRepeat ? kept.take(keyOf(call)) : undefined;
    return (known && (await again(known, call))) ?? (await over(await connectionTo(call), call));
  } catch (cause) {
    if (closing.aborted) throw shutDown();
    throw limit.signal.aborted ? timedOut() : cause;
  } finally {
    clearTimeout(timer);
    closing.removeEventListener('abort', end);
  }
}

interface Call {
  readonly target: Target;
  readonly request: Request;
  readonly settings: Settings;
  /** Aborted when its time is over, or the server stops. */
  readonly limit: AbortSignal;
}

const keyOf = ({ target, request }: Call) => `${request.owner} ${target.url.origin}`;

/** Uses a kept connection. @returns undefined when the other side had closed it, which is no fault of anybody's */
async function again(connection: Connection, call: Call): Promise<Exchanged | undefined> {
  try {
    return await over(connection, call);
  } catch (cause) {
    if (connection.isAnswered || call.limit.aborted || !wasClosed(cause)) throw cause;
    return undefined;
  }
}

/** Uses a connection, and keeps it for the next call where it can be used again. */
async function over(connection: Connection, call: Call): Promise<Exchanged> {
  const { target, request, settings, limit } = call;
  const end = () => void connection.end();
  let isKept = false;
  try {
    limit.addEventListener('abort', end);
    limit.throwIfAborted();
    connection.isAnswered = false;
    const answer = await exchange(connection, target.url, request, settings);
    isKept = request.mayRepeat === true && !answer.truncated;
    return answer;
  } finally {
    target.isLocal ||= connection.isLocal;
    limit.removeEventListener('abort', end);
    await (isKept ? settings.kept.keep(keyOf(call), connection) : connection.end());
  }
}

/**
 * A client for one call at a time. Unlike `fetch` and `EnvHttpProxyAgent`, it ignores proxies from the environment, which
 * would bypass every check. Only postings that may be repeated keep its connection: it was checked when it was made.
 */
async function connectionTo({ target, request, settings }: Call): Promise<Connection> {
  // Loaded with the first call: a server that makes none does without its 25 MiB.
  const { Client } = await import('undici');
  // Plain HTTP was accepted for loopback only, so it must lead there, whichever address `localhost` resolves to.
  const { url } = target;
  const isForbidden = (ip: string) => {
    connection.isLocal ||= isLoopbackAddress(ip);
    if (isOwn(ip, url, settings)) return true;
    return url.protocol === 'http:' ? !isLoopbackAddress(ip) : isForbiddenAddress(ip, settings);
  };
  const life = new AbortController();
  const client = new Client(url.origin, {
    ...(request.mayRepeat ? KEPT : NOT_KEPT),
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      lookup: guardedLookup((hostname) => settings.lookup(hostname, request.owner), isForbidden),
      autoSelectFamily: true,
      // It destroys the socket itself, which ends a call in every state. As a request option it would take effect only after
      // the connection is established.
      signal: life.signal,
      timeout: 0,
      // Explicit, because the environment can turn the default off.
      rejectUnauthorized: true,
    },
  });
  const end = () => {
    life.abort();
    return client.destroy();
  };
  const connection: Connection = {
    ...{ client, end, madeAt: performance.now() },
    ...{ isLocal: false, isAnswered: false },
  };
  return connection;
}

async function exchange(
  connection: Connection,
  url: URL,
  request: Request,
  settings: Settings,
): Promise<Exchanged> {
  const { method, body, headers } = request;
  const answer = await connection.client.request({
    method,
    path: url.pathname + url.search,
    headers: { 'user-agent': settings.userAgent, ...headers },
    body,
  });
  connection.isAnswered = true;
  const [status, given] = [answer.statusCode, flatten(answer.headers)];
  if (request.wants?.(status, given) === false) {
    // Closing the connection ends it with an error that is of no interest.
    answer.body.on('error', () => undefined);
    return { status, headers: given, body: '', bytes: new Uint8Array(), truncated: true };
  }
  const text = await readText(answer.body, settings.maxResponseBytes);
  return { status, headers: given, ...text };
}

function flatten(headers: Record<string, string | string[] | undefined>): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}
