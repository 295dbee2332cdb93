import type { Readable } from 'node:stream';
import { checkFileName } from './file-name.ts';
import type { ByteRange, FileStore } from './file-store.ts';
import { bucketUrl, letGo, missing, refusal, S3Client, type S3Options } from './s3-client.ts';
import type { SpooledFile } from './spool.ts';

/** Files in an S3-compatible store. A name is used once, with the same content, so that every request can be repeated. */
export class S3Store implements FileStore {
  readonly #client: S3Client;

  constructor(options: S3Options) {
    this.#client = new S3Client(options);
  }

  async put(name: string, file: SpooledFile): Promise<void> {
    const headers = { 'content-length': String(file.size), 'content-type': 'application/octet-stream' };
    const answer = await this.#client.ask({
      method: 'PUT',
      path: checkFileName(name),
      headers,
      content: file,
    });
    if (answer.statusCode !== 200) throw await refusal(answer);
    await letGo(answer);
    await file.discard();
  }

  async get(name: string, range?: ByteRange): Promise<Readable | undefined> {
    const headers = range && { range: `bytes=${range.first}-${range.last}` };
    const answer = await this.#client.ask({
      method: 'GET',
      path: checkFileName(name),
      ...(headers && { headers }),
    });
    // A store that ignores the range, or reads another one in it, would send the wrong bytes.
    if (answer.statusCode === (range ? 206 : 200) && isOf(range, answer.headers['content-range']))
      return answer.body;
    return missing(answer);
  }

  async delete(name: string): Promise<void> {
    const answer = await this.#client.ask({ method: 'DELETE', path: checkFileName(name) });
    if (answer.statusCode === 204 || answer.statusCode === 200) return letGo(answer);
    await missing(answer);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** A store need not say which bytes it sends. */
const isOf = (range: ByteRange | undefined, said: string | string[] | undefined): boolean =>
  range === undefined || said === undefined || String(said).startsWith(`bytes ${range.first}-${range.last}/`);

export const objectUrl = (where: Parameters<typeof bucketUrl>[0], name: string): string =>
  bucketUrl(where) + checkFileName(name);
