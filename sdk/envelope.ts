import { type ErrorItem, ParleyError } from './errors.ts';
import { type Call, send } from './http.ts';

/** A request whose answer comes in the envelope (part 2.1 of the interface). */
export interface Request {
  readonly method: Call['method'];
  readonly url: string;
  /** The whole header: `Bearer …` or `Basic …`. None where the address itself lets in. */
  readonly authorization?: string;
  readonly json?: unknown;
  readonly form?: FormData;
  /** Names this POST, so that it can be repeated when its answer is lost. */
  readonly key?: string;
  /** Repeating it changes nothing. A GET, and what has a key, needs no word of it. */
  readonly repeatable?: boolean;
  readonly timeoutMs?: number;
}

/** The content of the envelope. */
export interface Page<T> {
  readonly data: T[];
  readonly meta: { readonly next_cursor?: string | null };
}

/** @throws ParleyError, or what `send` throws */
export async function askPage<T>(request: Request): Promise<Page<T>> {
  const { method, url, authorization, json, form, key, repeatable = false, timeoutMs } = request;
  const { status, body } = await send({
    method,
    url,
    headers: {
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(form !== undefined && { body: form }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    repeatable: repeatable || method === 'GET' || key !== undefined,
  });
  const { data, meta = {}, errors = [] } = (body ?? {}) as Partial<Page<T>> & { errors?: ErrorItem[] };
  if (status !== 200 || !data) throw new ParleyError(status, errors);
  return { data, meta };
}

/** @returns the `data` of the envelope @throws ParleyError, or what `send` throws */
export async function ask<T>(request: Request): Promise<T[]> {
  return (await askPage<T>(request)).data;
}

/** @returns the only item of `data`, or undefined for a token that may write and not read @throws as `ask` */
export async function askFirst<T>(request: Request): Promise<T | undefined> {
  return (await ask<T>(request))[0];
}

/** @returns the only item of `data` @throws ParleyError, or what `send` throws */
export async function askOne<T>(request: Request): Promise<T> {
  const item = await askFirst<T>(request);
  if (item === undefined) throw new ParleyError(200, []);
  return item;
}

/** The items of a list, page by page: the next page is asked for when the loop needs it. */
export async function* itemsOf<T>(
  path: string,
  filter: object,
  getPage: (path: string) => Promise<Page<T>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const { data, meta } = await getPage(withQuery(path, { ...filter, cursor }));
    yield* data;
    cursor = meta.next_cursor;
  } while (typeof cursor === 'string');
}

/** An address with parameters. A list becomes one parameter for each item; what is undefined is left out. */
export function withQuery(path: string, parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) query.append(name, String(one));
  return query.size === 0 ? path : `${path}?${query}`;
}
