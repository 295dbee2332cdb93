import { strong } from '#platform/text/index.ts';
import type { Card } from './card.ts';
import { at, type Fields, fieldsOf, joined, lineOf, linked, listOf, textOf, valueText } from './payload.ts';
import { restOf } from './rest.ts';
import { itemsOf } from './room.ts';
import { discordText } from './texts.ts';

const OPTIONS = new Set(
  'content embeds username avatar_url tts allowed_mentions flags thread_name thread_id applied_tags attachments nonce components poll'.split(
    ' ',
  ),
);

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function readDiscord(payload: Fields): Card | undefined {
  const embeds = itemsOf(payload.embeds).map(fieldsOf);
  const hasComponents = listOf(payload.components).some((one) => typeof at(one, 'type') === 'number');
  const isOnlyContent =
    (typeof payload.content === 'string' || hasComponents) &&
    Object.keys(payload).every((name) => OPTIONS.has(name));
  if (embeds.length === 0 && !isOnlyContent) return undefined;
  return {
    title: '',
    text: joined([strong(lineOf(payload.thread_name)), discordText(payload.content)]),
    cards: [
      ...embeds.map(readEmbed),
      { title: '', rest: [...restOf(payload, (path) => OPTIONS.has(path))] },
      { title: '', text: joined(itemsOf(payload.components).map(readComponent)) },
      { title: '', text: readPoll(fieldsOf(payload.poll)) },
    ],
  };
}

function readPoll({ question, answers }: Fields): string {
  const choices = itemsOf(answers).map((one) => `- ${lineOf(at(one, 'poll_media', 'text'))}`);
  return joined([strong(discordText(at(question, 'text'))), ...choices]);
}

const OF_EMBED = new Set(
  'title type description url timestamp color footer image thumbnail video provider author fields'.split(' '),
);

function readEmbed(embed: Fields): Card {
  const { title, description, url, color, author, fields, footer, image, thumbnail, video, provider } = embed;
  const by = linked(lineOf(at(author, 'name')), at(author, 'url'));
  return {
    title: '',
    color: typeof color === 'number' ? `#${(color & 0xffffff).toString(16).padStart(6, '0')}` : undefined,
    about: discordText(title),
    link: url,
    author: by,
    text: discordText(description),
    fields: itemsOf(fields).map((field) => {
      const { name, value } = fieldsOf(field);
      return {
        name: discordText(name),
        value: typeof value === 'string' ? discordText(value) : valueText(value),
      };
    }),
    rest: restOf(embed, (path) => OF_EMBED.has(path)),
    endings: [
      lineOf(at(provider, 'name')),
      linked('', at(image, 'url')) === '' && linked('', at(video, 'url')) !== ''
        ? linked('', at(video, 'url'))
        : { is: 'picture', name: '', url: linked('', at(image, 'url')) || at(thumbnail, 'url') },
      lineOf(at(footer, 'text')),
    ],
  };
}

/** What a component looks like, and what it is for a program. */
const OF_COMPONENT =
  /^(?:type|id|custom_id|style|accent_color|divider|spacing|spoiler|disabled|emoji|min_values|max_values|required|content|label|url|description|placeholder|components|component|items|media|file|accessory|options)(?:\.|$)/;

/** Texts, sections, galleries and buttons of the newer layout: https://docs.discord.com/developers/components/reference */
function readComponent(value: unknown): string {
  const component = fieldsOf(value);
  const { label, url, content, description, placeholder, components, items, options } = component;
  const parts = [
    ...itemsOf(components),
    ...itemsOf(items),
    ...[component.component, component.accessory].filter((one) => one !== undefined),
  ];
  const said = joined([lineOf(label), textOf(description), textOf(placeholder)], ' ');
  return joined([
    discordText(content),
    linked(said, textOf(url) || textOf(at(component.media, 'url'))),
    textOf(at(component.file, 'url')).replace(/^attachment:\/\//, ''),
    joined(
      itemsOf(options).map((one) => lineOf(at(one, 'label'))),
      ', ',
    ),
    ...parts.map(readComponent),
    ...restOf(component, (path) => OF_COMPONENT.test(path)).map(
      ({ name, value: text }) => `${name}: ${text}`,
    ),
  ]);
}
