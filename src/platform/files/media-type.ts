import { open } from 'node:fs/promises';

/** How much is looked at: enough for every kind, too little for a file that expands when it is read. */
const HEAD_BYTES = 4100;
const UNKNOWN = 'application/octet-stream';

/** The first bytes of a file. */
export async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** @returns the media type without parameters that a file's first bytes show; undefined for text, and for what is not known */
export async function mediaTypeOf(head: Buffer): Promise<string | undefined> {
  // Loaded by the first upload.
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head))?.mime.split(';')[0];
  } catch {
    // A file that begins like a known kind and goes on otherwise is of no known kind.
    return UNKNOWN;
  }
}
