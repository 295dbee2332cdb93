import { showPassword } from './confirmation.ts';
import { takeBegun } from './first.ts';
import { tellOfSession } from './live.ts';

/** A refusal by the server, in the form of its error envelope. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** The platform's error code (docs/errors.md); 0 when the answer came from something else, as a proxy. */
  readonly code: number;
  /** Which field or rule. */
  readonly reason: string;
  /** One entry for each wrong field, by its path. */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields, or reasons, whose entry is in the reader's words already. */
  readonly told: ReadonlySet<string>;
  /** Seconds to wait before another try, where the server says so. */
  readonly retryAfter: number | undefined;
  readonly problems: readonly Problem[];

  constructor(status: number, problems: Problem[], retryAfter?: number) {
    super(problems[0]?.message ?? `HTTP ${status}`);
    this.status = status;
    this.problems = problems;
    this.code = problems[0]?.code ?? 0;
    this.reason = problems[0]?.reason ?? '';
    this.fields = Object.fromEntries(problems.map(({ reason, message }) => [reason ?? '', message]));
    this.told = new Set(problems.filter(({ told }) => told).map(({ reason }) => reason ?? ''));
    this.retryAfter = retryAfter;
  }
}

/** The server could not be reached or its answer was lost. The request may have been carried out. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** @returns whether the same request may succeed later, as after a lost connection or too many */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status < 400 || error.status >= 500 || [401, 408, 429].includes(error.status);
}

interface Problem {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  /** The JSON pointer of the field (RFC 6901), where one is given. */
  readonly pointer?: string;
  readonly told?: boolean;
}

/** A refusal by ourselves, in the reader's words. */
export const refusal = (status: number, problem: Problem) =>
  new ApiError(status, [{ ...problem, told: true }]);

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
  /** Sent as JSON; a form is sent unchanged. */
  readonly body?: unknown;
  /** Requests with the same key and body are carried out once. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** Takes no answer but the server's: the worker gives the last one while the server cannot be reached. */
  readonly isFresh?: boolean;
}

/**
 * Calls a route of the platform with the session's cookie.
 * @throws ApiError when the server refuses @throws Unreachable when no answer comes
 */
export async function call<T, Meta = PageMeta>(path: string, request: Request = {}): Promise<Page<T, Meta>> {
  const response = await send(path, request);
  const body = await readJson(response);
  if (response.ok && body !== undefined) return body as Page<T, Meta>;
  if (response.status === 401 && user !== undefined && request.method !== undefined) tellOfSession();
  const problems = (body as { errors?: Problem[] } | undefined)?.errors ?? [];
  // The server refused before it acted: after the password is given, the same request succeeds.
  if (problems[0]?.reason === 'password_needed' && (await showPassword())) return call(path, request);
  const retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  // A proxy that cannot reach the server answers without our envelope.
  if (problems.length === 0 && response.status >= 500) throw new Unreachable(`HTTP ${response.status}`);
  throw new ApiError(response.status, problems, retryAfter);
}

/** The same for a route that returns one object. */
export async function callOne<T>(path: string, request: Request = {}): Promise<T> {
  const { data } = await call<T>(path, request);
  return data[0] as T;
}

/** Whose window this is. */
let user: string | undefined;

/** From here on each change is made as this user, or refused: another window may replace the session. */
export function writeAs(id: string | undefined): void {
  user = id;
}

/** The headers of a change. */
export const asUser = (): Record<string, string> => (user === undefined ? {} : { 'Parley-User': user });

async function send(path: string, request: Request) {
  const { method = 'GET', query, body, idempotencyKey, signal, isFresh } = request;
  // An id may come from an address that another person made: it must lead to no other route.
  if (new URL(path, location.origin).pathname !== path)
    throw new ApiError(404, [{ code: 4040, message: 'Not found' }]);
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined && !isForm) headers['Content-Type'] = 'application/json';
  if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
  if (method !== 'GET') Object.assign(headers, asUser());
  try {
    const to = address(path, query);
    const first = method === 'GET' ? takeBegun(to) : undefined;
    if (first) return await first;
    return await fetch(to, {
      method,
      headers,
      ...(isFresh && { cache: 'reload' }),
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
