export interface Text {
  readonly body: string;
  readonly bytes: Uint8Array;
  /** The body was longer than the limit, and the rest was not read. */
  readonly truncated: boolean;
}

/** Reads at most `maxBytes` (and one chunk) into memory. Leaving the loop early closes the connection. */
export async function readText(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Text> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxBytes) break;
  }
  const truncated = length > maxBytes;
  const bytes = Buffer.concat(chunks).subarray(0, maxBytes);
  return { body: decode(bytes, truncated), bytes, truncated };
}

/** Always well-formed text that every database can store: bytes that are no UTF-8, and NUL, become U+FFFD. */
function decode(bytes: Uint8Array, truncated: boolean): string {
  // `stream` holds back a character that the limit has cut in two.
  return new TextDecoder().decode(bytes, { stream: truncated }).replaceAll('\0', '\uFFFD');
}
