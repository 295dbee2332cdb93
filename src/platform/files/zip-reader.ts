import { type FileHandle, open } from 'node:fs/promises';
import { crc32, createInflateRaw } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** In bytes, unpacked. */
  readonly size: number;
  readonly packedSize: number;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly offset: number;
}

/** The file is not a ZIP archive, or is damaged. */
export class BadArchive extends Error {
  override readonly name = 'BadArchive';
}

const END = 0x06054b50;
const END_LENGTH = 22;
const END64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const ENTRY_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const LONGEST_COMMENT = 65_535;
const IN_EXTRA = 0xffffffff;
const MOST_DIRECTORY_BYTES = 512 * 1024 * 1024;

/** Reads ZIP archives (PKWARE APPNOTE 6.3, §4.3) piece by piece: those that {@link archive} makes, large ones too. */
export class ZipReader {
  readonly entries: readonly ZipEntry[];
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, entries: readonly ZipEntry[]) {
    this.#handle = handle;
    this.entries = entries;
  }

  /** @throws BadArchive */
  static async open(path: string): Promise<ZipReader> {
    const handle = await open(path, 'r');
    try {
      const { size, offset } = await findDirectory(handle);
      if (size > MOST_DIRECTORY_BYTES) throw new BadArchive('its directory is too large');
      return new ZipReader(handle, [...entriesOf(await read(handle, offset, size))]);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** @throws BadArchive at the end, when the content fails its checksum, or once it is longer than its size */
  async *content(entry: ZipEntry): AsyncGenerator<Buffer> {
    let crc = 0;
    let size = 0;
    try {
      for await (const chunk of await this.#unpacked(entry)) {
        crc = crc32(chunk, crc);
        size += chunk.length;
        // A small archive can unpack to very much.
        if (size > entry.size) break;
        yield chunk;
      }
    } catch (error) {
      throw new BadArchive(`${entry.name} cannot be unpacked`, { cause: error });
    }
    if (crc !== entry.crc || size !== entry.size) throw new BadArchive(`${entry.name} is damaged`);
  }

  async #unpacked(entry: ZipEntry): Promise<AsyncIterable<Buffer>> {
    const packed = pieces(this.#handle, await dataOf(this.#handle, entry), entry.packedSize);
    if (!entry.isDeflated) return packed;
    const { pipeline } = await import('node:stream');
    const inflate = createInflateRaw();
    // The reader of the stream receives the error.
    return pipeline(packed, inflate, () => undefined);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** §4.3.16, and §4.3.14 for archives too large for it. */
async function findDirectory(handle: FileHandle): Promise<{ size: number; offset: number }> {
  const { size: total } = await handle.stat();
  const length = Math.min(total, END_LENGTH + LONGEST_COMMENT);
  const tail = await read(handle, total - length, length);
  const at = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at < 0 || at + END_LENGTH > tail.length || tail.readUInt32LE(at) !== END)
    throw new BadArchive('it is not a ZIP archive, or its end is missing');
  const small = { size: tail.readUInt32LE(at + 12), offset: tail.readUInt32LE(at + 16) };
  if (at < 20 || tail.readUInt32LE(at - 20) !== END64_LOCATOR) return small;
  const end = await read(handle, number64(tail, at - 20 + 8), 56);
  return { size: number64(end, 40), offset: number64(end, 48) };
}

/** §4.3.12. */
function* entriesOf(directory: Buffer): Generator<ZipEntry> {
  for (let at = 0; at < directory.length; ) {
    if (at + ENTRY_LENGTH > directory.length || directory.readUInt32LE(at) !== ENTRY)
      throw new BadArchive('its directory is damaged');
    const [names, extras, comments] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    const nameAt = at + ENTRY_LENGTH;
    const extra = directory.subarray(nameAt + names, nameAt + names + extras);
    const [size, packedSize, offset] = wide(
      [24, 20, 42].map((place) => directory.readUInt32LE(at + place)),
      extra,
    ) as [number, number, number];
    const method = directory.readUInt16LE(at + 10);
    if (method !== 0 && method !== 8) throw new BadArchive('it is packed in a way that is not known here');
    yield {
      name: directory.toString('utf8', nameAt, nameAt + names),
      size,
      packedSize,
      isDeflated: method === 8,
      crc: directory.readUInt32LE(at + 16),
      offset,
    };
    at = nameAt + names + extras + comments;
  }
}

/** §4.5.3: those that do not fit into 32 bits stand in the extra field, in this order. */
function wide(numbers: number[], extra: Buffer): number[] {
  if (!numbers.includes(IN_EXTRA)) return numbers;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    let place = at + 4;
    return numbers.map((number) => {
      if (number !== IN_EXTRA) return number;
      place += 8;
      return number64(extra, place - 8);
    });
  }
  throw new BadArchive('its directory is damaged');
}

/** §4.3.7: the local header has a name and extras of its own. */
async function dataOf(handle: FileHandle, { offset }: ZipEntry): Promise<number> {
  const header = await read(handle, offset, LOCAL_LENGTH);
  if (header.readUInt32LE(0) !== LOCAL) throw new BadArchive('an entry is not where it should be');
  return offset + LOCAL_LENGTH + header.readUInt16LE(26) + header.readUInt16LE(28);
}

function number64(buffer: Buffer, at: number): number {
  const number = at + 8 <= buffer.length ? Number(buffer.readBigUInt64LE(at)) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new BadArchive('its directory is damaged');
  return number;
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  if (bytesRead < length) throw new BadArchive('it ends too early');
  return buffer;
}

const PIECE = 256 * 1024;

async function* pieces(handle: FileHandle, from: number, length: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < length; ) {
    const piece = await read(handle, from + done, Math.min(PIECE, length - done));
    done += piece.length;
    yield piece;
  }
}
