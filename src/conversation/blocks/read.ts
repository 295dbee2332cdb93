import { InvalidFields } from '#api';
import { checkBlocks, problemAt } from './check.ts';
import { withIds } from './ids.ts';
import type { Block } from './shapes/blocks.ts';
import { ELEMENTS, parts } from './walk.ts';

/** @returns the blocks of a body with an id for each element, undefined where there are none @throws InvalidFields */
export function readBlocks(given: unknown): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = checkBlocks(given);
  if ('problems' in found) throw new InvalidFields(found.problems);
  const dead = elementsIn(found).filter(({ value }) => NOT_YET.has(value.type));
  if (dead.length > 0)
    throw new InvalidFields(dead.map(({ way }) => problemAt([...way, 'type'], 'is not supported yet')));
  return withIds(found);
}

/** Files are not passed on to applications yet. */
const NOT_YET: ReadonlySet<string> = new Set(['file_input']);

/** Of a payload that others wrote, and hear nothing: undefined for blocks that are not right as a whole. */
export function findBlocks(given: unknown): readonly Block[] | undefined {
  const found = checkBlocks(given);
  if ('problems' in found || elementsIn(found).some(({ value }) => !isLink(value))) return undefined;
  return withIds(found);
}

const elementsIn = (blocks: readonly Block[]) =>
  [...parts(blocks)].filter(({ value }) => ELEMENTS.has(value.type));

const isLink = ({ url, options }: Readonly<Record<string, unknown>>): boolean =>
  url !== undefined ||
  (Array.isArray(options) && options.every((option: { url?: unknown }) => option.url !== undefined));
