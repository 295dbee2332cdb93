import { isRefusal, SignatureError } from './errors.ts';
import type { Handlers } from './handlers.ts';
import { verifySignature } from './signature.ts';
import type { ParleyEvent } from './types.ts';

/** Standard Webhooks: a key has 24 bytes at least. With an empty one anybody could sign. */
const KEY = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/;
/** More than a list of the longest messages has. */
const MAX_BYTES = 32 * 1024 * 1024;

/** A request of `node:http`, and of frameworks on it. Nothing may have read its body before, but `express.raw()`. */
export interface WebhookRequest extends AsyncIterable<unknown> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: unknown;
  readonly readableEnded?: boolean;
}

/** An answer of `node:http`, and of frameworks on it. */
export interface WebhookResponse {
  writeHead(status: number): unknown;
  end(text?: string): unknown;
}

/** How calls are verified. */
export interface WebhookOptions {
  /** The key of the subscription (`whsec_…`); during a rotation both. */
  readonly key: string | readonly string[];
  /**
   * Called with what a handler threw. The platform sends the event again, unless it has refused something for good: then
   * the person is told that it has failed. Default: prints it.
   */
  readonly onError?: (error: unknown) => void;
}

/** Handles a call of the platform: the signature is verified on the bytes as they came, and then each event is handled. */
export type WebhookHandler = (request: WebhookRequest, response: WebhookResponse) => Promise<void>;

/** Makes the handler of an HTTP server. */
export function webhookHandler(handlers: Handlers, options: WebhookOptions): WebhookHandler {
  const { key, onError = console.error } = options;
  const keys = [key].flat();
  if (keys.length === 0 || !keys.every((one) => KEY.test(one)))
    throw new TypeError('key: give the key of the subscription, which begins with whsec_');

  async function answer(request: WebhookRequest): Promise<[status: number, text: string]> {
    if (request.method !== 'POST') return [405, 'Events come by POST'];
    try {
      const bytes = await readBytes(request);
      if (bytes === undefined) return [413, 'The body is too large'];
      verifySignature(request.headers, bytes, keys);
      const events = JSON.parse(new TextDecoder().decode(bytes)) as ParleyEvent | ParleyEvent[];
      for (const event of [events].flat()) await handle(event);
      return [204, ''];
    } catch (error) {
      if (error instanceof SignatureError) return [401, error.message];
      onError(error);
      return [500, 'The handler failed'];
    }
  }

  /** @throws what may work when the event is sent again */
  async function handle(event: ParleyEvent): Promise<void> {
    try {
      await handlers.run(event, onError);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      onError(error);
      await handlers.giveUp(event, onError);
    }
  }

  return async (request, response) => {
    const [status, text] = await answer(request);
    response.writeHead(status);
    response.end(text);
  };
}

/** @returns undefined for a body that is too large @throws Error when the framework has parsed it */
async function readBytes(request: WebhookRequest): Promise<Uint8Array | undefined> {
  if (request.body instanceof Uint8Array) return request.body;
  if (request.body !== undefined || request.readableEnded)
    throw new Error('The body was read before: handle events before a body parser, or with express.raw()');
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Read to the end in any case, so that the sender receives the answer.
  for await (const chunk of request) {
    size += (chunk as Uint8Array).length;
    if (size <= MAX_BYTES) chunks.push(chunk as Uint8Array);
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}
