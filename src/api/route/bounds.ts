import { MOST_PROBLEMS } from '../errors.ts';
import type { AjvProblem } from './expectation.ts';
import { BY_HAND, isScalar, type Part, typesOf } from './part.ts';

/**
 * Lists are measured before Ajv checks their items. Ajv reads a whole list even when it is too long, and notes a problem
 * for each item: one body of 256 KiB would keep everybody else waiting for seconds.
 */

/** Items that the lists of one part of a request may hold together, as far as schemas declare them. */
const MOST_DECLARED = 1000;
/** Items of each list, and fields of each object, in a value that is read by hand. */
export const MOST_ITEMS = 10_000;
/** How deep lists and objects may lie in each other in such a value. */
export const DEEPEST = 64;

/**
 * Looks for a list that a request could make too long.
 * @param room how many items there may be
 * @returns what is wrong with the schema
 */
export function findUnbounded(part: Part, path: string, room = MOST_DECLARED): string | undefined {
  const forms = part[BY_HAND]?.map((form) => findUnbounded(form as Part, path, MOST_ITEMS));
  if (forms) return forms.find((problem) => problem !== undefined);
  if (!typesOf(part).includes('array')) return firstOf(part, path, room);
  const { maxItems, items, uniqueItems } = part;
  if (maxItems === undefined) return `does not declare how many items ${path} may hold (maxItems)`;
  if (maxItems > room) return `lets ${path} hold more than ${room} items`;
  // Without a scalar type Ajv compares each item with every other one.
  if (uniqueItems && !(items && isScalar(items)))
    return `asks for unique items in ${path}, whose items have no scalar type`;
  return items && findUnbounded(items, `${path}[]`, Math.floor(room / Math.max(1, maxItems)));
}

function firstOf({ properties = {} }: Part, path: string, room: number): string | undefined {
  for (const [name, inner] of Object.entries(properties)) {
    const problem = findUnbounded(inner, `${path}.${name}`, room);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** @returns the lists of a value that are longer than its schema allows, as the problems that Ajv would note */
export function beyondBounds(schema: Part, given: unknown): AjvProblem[] {
  const found: AjvProblem[] = [];
  const refuseLong = (list: readonly unknown[], limit: number, instancePath: string): boolean => {
    const isLong = list.length > limit;
    if (isLong) found.push({ instancePath, keyword: 'maxItems', params: { limit } });
    return isLong;
  };

  const measure = (part: Part, value: unknown, path: string): void => {
    if (!isContainer(value) || found.length >= MOST_PROBLEMS) return;
    if (part[BY_HAND]) {
      measureFree(value, path, path, 1);
    } else if (!Array.isArray(value)) {
      for (const [name, inner] of Object.entries(part.properties ?? {}))
        if (Object.hasOwn(value, name)) measure(inner, value[name], pointer(path, name));
    } else if (part.maxItems !== undefined && !refuseLong(value, part.maxItems, path)) {
      const { items = {} } = part;
      for (const [at, item] of value.entries()) measure(items, item, `${path}/${at}`);
    }
  };

  const measureFree = (value: object, path: string, whole: string, depth: number): void => {
    if (found.length > 0) return;
    if (depth > DEEPEST) found.push(tooDeep(whole));
    const names = Object.keys(value);
    if (depth > DEEPEST || refuseLong(names, MOST_ITEMS, path)) return;
    for (const [name, inner] of Object.entries(value))
      if (isContainer(inner)) measureFree(inner, pointer(path, name), whole, depth + 1);
  };

  measure(schema, given, '');
  return found;
}

const tooDeep = (instancePath: string): AjvProblem => ({
  instancePath,
  keyword: 'depth',
  message: `must not be nested deeper than ${DEEPEST} levels`,
  params: {},
});

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** RFC 6901 §3. */
const pointer = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
