import { showPassword } from './confirmation.ts';

/** Something that the server refused, in the form of its error envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The platform's code, as docs/errors.md lists them; 0 where the answer was not the platform's. */
  readonly code: number;
  /** Which field or rule. */
  readonly reason: string;
  /** One entry for each wrong field, by its path. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problems: Problem[], retryAfter?: number) {
    super(problems[0]?.message ?? `HTTP ${status}`);
    this.status = status;
    this.code = problems[0]?.code ?? 0;
    this.reason = problems[0]?.reason ?? '';
    this.fields = Object.fromEntries(problems.map(({ reason, message }) => [reason ?? '', message]));
    this.retryAfter = retryAfter;
  }
}

/** The server could not be reached, or its answer was lost: nobody knows whether it did what was asked. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** @returns whether the same request may end otherwise at another time, as after a lost connection or too many */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status < 400 || error.status >= 500 || [401, 408, 429].includes(error.status);
}

interface Problem {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
}

/** The envelope of every answer. */
export interface Page<T, Meta = PageMeta> {
  readonly data: T[];
  readonly meta: Meta;
}

export interface PageMeta {
  readonly next_cursor?: string | null;
  readonly previous_cursor?: string | null;
}

export interface Request {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Sent as JSON, or as it is when it is a form. */
  readonly body?: unknown;
  /** With the same key and body a POST is done once, however often it is sent. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/**
 * Calls a route of the platform with the session's cookie.
 * @throws ApiError what the server refused @throws Unreachable when there was no answer
 */
export async function call<T, Meta = PageMeta>(path: string, request: Request = {}): Promise<Page<T, Meta>> {
  const response = await send(path, request);
  const body = await readJson(response);
  if (response.ok && body !== undefined) return body as Page<T, Meta>;
  const problems = (body as { errors?: Problem[] } | undefined)?.errors ?? [];
  // Refused before anything was done: once the password is shown, the same request goes through.
  if (problems[0]?.reason === 'password_needed' && (await showPassword())) return call(path, request);
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  // A proxy that cannot reach the server answers for it, with something else than our envelope.
  if (problems.length === 0 && response.status >= 500) throw new Unreachable(`HTTP ${response.status}`);
  throw new ApiError(response.status, problems, retryAfter);
}

/** The same for a route whose answer is one thing. */
export async function callOne<T>(path: string, request: Request = {}): Promise<T> {
  const { data } = await call<T>(path, request);
  return data[0] as T;
}

async function send(path: string, { method = 'GET', query, body, idempotencyKey, signal }: Request) {
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  try {
    return await fetch(address(path, query), {
      method,
      headers,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable('The server cannot be reached', { cause: error });
  }
}

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

function address(path: string, query: Request['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    (value === undefined ? [] : [value].flat()).map((one) => [name, String(one)]),
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
