import type { Readable } from 'node:stream';
import type { SpooledFile } from './spool.ts';

/** Bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Keeps files under random names. A file is immutable; a name is used once. */
export interface FileStore {
  /** Takes a file over; once this resolves it survives a crash. @throws FileStoreUnavailable */
  put(name: string, file: SpooledFile): Promise<void>;
  /** @returns undefined when there is no such file @throws FileStoreUnavailable */
  get(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Does nothing when the file is gone already. @throws FileStoreUnavailable */
  delete(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The store does not answer, or answers with an error: answered as 5030. */
export class FileStoreUnavailable extends Error {
  override readonly name = 'FileStoreUnavailable';
}
