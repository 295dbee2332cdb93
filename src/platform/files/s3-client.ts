import { createReadStream } from 'node:fs';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { readText } from '../outbound/read-text.ts';
import { pause } from '../pause.ts';
import { FileStoreUnavailable } from './file-store.ts';

export interface S3Options {
  /** `https://host[:port]`, without a path. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Position of the bucket's name: `https://host/bucket/…` or `https://bucket.host/…`. */
  readonly addressing: 'path' | 'host';
  /** Before the second and third try, in milliseconds; tests want none. */
  readonly retryDelayMs?: number;
}

const TRIES = 3;
const RETRY_DELAY_MS = 250;
const HEADERS_TIMEOUT_MS = 30_000;
const BODY_TIMEOUT_MS = 60_000;
const MAX_ERROR_LENGTH = 4096;
/** For the rest of an answer whose status says all, or almost. */
const ANSWER_MS = 5000;
const OF_CONNECTION = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNREFUSED'];
const NO_CONTENT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export interface Asked {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  /** The object's name, and perhaps a query; empty for the bucket itself. Only what needs no encoding. */
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** The content: a file, read again for each attempt, or bytes. */
  readonly content?: { readonly sha256: string; readonly path: string } | SignedBytes;
}

interface SignedBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

/**
 * Requests to an S3-compatible store. Its address comes from the operator's settings alone and may be private, so this
 * client bypasses platform/outbound.
 */
export class S3Client {
  readonly #options: S3Options;
  readonly #agent = new Agent({ headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: BODY_TIMEOUT_MS });
  readonly #closing = new AbortController();

  constructor(options: S3Options) {
    this.#options = options;
  }

  /** Tries again after faults: every request must be idempotent. @throws FileStoreUnavailable */
  async ask(asked: Asked): Promise<Dispatcher.ResponseData> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#send(asked);
        if (answer.statusCode < 500 || tries === TRIES) return answer;
        await letGo(answer);
      } catch (error) {
        if (tries === TRIES) throw new FileStoreUnavailable((error as Error).message, { cause: error });
      }
      await pause(tries * (this.#options.retryDelayMs ?? RETRY_DELAY_MS), this.#closing.signal);
    }
  }

  /** Ends the requests under way: whoever made them is gone. */
  close(): Promise<void> {
    this.#closing.abort();
    return this.#agent.destroy();
  }

  async #send({ method, path, headers = {}, content }: Asked): Promise<Dispatcher.ResponseData> {
    const { region, accessKey, secretKey } = this.#options;
    const signed = await new AwsV4Signer({
      method,
      url: bucketUrl(this.#options) + path,
      headers: { ...headers, 'x-amz-content-sha256': content?.sha256 ?? NO_CONTENT },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    }).sign();
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body:
        content === undefined ? null : 'bytes' in content ? content.bytes : createReadStream(content.path),
      dispatcher: this.#agent,
    });
  }
}

/** Whether the connection ended, or stood still, in the middle of a store's answer. */
export function brokeOff(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return code.startsWith('UND_ERR_') || OF_CONNECTION.includes(code);
}

/** The beginning of an answer's body, as far as it comes in a moment: a store may send errors without end, or slowly. */
async function beginningOf(body: Dispatcher.ResponseData['body'], most: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const late = setTimeout(() => body.destroy(), ANSWER_MS);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= most) break;
    }
  } catch {
    // The beginning says enough, and so does the status.
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).subarray(0, most).toString();
}

/** Ends an answer of which only the status counts, so that its connection serves others. */
export const letGo = async ({ body }: Dispatcher.ResponseData): Promise<void> =>
  void (await beginningOf(body, MAX_ERROR_LENGTH));

/** An answer as a text. @throws FileStoreUnavailable for one that is longer than `most` */
export async function textOf({ body }: Dispatcher.ResponseData, most: number): Promise<string> {
  const text = await readText(body, most);
  if (text.truncated) throw new FileStoreUnavailable(`The file store answered more than ${most} bytes`);
  return text.body;
}

/** With a slash at its end. */
export function bucketUrl(where: Pick<S3Options, 'endpoint' | 'bucket' | 'addressing'>): string {
  const { protocol, host } = new URL(where.endpoint);
  const at = where.addressing === 'host' ? `${where.bucket}.${host}` : `${host}/${where.bucket}`;
  return `${protocol}//${at}/`;
}

/** A missing object is an answer; a missing bucket is a fault. */
export async function missing(answer: Dispatcher.ResponseData): Promise<undefined> {
  const error = await refusal(answer);
  if (answer.statusCode === 404 && !error.message.includes('NoSuchBucket')) return undefined;
  throw error;
}

export async function refusal({ statusCode, body }: Dispatcher.ResponseData): Promise<FileStoreUnavailable> {
  const text = await beginningOf(body, MAX_ERROR_LENGTH);
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
  return new FileStoreUnavailable(`The file store answered ${statusCode} ${code}`.trimEnd());
}
