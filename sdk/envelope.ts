import { type ErrorItem, ParleyError } from './errors.ts';
import { type Call, send } from './http.ts';

/** A request whose answer comes in the envelope (part 2.1 of the interface). */
export interface Request {
  readonly method: Call['method'];
  readonly url: string;
  /** The whole header: `Bearer …` or `Basic …`. */
  readonly authorization: string;
  readonly json?: unknown;
  /** Names this POST, so that it can be repeated when its answer is lost. */
  readonly key?: string;
}

/** @returns the `data` of the envelope @throws ParleyError, or what `send` throws */
export async function ask<T>({ method, url, authorization, json, key }: Request): Promise<T[]> {
  const { status, body } = await send({
    method,
    url,
    headers: {
      Authorization: authorization,
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
    repeatable: method === 'GET' || key !== undefined,
  });
  const { data, errors = [] } = (body ?? {}) as { data?: T[]; errors?: ErrorItem[] };
  if (status !== 200 || !data) throw new ParleyError(status, errors);
  return data;
}

/** @returns the only item of `data` @throws ParleyError, or what `send` throws */
export async function askOne<T>(request: Request): Promise<T> {
  const [item] = await ask<T>(request);
  if (item === undefined) throw new ParleyError(200, []);
  return item;
}
