import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/**
 * Where a copy is kept: objects under names with slashes, of letters, digits, dots and dashes. A name is used once; nothing
 * is overwritten.
 */
export interface Target {
  /** Its name in messages. */
  readonly name: string;
  /** Resolves when the object is stored durably. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Stores a local file. @returns false if it does not exist */
  putFile(name: string, path: string): Promise<boolean>;
  /** @returns undefined when there is no such object */
  get(name: string): Promise<Readable | undefined>;
  /** Lists object names with a prefix that ends with a slash, sorted. */
  list(prefix: string): Promise<string[]>;
  /** Deletes an object, or does nothing if there is none. */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Stores, reads and deletes an object. @throws if any step fails */
export async function probe(target: Target): Promise<void> {
  const name = `probe/${randomUUID()}`;
  await target.put(name, Buffer.from(name));
  const kept = await target.get(name).then((stream) => stream && buffer(stream));
  if (kept?.toString() !== name) throw new Error('it did not give back what was put there');
  await target.delete(name);
}
