import { readFileSync, writeFileSync } from 'node:fs';

const HEAD = 48;
const WRITE = 1;
const SYNC = 3;
/** The unit that a disk writes as a whole, in bytes. */
const SECTOR = 512;

interface Change {
  readonly type: number;
  readonly log: boolean;
  readonly number: bigint;
  readonly offset: number;
  readonly length: number;
  /** Of the file, before. */
  readonly size: number;
  /** The bytes that it replaced. */
  readonly old: Buffer;
}

/** How much of what was not synced is lost: all of it, or each sector by chance. */
export type Cut = 'all' | 'some';

/**
 * Takes back from a database and its log what a power cut would have lost of the changes in a journal (`journal.c`): sectors
 * that no sync had covered are as they were, and files shorter. @returns how many bytes were not synced
 */
export function cutPower(database: string, journal: string, cut: Cut, chance: () => number): number {
  let lost = 0;
  for (const log of [false, true]) {
    const open = unsynced(readFileSync(journal), log);
    lost += open.reduce((sum, { length }) => sum + length, 0);
    if (open.length > 0) takeBack(log ? `${database}-wal` : database, open, cut, chance);
  }
  return lost;
}

function unsynced(journal: Buffer, log: boolean): Change[] {
  const changes: Change[] = [];
  let synced = 0n;
  for (let at = 0; at + HEAD <= journal.length; ) {
    const type = journal.readUInt32LE(at);
    const isLog = journal.readUInt32LE(at + 4) === 1;
    const [number, offset, length, size, kept] = [8, 16, 24, 32, 40].map((place) =>
      journal.readBigUInt64LE(at + place),
    ) as [bigint, bigint, bigint, bigint, bigint];
    at += HEAD;
    if (type === SYNC) {
      if (isLog === log) synced = kept > synced ? kept : synced;
      continue;
    }
    const old = journal.subarray(at, at + Number(kept));
    at += Number(kept);
    if (isLog !== log) continue;
    changes.push({
      type,
      log,
      number,
      offset: Number(offset),
      length: Number(length),
      size: Number(size),
      old,
    });
  }
  return changes.filter(({ number }) => number > synced);
}

function takeBack(file: string, changes: readonly Change[], cut: Cut, chance: () => number): void {
  const isLost = () => cut === 'all' || chance() < 0.5;
  const now = readFileSync(file);
  const largest = Math.max(
    now.length,
    ...changes.map(({ size, offset, old }) => Math.max(size, offset + old.length)),
  );
  const content = Buffer.alloc(largest);
  now.copy(content);
  let size = now.length;
  for (const { type, offset, length, size: before, old } of changes.toReversed()) {
    if (type === WRITE) {
      for (let at = 0; at < length; at += SECTOR) {
        if (!isLost()) continue;
        const sector = Buffer.alloc(Math.min(SECTOR, length - at));
        old.subarray(at).copy(sector);
        sector.copy(content, offset + at);
      }
    } else if (isLost()) {
      old.copy(content, offset);
    } else continue;
    // The length of a file is kept apart from its content.
    if (isLost()) size = before;
  }
  writeFileSync(file, content.subarray(0, size));
}
