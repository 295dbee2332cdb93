const encoder = new TextEncoder();

/** To find out how long a text is as UTF-8 takes longer than to encode it: most answers are ASCII. */
export function encode(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length);
  const { read } = encoder.encodeInto(text, bytes);
  return read === text.length ? bytes : Buffer.from(text);
}
