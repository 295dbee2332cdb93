import { inert, shorten, withoutInnerLinks } from '#platform/text/index.ts';
import { directionOf } from '../../people/users/index.ts';

export const PRODUCT = 'Parley';

/** The content of a mail before it has a form. All of it is plain text. */
export interface MailContent {
  readonly language: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Texts that people wrote, each with the address where it can be read. */
  readonly quotes?: readonly Quote[];
  readonly action?: Link;
  /** Below the line, in small print. */
  readonly footer: readonly string[];
  readonly unsubscribe?: Link;
}

export interface Link {
  readonly label: string;
  readonly url: string;
}

export interface Quote {
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

const FONT = 'font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';
const SMALL = 'font-size:13px;line-height:19px;color:#6b7280';

/** The same in plain text and in HTML. Programs turn addresses into links by themselves, so those to our API are inert. */
export function render(content: MailContent): { text: string; html: string } {
  const quotes = content.quotes?.map((quote) => ({
    ...quote,
    title: withoutInnerLinks(quote.title, quote.url),
    text: withoutInnerLinks(quote.text, quote.url),
  }));
  const safe = { ...content, ...(quotes && { quotes }) };
  return { text: plain(safe), html: html(safe) };
}

function plain({ paragraphs, quotes = [], action, footer, unsubscribe }: MailContent): string {
  const parts = [
    ...paragraphs,
    ...quotes.map(({ title, text, url }) => `${title}\n\n${indent(text)}\n\n${url}`),
    ...(action ? [`${action.label}: ${action.url}`] : []),
    ['-- ', ...footer, ...(unsubscribe ? [`${unsubscribe.label}: ${unsubscribe.url}`] : [])].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function html({
  language,
  subject,
  paragraphs,
  quotes = [],
  action,
  footer,
  unsubscribe,
}: MailContent): string {
  const link = ({ label, url }: Link, style: string) =>
    `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a>`;
  const direction = directionOf(language);
  const small = [...footer.map(escapeHtml), ...(unsubscribe ? [link(unsubscribe, 'color:#6b7280')] : [])];
  return [
    '<!doctype html>',
    `<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f6f8;${FONT};font-size:16px;line-height:24px;color:#1f2328">`,
    // Some mail programs keep nothing of a mail but what is in its body.
    `<div lang="${language}" dir="${direction}" style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">`,
    ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
    ...quotes.map((quote) => quoted(quote, direction === 'rtl' ? 'right' : 'left')),
    ...(action ? [`<p style="margin:24px 0">${link(action, BUTTON)}</p>`] : []),
    `<p style="margin:24px 0 0;padding-top:16px;border-top:1px solid #e5e7eb;${SMALL}">${small.join('<br>')}</p>`,
    '</div></body></html>',
    '',
  ].join('\n');
}

const BUTTON =
  'display:inline-block;padding:10px 18px;background:#1f6feb;color:#ffffff;border-radius:6px;text-decoration:none';

/** Mail programs know no logical sides, so the side of the line is named. */
function quoted({ title, text, url }: Quote, side: 'left' | 'right'): string {
  return [
    `<div style="margin:0 0 16px;padding-${side}:12px;border-${side}:3px solid #d0d7de">`,
    `<p style="margin:0;${SMALL}"><a href="${escapeHtml(url)}" style="color:#1f6feb">${escapeHtml(title)}</a></p>`,
    `<p dir="auto" style="margin:0;white-space:pre-wrap">${escapeHtml(text)}</p>`,
    '</div>',
  ].join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

const MAX_NAME = 80;
const MAX_SUBJECT = 200;

/** As it stands in the header. */
export const subjectOf = (content: MailContent) => oneLine(content.subject, MAX_SUBJECT);

/** A name on one line: no line break of it can become a header, and it cannot push all else out of sight. */
export function oneLine(name: string, characters = MAX_NAME): string {
  const line = name
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replaceAll(/ +/g, ' ')
    .trim();
  return shorten(line, characters);
}

/** A name on one line that no mail program takes for an address of a page or a mailbox. */
export const inertName = (name: string): string => inert(oneLine(name));

/** A person's, in a mail. */
export const nameOf = (first: string, last: string) => inertName(`${first} ${last}`);
