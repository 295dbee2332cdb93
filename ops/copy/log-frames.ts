import { readSync } from 'node:fs';

/*
 * The write-ahead log of SQLite as it is on disk (sqlite.org/fileformat2.html#walformat): a header, then frames. A frame
 * is a page with a header of its own; the last frame of a commit has the size of the database in it. The checksum of a
 * frame covers all that stands before it, from the header on.
 */

export const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** Bytes per read. */
const PIECE = 4 * 1024 * 1024;

export type Sums = readonly [number, number];

export interface LogHeader {
  readonly pageSize: number;
  /** The first half of the salt, which SQLite increments each time the log starts over. */
  readonly sequence: number;
  /** Both salts as hex: unique to one run of the log. */
  readonly salt: string;
  readonly sums: Sums;
  readonly isSwapped: boolean;
}

/** A position in the log up to which everything was read. */
export interface LogPlace {
  /** Undefined before there is a log. */
  readonly salt: string | undefined;
  readonly sequence: number;
  readonly offset: number;
  readonly sums: Sums;
}

/** A commit, with the last version of each page that it, or a commit before it, wrote. */
export interface LogCommits {
  /** The position after the last commit. */
  readonly end: number;
  readonly sums: Sums;
  /** The size of the database, in pages. */
  readonly size: number;
  /** The offset of each page in the log, by its number. */
  readonly pages: ReadonlyMap<number, number>;
}

export const frameSize = (pageSize: number) => FRAME_HEADER + pageSize;

/** @returns undefined without a complete header */
export function readLogHeader(file: number): LogHeader | undefined {
  const bytes = Buffer.alloc(LOG_HEADER);
  if (readSync(file, bytes, 0, LOG_HEADER, 0) < LOG_HEADER) return undefined;
  const magic = bytes.readUInt32BE(0);
  if (magic !== 0x377f0682 && magic !== 0x377f0683) return undefined;
  const isSwapped = magic === 0x377f0683;
  const sums = add([0, 0], wordsOf(bytes, 0, 24, isSwapped));
  if (sums[0] !== bytes.readUInt32BE(24) || sums[1] !== bytes.readUInt32BE(28)) return undefined;
  const size = bytes.readUInt32BE(8);
  return {
    pageSize: size === 1 ? 65_536 : size,
    sequence: bytes.readUInt32BE(16),
    salt: bytes.toString('hex', 16, 24),
    sums,
    isSwapped,
  };
}

/** Whether the log still has the frame that was read before `place`. */
export function isStillAt(file: number, header: LogHeader, place: LogPlace): boolean {
  if (header.salt !== place.salt) return false;
  if (place.offset === LOG_HEADER)
    return header.sums[0] === place.sums[0] && header.sums[1] === place.sums[1];
  const bytes = Buffer.alloc(FRAME_HEADER);
  const at = place.offset - frameSize(header.pageSize);
  if (readSync(file, bytes, 0, FRAME_HEADER, at) < FRAME_HEADER) return false;
  return (
    bytes.toString('hex', 8, 16) === place.salt &&
    bytes.readUInt32BE(16) === place.sums[0] &&
    bytes.readUInt32BE(20) === place.sums[1]
  );
}

/**
 * The commits behind a place. A frame that is only half written, or left from an earlier log, has another checksum and
 * ends the reading. @returns undefined without a commit
 */
export function readCommits(file: number, header: LogHeader, from: LogPlace): LogCommits | undefined {
  const length = frameSize(header.pageSize);
  const piece = Buffer.from(new ArrayBuffer(Math.max(1, Math.floor(PIECE / length)) * length));
  const pages = new Map<number, number>();
  let uncommitted: [number, number][] = [];
  let commit: { end: number; sums: Sums; size: number } | undefined;
  let { sums, offset } = from as { sums: Sums; offset: number };
  for (;;) {
    const read = readSync(file, piece, 0, piece.length, offset);
    for (let at = 0; at + length <= read; at += length, offset += length) {
      if (piece.toString('hex', at + 8, at + 16) !== header.salt) return commit && { ...commit, pages };
      sums = add(sums, wordsOf(piece, at, 8, header.isSwapped));
      sums = add(sums, wordsOf(piece, at + FRAME_HEADER, header.pageSize, header.isSwapped));
      if (piece.readUInt32BE(at + 16) !== sums[0] || piece.readUInt32BE(at + 20) !== sums[1])
        return commit && { ...commit, pages };
      uncommitted.push([piece.readUInt32BE(at), offset + FRAME_HEADER]);
      const size = piece.readUInt32BE(at + 4);
      if (size === 0) continue;
      for (const [page, where] of uncommitted) pages.set(page, where);
      uncommitted = [];
      commit = { end: offset + length, sums, size };
    }
    if (read < piece.length) return commit && { ...commit, pages };
  }
}

/** Reads a number in the byte order of the machine that wrote the log. */
function wordsOf(bytes: Buffer, at: number, length: number, isSwapped: boolean): Uint32Array {
  if (!isSwapped && (bytes.byteOffset + at) % 4 === 0)
    return new Uint32Array(bytes.buffer, bytes.byteOffset + at, length / 4);
  const words = new Uint32Array(length / 4);
  for (let n = 0; n < words.length; n++)
    words[n] = isSwapped ? bytes.readUInt32BE(at + 4 * n) : bytes.readUInt32LE(at + 4 * n);
  return words;
}

function add([one, two]: Sums, words: Uint32Array): Sums {
  let first = one;
  let second = two;
  for (let n = 0; n < words.length; n += 2) {
    first = (first + (words[n] as number) + second) >>> 0;
    second = (second + (words[n + 1] as number) + first) >>> 0;
  }
  return [first, second];
}
