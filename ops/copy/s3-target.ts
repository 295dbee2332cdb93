import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { FileStoreUnavailable } from '#platform/files/index.ts';
import {
  letGo,
  missing,
  refusal,
  S3Client,
  type S3Options,
  textOf,
} from '../../src/platform/files/s3-client.ts';
import type { Target } from './target.ts';

/** Of one page of a list: a thousand keys of 1024 bytes (S3, ListObjectsV2), with what stands around them. */
const MOST_LISTED = 8 * 1024 * 1024;

/** A copy in a bucket, under a prefix. */
export class S3Target implements Target {
  readonly name: string;
  readonly #client: S3Client;
  readonly #prefix: string;

  /** @param prefix empty, or ending with a slash */
  constructor(options: S3Options, prefix: string) {
    this.name = `s3://${options.bucket}/${prefix}`;
    this.#client = new S3Client(options);
    this.#prefix = prefix;
  }

  put(name: string, bytes: Uint8Array): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return this.#put(name, bytes.length, { bytes, sha256 });
  }

  async putFile(name: string, path: string): Promise<boolean> {
    const summed = await sum(path);
    if (!summed) return false;
    await this.#put(name, summed.size, { path, sha256: summed.sha256 });
    return true;
  }

  async get(name: string): Promise<Readable | undefined> {
    const answer = await this.#client.ask({ method: 'GET', path: this.#prefix + name });
    return answer.statusCode === 200 ? answer.body : missing(answer);
  }

  async list(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for (let next = ''; ; ) {
      const query = new URLSearchParams({
        'list-type': '2',
        prefix: this.#prefix + prefix,
        ...(next && { 'continuation-token': next }),
      });
      const answer = await this.#client.ask({ method: 'GET', path: `?${query}` });
      if (answer.statusCode !== 200) throw await refusal(answer);
      const text = await textOf(answer, MOST_LISTED);
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g))
        if (key.startsWith(this.#prefix)) names.push(key.slice(this.#prefix.length));
      const before = next;
      next = decode(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '');
      if (next === '') return names.sort();
      if (next === before) throw new FileStoreUnavailable('The file store lists the same objects again');
    }
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#client.ask({ method: 'DELETE', path: this.#prefix + name });
    if (answer.statusCode === 204 || answer.statusCode === 200) return letGo(answer);
    await missing(answer);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #put(
    name: string,
    size: number,
    content: { sha256: string } & ({ bytes: Uint8Array } | { path: string }),
  ): Promise<void> {
    const headers = { 'content-length': String(size), 'content-type': 'application/octet-stream' };
    const answer = await this.#client.ask({ method: 'PUT', path: this.#prefix + name, headers, content });
    if (answer.statusCode !== 200) throw await refusal(answer);
    await letGo(answer);
  }
}

/** A token is base64, or escaped by the rules of XML. */
const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

async function sum(path: string): Promise<{ size: number; sha256: string } | undefined> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    const file = await open(path, 'r');
    for await (const piece of file.createReadStream()) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return { size, sha256: hash.digest('hex') };
}
