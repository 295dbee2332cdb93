import { emojiOf, hexColor, linkPiece, type Piece, strong, touching } from '#platform/text/index.ts';
import { findBlocks } from '../../conversation/blocks/index.ts';
import { type Card, type Ending, writeCard, writeEnding } from './card.ts';
import {
  at,
  countOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  textOf,
  valueText,
} from './payload.ts';
import { momentOf, restOf } from './rest.ts';
import { itemsOf } from './room.ts';
import { emojiText, markdownText, slackText } from './texts.ts';

/** What a payload may have beside its texts, and nobody reads. */
const OPTIONS = new Set(
  (
    'text blocks attachments channel channel_id username icon_emoji icon_url icon link_names mrkdwn unfurl_links unfurl_media parse thread_ts root_id ' +
    'reply_broadcast response_type replace_original delete_original type props priority metadata as_user token ts avatar alias emoji roomId tmid'
  ).split(' '),
);

/** Whether a payload is one of Slack’s, and what it says beside. */
export function isSlack(payload: Fields): boolean {
  if (areAttached(payload.attachments) || areAttached(at(payload.props, 'attachments'))) return true;
  if (hasItems(payload.blocks, ({ type }) => typeof type === 'string')) return true;
  return typeof payload.text === 'string' && Object.keys(payload).every((name) => OPTIONS.has(name));
}

/** Other products have lists of these names, too, as of the jobs of a build or of the files of a mail. */
const areAttached = (value: unknown) =>
  hasItems(value, (item) => Object.keys(item).some((name) => OF_ATTACHMENT.has(name) && name !== 'id'));

const hasItems = (value: unknown, isOurs: (item: Fields) => boolean) =>
  listOf(value).map(fieldsOf).some(isOurs);

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
    'footer_icon fallback color mrkdwn_in ts callback_id attachment_type id message_blocks'
  ).split(' '),
);

/** https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments */
function readAttachment(item: Fields): Card {
  const fields = itemsOf(item.fields).map((field) => {
    const { title, value } = fieldsOf(field);
    return { name: lineOf(title), value: typeof value === 'string' ? slackText(value) : valueText(value) };
  });
  const inner = [
    ...itemsOf(item.blocks),
    // A message that a link leads to.
    ...itemsOf(item.message_blocks).flatMap((one) => itemsOf(at(one, 'message', 'blocks'))),
  ];
  const said = slackText(item.text);
  const card: Card = {
    lead: slackText(item.pretext),
    byline: joined([emojiText(lineOf(item.author_name)), lineOf(item.author_subname)], ' '),
    title: '',
    about: slackText(item.title),
    link: item.title_link,
    color: colorOf(textOf(item.color)),
    text: joined([said, ...inner.map(readBlock)]),
    blocks: said === '' && inner.length > 0 ? findBlocks(inner) : undefined,
    fields: fields.filter(({ name, value }) => joined([name, value]) !== ''),
    rest: restOf(item, (path) => OF_ATTACHMENT.has(path)),
    endings: [
      { is: 'picture', name: '', url: linked('', item.image_url) || item.thumb_url },
      ...itemsOf(item.actions).map(readAction),
      emojiText(lineOf(item.footer)),
    ],
  };
  return writeCard(card) === '' ? { title: '', text: slackText(item.fallback) } : card;
}

/** Its own names are those of states. */
const colorOf = (color: string) =>
  /^(?:good|warning|danger)$/.test(color) ? color : hexColor(color.replace(/^(?=[0-9a-f]{6}$)/i, '#'));

/** A button, or a menu with what can be chosen; Mattermost calls its text a name. */
function readAction(value: unknown): Ending {
  const { text, name, url, options } = fieldsOf(value);
  const button: Ending = { is: 'button', name: emojiText(lineOf(text) || lineOf(name)), url };
  const choices = itemsOf(options).map((one) => emojiText(lineOf(at(one, 'text'))));
  return choices.length === 0 ? button : joined([writeEnding(button), joined(choices, ', ')], ': ');
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
        ...itemsOf(block.fields).map(fieldText),
        block.accessory === undefined ? '' : readElement(block.accessory),
      ]);
    case 'context':
      return joined(itemsOf(block.elements).map(elementText), ' ');
    case 'actions':
    case 'context_actions':
      return joined(itemsOf(block.elements).map(readElement));
    case 'image':
      return linked(
        joined([...new Set([blockText(block.title), textOf(block.alt_text)])], ' '),
        textOf(block.image_url) || at(block.slack_file, 'url'),
      );
    case 'rich_text':
      return joined(itemsOf(block.elements).map(richText));
    case 'divider':
      return '';
    case 'markdown':
      return markdownText(block.text);
    case 'table':
      return joined(itemsOf(block.rows).map((row) => joined(itemsOf(row).map(cellText), ' | ')));
    case 'video':
      return joined([
        linked(strong(blockText(block.title)), block.title_url || block.video_url),
        blockText(block.description),
        joined([lineOf(block.author_name), lineOf(block.provider_name)], ' · '),
      ]);
    case 'input':
      return joined([strong(blockText(block.label)), blockText(block.hint), readElement(block.element)]);
    default:
      return joined([blockText(block.text), unknownText(block)]);
  }
}

/** A name above its value stands beside it, so that three lines hold more of them. */
function fieldText(value: unknown): string {
  const text = blockText(value);
  const [name = '', ...rest] = text.split('\n');
  const isPair = rest.length === 1 && /^\*\*[^*]{1,100}\*\*:?$|^[^:]{1,100}:$/.test(name.trim());
  return isPair ? `${name.trim()}${name.includes(':') ? '' : ':'} ${rest[0]}` : text;
}

/** A cell of a table is a text of its own, or rich text. */
function cellText(value: unknown): string {
  const cell = fieldsOf(value);
  return (cell.type === 'rich_text' ? readBlock(cell) : emojiText(cell.text)).replaceAll('\n', ' ');
}

const elementText = (element: unknown): string =>
  at(element, 'type') === 'image' ? textOf(at(element, 'alt_text')) : blockText(element);

/** What elements have for programs. */
const OF_ELEMENT =
  /^(?:type|block_id|action_id|value|style|text|url|image_url|alt_text|slack_file|placeholder|options|option_groups|confirm|accessibility_label|initial_\w+|multiline|dispatch_action\w*|focus_on_load|min_\w+|max_\w+|is_decimal_allowed|workflow)(?:\.|$)/;

/** https://docs.slack.dev/reference/block-kit/block-elements */
function readElement(value: unknown): string {
  const element = fieldsOf(value);
  const groups = itemsOf(element.option_groups).flatMap((group) => itemsOf(at(group, 'options')));
  const options = [...itemsOf(element.options), ...groups].map((option) =>
    linked(blockText(at(option, 'text')), at(option, 'url')),
  );
  const label = joined(
    [blockText(element.text), blockText(element.placeholder), textOf(element.alt_text)],
    ' ',
  );
  return joined([
    joined([linked(label, element.url || element.image_url), joined(options, ', ')], ': '),
    unknownText(element, OF_ELEMENT),
  ]);
}

/** What Slack may add one day, line by line: texts as texts, whatever they lie in. */
function unknownText(of: Fields, known: RegExp = /^(?:type|block_id|text)$/): string {
  const rest = restOf(of, (path) => known.test(path) || TYPE.test(path));
  return joined(
    rest.map(({ name, value }) => joined([name.replace(/(?:\.text){1,2}$/, ''), slackText(value)], ': ')),
  );
}

/** How a text is written, beside it. */
const TYPE = /\.(?:type|emoji|verbatim)$/;

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
      return plain(textOf(of.fallback) || momentOf(of.timestamp));
    case 'text':
      return plain(typeof text === 'string' ? emphasizedAs(fieldsOf(style), text) : '');
    default:
      // A color, or what Slack may add one day.
      return plain(
        typeof text === 'string'
          ? emphasizedAs(fieldsOf(style), text)
          : joined([url, ...Object.values(of)].map(textOf), ' '),
      );
  }
}

function emphasizedAs({ bold, italic, code }: Fields, text: string): string {
  if (text.trim() !== text || text === '' || text.includes('\n')) return text;
  if (code === true) return `\`${text}\``;
  const sign = `${bold === true ? '**' : ''}${italic === true ? '*' : ''}`;
  return `${sign}${text}${sign}`;
}
