import type { Block, Element, RichText, RichTextPart, RichTextPiece } from '../../api/types.ts';

/** One value of an element, several, or none ('' or []). */
export type Value = string | readonly string[];
/** By `block_id` and `action_id`. */
export type States = Readonly<Record<string, Readonly<Record<string, Value>>>>;

export type ElementOf<T extends Element['type']> = Extract<Element, { type: T }>;

/** @returns what an application has chosen or filled in; undefined for what holds nothing */
export function initialOf(element: Element): Value | undefined {
  switch (element.type) {
    case 'static_select':
    case 'external_select':
    case 'radio_buttons':
      return element.initial_option?.value ?? '';
    case 'multi_static_select':
    case 'multi_external_select':
    case 'checkboxes':
      return element.initial_options?.map(({ value }) => value) ?? [];
    case 'users_select':
      return element.initial_user ?? '';
    case 'multi_users_select':
      return element.initial_users ?? [];
    case 'conversations_select':
      return element.initial_conversation ?? '';
    case 'channels_select':
      return element.initial_channel ?? '';
    case 'multi_conversations_select':
      return element.initial_conversations ?? [];
    case 'multi_channels_select':
      return element.initial_channels ?? [];
    case 'datepicker':
      return element.initial_date ?? '';
    case 'timepicker':
      return element.initial_time ?? '';
    case 'datetimepicker':
      return element.initial_date_time === undefined ? '' : String(element.initial_date_time);
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return element.initial_value ?? '';
    case 'rich_text_input':
      return element.initial_value ? wordsOf(element.initial_value) : '';
    default:
      return undefined;
  }
}

/** What a field shows of a rich text, to be written on. */
const wordsOf = ({ elements }: RichText): string => elements.map(linesOf).join('\n');

const linesOf = (part: RichTextPart): string =>
  part.type === 'rich_text_list'
    ? part.elements.map((item) => `- ${piecesText(item.elements)}`).join('\n')
    : piecesText(part.elements);

const piecesText = (pieces: readonly RichTextPiece[]): string =>
  pieces
    .map((piece) => ('text' in piece && piece.text) || ('url' in piece && piece.url) || nameOf(piece))
    .join('');

function nameOf(piece: RichTextPiece): string {
  if (piece.type === 'emoji') return `:${piece.name}:`;
  return piece.type === 'user' ? `@${piece.user_id}` : '';
}

/** The elements of a block that hold something. */
function holding(block: Block): readonly Element[] {
  switch (block.type) {
    case 'section':
      return block.accessory ? [block.accessory] : [];
    case 'actions':
      return block.elements;
    case 'input':
      return [block.element];
    default:
      return [];
  }
}

/**
 * What all elements of a message hold.
 * @param chosen what somebody has chosen since, else the value that is given to it
 */
export function statesOf(
  blocks: readonly Block[],
  chosen: (block: string, action: string, initial: Value) => Value,
): States {
  const all = blocks.flatMap((block) => (block.type === 'container' ? block.child_blocks : [block]));
  const states = all.map((block) => {
    const { block_id = '' } = block;
    const held = holding(block).flatMap((element) => {
      const initial = initialOf(element);
      if (initial === undefined) return [];
      const { action_id = '' } = element as { action_id?: string };
      const value = chosen(block_id, action_id, initial);
      return value.length > 0 ? [[action_id, value] as const] : [];
    });
    return [block_id, Object.fromEntries(held)] as const;
  });
  return Object.fromEntries(states.filter(([, held]) => Object.keys(held).length > 0));
}
