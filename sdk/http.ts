import { setTimeout as pause } from 'node:timers/promises';

const TIMEOUT_MS = 15_000;
/** Pauses before further attempts, unless the answer sets its own. */
const PAUSES_MS = [200, 1000];
/** With a longer pause the answer is returned instead, because the caller's user is waiting. */
const LONGEST_PAUSE_MS = 5000;
/** Too many requests, and the statuses of a gateway or a restarting server. */
const TEMPORARY = new Set([429, 502, 503, 504]);

/** A request to the platform. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams | FormData;
  /** Whether the request is idempotent. */
  readonly repeatable: boolean;
  /** Timeout per attempt, if not the default. */
  readonly timeoutMs?: number;
}

/** A response; `body` is undefined unless it is JSON. */
export interface Answer {
  readonly status: number;
  readonly bytes: Uint8Array;
  readonly body: unknown;
  /** Undefined when the platform did not say. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Sends a request, and retries it when the answer was lost or is temporary.
 * @throws TypeError or a DOMException named TimeoutError when the platform cannot be reached
 */
export async function send(call: Call): Promise<Answer> {
  for (const usualMs of call.repeatable ? PAUSES_MS : []) {
    // A lost answer leads to another attempt. The last attempt, below, throws its error.
    const answer = await attempt(call).catch(() => undefined);
    if (answer && !mayWorkLater(answer)) return answer;
    const waitMs = answer?.retryAfterMs ?? usualMs;
    if (answer && waitMs > LONGEST_PAUSE_MS) return answer;
    await pause(waitMs);
  }
  return attempt(call);
}

async function attempt({ method, url, headers, body, timeoutMs = TIMEOUT_MS }: Call): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const init = { method, headers, signal, ...(body !== undefined && { body }) };
  const { response, bytes } = await fetch(url, init)
    .then(async (response) => ({ response, bytes: new Uint8Array(await response.arrayBuffer()) }))
    .catch((error: unknown) => throwNamed(url, error));
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    status: response.status,
    bytes,
    body: response.headers.get('content-type')?.includes('json') ? parse(bytes) : undefined,
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : undefined,
  };
}

/**
 * Names the server that could not be reached, and why: `fetch` itself says only that it failed.
 * @throws TypeError, a DOMException named TimeoutError, or an error of another kind as it is
 */
export function throwNamed(url: string, error: unknown): never {
  if (!URL.canParse(url) || !(error instanceof Error)) throw error;
  const { origin } = new URL(url);
  if (error.name === 'TimeoutError')
    throw new DOMException(`${origin} did not answer in time`, 'TimeoutError');
  if (!(error instanceof TypeError)) throw error;
  const { code, message } = (error.cause ?? error) as Error & { code?: string };
  throw new TypeError(`cannot reach ${origin}: ${code ?? message}`, { cause: error });
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** Includes a request whose duplicate is still in progress: the retry gets that result. */
function mayWorkLater({ status, body }: Answer): boolean {
  const errors = (body as { errors?: { reason?: string }[] } | undefined)?.errors;
  return TEMPORARY.has(status) || (status === 409 && errors?.[0]?.reason === 'in_progress');
}
