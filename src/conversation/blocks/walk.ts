/** The way from the list of blocks to a part of one. */
export type Way = readonly (string | number)[];

/** Fields in which blocks and elements stand. */
const HOLDING = [
  'elements',
  'accessory',
  'element',
  'child_blocks',
  'actions',
  'hero_image',
  'icon',
] as const;
/** Texts stand in those fields, too, and are neither blocks nor elements. */
const TEXTS = new Set(['plain_text', 'mrkdwn']);

/** Elements that people press, choose from or fill in. */
export const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'button overflow static_select external_select users_select conversations_select channels_select multi_static_select ' +
    'multi_external_select multi_users_select multi_conversations_select multi_channels_select checkboxes radio_buttons ' +
    'datepicker timepicker datetimepicker plain_text_input number_input email_text_input url_text_input rich_text_input ' +
    'file_input feedback_buttons icon_button'
  ).split(' '),
);

export interface Part {
  readonly value: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly way: Way;
}

/** All blocks and elements of a list, in reading order. Texts, cells of tables and pieces of rich text are none. */
export function* parts(of: unknown, way: Way = []): Generator<Part> {
  if (Array.isArray(of)) {
    for (const [at, one] of of.entries()) yield* parts(one, [...way, at]);
    return;
  }
  if (typeof of !== 'object' || of === null) return;
  const value = of as Part['value'];
  if (TEXTS.has(value.type)) return;
  yield { value, way };
  if (value.type === 'rich_text') return;
  for (const field of HOLDING) if (value[field] !== undefined) yield* parts(value[field], [...way, field]);
}
