import type { Block } from '../../api/types.ts';

/** Where blocks and elements stand in one. */
const HOLDING = ['elements', 'accessory', 'element', 'child_blocks', 'actions'] as const;
const CARRIES_BLOCKS = new Set(['container', 'carousel']);

type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** @returns blocks whose parts all have an id: what has none is called by its place */
export const withIds = (blocks: readonly Block[]): Block[] =>
  blocks.map((block, at) => named(block as unknown as Part, 'block_id', String(at)) as unknown as Block);

function named(part: Part, id: 'block_id' | 'action_id', place: string): Part {
  if (part.type === 'rich_text' || part.type === 'plain_text' || part.type === 'mrkdwn') {
    return id === 'block_id' ? { block_id: place, ...part } : part;
  }
  const inner = part.type !== undefined && CARRIES_BLOCKS.has(part.type) ? 'block_id' : 'action_id';
  const held = HOLDING.flatMap((field) => {
    const value = part[field] as Part | readonly Part[] | undefined;
    if (value === undefined) return [];
    const many = [value].flat() as Part[];
    const all = many.map((one, at) => named(one, inner, inner === 'block_id' ? `${place}.${at}` : `${at}`));
    return [[field, Array.isArray(value) ? all : all[0]] as const];
  });
  return { [id]: place, ...part, ...Object.fromEntries(held) };
}

/** The block types and element types that this version shows. */
const KNOWN = new Set([
  ...['section', 'header', 'divider', 'context', 'image', 'actions', 'context_actions', 'input', 'markdown'],
  ...['rich_text', 'table', 'data_table', 'card', 'carousel', 'alert', 'container', 'plain_text', 'mrkdwn'],
  ...['button', 'overflow', 'static_select', 'external_select', 'users_select', 'conversations_select'],
  ...['channels_select', 'multi_static_select', 'multi_external_select', 'multi_users_select'],
  ...['multi_conversations_select', 'multi_channels_select', 'checkboxes', 'radio_buttons', 'datepicker'],
  ...['timepicker', 'datetimepicker', 'plain_text_input', 'number_input', 'email_text_input'],
  ...['url_text_input', 'rich_text_input', 'file_input', 'feedback_buttons', 'icon_button'],
]);

/** Whether all of it can be shown. A newer server may send more. */
export function areKnown(blocks: readonly unknown[]): boolean {
  return blocks.every((block) => {
    const part = block as Part | null;
    if (typeof part !== 'object' || part === null || !KNOWN.has(part.type)) return false;
    if (part.type === 'rich_text') return true;
    return HOLDING.every((field) => part[field] === undefined || areKnown([part[field]].flat()));
  });
}
