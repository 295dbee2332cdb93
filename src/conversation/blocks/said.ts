import { asMarkdown, emojiOf, linkPiece, type Piece, touching, withEmoji } from '#platform/text/index.ts';
import { literal } from './literal.ts';
import type { Block, BlockOf, Cell } from './shapes/blocks.ts';
import type { Element, Option } from './shapes/elements.ts';
import type { RichText, RichTextPart, RichTextPiece } from './shapes/rich-text.ts';
import type { TextObject } from './shapes/text.ts';

/**
 * The text of blocks, in reading order and in the formatting of messages: what a message says where it has no text of its
 * own, and what search, mails and programs that do not know blocks read.
 */
export const textOfBlocks = (blocks: readonly Block[]): string => joined(blocks.map(blockText));

const joined = (texts: readonly (string | undefined)[], between = '\n'): string =>
  texts.filter((text) => text !== undefined && text !== '').join(between);

/** A text object. Signs of formatting in a plain text are shown. */
function words(text: TextObject | undefined): string {
  if (!text) return '';
  if (text.type === 'mrkdwn') return asMarkdown(text.text, 'slack');
  return literal(text.emoji === false ? text.text : withEmoji(text.text));
}

const onOneLine = (text: string): string =>
  joined(
    text.split('\n').map((line) => line.trim()),
    ' ',
  );
const line = (text: TextObject | undefined): string => onOneLine(words(text));

function blockText(block: Block): string {
  switch (block.type) {
    case 'header':
      return bold(line(block.text));
    case 'section':
      return joined([
        words(block.text),
        ...(block.fields ?? []).map(words),
        block.accessory && elementText(block.accessory),
      ]);
    case 'context':
      return joined(
        block.elements.map((one) => (one.type === 'image' ? literal(one.alt_text) : words(one))),
        ' ',
      );
    case 'image':
      return joined([words(block.title), picture(block)]);
    case 'actions':
    case 'context_actions':
      return joined(block.elements.map(elementText), ' ');
    case 'input':
      return joined([bold(line(block.label)), words(block.hint), elementText(block.element)]);
    case 'markdown':
      return block.text;
    case 'rich_text':
      return richText(block);
    case 'table':
      return table(block.rows);
    case 'data_table':
      return joined([bold(literal(block.caption)), table(block.rows)], '\n\n');
    case 'card':
      return card(block);
    case 'carousel':
      return joined(block.elements.map(card), '\n\n');
    case 'alert':
      return joined([SIGNS[block.level ?? 'default'], words(block.text)], ' ');
    case 'container':
      return joined([
        bold(block.rich_text_title ? richText(block.rich_text_title) : line(block.title)),
        words(block.subtitle),
        ...block.child_blocks.map(blockText),
      ]);
    case 'divider':
      return '';
  }
}

const SIGNS = { default: '', info: 'ℹ️', warning: '⚠️', error: '❌', success: '✅' } as const;

const card = (block: BlockOf<'card'>): string =>
  joined([
    block.hero_image && picture(block.hero_image),
    bold(line(block.title)),
    words(block.subtitle),
    words(block.body),
    joined((block.actions ?? []).map(elementText), ' '),
  ]);

/** Signs of emphasis within would end it. */
const bold = (text: string): string =>
  text === '' ? '' : `**${text.replaceAll(/(?<!\\)\*+/g, '').trim()}**`;

const picture = ({ alt_text, image_url }: { alt_text: string; image_url: string }) =>
  link(alt_text, image_url);

const link = (name: string, url: string): string => linkPiece(name, url).text;

/** An element that is pressed or chosen from: its name in brackets. */
const control = (name: string): string => (name === '' ? '' : literal(`[${name}]`));

function elementText(element: Element): string {
  switch (element.type) {
    case 'button':
      return element.url === undefined ? control(element.text.text) : link(element.text.text, element.url);
    case 'image':
      return picture(element);
    case 'overflow':
      return joined(
        element.options.map(({ text, url }) =>
          url === undefined ? control(text.text) : link(text.text, url),
        ),
        ' ',
      );
    case 'checkboxes':
      return choices(element.options, new Set(element.initial_options?.map(({ value }) => value)), [
        '☑',
        '☐',
      ]);
    case 'radio_buttons':
      return choices(element.options, new Set([element.initial_option?.value]), ['◉', '○']);
    case 'feedback_buttons':
      return joined(
        [control(element.positive_button.text.text), control(element.negative_button.text.text)],
        ' ',
      );
    case 'icon_button':
      return control(element.text.text);
    case 'datepicker':
      return control(element.initial_date ?? element.placeholder?.text ?? '');
    case 'timepicker':
      return control(element.initial_time ?? element.placeholder?.text ?? '');
    case 'datetimepicker':
      return element.initial_date_time === undefined ? '' : control(moment(element.initial_date_time));
    case 'static_select':
    case 'external_select':
      return control(element.initial_option?.text.text ?? element.placeholder?.text ?? '');
    case 'multi_static_select':
    case 'multi_external_select':
      return control(
        joined(element.initial_options?.map(({ text }) => text.text) ?? [], ', ') ||
          (element.placeholder?.text ?? ''),
      );
    case 'file_input':
      return '';
    case 'rich_text_input':
      return element.initial_value
        ? richText(element.initial_value)
        : control(element.placeholder?.text ?? '');
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return literal(element.initial_value ?? '') || control(element.placeholder?.text ?? '');
    default:
      return control(element.placeholder?.text ?? '');
  }
}

const choices = (
  options: readonly Option[],
  chosen: ReadonlySet<unknown>,
  [on, off]: [string, string],
): string =>
  joined(
    options.map(({ text, value, description }) =>
      joined([chosen.has(value) ? on : off, line(text), description && `– ${line(description)}`], ' '),
    ),
  );

/** In UTC, to the minute. */
const moment = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function table(rows: readonly (readonly Cell[])[]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const lines = rows.map((row) => {
    const cells = Array.from({ length: columns }, (_, at) => (row[at] ? cellText(row[at]) : ''));
    return `| ${cells.join(' | ')} |`;
  });
  return [lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}

function cellText(cell: Cell): string {
  const text =
    cell.type === 'rich_text'
      ? richText(cell)
      : literal(cell.text ?? String((cell as { value: number }).value));
  return onOneLine(text).replaceAll(/(?<!\\)\|/g, '\\|');
}

const richText = ({ elements }: RichText): string => joined(elements.map(richPart));

function richPart(part: RichTextPart): string {
  switch (part.type) {
    case 'rich_text_section':
      return piecesText(part.elements);
    case 'rich_text_list': {
      const indent = '    '.repeat(part.indent ?? 0);
      const first = (part.offset ?? 0) + 1;
      return part.elements
        .map(
          ({ elements }, at) =>
            `${indent}${part.style === 'ordered' ? `${first + at}.` : '-'} ${piecesText(elements)}`,
        )
        .join('\n');
    }
    case 'rich_text_quote':
      return piecesText(part.elements).replaceAll(/^/gm, '> ');
    case 'rich_text_preformatted': {
      const text = part.elements
        .map((one) => (one.type === 'link' ? (one.text ?? one.url) : one.text))
        .join('');
      const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([row]) => row.length + 1)));
      return `${fence}${part.language ?? ''}\n${text}\n${fence}`;
    }
  }
}

const piecesText = (pieces: readonly RichTextPiece[]): string => touching(pieces.map(piece));

function piece(one: RichTextPiece): Piece {
  const plain = (text: string): Piece => ({ text, is: 'text' });
  switch (one.type) {
    case 'text':
      return plain(styled(one.text, one.style));
    case 'link':
      return { text: link(one.text || one.url, one.url), is: 'link' };
    case 'emoji':
      return plain(emojiOf(one.name) ?? `:${one.name}:`);
    case 'user':
      return plain(`@${one.user_id}`);
    case 'usergroup':
      return plain(`@${one.usergroup_id}`);
    case 'channel':
      return plain(`#${one.channel_id}`);
    case 'team':
      return plain(`#${one.team_id}`);
    case 'broadcast':
      return plain('@team');
    case 'color':
      return plain(literal(one.value));
    case 'date':
      return plain(literal(one.fallback ?? moment(one.timestamp)));
  }
}

/** Spaces at the ends of emphasis stand outside its signs. */
function styled(text: string, style: Extract<RichTextPiece, { type: 'text' }>['style']): string {
  const inner = text.trim();
  const [before = '', after = ''] = inner === '' ? [] : text.split(inner, 2);
  if (!style || inner === '') return literal(text);
  if (style.code && !inner.includes('`') && !inner.includes('\n')) return `${before}\`${inner}\`${after}`;
  const sign = `${style.bold ? '**' : ''}${style.italic ? '*' : ''}${style.strike ? '~~' : ''}`;
  const close = [
    ...(style.strike ? ['~~'] : []),
    ...(style.italic ? ['*'] : []),
    ...(style.bold ? ['**'] : []),
  ].join('');
  return `${before}${sign}${literal(inner)}${close}${after}`;
}
