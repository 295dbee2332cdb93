/** One event of a stream of server-sent events (HTML Standard §9.2.6). */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
  /** Milliseconds until the next connection, where the server says it. */
  readonly retry: number | undefined;
}

/** Reads a stream to its end. @param onBytes called with each part that comes, also when it is a comment alone */
export async function* serverEvents(
  body: AsyncIterable<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    onBytes();
    const text = decoder.decode(chunk, { stream: true });
    rest += text;
    // What has no end yet is not looked through again with each part of it.
    if (!text.includes('\n')) continue;
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readBlock(block);
      if (event) yield event;
    }
  }
}

function readBlock(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^([a-z]+)(?:: ?(.*))?$/.exec(line) ?? [];
    if (name === undefined) continue;
    const before = name === 'data' ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  if (fields.size === 0) return undefined;
  const retry = fields.get('retry');
  return {
    event: fields.get('event') ?? '',
    id: fields.get('id'),
    data: fields.get('data') ?? '',
    retry: retry === undefined ? undefined : Number(retry),
  };
}
