import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Target } from './target.ts';

/*
 * The layout of a target:
 *
 *   lines/LINE/line.json                  one for each start of a copy; LINE begins with its time
 *   lines/LINE/segments/NUMBER-TIME       commits in order; TIME is that of the last one
 *   lines/LINE/bases/NUMBER-TIME/CHUNK    the database after a segment, in parts
 *   lines/LINE/bases/NUMBER-TIME/whole    stored last: without it the base is incomplete
 *   files/00/…                            the uploads
 *   gone/TIME-RANDOM                      names of uploads that were deleted on the server
 *
 * A line has one writer, so two servers cannot damage each other's copy. A line with a parent continues it.
 */

export interface Parent {
  readonly line: string;
  /** The last segment of the parent that this line continues. */
  readonly segment: number;
}

export interface Segment {
  readonly number: number;
  /** The time of its last commit, in milliseconds since 1970. */
  readonly at: number;
  readonly name: string;
}

export interface Base {
  /** The number of the segment before it; 0 at the beginning of the line. */
  readonly after: number;
  readonly at: number;
  /** The number of its parts; 0 while it is incomplete. */
  readonly chunks: number;
  /** Ends with a slash. */
  readonly prefix: string;
}

export interface Line {
  readonly id: string;
  readonly startedAt: number;
  readonly parent: Parent | undefined;
  /** In the order of their numbers. */
  readonly segments: readonly Segment[];
  readonly bases: readonly Base[];
  /** The names of all its objects. */
  readonly objects: readonly string[];
  /** Objects whose JSON cannot be read. They count as missing. */
  readonly damaged: readonly string[];
}

const LINE = /^(\d{13})-[0-9a-f]{16}$/;

export const newLineId = (now: number) => `${now}-${randomBytes(8).toString('hex')}`;
export const linePrefix = (line: string) => `lines/${line}/`;
export const lineName = (line: string) => `${linePrefix(line)}line.json`;
export const segmentName = (line: string, number: number, at: number) =>
  `${linePrefix(line)}segments/${padded(number)}-${at}`;
export const basePrefix = (line: string, after: number, at: number) =>
  `${linePrefix(line)}bases/${padded(after)}-${at}/`;
export const chunkName = (prefix: string, chunk: number) => prefix + padded(chunk);
export const wholeName = (prefix: string) => `${prefix}whole`;
export const fileName = (name: string) => `files/${name}`;

const padded = (number: number) => String(number).padStart(10, '0');

/** All lines of a target, the oldest first. */
export async function listLines(target: Target): Promise<Line[]> {
  const byLine = Map.groupBy(await target.list('lines/'), (name) => name.split('/')[1] ?? '');
  const lines: Line[] = [];
  for (const [id, objects] of byLine) {
    const [, startedAt] = LINE.exec(id) ?? [];
    // A line without line.json is being created or deleted.
    if (startedAt === undefined || !objects.includes(lineName(id))) continue;
    const facts = await read(target, lineName(id), isLineFacts);
    if (facts === undefined) continue;
    const damaged = facts === DAMAGED ? [lineName(id)] : [];
    lines.push({
      id,
      startedAt: Number(startedAt),
      // A line whose parent is unreadable starts at its own first base.
      parent: facts === DAMAGED ? undefined : facts.parent,
      segments: objects.flatMap(segmentOf),
      bases: await basesOf(target, objects, damaged),
      objects,
      damaged,
    });
  }
  return lines;
}

/** An object with other contents than were stored. */
const DAMAGED = Symbol('damaged');

interface LineFacts {
  readonly parent?: Parent;
}

interface WholeFacts {
  readonly chunks: number;
}

/** @returns undefined when there is no such object */
async function read<Facts>(
  target: Target,
  name: string,
  isFacts: (given: unknown) => given is Facts,
): Promise<Facts | typeof DAMAGED | undefined> {
  const found = await target.get(name);
  if (!found) return undefined;
  const facts = parse(await buffer(found));
  return isFacts(facts) ? facts : DAMAGED;
}

/** @returns undefined for text that is not valid JSON */
export function parse(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString());
  } catch {
    return undefined;
  }
}

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
const isCount = (given: unknown): given is number => Number.isSafeInteger(given) && Number(given) >= 0;

function isLineFacts(given: unknown): given is LineFacts {
  if (!isObject(given)) return false;
  const { parent } = given;
  if (parent === undefined) return true;
  return isObject(parent) && LINE.test(String(parent.line)) && isCount(parent.segment);
}

const isWholeFacts = (given: unknown): given is WholeFacts =>
  isObject(given) && isCount(given.chunks) && given.chunks > 0;

/** @param name of `line.json`, or of `whole` @returns what is wrong with it; undefined when all is well */
export async function faultOf(target: Target, name: string): Promise<'missing' | 'damaged' | undefined> {
  const isFacts: (given: unknown) => given is object = name.endsWith('/whole') ? isWholeFacts : isLineFacts;
  const facts = await read(target, name, isFacts);
  if (facts === undefined) return 'missing';
  return facts === DAMAGED ? 'damaged' : undefined;
}

function segmentOf(name: string): Segment[] {
  const [, number, at] = /\/segments\/(\d{10})-(\d{13})$/.exec(name) ?? [];
  return number === undefined ? [] : [{ number: Number(number), at: Number(at), name }];
}

/** @param damaged receives the names of unreadable objects */
async function basesOf(target: Target, objects: readonly string[], damaged: string[]): Promise<Base[]> {
  const prefixes = new Set(objects.map((name) => /^.+\/bases\/[^/]+\//.exec(name)?.[0] ?? ''));
  prefixes.delete('');
  const bases: Base[] = [];
  for (const prefix of prefixes) {
    const [, after, at] = /\/(\d{10})-(\d{13})\/$/.exec(prefix) ?? [];
    if (after === undefined) continue;
    const whole = wholeName(prefix);
    const facts = objects.includes(whole) ? await read(target, whole, isWholeFacts) : undefined;
    const parts = objects.filter((name) => name.startsWith(prefix) && name !== whole).length;
    // A restore would skip parts beyond the count.
    const isDamaged = facts === DAMAGED || (facts !== undefined && facts.chunks < parts);
    if (isDamaged) damaged.push(whole);
    const chunks = isDamaged ? 0 : (facts?.chunks ?? 0);
    bases.push({ after: Number(after), at: Number(at), chunks, prefix });
  }
  return bases;
}

/** A line and its ancestors, the line first, each with the last segment that the line continues. */
export function ancestry(lines: readonly Line[], line: Line): { line: Line; upTo: number }[] {
  const chain = [{ line, upTo: Number.POSITIVE_INFINITY }];
  for (let parent = line.parent; parent; ) {
    const { line: id, segment } = parent;
    const found = lines.find((one) => one.id === id);
    if (!found || chain.some((one) => one.line === found)) break;
    chain.push({ line: found, upTo: segment });
    parent = found.parent;
  }
  return chain;
}

/** The chain of objects from a base to the end of a line. */
export interface Path {
  readonly base: Base;
  /** Lines in order, with the range of their segments. The last one is open. */
  readonly parts: readonly { readonly line: Line; readonly from: number; readonly upTo: number }[];
}

/** The path from the newest complete base before `before`. @returns undefined without such a base */
export function pathTo(lines: readonly Line[], line: Line, before: number): Path | undefined {
  const passed: { line: Line; from: number; upTo: number }[] = [];
  for (const { line: one, upTo } of ancestry(lines, line)) {
    const base = one.bases
      .filter(({ chunks, after, at }) => chunks > 0 && after <= upTo && at <= before)
      .at(-1);
    passed.unshift({ line: one, from: (base?.after ?? 0) + 1, upTo });
    if (base) return { base, parts: passed };
  }
  return undefined;
}

/**
 * Checks that the target has every object of a path. Contents are not read: a restore reads them.
 * @param last the number of the last segment of its line
 * @returns the first object that is missing
 */
export function missingOf({ base, parts }: Path, last: number): string | undefined {
  const there = new Set(parts[0]?.line.objects);
  for (let chunk = 0; chunk < base.chunks; chunk++)
    if (!there.has(chunkName(base.prefix, chunk))) return chunkName(base.prefix, chunk);
  for (const { line, from, upTo } of parts) {
    const numbers = new Set(line.segments.map(({ number }) => number));
    for (let number = from; number <= (Number.isFinite(upTo) ? upTo : last); number++)
      if (!numbers.has(number)) return `segment ${number} of ${line.id}`;
  }
  return undefined;
}

/** When the last object of a line was stored. */
export function lastOf({ startedAt, segments, bases }: Line): number {
  return Math.max(startedAt, segments.at(-1)?.at ?? 0, ...bases.map(({ at }) => at));
}

/**
 * The objects that no restore to a time since `horizon` needs: none while the own line lacks a complete base from before it.
 * @returns names in the order of deletion, in which the rest is a valid copy at every step
 */
export function outlived(lines: readonly Line[], own: Line, horizon: number): string[] {
  if (!pathTo(lines, own, horizon)) return [];
  const needed = new Map<string, number>();
  const need = (id: string, from: number) => needed.set(id, Math.min(from, needed.get(id) ?? from));
  for (const line of lines) {
    if (line !== own && lastOf(line) < horizon) continue;
    const path = pathTo(lines, line, horizon);
    if (path) for (const part of path.parts) need(part.line.id, part.from);
    // A server may still be writing it.
    else for (const one of ancestry(lines, line)) need(one.line.id, 0);
  }
  return lines.flatMap((line) => {
    const from = needed.get(line.id);
    const bases = line.bases.filter(({ after }) => from === undefined || after < from - 1);
    const segments = line.segments.filter(({ number }) => from === undefined || number < from);
    const rest = from === undefined ? [lineName(line.id)] : [];
    const parts = line.objects.filter((name) => bases.some(({ prefix }) => name.startsWith(prefix)));
    return [
      ...parts.filter((name) => name.endsWith('/whole')),
      ...parts.filter((name) => !name.endsWith('/whole')),
      ...segments.map(({ name }) => name),
      ...rest,
    ];
  });
}
