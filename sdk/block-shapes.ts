import { type More, type Of, shape } from './block-parts.ts';
import { plainOf, textOf } from './block-words.ts';
import type { Block, PlainText, RichTextPiece, TextObject } from './types.ts';

type Image = NonNullable<Of<'card'>['icon']>;
type Cell = Of<'table'>['rows'][number][number];
type Rows = readonly (readonly (string | number | Cell)[])[];

/** A text, with up to ten facts in two columns and an element beside it. */
export const section = (
  text: string | TextObject,
  more: More<Of<'section'>, 'text' | 'fields'> & { fields?: readonly (string | TextObject)[] } = {},
): Of<'section'> => {
  const { fields: facts, ...rest } = more;
  return shape('section', { text: textOf(text), ...(facts && { fields: facts.map(textOf) }) }, rest);
};

/** Facts in two columns, without a text. */
export const fields = (...facts: readonly (string | TextObject)[]): Of<'section'> =>
  shape('section', { fields: facts.map(textOf) }, {});

export const header = (text: string | PlainText): Of<'header'> =>
  shape('header', { text: plainOf(text) }, {});

export const divider = (): Of<'divider'> => ({ type: 'divider' });

/** Small print: texts and pictures in a row. */
export const context = (...elements: readonly (string | TextObject | Image)[]): Of<'context'> =>
  shape('context', { elements: elements.map((one) => (typeof one === 'string' ? textOf(one) : one)) }, {});

/** A picture: a block, and without a title also an element of `context`, `section` and `card`. */
export function image(url: string, alt: string): Image;
export function image(url: string, alt: string, title: string | PlainText): Of<'image'>;
export function image(url: string, alt: string, title?: string | PlainText): Image | Of<'image'> {
  const given = { image_url: url, alt_text: alt };
  return shape('image', { ...given, ...(title !== undefined && { title: plainOf(title) }) }, {});
}

/** Buttons and menus in a row. */
export const actions = (...elements: readonly Of<'actions'>['elements'][number][]): Of<'actions'> =>
  shape('actions', { elements: [...elements] }, {});

/** Small buttons: an opinion about what stands above, or its removal. */
export const contextActions = (
  ...elements: readonly Of<'context_actions'>['elements'][number][]
): Of<'context_actions'> => shape('context_actions', { elements: [...elements] }, {});

/** A field with its label. What is in it comes with the next click, as its `state`. */
export const input = (
  label: string | PlainText,
  element: Of<'input'>['element'],
  more: More<Of<'input'>, 'label' | 'element'> = {},
): Of<'input'> => shape('input', { label: plainOf(label), element }, more);

/** A text in the formatting of messages. Nothing in it is escaped. */
export const markdown = (text: string): Of<'markdown'> => shape('markdown', { text }, {});

/** The first row is the heading. Words and numbers become cells. */
export const table = (rows: Rows, more: More<Of<'table'>, 'rows'> = {}): Of<'table'> =>
  shape('table', { rows: cellsOf(rows) }, more);

/** A table with a caption, pages and an order that its reader chooses. */
export const dataTable = (
  caption: string,
  rows: Rows,
  more: More<Of<'data_table'>, 'caption' | 'rows'> = {},
): Of<'data_table'> => shape('data_table', { caption, rows: cellsOf(rows) }, more);

const cellsOf = (rows: Rows): Cell[][] => rows.map((row) => row.map(cellOf));

function cellOf(cell: string | number | Cell): Cell {
  if (typeof cell === 'number') return { type: 'raw_number', value: cell };
  // A cell holds one character at least.
  return typeof cell === 'string' ? { type: 'raw_text', text: cell || ' ' } : cell;
}

/** One line in pieces: bare texts, and what `RichTextPiece` names, such as people and times. */
export const richText = (...pieces: readonly (string | RichTextPiece)[]): Of<'rich_text'> => {
  const elements = pieces.map((one) => (typeof one === 'string' ? { type: 'text', text: one } : one));
  return shape('rich_text', { elements: [{ type: 'rich_text_section', elements }] }, {});
};

/** A time as each reader's clock shows it, for `richText`. `format`: as `{date_num} {time}` */
export const time = (at: Date, format = '{date_num} {time}'): Extract<RichTextPiece, { type: 'date' }> => ({
  type: 'date',
  timestamp: Math.floor(at.getTime() / 1000),
  format,
  fallback: `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
});

export const card = (more: More<Of<'card'>>): Of<'card'> => shape('card', {}, more);

/** Cards to leaf through. */
export const carousel = (...cards: readonly Of<'card'>[]): Of<'carousel'> =>
  shape('carousel', { elements: [...cards] }, {});

/** A text that stands out by its level. */
export const alert = (text: string | TextObject, level?: Of<'alert'>['level']): Of<'alert'> =>
  shape('alert', { text: textOf(text), ...(level !== undefined && { level }) }, {});

/** Blocks in a frame, which may fold. */
export const container = (
  title: string | PlainText,
  children: readonly Of<'container'>['child_blocks'][number][],
  more: More<Of<'container'>, 'title' | 'child_blocks'> = {},
): Of<'container'> => shape('container', { title: plainOf(title), child_blocks: [...children] }, more);

/** Names a block: clicks in it tell the id. Without one, its id follows from its content. */
export const withId = <B extends Block>(block_id: string, block: B): B => ({ ...block, block_id });
