import { type FieldProblem, InvalidFields } from '#api';
import { type Bounds, checkBlocks, problemAt } from './check.ts';
import { withIds } from './ids.ts';
import type { Block } from './shapes/blocks.ts';
import { ELEMENTS, type Part, parts } from './walk.ts';

/** @returns the blocks of a body with an id for each element, undefined where there are none @throws InvalidFields */
export function readBlocks(given: unknown): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  const found = checkElements(given, ({ type }) => NOT_YET.has(type) && 'is not supported yet');
  if ('problems' in found) throw new InvalidFields(found.problems);
  return found;
}

/** Files are not passed on to applications yet. */
const NOT_YET: ReadonlySet<string> = new Set(['file_input']);

/** Of a card of a link: a message has several cards, and a page many messages. */
export const OF_CARD: Bounds = { blocks: 10, bytes: 8192 };

/**
 * Blocks of a card below a message that somebody else wrote. Its application does not hear of clicks there, so only links can
 * be pressed.
 * @param at the card's place in the list
 * @returns undefined where there are none @throws InvalidFields
 */
export function readCardBlocks(given: unknown, at: number): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  const refusal = ({ type }: Element) => `${type} cannot be in a card, where only links can be pressed`;
  const found = checkElements(given, (element) => !isLink(element) && refusal(element), OF_CARD);
  if (!('problems' in found)) return found;
  throw new InvalidFields(
    found.problems.map(({ field, message, pointer }) => ({
      field: `unfurls.${at}.${field}`,
      message,
      pointer: `/unfurls/${at}${pointer}`,
    })),
  );
}

/** Of a payload that others wrote, and hear nothing: undefined for blocks that are not right as a whole. */
export function findBlocks(given: unknown): readonly Block[] | undefined {
  const found = checkElements(given, (element) => !isLink(element) && 'is not a link');
  return 'problems' in found ? undefined : found;
}

type Element = Part['value'];

/**
 * @param refusal says why an element cannot be there; false where it can
 * @returns the blocks with an id for each element, or what is wrong with them
 */
function checkElements(
  given: unknown,
  refusal: (element: Element) => string | false,
  bounds?: Bounds,
): readonly Block[] | { readonly problems: FieldProblem[] } {
  const found = checkBlocks(given, bounds);
  if ('problems' in found) return found;
  const problems = [...parts(found)].flatMap(({ value, way }) => {
    const message = ELEMENTS.has(value.type) && refusal(value);
    return message === false ? [] : [problemAt([...way, 'type'], message)];
  });
  return problems.length > 0 ? { problems } : withIds(found);
}

const isLink = ({ url, options }: Element): boolean =>
  url !== undefined ||
  (Array.isArray(options) && options.every((option: { url?: unknown }) => option.url !== undefined));
