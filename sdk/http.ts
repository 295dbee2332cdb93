import { type ErrorItem, ParleyError } from './errors.ts';

const TIMEOUT_MS = 15_000;

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly authorization: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** @returns the `data` of the envelope @throws ParleyError */
export async function ask<T>(request: Request): Promise<T[]> {
  const response = await fetch(request.url, {
    method: request.method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      Authorization: request.authorization,
      ...(request.json !== undefined && { 'Content-Type': 'application/json' }),
      ...request.headers,
    },
    ...(request.json !== undefined && { body: JSON.stringify(request.json) }),
  });
  const answer = (await response.json().catch(() => ({}))) as { data?: T[]; errors?: ErrorItem[] };
  if (!response.ok || !answer.data) throw new ParleyError(response.status, answer.errors ?? []);
  return answer.data;
}

/** The only item of an answer. */
export async function askOne<T>(request: Request): Promise<T> {
  const [item] = await ask<T>(request);
  if (item === undefined) throw new ParleyError(200, []);
  return item;
}
