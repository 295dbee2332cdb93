import { type FileHandle, open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import {
  ancestry,
  type Base,
  chunkName,
  type Line,
  lastOf,
  listLines,
  type Path,
  pathTo,
  type Segment,
} from './catalogue.ts';
import { type ChunkFacts, Damaged, type SegmentFacts, unpack } from './parcel.ts';
import type { Target } from './target.ts';

/** The copy does not reach the wanted time. The message says what can be done. */
export class NotRestorable extends Error {}

export interface Plan extends Path {
  readonly line: string;
  /** The time to restore to, in milliseconds since 1970. */
  readonly until: number;
  /** Notes for the operator. */
  readonly notes: readonly string[];
}

const timeOf = (at: number) => new Date(at).toISOString();

/**
 * Plans a restore to a time.
 * @param until in milliseconds since 1970; infinity for the newest commit
 * @param wanted the line to restore from, where there are several
 * @throws NotRestorable
 */
export async function planRestore(target: Target, until: number, wanted: string | undefined): Promise<Plan> {
  const lines = await listLines(target);
  const paths = lines.flatMap((line) => {
    const path = pathTo(lines, line, until);
    return path ? [{ line, path, start: startOf(line) }] : [];
  });
  if (wanted !== undefined && !lines.some(({ id }) => id === wanted))
    throw new NotRestorable(`There is no line ${wanted} in ${target.name}.`);
  const fits = paths.filter(({ line, start }) =>
    wanted === undefined ? start <= until : line.id === wanted,
  );
  const chosen = fits.at(-1);
  if (!chosen) throw new NotRestorable(nothingFor(target, lines, { until, wanted }));
  if (wanted === undefined) refuseOthers(lines, chosen.line, fits, until);
  const later = lines.filter((line) => line.startedAt > chosen.line.startedAt && line.startedAt <= until);
  return {
    line: chosen.line.id,
    ...chosen.path,
    until,
    notes: [
      ...gapBehind(lines, chosen.line, until),
      ...later
        .filter((line) => line.segments.length > 0 && !paths.some((path) => path.line === line))
        .map(
          (line) =>
            `What was committed from ${timeOf(line.startedAt)} on is not in it: ${reasonFor(lines, line)}.`,
        ),
    ],
  };
}

/** A note for each gap between a line and the next one that does not continue it. */
function gapBehind(lines: readonly Line[], chosen: Line, until: number): string[] {
  const goesOn = lines.some(
    (line) => line !== chosen && ancestry(lines, line).some(({ line: one }) => one === chosen),
  );
  const begun = lines
    .filter(({ startedAt }) => startedAt > chosen.startedAt)
    .flatMap(({ bases }) => bases.filter(isWhole).map(({ at }) => at))
    .filter((at) => at > until);
  if (goesOn || begun.length === 0 || lastOf(chosen) > until) return [];
  return [
    `What was committed between ${timeOf(lastOf(chosen))} and ${timeOf(Math.min(...begun))} is not in this copy.`,
  ];
}

/** When the first commit of the line itself was made: a line with a parent starts later than its path. */
const startOf = (line: Line) =>
  line.parent ? line.startedAt : Math.min(...line.bases.filter(isWhole).map(({ at }) => at));

const isWhole = ({ chunks }: Base) => chunks > 0;

/** Why a line cannot be restored from. */
function reasonFor(lines: readonly Line[], line: Line): string {
  const damaged = ancestry(lines, line).flatMap(({ line: one }) => one.damaged);
  return damaged.length > 0
    ? `${damaged.join(', ')} in the copy is damaged`
    : 'the copy of the whole database that it needs was not finished';
}

function nothingFor(
  target: Target,
  lines: readonly Line[],
  { until, wanted }: { until: number; wanted: string | undefined },
): string {
  const chosen = lines.filter(({ id }) => wanted === undefined || id === wanted);
  const family = new Set(chosen.flatMap((line) => ancestry(lines, line).map(({ line: one }) => one)));
  const damaged = [...family].flatMap((line) => line.damaged);
  const note = damaged.length === 0 ? '' : ` Damaged there: ${damaged.join(', ')}.`;
  const bases = [...family].flatMap((line) => line.bases.filter(isWhole).map(({ at }) => at));
  const whose = wanted === undefined ? target.name : `line ${wanted} of ${target.name}`;
  // Any base would do when no time was asked for, so there is none.
  if (bases.length === 0 || until === Number.POSITIVE_INFINITY)
    return `There is no whole copy of a database in ${whose}.${note}`;
  return `The copy in ${whose} begins at ${timeOf(Math.min(...bases))}: ${timeOf(until)} is before it.${note}`;
}

/** Two servers copying to one target are two databases: the operator has to choose. */
function refuseOthers(
  lines: readonly Line[],
  chosen: Line,
  fits: readonly { line: Line }[],
  until: number,
): void {
  const family = ancestry(lines, chosen).map(({ line }) => line);
  const others = fits
    .map(({ line }) => line)
    .filter((line) => !family.includes(line))
    .filter((line) => line.segments.some(({ at }) => at > chosen.startedAt && at <= until));
  if (others.length === 0) return;
  const list = [...others, chosen]
    .map((line) => `\n  ${line.id}  from ${timeOf(line.startedAt)} to ${timeOf(lastOf(line))}`)
    .join('');
  throw new NotRestorable(
    `Several servers have copied to this place at the same time. Name the line to restore with --line:${list}`,
  );
}

/**
 * Writes the database of a plan to a file.
 * @returns the time of the last commit in it
 * @throws NotRestorable when something is missing or damaged; it says until when it can be restored
 */
export async function writeDatabase(target: Target, plan: Plan, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  try {
    await writeBase(target, plan, file);
    const state = { last: plan.base.at, isOver: false };
    for (const { line, from, upTo } of plan.parts) {
      let expected = from;
      for (const segment of line.segments) {
        // Later segments hold later commits only.
        state.isOver ||= state.last >= plan.until;
        if (segment.number < from || segment.number > upTo || state.isOver) continue;
        if (segment.number !== expected++) throw lacking(expected - 1, state.last);
        await writeSegment(target, { line, segment, until: plan.until }, file, state);
      }
      if (upTo !== Number.POSITIVE_INFINITY && expected <= upTo && !state.isOver)
        throw lacking(expected, state.last);
    }
    await file.sync();
    return state.last;
  } finally {
    await file.close();
  }
}

/** Writes the marks of a segment up to the wanted time. */
async function writeSegment(
  target: Target,
  { line, segment, until }: { line: Line; segment: Segment; until: number },
  file: FileHandle,
  state: { last: number; isOver: boolean },
): Promise<void> {
  const { facts, content } = await read<SegmentFacts>(target, segment.name, state.last);
  if (facts.line !== line.id || facts.number !== segment.number) throw damaged(segment.name, state.last);
  const { pageSize } = facts;
  let at = 0;
  for (const { at: when, size, pages } of facts.marks) {
    state.isOver ||= when > until;
    if (state.isOver) return;
    for (const page of pages) {
      await file.write(content, at, pageSize, (page - 1) * pageSize);
      at += pageSize;
    }
    await file.truncate(size * pageSize);
    state.last = when;
  }
}

async function writeBase(target: Target, { base }: Plan, file: FileHandle): Promise<void> {
  const owner = /^lines\/([^/]+)\//.exec(base.prefix)?.[1];
  let at = 0;
  for (let chunk = 0; chunk < base.chunks; chunk++) {
    const name = chunkName(base.prefix, chunk);
    const { facts, content } = await read<ChunkFacts>(target, name, undefined);
    if (facts.line !== owner || facts.chunk !== chunk) throw damaged(name, undefined);
    await file.write(content, 0, content.length, at);
    at += content.length;
  }
}

async function read<Facts>(target: Target, name: string, last: number | undefined) {
  const found = await target.get(name);
  if (!found) throw damaged(name, last);
  try {
    return unpack<Facts>(await buffer(found));
  } catch (error) {
    if (error instanceof Damaged) throw damaged(name, last);
    throw error;
  }
}

/** @param last the time of the last sound commit; undefined if the base itself is damaged */
function damaged(name: string, last: number | undefined): NotRestorable {
  const advice =
    last === undefined
      ? 'The copy of the whole database from then cannot be used: try a time before it with --at.'
      : `It can be restored until ${timeOf(last)}: --at ${timeOf(last)}`;
  return new NotRestorable(`${name} in the copy is damaged or missing. ${advice}`);
}

const lacking = (number: number, last: number) =>
  new NotRestorable(
    `A part of the copy is missing (segment ${number}). It can be restored until ${timeOf(last)}: --at ${timeOf(last)}`,
  );
