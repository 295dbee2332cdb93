import { type Static, Type } from 'typebox';
import { Address, blockId, flag, list, of, oneOf, optional, part, shape, text } from './shape.ts';

const style = {
  style: optional(
    of(part('RichTextStyle', { bold: flag, italic: flag, strike: flag, code: flag, underline: flag })),
  ),
};
const id = text(100);

const Words = shape('RichTextWords', 'text', { text: text(12_000), ...style });
const Link = shape('RichTextLink', 'link', {
  url: Type.Unsafe<string>({ type: 'string', maxLength: 3000, format: 'link' }),
  text: optional(text(3000, 0)),
  unsafe: flag,
  ...style,
});
const Emoji = shape('RichTextEmoji', 'emoji', {
  name: text(100),
  unicode: optional(text(100)),
  skin_tone: optional(Type.Integer({ minimum: 1, maximum: 6 })),
  url: optional(Address),
  ...style,
});
const User = shape('RichTextUser', 'user', { user_id: id, ...style });
const Group = shape('RichTextGroup', 'usergroup', { usergroup_id: id, ...style });
const Channel = shape('RichTextChannel', 'channel', { channel_id: id, ...style });
const Team = shape('RichTextTeam', 'team', { team_id: id, ...style });
const All = shape('RichTextBroadcast', 'broadcast', {
  range: Type.Enum(['here', 'channel', 'everyone']),
  ...style,
});
const Color = shape('RichTextColor', 'color', { value: text(30), ...style });
const Moment = shape('RichTextDate', 'date', {
  timestamp: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }),
  format: text(200),
  url: optional(Address),
  fallback: optional(text(1000)),
  ...style,
});

const pieces = [Words, Link, Emoji, User, Group, Channel, Team, All, Color, Moment] as const;
const RichTextPiece = oneOf('RichTextPiece', pieces, 'A piece of a line of a `rich_text` block');
export type RichTextPiece = Static<typeof RichTextPiece>;

const MOST_PIECES = 400;
const Pieces = Type.Array(RichTextPiece, { maxItems: MOST_PIECES });
const border = { border: optional(Type.Enum([0, 1])) };

const Section = shape('RichTextSection', 'rich_text_section', { elements: Pieces });
const List = shape('RichTextList', 'rich_text_list', {
  style: Type.Enum(['bullet', 'ordered']),
  elements: list(of(Section), 100),
  indent: optional(Type.Integer({ minimum: 0, maximum: 8 })),
  offset: optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  ...border,
});
const Quote = shape('RichTextQuote', 'rich_text_quote', { elements: Pieces, ...border });
const Preformatted = shape('RichTextPreformatted', 'rich_text_preformatted', {
  elements: Type.Array(oneOf('RichTextCode', [Words, Link]), { maxItems: MOST_PIECES }),
  language: optional(text(40)),
  ...border,
});

const parts = [Section, List, Quote, Preformatted] as const;
export type RichTextPart = Static<(typeof parts)[number]>;

export const RichText = shape('RichTextBlock', 'rich_text', {
  ...blockId,
  elements: list(oneOf('RichTextPart', parts), 100),
});
export type RichText = Static<typeof RichText>;
