import type { MrkdwnText, PlainText, TextObject } from './types.ts';

/** A text as it is shown. `emoji: false` leaves `:names:` as they are. */
export const plain = (text: string, more: { emoji?: boolean } = {}): PlainText => ({
  type: 'plain_text',
  text,
  ...more,
});

/**
 * A text in Slack's formatting. As a template it escapes what is put in, but for other formatted texts:
 * ``mrkdwn`*${name}* asks for ${link(url, title)}` ``. Called with a text it escapes nothing.
 */
export function mrkdwn(text: string): MrkdwnText;
export function mrkdwn(
  text: TemplateStringsArray,
  ...values: readonly (string | number | MrkdwnText)[]
): MrkdwnText;
export function mrkdwn(
  text: string | TemplateStringsArray,
  ...values: readonly (string | number | MrkdwnText)[]
): MrkdwnText {
  if (typeof text === 'string') return { type: 'mrkdwn', text };
  const put = values.map((value) => (typeof value === 'object' ? value.text : escaped(String(value))));
  return { type: 'mrkdwn', text: text.map((part, at) => part + (put[at] ?? '')).join('') };
}

/** A link in a formatted text. */
export const link = (url: string, text: string): MrkdwnText => ({
  type: 'mrkdwn',
  text: `<${url.replaceAll(/[<>|\s]/g, encodeURIComponent)}|${escaped(text)}>`,
});

/** A person, by their name as it is when somebody reads the text. It notifies nobody. */
export const person = (id: string): MrkdwnText => ({ type: 'mrkdwn', text: `<@${id}>` });

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
/** Where an address, a mention, an emoji, the text of a link or the place of an object begins. A time is none of them. */
const BEGINNINGS = /@(?!\s)|:(?!\s|(?<=\d:)\d)|\](?!\s)|\{(?!\s)|www/gi;
/** U+2060, which nobody sees: it keeps two signs apart. */
const APART = '\u2060';

/**
 * Escapes a text by somebody else for Slack's formatting: it makes no link, mention or emoji.
 * Signs of emphasis may still be read as such; `plain` shows them.
 */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign).replaceAll(BEGINNINGS, `$&${APART}`);

/** A text as it was given; a bare one is shown as it is. */
export const textOf = (text: string | TextObject): TextObject =>
  typeof text === 'string' ? plain(text) : text;

/** The same where there is no formatting. */
export const plainOf = (text: string | PlainText): PlainText =>
  typeof text === 'string' ? plain(text) : text;
