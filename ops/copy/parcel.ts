import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** An object whose contents changed since it was stored. */
export class Damaged extends Error {}

const HASH = 32;

/** Some facts and some bytes as one object: its SHA-256, the length of the facts, the facts as JSON, the bytes compressed. */
export function pack(facts: object, content: Uint8Array): Buffer<ArrayBuffer> {
  const json = Buffer.from(JSON.stringify(facts));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  const rest = [length, json, zstdCompressSync(content)];
  const hash = createHash('sha256');
  for (const part of rest) hash.update(part);
  return Buffer.concat([hash.digest(), ...rest]);
}

/** @throws Damaged */
export function unpack<Facts>(object: Buffer): { facts: Facts; content: Buffer } {
  const rest = object.subarray(HASH);
  const hash = createHash('sha256').update(rest).digest();
  if (rest.length < 4 || !hash.equals(object.subarray(0, HASH))) throw new Damaged('its checksum is another');
  const end = 4 + rest.readUInt32BE(0);
  return {
    facts: JSON.parse(rest.toString('utf8', 4, end)) as Facts,
    content: zstdDecompressSync(rest.subarray(end)),
  };
}

/** The pages that changed since the mark before. */
export interface Mark {
  /** When all of it was committed, in milliseconds since 1970. */
  readonly at: number;
  /** The size of the database, in pages. */
  readonly size: number;
  /** The numbers of the pages, whose contents follow in this order. */
  readonly pages: readonly number[];
}

export interface SegmentFacts {
  readonly line: string;
  readonly number: number;
  readonly pageSize: number;
  readonly marks: readonly Mark[];
}

export interface ChunkFacts {
  readonly line: string;
  /** The number of this part of the database. */
  readonly chunk: number;
}
