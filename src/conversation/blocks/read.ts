import { type FieldProblem, InvalidFields } from '#api';
import { type Bounds, checkBlocks, MAX_BLOCKS_BYTES, problemAt } from './check.ts';
import { withIds } from './ids.ts';
import { type Block, MOST_BLOCKS_OF_PAGE } from './shapes/blocks.ts';
import { ELEMENTS, type Part, parts } from './walk.ts';

/** @returns the blocks of a body with an id for each element, undefined where there are none @throws InvalidFields */
export function readBlocks(given: unknown): readonly Block[] | undefined {
  if (given === undefined || given === null) return undefined;
  return rightOf(checkElements(given, refuseNotYet));
}

/**
 * The blocks of a form or a home, which are required.
 * @param at the field that holds them, if they do not stand in the body itself
 * @throws InvalidFields
 */
export function readPageBlocks(given: unknown, at?: string): readonly Block[] {
  return rightOf(checkElements(given, refuseNotYet, OF_PAGE), at);
}

const OF_PAGE: Bounds = { blocks: MOST_BLOCKS_OF_PAGE, bytes: MAX_BLOCKS_BYTES };

const refuseNotYet = ({ type }: Element) => NOT_YET.has(type) && 'is not supported yet';

type Checked = readonly Block[] | { readonly problems: FieldProblem[] };

function rightOf(found: Checked, at?: string): readonly Block[] {
  if (!('problems' in found)) return found;
  throw new InvalidFields(
    at === undefined
      ? found.problems
      : found.problems.map(({ field, message, pointer }) => ({
          field: `${at}.${field}`,
          message,
          pointer: `/${at.replaceAll('.', '/')}${pointer}`,
        })),
  );
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
  return rightOf(found, `unfurls.${at}`);
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
): Checked {
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
