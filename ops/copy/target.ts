import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/**
 * Where a copy is kept: objects under names with slashes, of letters, digits, dots and dashes. A name is used once; nothing
 * is overwritten.
 */
export interface Target {
  /** For messages. */
  readonly name: string;
  /** Once this resolves, the object is there whole, and stays there after a crash. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** The same for a file of this machine. @returns false when there is no such file */
  putFile(name: string, path: string): Promise<boolean>;
  /** @returns undefined when there is no such object */
  get(name: string): Promise<Readable | undefined>;
  /** The names of all objects that begin with this, which ends with a slash, in their order. */
  list(prefix: string): Promise<string[]>;
  /** Does nothing when the object is gone already. */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Puts, reads and deletes an object. @throws when one of it fails */
export async function probe(target: Target): Promise<void> {
  const name = `probe/${randomUUID()}`;
  await target.put(name, Buffer.from(name));
  const kept = await target.get(name).then((stream) => stream && buffer(stream));
  if (kept?.toString() !== name) throw new Error('it did not give back what was put there');
  await target.delete(name);
}
