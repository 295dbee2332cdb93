import { type Static, Type } from 'typebox';
import { RichText } from './rich-text.ts';
import { Address, flag, list, of, oneOf, optional, part, shape, text } from './shape.ts';
import { AnyText, Confirm, PlainText } from './text.ts';

const act = { action_id: optional(text(255)) };
const confirmed = { confirm: optional(Confirm) };
const focused = { focus_on_load: flag };
const hinted = { placeholder: optional(PlainText(150)) };
const dispatched = {
  dispatch_action_config: optional(
    of(
      part('DispatchActionConfig', {
        trigger_actions_on: list(Type.Enum(['on_enter_pressed', 'on_character_entered']), 2),
      }),
    ),
  ),
};
const label = { accessibility_label: optional(text(75)) };
const chosen = { ...act, ...confirmed, ...focused, ...hinted };
const several = { max_selected_items: optional(Type.Integer({ minimum: 1, maximum: 100 })) };
const typed = { ...act, ...dispatched, ...focused, ...hinted };
const ids = list(text(100), 100, 0);

const Option = of(
  part('BlockOption', { text: AnyText(75), value: text(150), description: optional(AnyText(75)) }),
);
const OverflowOption = of(
  part('OverflowOption', {
    text: PlainText(75),
    value: optional(text(150)),
    description: optional(PlainText(75)),
    url: optional(Address),
  }),
);
export type Option = Static<typeof Option>;
const MenuOption = of(
  part('MenuOption', { text: PlainText(75), value: text(150), description: optional(PlainText(75)) }),
);
export type MenuOption = Static<typeof MenuOption>;
const Group = of(part('MenuOptionGroup', { label: PlainText(75), options: list(MenuOption, 100) }));
export type MenuOptionGroup = Static<typeof Group>;
const Groups = list(Group, 100);
const choices = { options: optional(list(MenuOption, 100)), option_groups: optional(Groups) };

export const Button = shape('ButtonElement', 'button', {
  ...act,
  text: PlainText(75),
  url: optional(Address),
  value: optional(text(2000, 0)),
  style: optional(Type.Enum(['primary', 'danger'])),
  ...confirmed,
  ...label,
});
export const Image = shape('ImageElement', 'image', { image_url: Address, alt_text: text(2000) });

const Checkboxes = shape('CheckboxesElement', 'checkboxes', {
  ...{ ...act, ...confirmed, ...focused },
  options: list(Option, 10),
  initial_options: optional(list(Option, 10)),
});
const Radio = shape('RadioButtonsElement', 'radio_buttons', {
  ...{ ...act, ...confirmed, ...focused },
  options: list(Option, 10),
  initial_option: optional(Option),
});
const Overflow = shape('OverflowElement', 'overflow', {
  ...{ ...act, ...confirmed },
  options: list(OverflowOption, 5),
});

const StaticSelect = shape('StaticSelectElement', 'static_select', {
  ...chosen,
  ...choices,
  initial_option: optional(MenuOption),
});
const ExternalSelect = shape('ExternalSelectElement', 'external_select', {
  ...chosen,
  initial_option: optional(MenuOption),
  min_query_length: optional(Type.Integer({ minimum: 0, maximum: 100 })),
});
const UsersSelect = shape('UsersSelectElement', 'users_select', {
  ...chosen,
  initial_user: optional(text(100)),
});
const filter = {
  default_to_current_conversation: flag,
  filter: optional(
    of(
      part('ConversationFilter', {
        include: optional(list(Type.Enum(['im', 'mpim', 'private', 'public']), 4)),
        exclude_external_shared_channels: flag,
        exclude_bot_users: flag,
      }),
    ),
  ),
};
const responding = { response_url_enabled: flag };
const ConversationsSelect = shape('ConversationsSelectElement', 'conversations_select', {
  ...{ ...chosen, ...filter, ...responding },
  initial_conversation: optional(text(100)),
});
const ChannelsSelect = shape('ChannelsSelectElement', 'channels_select', {
  ...{ ...chosen, ...responding },
  initial_channel: optional(text(100)),
});
const MultiStatic = shape('MultiStaticSelectElement', 'multi_static_select', {
  ...{ ...chosen, ...several, ...choices },
  initial_options: optional(list(MenuOption, 100)),
});
const MultiExternal = shape('MultiExternalSelectElement', 'multi_external_select', {
  ...{ ...chosen, ...several },
  initial_options: optional(list(MenuOption, 100)),
  min_query_length: optional(Type.Integer({ minimum: 0, maximum: 100 })),
});
const MultiUsers = shape('MultiUsersSelectElement', 'multi_users_select', {
  ...{ ...chosen, ...several },
  initial_users: optional(ids),
});
const MultiConversations = shape('MultiConversationsSelectElement', 'multi_conversations_select', {
  ...{ ...chosen, ...several, ...filter },
  initial_conversations: optional(ids),
});
const MultiChannels = shape('MultiChannelsSelectElement', 'multi_channels_select', {
  ...{ ...chosen, ...several },
  initial_channels: optional(ids),
});

const day = Type.Unsafe<string>({ type: 'string', format: 'date' });
const Datepicker = shape('DatepickerElement', 'datepicker', { ...chosen, initial_date: optional(day) });
const Timepicker = shape('TimepickerElement', 'timepicker', {
  ...chosen,
  initial_time: optional(Type.Unsafe<string>({ type: 'string', format: 'minute' })),
  timezone: optional(text(100)),
});
const DateTimepicker = shape('DatetimepickerElement', 'datetimepicker', {
  ...{ ...act, ...confirmed, ...focused },
  initial_date_time: optional(Type.Integer({ minimum: 0, maximum: 9_999_999_999 })),
});

const PlainInput = shape('PlainTextInputElement', 'plain_text_input', {
  ...typed,
  initial_value: optional(text(3000, 0)),
  multiline: flag,
  min_length: optional(Type.Integer({ minimum: 0, maximum: 3000 })),
  max_length: optional(Type.Integer({ minimum: 1, maximum: 3000 })),
});
const number = Type.Unsafe<string>({ type: 'string', maxLength: 40, format: 'decimal' });
const NumberInput = shape('NumberInputElement', 'number_input', {
  ...typed,
  is_decimal_allowed: Type.Boolean(),
  initial_value: optional(number),
  min_value: optional(number),
  max_value: optional(number),
});
const EmailInput = shape('EmailInputElement', 'email_text_input', {
  ...typed,
  initial_value: optional(text(254, 0)),
});
const UrlInput = shape('UrlInputElement', 'url_text_input', {
  ...typed,
  initial_value: optional(text(3000, 0)),
});
const RichTextInput = shape('RichTextInputElement', 'rich_text_input', {
  ...typed,
  initial_value: optional(of(RichText)),
  min_lines: optional(Type.Integer({ minimum: 1, maximum: 100 })),
  max_lines: optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
const FileInput = shape('FileInputElement', 'file_input', {
  ...act,
  filetypes: optional(list(text(20), 50)),
  max_files: optional(Type.Integer({ minimum: 1, maximum: 10 })),
});

const feedback = of(part('FeedbackButton', { text: PlainText(75), value: text(2000, 0), ...label }));
const FeedbackButtons = shape('FeedbackButtonsElement', 'feedback_buttons', {
  ...act,
  positive_button: feedback,
  negative_button: feedback,
});
const IconButton = shape('IconButtonElement', 'icon_button', {
  ...{ ...act, ...confirmed, ...label },
  icon: Type.Enum(['trash']),
  text: PlainText(75),
  value: optional(text(2000, 0)),
  visible_to_user_ids: optional(list(text(100), 100)),
});

const selects = [
  StaticSelect,
  ExternalSelect,
  UsersSelect,
  ConversationsSelect,
  ChannelsSelect,
  MultiStatic,
  MultiExternal,
  MultiUsers,
  MultiConversations,
  MultiChannels,
] as const;
const pickers = [Checkboxes, Radio, Datepicker, Timepicker] as const;
const inputs = [PlainInput, NumberInput, EmailInput, UrlInput, RichTextInput, FileInput] as const;
const contextual = [FeedbackButtons, IconButton] as const;

const all = [
  ...[Button, Image, Overflow],
  ...selects,
  ...pickers,
  DateTimepicker,
  ...inputs,
  ...contextual,
] as const;
export type Element = Static<(typeof all)[number]>;

/** Elements by where they may stand. */
export const InActions = oneOf('ActionsElement', [
  ...[Button, Overflow],
  ...selects,
  ...pickers,
  ...[DateTimepicker, RichTextInput],
] as const);
export const InSection = oneOf('SectionAccessory', [
  ...[Button, Image, Overflow],
  ...selects,
  ...pickers,
] as const);
export const InInput = oneOf('InputElement', [...selects, ...pickers, DateTimepicker, ...inputs] as const);
export const InContextActions = oneOf('ContextActionsElement', contextual);
