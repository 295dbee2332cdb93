import { type More, type Of, shape } from './block-parts.ts';
import { plainOf, textOf } from './block-words.ts';
import type { PlainText, TextObject } from './types.ts';

type Option = Of<'checkboxes'>['options'][number];
type MenuOption = NonNullable<Of<'static_select'>['options']>[number];
type MenuGroup = NonNullable<Of<'static_select'>['option_groups']>[number];
type OverflowOption = Of<'overflow'>['options'][number];
type Feedback = Of<'feedback_buttons'>['positive_button'];
type Confirm = NonNullable<Of<'button'>['confirm']>;
/** Options, or groups of them. */
export type Choices = readonly (string | MenuOption)[] | readonly MenuGroup[];

/** Something to press. With `url` it is a link. */
export const button = (text: string | PlainText, more: More<Of<'button'>, 'text'> = {}): Of<'button'> =>
  shape('button', { text: plainOf(text) }, more);

/** A button with a picture in place of its text. */
export const iconButton = (
  icon: Of<'icon_button'>['icon'],
  text: string | PlainText,
  more: More<Of<'icon_button'>, 'icon' | 'text'> = {},
): Of<'icon_button'> => shape('icon_button', { icon, text: plainOf(text) }, more);

/** One of the two buttons of `feedbackButtons`. */
export const feedback = (
  text: string | PlainText,
  value: string,
  more: { accessibility_label?: string } = {},
): Feedback => ({ text: plainOf(text), value, ...more });

export const feedbackButtons = (
  positive: Feedback,
  negative: Feedback,
  more: More<Of<'feedback_buttons'>, 'positive_button' | 'negative_button'> = {},
): Of<'feedback_buttons'> =>
  shape('feedback_buttons', { positive_button: positive, negative_button: negative }, more);

/** Asked before what an element does is done: the `confirm` of an element. */
export const confirm = (
  text: string | TextObject,
  more: { title?: string; confirm?: string; deny?: string; style?: 'primary' | 'danger' } = {},
): Confirm => {
  const { title, confirm: yes, deny, style } = more;
  return {
    text: textOf(text),
    ...(title !== undefined && { title: plainOf(title) }),
    ...(yes !== undefined && { confirm: plainOf(yes) }),
    ...(deny !== undefined && { deny: plainOf(deny) }),
    ...(style !== undefined && { style }),
  };
};

/** Something to choose. Without a value its text is the value. */
export const option = (
  text: string | PlainText,
  value: string = plainOf(text).text,
  description?: string,
): MenuOption => ({
  text: plainOf(text),
  value,
  ...(description !== undefined && { description: plainOf(description) }),
});

/** An option of `overflow` that leads elsewhere. */
export const linkOption = (text: string | PlainText, url: string): OverflowOption => ({
  text: plainOf(text),
  url,
});

/** Options under a heading: `select([group('Indoors', ['Hall', 'Attic'])])`. */
export const group = (label: string | PlainText, options: readonly (string | MenuOption)[]): MenuGroup => ({
  label: plainOf(label),
  options: options.map(optionOf),
});

const optionOf = <T extends object>(one: string | T): MenuOption | T =>
  typeof one === 'string' ? option(one) : one;

export const choices = (given: Choices): { option_groups: MenuGroup[] } | { options: MenuOption[] } =>
  given.some((one) => typeof one === 'object' && 'options' in one)
    ? { option_groups: [...given] as MenuGroup[] }
    : { options: (given as readonly (string | MenuOption)[]).map(optionOf) };

/** A menu: one of the options, or of groups of them. */
export const select = (
  options: Choices,
  more: More<Of<'static_select'>, 'options' | 'option_groups'> = {},
): Of<'static_select'> => shape('static_select', choices(options), more);

export const multiSelect = (
  options: Choices,
  more: More<Of<'multi_static_select'>, 'options' | 'option_groups'> = {},
): Of<'multi_static_select'> => shape('multi_static_select', choices(options), more);

/** A menu whose options `app.offer` finds as somebody types: after three characters, or `min_query_length`. */
export const externalSelect = (more: More<Of<'external_select'>> = {}): Of<'external_select'> =>
  shape('external_select', {}, more);

export const multiExternalSelect = (
  more: More<Of<'multi_external_select'>> = {},
): Of<'multi_external_select'> => shape('multi_external_select', {}, more);

/** One of the people in the team. */
export const usersSelect = (more: More<Of<'users_select'>> = {}): Of<'users_select'> =>
  shape('users_select', {}, more);

export const multiUsersSelect = (more: More<Of<'multi_users_select'>> = {}): Of<'multi_users_select'> =>
  shape('multi_users_select', {}, more);

/** A menu behind three dots. */
export const overflow = (
  options: readonly (string | OverflowOption)[],
  more: More<Of<'overflow'>, 'options'> = {},
): Of<'overflow'> => shape('overflow', { options: options.map(optionOf) }, more);

export const checkboxes = (
  options: readonly (string | Option)[],
  more: More<Of<'checkboxes'>, 'options'> = {},
): Of<'checkboxes'> => shape('checkboxes', { options: options.map(optionOf) }, more);

export const radioButtons = (
  options: readonly (string | Option)[],
  more: More<Of<'radio_buttons'>, 'options'> = {},
): Of<'radio_buttons'> => shape('radio_buttons', { options: options.map(optionOf) }, more);

/** A day, as `2026-12-24`. */
export const datepicker = (more: More<Of<'datepicker'>> = {}): Of<'datepicker'> =>
  shape('datepicker', {}, more);

/** A time of the day, as `09:30`. */
export const timepicker = (more: More<Of<'timepicker'>> = {}): Of<'timepicker'> =>
  shape('timepicker', {}, more);

/** A moment, in seconds. */
export const datetimepicker = (more: More<Of<'datetimepicker'>> = {}): Of<'datetimepicker'> =>
  shape('datetimepicker', {}, more);

/** A field for a text; `multiline: true` for several lines. */
export const textInput = (more: More<Of<'plain_text_input'>> = {}): Of<'plain_text_input'> =>
  shape('plain_text_input', {}, more);

/** A field for a number: a whole one unless `is_decimal_allowed` is true. */
export const numberInput = (more: Partial<More<Of<'number_input'>>> = {}): Of<'number_input'> =>
  shape('number_input', { is_decimal_allowed: false }, more);

export const emailInput = (more: More<Of<'email_text_input'>> = {}): Of<'email_text_input'> =>
  shape('email_text_input', {}, more);

export const urlInput = (more: More<Of<'url_text_input'>> = {}): Of<'url_text_input'> =>
  shape('url_text_input', {}, more);

/** A field for a text with formatting. */
export const richTextInput = (more: More<Of<'rich_text_input'>> = {}): Of<'rich_text_input'> =>
  shape('rich_text_input', {}, more);
