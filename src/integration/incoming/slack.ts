import { emojiOf, hexColor } from '#platform/text/index.ts';
import { type Card, writeCard } from './card.ts';
import { emojiText, linkPiece, markdownText, type Piece, slackText, touching } from './formatting.ts';
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
  valueText,
} from './payload.ts';
import { restOf } from './rest.ts';
import { itemsOf } from './room.ts';

/** What a payload may have beside its texts, and nobody reads. */
const OPTIONS = new Set(
  (
    'text blocks attachments channel channel_id username icon_emoji icon_url icon link_names mrkdwn unfurl_links unfurl_media parse thread_ts root_id ' +
    'reply_broadcast response_type replace_original delete_original type props priority metadata as_user token ts avatar alias emoji roomId tmid'
  ).split(' '),
);

/** Whether a payload is one of Slack’s, and what it says beside. */
export function isSlack(payload: Fields): boolean {
  if (hasItems(payload.attachments) || hasItems(payload.blocks) || hasItems(at(payload.props, 'attachments')))
    return true;
  return typeof payload.text === 'string' && Object.keys(payload).every((name) => OPTIONS.has(name));
}

const hasItems = (value: unknown) => listOf(value).length > 0;

/** The payloads of incoming webhooks of Slack and of Mattermost, which took them over. */
export function readSlack(payload: Fields): Card {
  const attached = [...itemsOf(payload.attachments), ...itemsOf(at(payload.props, 'attachments'))];
  // Senders of blocks repeat them in `text`, for notifications.
  const blocks = joined(itemsOf(payload.blocks).map(readBlock));
  return {
    title: '',
    text: blocks === '' ? slackText(payload.text) : blocks,
    cards: [
      ...attached.map((item) => readAttachment(fieldsOf(item))),
      // Mattermost shows it beside the message.
      { title: '', text: slackText(at(payload.props, 'card')) },
      { title: '', rest: restOf(payload, (path) => OPTIONS.has(path)) },
    ],
  };
}

/** What an attachment may have beside what is read. */
const OF_ATTACHMENT = new Set(
  (
    'pretext author_name author_link author_icon author_id author_subname title title_link text blocks fields image_url thumb_url actions footer ' +
    'footer_icon fallback color mrkdwn_in ts callback_id attachment_type id'
  ).split(' '),
);

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function readAttachment(item: Fields): Card {
  const fields = itemsOf(item.fields).map((field) => {
    const { title, value } = fieldsOf(field);
    return { name: lineOf(title), value: typeof value === 'string' ? slackText(value) : valueText(value) };
  });
  const text = joined([
    slackText(item.pretext),
    emojiText(lineOf(item.author_name)),
    linked(strong(slackText(item.title)), item.title_link),
    slackText(item.text),
    ...itemsOf(item.blocks).map(readBlock),
  ]);
  const card: Card = {
    title: '',
    color: hexColor(textOf(item.color)),
    text,
    fields: fields.filter(({ name, value }) => joined([name, value]) !== ''),
    rest: restOf(item, (path) => OF_ATTACHMENT.has(path)),
    footer: joined([
      linked('', item.image_url) || linked('', item.thumb_url),
      ...itemsOf(item.actions).map((action) =>
        linked(emojiText(lineOf(at(action, 'text'))), at(action, 'url')),
      ),
      emojiText(lineOf(item.footer)),
    ]),
  };
  return writeCard(card) === '' ? { title: '', text: slackText(item.fallback) } : card;
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
        ...itemsOf(block.fields).map(blockText),
        linked(blockText(at(block.accessory, 'text')), at(block.accessory, 'url')),
      ]);
    case 'context':
      return joined(itemsOf(block.elements).map(elementText), ' ');
    case 'actions':
      return joined(
        itemsOf(block.elements).map((element) => linked(blockText(at(element, 'text')), at(element, 'url'))),
        '\n',
      );
    case 'image':
      return linked(joined([blockText(block.title), textOf(block.alt_text)], ' '), block.image_url);
    case 'rich_text':
      return joined(itemsOf(block.elements).map(richText));
    case 'divider':
      return '';
    case 'markdown':
      return markdownText(block.text);
    case 'video':
      return joined([
        linked(strong(blockText(block.title)), block.title_url || block.video_url),
        blockText(block.description),
      ]);
    default:
      return joined([
        blockText(block.text),
        ...restOf(block, (path) => /^(?:type|block_id|text)$/.test(path)).map(
          ({ name, value }) => `${name}: ${value}`,
        ),
      ]);
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
  const items = itemsOf(elements);
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
