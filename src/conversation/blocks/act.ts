import { InvalidFields, MOST_PROBLEMS } from '#api';
import { parseId } from '#platform/ids.ts';
import type { Block, BlockOf } from './shapes/blocks.ts';
import type { Element, Option } from './shapes/elements.ts';
import { ELEMENTS, parts } from './walk.ts';

/** The value of an element, or its values. */
export type ElementValue = string | readonly string[];
/** By the ids of blocks and elements. */
export type State = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>;

/** A press or a choice, as a client sends it. */
export interface GivenAct {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string | undefined;
  readonly values?: readonly string[] | undefined;
  readonly state?: unknown;
}

/** The same, checked against the blocks. */
export interface Act {
  readonly block_id: string;
  readonly action_id: string;
  readonly value?: string;
  readonly values?: readonly string[];
  readonly state: State;
}

/** A text that somebody typed to find options of an application. */
export interface Question {
  readonly block_id: string;
  readonly action_id: string;
  readonly value: string;
}

/** The values that an application has offered to a person, by the ids of blocks and elements. */
export type Offered = (block: string, action: string) => ReadonlySet<string>;

const LONGEST = 3000;
/** A page of events holds many clicks. */
const MAX_STATE_BYTES = 65_536;

/** Whether there is an element whose options its application offers as somebody types. */
export const asksForOptions = (blocks: readonly Block[]): boolean =>
  [...parts(blocks)].some(({ value }) => isExternal(value));

type External = Extract<Element, { type: 'external_select' | 'multi_external_select' }>;

const isExternal = (element: { readonly type: string }): element is External =>
  element.type === 'external_select' || element.type === 'multi_external_select';

/** Characters that are typed before an application is asked, unless it says otherwise. */
export const LEAST_TYPED = 3;

/** @throws InvalidFields for an element that asks nothing, and for too few characters */
export function readQuestion(blocks: readonly Block[], { block_id, action_id, value }: Question): Question {
  const element = elementIn(elementsOf(blocks), block_id, action_id);
  if (!isExternal(element)) throw wrong('action_id', 'is an element that has its options already');
  const least = element.min_query_length ?? LEAST_TYPED;
  if ([...value].length < least) throw wrong('value', `must have at least ${least} characters`);
  return { block_id, action_id, value };
}

/**
 * @param offered needed where `asksForOptions`
 * @returns what an application is told. A button says what its application gave it, whatever was sent
 * @throws InvalidFields
 */
export function readAct(blocks: readonly Block[], given: GivenAct, offered: Offered = () => new Set()): Act {
  const elements = elementsOf(blocks);
  const { block_id, action_id } = given;
  const element = elementIn(elements, block_id, action_id);
  const held = heldBy(element, given.values ?? given.value, offered(block_id, action_id));
  if (typeof held === 'object' && 'expected' in held)
    throw wrong(given.values ? 'values' : 'value', held.expected);
  const said = held === undefined ? {} : typeof held === 'string' ? { value: held } : { values: held };
  return { block_id, action_id, ...said, state: readState(elements, given.state, offered) };
}

/**
 * @param offered needed where `asksForOptions`
 * @returns what a form holds
 * @throws InvalidFields for each field that is missing or wrong
 */
export function readSubmission(blocks: readonly Block[], given: unknown, offered: Offered): State {
  const state = readState(elementsOf(blocks), given, offered);
  const problems = [...parts(blocks)].flatMap(({ value }) => {
    if (value.type !== 'input') return [];
    const { block_id = '', element, optional } = value as unknown as BlockOf<'input'>;
    const { action_id = '' } = element as { action_id?: string };
    const held = ownOf(ownOf(state, block_id), action_id);
    const isEmpty = held === undefined || held.length === 0;
    const message = isEmpty ? !optional && 'is required' : faultOf(element, held);
    return message === false ? [] : [{ field: `state.${block_id}.${action_id}`.slice(0, 600), message }];
  });
  if (problems.length > 0) throw new InvalidFields(problems.slice(0, MOST_PROBLEMS));
  return state;
}

/** @returns the people who are chosen in a form, and where */
export function chosenPeople(blocks: readonly Block[], state: State): { field: string; ids: string[] }[] {
  const elements = elementsOf(blocks);
  return Object.entries(state).flatMap(([block, held]) =>
    Object.entries(held).flatMap(([action, value]) => {
      const type = elements.get(block)?.get(action)?.type;
      if (type !== 'users_select' && type !== 'multi_users_select') return [];
      const ids = [value].flat().filter((id) => id !== '');
      return [{ field: `state.${block}.${action}`.slice(0, 600), ids }];
    }),
  );
}

/** An id may be the name of something that every object has. */
const ownOf = <T>(of: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  of !== undefined && Object.hasOwn(of, key) ? of[key] : undefined;

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)*$/;

/** @returns what is wrong with a value that somebody has entered in a form; false for nothing */
function faultOf(element: Element, held: ElementValue): string | false {
  if (typeof held !== 'string') return false;
  switch (element.type) {
    case 'plain_text_input': {
      const { min_length: least = 0, max_length: most = LONGEST } = element;
      const length = [...held].length;
      return (length < least || length > most) && `must have ${least} to ${most} characters`;
    }
    case 'number_input': {
      const { is_decimal_allowed, min_value: least, max_value: most } = element;
      if (!is_decimal_allowed && held.includes('.')) return 'must be a whole number';
      if (least !== undefined && Number(held) < Number(least)) return `must not be below ${least}`;
      return most !== undefined && Number(held) > Number(most) && `must not be above ${most}`;
    }
    case 'email_text_input':
      return !EMAIL.test(held) && 'must be an email address';
    case 'url_text_input':
      return !/^https?:/i.test(held) || !URL.canParse(held) ? 'must be an http or https address' : false;
    default:
      return false;
  }
}

function elementIn(elements: Elements, block: string, action: string): Element {
  const element = elements.get(block)?.get(action);
  if (!element) throw wrong('action_id', 'is not the id of an element of this block any more');
  return element;
}

type Elements = ReadonlyMap<string, ReadonlyMap<string, Element>>;

/** Elements by the ids of their blocks and their own. */
function elementsOf(blocks: readonly Block[]): Elements {
  const found = new Map<string, Map<string, Element>>();
  let block = '';
  for (const { value } of parts(blocks)) {
    if (!ELEMENTS.has(value.type)) {
      if (typeof value.block_id === 'string') block = value.block_id;
      continue;
    }
    const element = value as unknown as Element & { action_id?: string };
    const own = found.get(block) ?? new Map<string, Element>();
    own.set(element.action_id ?? '', element);
    found.set(block, own);
  }
  return found;
}

function readState(elements: Elements, given: unknown, offered: Offered): State {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw wrong('state', 'must be an object');
  if (Buffer.byteLength(JSON.stringify(given)) > MAX_STATE_BYTES)
    throw wrong('state', `must be at most ${MAX_STATE_BYTES} bytes of JSON`);
  const blocks = Object.entries(given).map(([block, held]) => {
    if (typeof held !== 'object' || held === null) throw wrong(`state.${block}`, 'must be an object');
    const known = Object.entries(held).flatMap(([action, value]) => {
      // An update may have taken it away while somebody filled in the rest.
      const element = elements.get(block)?.get(action);
      const read = element && heldBy(element, value, offered(block, action));
      // Offers are forgotten after a day.
      if (element && isExternal(element) && typeof read === 'object' && 'expected' in read) return [];
      if (typeof read === 'object' && 'expected' in read)
        throw wrong(`state.${block}.${action}`, read.expected);
      return read === undefined ? [] : [[action, read] as const];
    });
    return [block, Object.fromEntries(known)] as const;
  });
  return Object.fromEntries(blocks.filter(([, held]) => Object.keys(held).length > 0));
}

const wrong = (field: string, message: string) => new InvalidFields({ field: field.slice(0, 600), message });

/** @returns what is told of an element, or what was expected */
function heldBy(
  element: Element,
  given: unknown,
  offered: ReadonlySet<string>,
): ElementValue | undefined | { readonly expected: string } {
  switch (element.type) {
    case 'external_select':
      return oneOf(known(offered, [element.initial_option]), given);
    case 'multi_external_select': {
      const options = known(offered, element.initial_options);
      return several(given, element.max_selected_items, (one) => isAmong(options, one));
    }
    case 'button':
    case 'icon_button':
      return element.value;
    case 'feedback_buttons':
      return oneOf([element.positive_button, element.negative_button], given);
    case 'overflow':
    case 'static_select':
    case 'radio_buttons':
      return oneOf(optionsOf(element), given);
    case 'checkboxes':
      return several(given, 10, (one) => isAmong(optionsOf(element), one));
    case 'multi_static_select':
      return several(given, element.max_selected_items, (one) => isAmong(optionsOf(element), one));
    case 'users_select':
    case 'conversations_select':
    case 'channels_select':
      return given === '' || parseId(given) !== undefined ? (given as string) : { expected: 'must be an id' };
    case 'multi_users_select':
    case 'multi_conversations_select':
    case 'multi_channels_select':
      return several(given, element.max_selected_items, (one) => parseId(one) !== undefined);
    case 'datepicker':
      return given === '' || isDay(given) ? given : { expected: 'must be a date as YYYY-MM-DD' };
    case 'timepicker':
      return formed(given, /^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:mm');
    case 'datetimepicker':
      return formed(given, /^\d{1,10}$/, 'must be a time in Unix seconds');
    case 'number_input':
      return formed(given, /^-?\d{1,30}(?:\.\d{1,10})?$/, 'must be a number, written as a text');
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'rich_text_input':
      return isText(given) ? given : { expected: `must be a text of at most ${LONGEST} characters` };
    default:
      return { expected: 'goes without' };
  }
}

const isText = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= LONGEST && !given.includes('\0');

/** A day of the calendar: no 31 February. */
function isDay(given: unknown): given is string {
  if (typeof given !== 'string' || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(given)) return false;
  const at = Date.parse(given);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(given);
}

const formed = (given: unknown, form: RegExp, expected: string) =>
  isText(given) && (given === '' || form.test(given)) ? given : { expected };

type Choices = readonly { readonly value?: string | undefined }[];

const optionsOf = (element: object): Choices => {
  const { options = [], option_groups = [] } = element as {
    options?: Option[];
    option_groups?: { options: Option[] }[];
  };
  return [...options, ...option_groups.flatMap((group) => group.options)];
};

const known = (offered: ReadonlySet<string>, initial: readonly (Option | undefined)[] = []): Choices => [
  ...[...offered].map((value) => ({ value })),
  ...initial.map((option) => ({ value: option?.value })),
];

const isAmong = (options: Choices, given: unknown) => options.some(({ value }) => value === given);

const oneOf = (options: Choices, given: unknown) =>
  isText(given) && isAmong(options, given) ? given : { expected: 'must be the value of one of the options' };

/** Each once. */
function several(given: unknown, most = 100, isRight: (one: unknown) => boolean) {
  const isFine =
    Array.isArray(given) && given.length <= most && given.every((one) => isText(one) && isRight(one));
  return isFine
    ? [...new Set(given as string[])]
    : { expected: `must be at most ${most} values, each of one of the options` };
}
