import { emojiOf } from '#platform/text/index.ts';
import { emojiText, linkPiece, type Piece, slackText, touching } from './formatting.ts';
import {
  at,
  countOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  strong,
  textOf,
} from './payload.ts';

/** The payloads of incoming webhooks of Slack and of Mattermost, which took them over. */
export function readSlack(payload: Fields): string {
  const attached = listOf(payload.attachments).map((item) => readAttachment(fieldsOf(item)));
  // Senders of blocks repeat them in `text`, for notifications.
  const blocks = joined(listOf(payload.blocks).map(readBlock));
  return joined([blocks === '' ? slackText(payload.text) : blocks, ...attached], '\n\n');
}

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function readAttachment(item: Fields): string {
  const fields = listOf(item.fields).map((field) => {
    const { title, value } = fieldsOf(field);
    return joined(
      [lineOf(title) === '' ? '' : `${strong(emojiText(lineOf(title)))}:`, slackText(value)],
      ' ',
    );
  });
  const text = joined([
    slackText(item.pretext),
    emojiText(lineOf(item.author_name)),
    linked(strong(slackText(item.title)), item.title_link),
    slackText(item.text),
    ...listOf(item.blocks).map(readBlock),
    ...fields,
    linked('', item.image_url),
    ...listOf(item.actions).map((action) => linked(lineOf(at(action, 'text')), at(action, 'url'))),
    emojiText(lineOf(item.footer)),
  ]);
  return text === '' ? slackText(item.fallback) : text;
}

/** https://docs.slack.dev/reference/block-kit/blocks */
function readBlock(value: unknown): string {
  const block = fieldsOf(value);
  switch (block.type) {
    case 'header':
      return strong(blockText(block.text));
    case 'section':
      return joined([
        blockText(block.text),
        ...listOf(block.fields).map(blockText),
        linked(blockText(at(block.accessory, 'text')), at(block.accessory, 'url')),
      ]);
    case 'context':
      return joined(listOf(block.elements).map(elementText), ' ');
    case 'actions':
      return joined(
        listOf(block.elements).map((element) => linked(blockText(at(element, 'text')), at(element, 'url'))),
        '\n',
      );
    case 'image':
      return linked(joined([blockText(block.title), textOf(block.alt_text)], ' '), block.image_url);
    case 'rich_text':
      return joined(listOf(block.elements).map(richText));
    case 'divider':
      return '';
    default:
      return blockText(block.text);
  }
}

const elementText = (element: unknown): string =>
  at(element, 'type') === 'image' ? textOf(at(element, 'alt_text')) : blockText(element);

/** A text object, `{type: "mrkdwn" | "plain_text", text}`, or a text. */
function blockText(value: unknown): string {
  if (typeof value === 'string') return slackText(value);
  const { type, text } = fieldsOf(value);
  return type === 'plain_text' ? emojiText(text) : slackText(text);
}

/** https://docs.slack.dev/reference/block-kit/blocks/rich-text-block */
function richText(value: unknown): string {
  const { type, elements, style, indent } = fieldsOf(value);
  const items = listOf(elements);
  if (type === 'rich_text_list')
    return joined(
      items.map(
        (item, index) =>
          `${'  '.repeat(Math.min(countOf(indent), 8))}${style === 'ordered' ? `${index + 1}.` : '-'} ${richText(item)}`,
      ),
    );
  const text = touching(items.map((item) => richPiece(fieldsOf(item))));
  if (type === 'rich_text_preformatted') return `\`\`\`\n${text}\n\`\`\``;
  return type === 'rich_text_quote' ? text.replaceAll(/^/gm, '> ') : text;
}

function richPiece({ type, text, url, style, ...of }: Fields): Piece {
  const plain = (one: string): Piece => ({ text: one, is: 'text' });
  switch (type) {
    case 'link':
      return linkPiece(textOf(text), textOf(url));
    case 'emoji':
      return plain(emojiOf(textOf(of.name)) ?? `:${textOf(of.name)}:`);
    case 'user':
      return plain(`@${textOf(of.user_id)}`);
    case 'usergroup':
      return plain(`@${textOf(of.usergroup_id)}`);
    case 'channel':
      return plain(`#${textOf(of.channel_id)}`);
    case 'broadcast':
      return plain('@team');
    case 'date':
      return plain(textOf(of.fallback));
    default:
      return plain(typeof text === 'string' ? emphasizedAs(fieldsOf(style), text) : '');
  }
}

function emphasizedAs({ bold, italic, code }: Fields, text: string): string {
  if (text.trim() !== text || text === '' || text.includes('\n')) return text;
  if (code === true) return `\`${text}\``;
  const sign = `${bold === true ? '**' : ''}${italic === true ? '*' : ''}`;
  return `${sign}${text}${sign}`;
}
