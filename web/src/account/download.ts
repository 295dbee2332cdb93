import { ApiError, Unreachable } from '../api/client.ts';
import { showPassword } from '../api/confirmation.ts';

interface Envelope {
  readonly errors?: { code: number; reason?: string; message: string }[];
}

/**
 * Fetches a file and hands it to the browser to save. A link would show a refusal as a page of JSON.
 * @param onBytes is told how many have come @throws ApiError @throws Unreachable also when it breaks off
 */
export async function download(
  path: string,
  name: string,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const response = await reach(() => fetch(path, { signal }));
  if (!response.ok || !response.body) {
    const { errors = [] } = (await response.json().catch(() => ({}))) as Envelope;
    if (errors[0]?.reason === 'password_needed' && (await showPassword()))
      return download(path, name, onBytes, signal);
    throw new ApiError(response.status, errors);
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reach(() => reader.read());
    if (done) break;
    parts.push(value);
    bytes += value.length;
    onBytes(bytes);
  }
  save(new Blob(parts, { type: response.headers.get('Content-Type') ?? '' }), name);
}

async function reach<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new Unreachable('The download broke off', { cause: error });
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // By the next task the browser has taken over the download.
  setTimeout(() => URL.revokeObjectURL(link.href));
}
