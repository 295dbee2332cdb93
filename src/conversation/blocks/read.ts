import { InvalidFields } from '#api';
import { checkBlocks } from './check.ts';
import { withIds } from './ids.ts';
import type { Block } from './shapes/blocks.ts';

/** @returns the blocks of a body with an id for each element, undefined where there are none @throws InvalidFields */
export function readBlocks(given: unknown): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = checkBlocks(given);
  if ('problems' in found) throw new InvalidFields(found.problems);
  return withIds(found);
}
