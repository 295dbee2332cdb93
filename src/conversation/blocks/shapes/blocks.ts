import { type Static, Type } from 'typebox';
import { Button, elementShapes, Image, InActions, InContextActions, InInput, InSection } from './elements.ts';
import { RichText, richTextShapes } from './rich-text.ts';
import { Address, blockId, flag, list, oneOf, optional, part, shape, text } from './shape.ts';
import { AnyText, PlainText, textShapes } from './text.ts';

const Section = shape('SectionBlock', 'section', {
  ...blockId,
  text: optional(AnyText(3000)),
  fields: optional(list(AnyText(2000), 10)),
  accessory: optional(oneOf(InSection)),
  expand: flag,
});
const Header = shape('HeaderBlock', 'header', { ...blockId, text: PlainText(150) });
const Divider = shape('DividerBlock', 'divider', { ...blockId });
const Context = shape('ContextBlock', 'context', {
  ...blockId,
  elements: list(
    Type.Unsafe<Static<ReturnType<typeof AnyText>> | Static<typeof Image>>({
      ...AnyText(3000),
      oneOf: [...(AnyText(3000) as unknown as { oneOf: object[] }).oneOf, { $ref: 'ImageElement#' }],
    }),
    10,
  ),
});
const ImageBlock = shape('ImageBlock', 'image', {
  ...blockId,
  image_url: Address,
  alt_text: text(2000),
  title: optional(PlainText(2000)),
});
const Actions = shape('ActionsBlock', 'actions', { ...blockId, elements: list(oneOf(InActions), 25) });
const ContextActions = shape('ContextActionsBlock', 'context_actions', {
  ...blockId,
  elements: list(oneOf(InContextActions), 5),
});
const Input = shape('InputBlock', 'input', {
  ...blockId,
  label: PlainText(2000),
  element: oneOf(InInput),
  hint: optional(PlainText(2000)),
  optional: flag,
  dispatch_action: flag,
});
const Markdown = shape('MarkdownBlock', 'markdown', { ...blockId, text: text(12_000) });

const RawText = shape('RawText', 'raw_text', { text: text(3000) });
const RawNumber = shape('RawNumber', 'raw_number', { value: Type.Number(), text: optional(text(100)) });
const Cell = oneOf([RawText, RawNumber, RichText]);
export type Cell = Static<typeof Cell>;
const MOST_COLUMNS = 20;
const Table = shape('TableBlock', 'table', {
  ...blockId,
  rows: list(list(Cell, MOST_COLUMNS), 100),
  column_settings: optional(
    list(
      Type.Unsafe<{ align?: 'left' | 'center' | 'right'; is_wrapped?: boolean } | null>({
        ...part({ align: optional(Type.Enum(['left', 'center', 'right'])), is_wrapped: flag }),
        type: ['object', 'null'],
      }),
      MOST_COLUMNS,
    ),
  ),
});
const DataTable = shape('DataTableBlock', 'data_table', {
  ...blockId,
  caption: text(300),
  rows: list(list(Cell, MOST_COLUMNS), 201, 2),
  page_size: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  row_header_column_index: optional(Type.Integer({ minimum: 0, maximum: MOST_COLUMNS - 1 })),
});

const Card = shape('CardBlock', 'card', {
  ...blockId,
  hero_image: optional(oneOf([Image])),
  icon: optional(oneOf([Image])),
  title: optional(AnyText(150)),
  subtitle: optional(AnyText(150)),
  body: optional(AnyText(200)),
  actions: optional(list(oneOf([Button]), 3)),
});
const Carousel = shape('CarouselBlock', 'carousel', { ...blockId, elements: list(oneOf([Card]), 10) });
const Alert = shape('AlertBlock', 'alert', {
  ...blockId,
  text: AnyText(200),
  level: optional(Type.Enum(['default', 'info', 'warning', 'error', 'success'])),
});

const inContainer = [
  ...[Section, Header, Divider, Context, ImageBlock, Actions, ContextActions, Input, Markdown],
  ...[Table, DataTable, RichText, Card, Carousel, Alert],
] as const;
const Container = shape('ContainerBlock', 'container', {
  ...blockId,
  title: optional(PlainText(150)),
  rich_text_title: optional(oneOf([RichText])),
  subtitle: optional(AnyText(150)),
  icon: optional(oneOf([Image])),
  child_blocks: list(oneOf(inContainer), 10),
  width: optional(Type.Enum(['narrow', 'standard', 'wide', 'full'])),
  is_collapsible: flag,
  default_collapsed: flag,
  has_header_divider: flag,
});

const blocks = [...inContainer, Container] as const;

/** What an application shows in a message. */
export const Block = oneOf(blocks, {
  $id: 'Block',
  description:
    'A block of a message, in the shapes of Block Kit. Blocks and elements that are not listed are refused',
});
export type Block = Static<typeof Block>;
export type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

export const MOST_BLOCKS = 50;
export const Blocks = Type.Array(Type.Unsafe<Block>({ $ref: 'Block#' }), {
  minItems: 1,
  maxItems: MOST_BLOCKS,
});

/** All schemas that a block refers to, by their names. */
export const blockSchemas = [
  ...textShapes,
  ...richTextShapes,
  ...elementShapes,
  ...[RawText, RawNumber],
  ...blocks.filter((one) => (one as object) !== RichText),
  Block,
];
