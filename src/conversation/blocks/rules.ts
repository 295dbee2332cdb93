import { isSeen } from '#platform/text/index.ts';
import type { Block, BlockOf } from './shapes/blocks.ts';
import type { Element, Option } from './shapes/elements.ts';
import { parts, type Way } from './walk.ts';

export interface Broken {
  readonly way: Way;
  readonly message: string;
}

type Part = Block | Element;
/** Rules that a shape cannot state, because they are about several fields. */
type Rule<P> = (part: P, way: Way) => Iterable<Broken>;

/** @returns what is wrong with blocks whose shapes are right */
export function brokenRules(blocks: readonly Block[]): Broken[] {
  const found: Broken[] = [];
  const ids = new Map<string, Way>();
  let focused: Way | undefined;
  for (const { value, way } of parts(blocks)) {
    const part = value as unknown as Part & { block_id?: string; focus_on_load?: boolean };
    if (part.block_id !== undefined) {
      if (ids.has(part.block_id))
        found.push({ way: [...way, 'block_id'], message: 'must not be the one of another block' });
      ids.set(part.block_id, way);
    }
    if (part.focus_on_load === true) {
      if (focused) found.push({ way: [...way, 'focus_on_load'], message: 'may be true of one element' });
      focused = way;
    }
    const rule = RULES[part.type as keyof typeof RULES] as Rule<Part> | undefined;
    if (rule) found.push(...rule(part, way));
  }
  return [...found, ...blocks.flatMap((block, at) => sameActions(block, [at]))];
}

/** The blocks in a block, and the field in which they stand. */
function blocksIn(block: Block): readonly [field: string, inner: readonly Block[]] | undefined {
  if (block.type === 'container') return ['child_blocks', block.child_blocks];
  return block.type === 'carousel' ? ['elements', block.elements] : undefined;
}

/** Within a block, an action is known by its id. */
function sameActions(block: Block, way: Way): Broken[] {
  const [field, inner] = blocksIn(block) ?? ['', []];
  const own = inner.length > 0 ? [] : [...parts(block, way)];
  const seen = new Set<unknown>();
  const twice = own.filter(({ value: { action_id } }) => {
    const isTwice = action_id !== undefined && seen.has(action_id);
    seen.add(action_id);
    return isTwice;
  });
  return [
    ...twice.map((one) => ({
      way: [...one.way, 'action_id'],
      message: 'must not be the one of another element of the block',
    })),
    ...inner.flatMap((child, at) => sameActions(child, [...way, field, at])),
  ];
}

const RULES = {
  *header({ text: { text } }: BlockOf<'header'>, way: Way) {
    if (!isSeen(text)) yield { way: [...way, 'text', 'text'], message: 'must hold a character that is seen' };
  },
  *section({ text, fields }: BlockOf<'section'>, way: Way) {
    if (!text && !fields) yield { way: [...way, 'text'], message: 'is required where there are no fields' };
  },
  *card({ hero_image, title, body, actions }: BlockOf<'card'>, way: Way) {
    if (!hero_image && !title && !body && !actions)
      yield { way: [...way, 'title'], message: 'is required where there is no hero_image, body or actions' };
  },
  *container(
    { title, rich_text_title, color, is_collapsible, default_collapsed }: BlockOf<'container'>,
    way: Way,
  ) {
    const isTitled = title !== undefined || rich_text_title !== undefined;
    if (!isTitled && color === undefined)
      yield { way: [...way, 'title'], message: 'is required where there is no rich_text_title or color' };
    if (!isTitled && is_collapsible) yield { way: [...way, 'is_collapsible'], message: 'goes with a title' };
    if (default_collapsed && !is_collapsible)
      yield { way: [...way, 'default_collapsed'], message: 'goes with is_collapsible' };
  },
  *data_table({ rows, row_header_column_index: at = 0 }: BlockOf<'data_table'>, way: Way) {
    const [head = []] = rows;
    for (const [column, cell] of head.entries())
      if (cell.type !== 'raw_text')
        yield { way: [...way, 'rows', 0, column, 'type'], message: 'must be raw_text in the first row' };
    for (const [row, cells] of rows.entries())
      if (cells.length !== head.length)
        yield { way: [...way, 'rows', row], message: `must hold ${head.length} cells, as the first row` };
    if (at >= head.length)
      yield { way: [...way, 'row_header_column_index'], message: 'must be the index of a column' };
  },
  static_select: chosenAmong,
  multi_static_select: chosenAmong,
  radio_buttons: chosenAmong,
  checkboxes: chosenAmong,
  *overflow({ options }: Extract<Element, { type: 'overflow' }>, way: Way) {
    for (const [at, { value, url }] of options.entries())
      if (value === undefined && url === undefined)
        yield { way: [...way, 'options', at, 'value'], message: 'is required where there is no url' };
  },
  *plain_text_input(
    { min_length: least = 0, max_length: most = 3000 }: Extract<Element, { type: 'plain_text_input' }>,
    way: Way,
  ) {
    if (least > most) yield { way: [...way, 'min_length'], message: 'must not be above max_length' };
  },
  *number_input(element: Extract<Element, { type: 'number_input' }>, way: Way) {
    const [least, most] = [Number(element.min_value ?? -Infinity), Number(element.max_value ?? Infinity)];
    if (least > most) yield { way: [...way, 'min_value'], message: 'must not be above max_value' };
    const { is_decimal_allowed, initial_value: given } = element;
    if (given === undefined) return;
    const isWithin = Number(given) >= least && Number(given) <= most;
    if (!isWithin || (!is_decimal_allowed && given.includes('.')))
      yield { way: [...way, 'initial_value'], message: 'must be a value that can be entered' };
  },
  *rich_text_input(
    { min_lines: least = 1, max_lines: most = 100 }: Extract<Element, { type: 'rich_text_input' }>,
    way: Way,
  ) {
    if (least > most) yield { way: [...way, 'min_lines'], message: 'must not be above max_lines' };
  },
};

type Choosing = Extract<
  Element,
  { type: 'static_select' | 'multi_static_select' | 'radio_buttons' | 'checkboxes' }
>;

/** There are options, in one of two forms, and what is chosen at first is among them. */
function* chosenAmong(element: Choosing, way: Way): Generator<Broken> {
  const { options, option_groups: groups } = element as {
    options?: Option[];
    option_groups?: { options: Option[] }[];
  };
  if ((options === undefined) === (groups === undefined))
    yield { way: [...way, 'options'], message: 'is required, or option_groups in its place' };
  const values = new Set(
    [...(options ?? []), ...(groups ?? []).flatMap((group) => group.options)].map(({ value }) => value),
  );
  const { initial_option: one, initial_options: several = [] } = element as {
    initial_option?: Option;
    initial_options?: Option[];
  };
  if (one && !values.has(one.value))
    yield { way: [...way, 'initial_option'], message: 'must be one of the options' };
  for (const [at, { value }] of several.entries())
    if (!values.has(value))
      yield { way: [...way, 'initial_options', at], message: 'must be one of the options' };
}
