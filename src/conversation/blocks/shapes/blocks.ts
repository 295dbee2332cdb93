import { type Static, Type } from 'typebox';
import { Button, Image, InActions, InContextActions, InInput, InSection } from './elements.ts';
import { RichText } from './rich-text.ts';
import { Address, blockId, flag, list, of, oneOf, optional, part, shape, text } from './shape.ts';
import { AnyText, PlainText } from './text.ts';

const Section = shape('SectionBlock', 'section', {
  ...blockId,
  text: optional(AnyText(3000)),
  fields: optional(list(AnyText(2000), 10)),
  accessory: optional(InSection),
  expand: flag,
});
const Header = shape('HeaderBlock', 'header', { ...blockId, text: PlainText(150) });
const Divider = shape('DividerBlock', 'divider', { ...blockId });
const Context = shape('ContextBlock', 'context', {
  ...blockId,
  elements: list(
    oneOf('ContextElement', [
      shape('ContextPlainText', 'plain_text', { text: text(3000), emoji: flag }),
      shape('ContextMrkdwn', 'mrkdwn', { text: text(3000), verbatim: flag }),
      Image,
    ]),
    10,
  ),
});
const ImageBlock = shape('ImageBlock', 'image', {
  ...blockId,
  image_url: Address,
  alt_text: text(2000),
  title: optional(PlainText(2000)),
});
const Actions = shape('ActionsBlock', 'actions', { ...blockId, elements: list(InActions, 25) });
const ContextActions = shape('ContextActionsBlock', 'context_actions', {
  ...blockId,
  elements: list(InContextActions, 5),
});
const Input = shape('InputBlock', 'input', {
  ...blockId,
  label: PlainText(2000),
  element: InInput,
  hint: optional(PlainText(2000)),
  optional: flag,
  dispatch_action: flag,
});
const Markdown = shape('MarkdownBlock', 'markdown', { ...blockId, text: text(12_000) });

const RawText = shape('RawText', 'raw_text', { text: text(3000) });
const RawNumber = shape('RawNumber', 'raw_number', { value: Type.Number(), text: optional(text(100)) });
const Cell = oneOf('TableCell', [RawText, RawNumber, RichText]);
export type Cell = Static<typeof Cell>;
const MOST_COLUMNS = 20;
const Column = of(
  part('TableColumn', {
    align: optional(Type.Enum(['left', 'center', 'right'])),
    is_wrapped: flag,
  }),
);
const Table = shape('TableBlock', 'table', {
  ...blockId,
  rows: list(list(Cell, MOST_COLUMNS), 100),
  column_settings: optional(
    list(Type.Unsafe<Static<typeof Column> | null>({ anyOf: [Column, { type: 'null' }] }), MOST_COLUMNS),
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
  hero_image: optional(of(Image)),
  icon: optional(of(Image)),
  title: optional(AnyText(150)),
  subtitle: optional(AnyText(150)),
  body: optional(AnyText(200)),
  actions: optional(list(of(Button), 3)),
});
const Carousel = shape('CarouselBlock', 'carousel', { ...blockId, elements: list(of(Card), 10) });
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
  color: optional(
    Type.Unsafe<string>({
      type: 'string',
      maxLength: 7,
      format: 'edge',
      description:
        'Of the edge, which is Parley’s own: `good`, `warning`, `danger` or `#rrggbb`, as Slack’s attachments have it. With it, a container needs no title',
    }),
  ),
  title: optional(PlainText(150)),
  rich_text_title: optional(of(RichText)),
  subtitle: optional(AnyText(150)),
  icon: optional(of(Image)),
  child_blocks: list(oneOf('ContainedBlock', inContainer), 10),
  width: optional(Type.Enum(['narrow', 'standard', 'wide', 'full'])),
  is_collapsible: flag,
  default_collapsed: flag,
  has_header_divider: flag,
});

const Block = oneOf(
  'Block',
  [...inContainer, Container] as const,
  'A block of a message, a form or a home, in the shapes of Block Kit. Blocks and elements that are not listed are refused',
);
export type Block = Static<typeof Block>;
export type BlockOf<T extends Block['type']> = Extract<Block, { type: T }>;

/** In a message. */
export const MOST_BLOCKS = 50;
/** In a form or a home. */
export const MOST_BLOCKS_OF_PAGE = 100;
export const Blocks = list(Block, MOST_BLOCKS);
export const BlocksOfPage = list(Block, MOST_BLOCKS_OF_PAGE);
