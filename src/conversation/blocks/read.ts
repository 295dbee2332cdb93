import { InvalidFields, MOST_PROBLEMS } from '#api';
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

/** Top-level blocks of a card of a link. */
export const MOST_CARD_BLOCKS = 10;
/** Bytes of JSON that they may take: a message has several cards, and a page many messages. */
export const MAX_CARD_BYTES = 8192;

/**
 * Blocks of a card below a message that somebody else wrote. Nobody hears of clicks there, so links alone can be pressed.
 * @param at the card's place in the list
 * @returns undefined where there are none @throws InvalidFields
 */
export function readCardBlocks(given: unknown, at: number): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = checkBlocks(given);
  const problems = 'problems' in found ? found.problems : beyondCard(found);
  if (problems.length === 0) return withIds(found as readonly Block[]);
  throw new InvalidFields(
    problems.map(({ field, message, pointer }) => ({
      field: `unfurls.${at}.${field}`,
      message,
      pointer: `/unfurls/${at}${pointer}`,
    })),
  );
}

function beyondCard(blocks: readonly Block[]) {
  if (blocks.length > MOST_CARD_BLOCKS)
    return [problemAt([], `must hold at most ${MOST_CARD_BLOCKS} blocks in a card`)];
  if (Buffer.byteLength(JSON.stringify(blocks)) > MAX_CARD_BYTES)
    return [problemAt([], `must be at most ${MAX_CARD_BYTES} bytes of JSON in a card`)];
  return elementsIn(blocks)
    .filter(({ value }) => !isLink(value))
    .slice(0, MOST_PROBLEMS)
    .map(({ way, value }) =>
      problemAt([...way, 'type'], `${value.type} cannot be in a card, where only links can be pressed`),
    );
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
