import { at, type Fields, fieldsOf, joined, lineOf, linked, listOf, strong, textOf } from './payload.ts';

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
    return joined([lineOf(title) === '' ? '' : `${strong(lineOf(title))}:`, slackText(value)], ' ');
  });
  const text = joined([
    slackText(item.pretext),
    lineOf(item.author_name),
    linked(strong(slackText(item.title)), item.title_link),
    slackText(item.text),
    ...listOf(item.blocks).map(readBlock),
    ...fields,
    linked('', item.image_url),
    ...listOf(item.actions).map((action) => linked(lineOf(at(action, 'text')), at(action, 'url'))),
    lineOf(item.footer),
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
  return type === 'plain_text' ? textOf(text) : slackText(text);
}

function richText(value: unknown): string {
  const { type, elements, style } = fieldsOf(value);
  if (type === 'rich_text_list')
    return joined(
      listOf(elements).map(
        (item, index) => `${style === 'ordered' ? `${index + 1}.` : '-'} ${richText(item)}`,
      ),
    );
  const text = listOf(elements)
    .map((element) => {
      const { type: kind, text: said, url, name, user_id } = fieldsOf(element);
      if (kind === 'link') return linked(textOf(said), url);
      if (kind === 'emoji') return `:${textOf(name)}:`;
      if (kind === 'user') return `@${textOf(user_id)}`;
      return typeof said === 'string' ? said : '';
    })
    .join('');
  return type === 'rich_text_preformatted' ? `\`\`\`\n${text}\n\`\`\`` : text;
}

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** A heading of Markdown: the marks at its end belong to it as well. */
function heading(line: string): string {
  let end = line.length;
  while (line[end - 1] === '#') end--;
  return strong(line.slice(0, end));
}

/**
 * The formatting of Slack as ours. Markdown, which Mattermost takes, stays as it is, but for its links and headings.
 * Each pattern ends at the character that begins it, so that its time grows with the text and not with its square.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function slackText(value: unknown): string {
  return textOf(value)
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(
      /<(https?:\/\/[^|<>\s]+|mailto:[^|<>\s]+)(?:\|([^<>]*))?>/g,
      (_, url: string, text?: string) => {
        const address = url.replace(/^mailto:/, '');
        return text === undefined || text === '' || text === address ? address : `${text} (${address})`;
      },
    )
    .replaceAll(/<!(channel|here|everyone)(?:\|[^<>]*)?>/g, '@$1')
    .replaceAll(/<!date\^[^|<>]*\|([^<>]*)>/g, '$1')
    .replaceAll(/<[@#!][^|<>]*\|([^<>]*)>/g, '$1')
    .replaceAll(/<([@#])([^<>|]+)>/g, '$1$2')
    .replaceAll(
      /!?\[([^[\]\n]*)\]\((https?:\/\/[^[\s)]+)(?:[ \t][^[)\n]*)?\)/g,
      (_, text: string, url: string) => (text === '' || text === url ? url : `${text} (${url})`),
    )
    .replaceAll(/^#{1,6}[ \t]+(\S.*)$/gm, (_, line: string) => heading(line.trimEnd()))
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w_])_(?=\S)([^_\n]+)(?<=\S)_(?![\w_])/g, '*$1*')
    .replaceAll(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity] ?? entity);
}
