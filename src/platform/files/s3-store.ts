import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { checkFileName } from './file-name.ts';
import { type ByteRange, type FileStore, FileStoreUnavailable } from './file-store.ts';
import type { SpooledFile } from './spool.ts';

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
const NO_CONTENT = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

interface Asked {
  readonly method: 'PUT' | 'GET' | 'DELETE';
  readonly name: string;
  readonly headers?: Record<string, string>;
  readonly file?: SpooledFile;
}

/**
 * Files in an S3-compatible store. Its address comes from the operator's settings alone and may be private, so this
 * client bypasses platform/outbound.
 */
export class S3Store implements FileStore {
  readonly #options: S3Options;
  readonly #agent = new Agent({ headersTimeout: HEADERS_TIMEOUT_MS, bodyTimeout: BODY_TIMEOUT_MS });

  constructor(options: S3Options) {
    this.#options = options;
  }

  async put(name: string, file: SpooledFile): Promise<void> {
    const headers = { 'content-length': String(file.size), 'content-type': 'application/octet-stream' };
    const answer = await this.#ask({ method: 'PUT', name, headers, file });
    if (answer.statusCode !== 200) throw await refusal(answer);
    await answer.body.dump();
    await file.discard();
  }

  async get(name: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` };
    const answer = await this.#ask({ method: 'GET', name, ...(headers && { headers }) });
    // A store that ignores the range would send the wrong bytes.
    if (answer.statusCode === (range ? 206 : 200)) return answer.body;
    return missing(answer);
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#ask({ method: 'DELETE', name });
    if (answer.statusCode === 204 || answer.statusCode === 200) return answer.body.dump();
    await missing(answer);
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  /** Every request is idempotent: a name is used once, with the same content. */
  async #ask(asked: Asked): Promise<Dispatcher.ResponseData> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#send(asked);
        if (answer.statusCode < 500 || tries === TRIES) return answer;
        await answer.body.dump();
      } catch (error) {
        if (tries === TRIES) throw new FileStoreUnavailable((error as Error).message, { cause: error });
      }
      await wait(tries * (this.#options.retryDelayMs ?? RETRY_DELAY_MS));
    }
  }

  async #send({ method, name, headers = {}, file }: Asked): Promise<Dispatcher.ResponseData> {
    const { region, accessKey, secretKey } = this.#options;
    const signed = await new AwsV4Signer({
      method,
      url: objectUrl(this.#options, name),
      headers: { ...headers, 'x-amz-content-sha256': file?.sha256 ?? NO_CONTENT },
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      service: 's3',
      region,
    }).sign();
    return request(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      body: file ? createReadStream(file.path) : null,
      dispatcher: this.#agent,
    });
  }
}

export function objectUrl(
  where: Pick<S3Options, 'endpoint' | 'bucket' | 'addressing'>,
  name: string,
): string {
  const { protocol, host } = new URL(where.endpoint);
  const at = where.addressing === 'host' ? `${where.bucket}.${host}` : `${host}/${where.bucket}`;
  return `${protocol}//${at}/${checkFileName(name)}`;
}

/** A missing file is an answer; a missing bucket is a fault. */
async function missing(answer: Dispatcher.ResponseData): Promise<undefined> {
  const error = await refusal(answer);
  if (answer.statusCode === 404 && !error.message.includes('NoSuchBucket')) return undefined;
  throw error;
}

async function refusal({ statusCode, body }: Dispatcher.ResponseData): Promise<FileStoreUnavailable> {
  const text = (await body.text()).slice(0, MAX_ERROR_LENGTH);
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '';
  return new FileStoreUnavailable(`The file store answered ${statusCode} ${code}`.trimEnd());
}
