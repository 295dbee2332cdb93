import type { Request } from './envelope.ts';
import { type ErrorItem, ParleyError } from './errors.ts';
import { send } from './http.ts';

/** Files take longer than other requests. */
export const FILE_TIMEOUT_MS = 300_000;

/** @returns the content @throws ParleyError, or what `send` throws */
export async function fetchFile({ method, url, authorization }: Request): Promise<Uint8Array> {
  const headers = { ...(authorization !== undefined && { Authorization: authorization }) };
  const { status, bytes, body } = await send({
    method,
    url,
    headers,
    repeatable: true,
    timeoutMs: FILE_TIMEOUT_MS,
  });
  if (status === 200) return bytes;
  throw new ParleyError(status, (body as { errors?: ErrorItem[] } | undefined)?.errors ?? []);
}
