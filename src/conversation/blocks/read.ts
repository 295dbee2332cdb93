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
  const unheard = unheardIn(found);
  if (unheard.length > 0) throw new InvalidFields(unheard);
  return withIds(found);
}

/** Of a payload that others wrote: undefined for blocks that are not right as a whole. */
export function findBlocks(given: unknown): readonly Block[] | undefined {
  const found = checkBlocks(given);
  return 'problems' in found || unheardIn(found).length > 0 ? undefined : withIds(found);
}

/** Elements that would do nothing: what people press and choose reaches no application yet. Links do. */
const unheardIn = (blocks: readonly Block[]) =>
  [...parts(blocks)]
    .filter(({ value }) => ELEMENTS.has(value.type) && !isLink(value))
    .map(({ way }) => problemAt(way, 'is not passed on to applications yet: give a button an url'));

const isLink = ({ url, options }: Readonly<Record<string, unknown>>): boolean =>
  url !== undefined ||
  (Array.isArray(options) && options.every((option: { url?: unknown }) => option.url !== undefined));
