import { ApiError, asUser, Unreachable } from '../../api/client.ts';
import { newKey } from '../../api/keys.ts';
import type { Attachment } from '../../api/types.ts';
import { kept } from '../../storage/kept.ts';
import type { Attached } from './drafts.ts';

/** The code of a wrong field (docs/errors.md). */
const WRONG_FIELD = 4002;

const retryAfterOf = (request: XMLHttpRequest) =>
  Number(request.getResponseHeader('Retry-After')) || undefined;

/**
 * Sends a file to the server. `fetch` reports no progress.
 * @param key a retry with the same one makes no second upload
 * @param onProgress gets the part that is sent, between 0 and 1
 * @throws ApiError when the server refuses it @throws Unreachable when no answer comes
 */
export function uploadFile(
  file: { readonly key: string; readonly name: string; readonly bytes: Blob },
  onProgress?: (progress: number) => void,
  signal?: AbortSignal,
): Promise<Attachment> {
  const form = new FormData();
  form.append('file', file.bytes, file.name || 'file');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/v1/attachments');
    const headers = { ...asUser(), 'Idempotency-Key': file.key };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const body = request.response as {
        data?: Attachment[];
        errors?: { code: number; message: string }[];
      } | null;
      const [attachment] = body?.data ?? [];
      if (request.status === 200 && attachment) resolve(attachment);
      else reject(new ApiError(request.status, body?.errors ?? [], retryAfterOf(request)));
    };
    request.onerror = () => reject(new Unreachable('The server cannot be reached'));
    request.onabort = request.onerror;
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** The server drops uploads that wait for long. @returns the file of a message that it does not have any more */
export function lostFileOf(files: readonly Attached[], error: unknown): Attached | undefined {
  if (!(error instanceof ApiError) || error.code !== WRONG_FIELD) return undefined;
  const at = /^attachments\.files\.(\d+)$/.exec(error.reason)?.[1];
  return at === undefined ? undefined : files[Number(at)];
}

/** @returns what the server has of it now; undefined where this browser does not have its bytes any more */
export async function uploadAgain({
  bytes: name = '',
  name: called,
}: Attached): Promise<Attachment | undefined> {
  const bytes = await kept.file(name);
  return bytes && uploadFile({ key: newKey(), name: called, bytes });
}
