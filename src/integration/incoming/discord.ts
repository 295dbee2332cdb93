import type { Card } from './card.ts';
import { discordText } from './formatting.ts';
import { at, type Fields, fieldsOf, joined, lineOf, linked, strong, valueText } from './payload.ts';
import { restOf } from './rest.ts';
import { itemsOf } from './room.ts';

const OPTIONS = new Set(
  'content embeds username avatar_url tts allowed_mentions flags thread_name thread_id applied_tags attachments nonce components'.split(
    ' ',
  ),
);

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function readDiscord(payload: Fields): Card | undefined {
  const embeds = itemsOf(payload.embeds).map(fieldsOf);
  const isOnlyContent =
    typeof payload.content === 'string' && Object.keys(payload).every((name) => OPTIONS.has(name));
  if (embeds.length === 0 && !isOnlyContent) return undefined;
  return {
    title: '',
    text: joined([strong(lineOf(payload.thread_name)), discordText(payload.content)]),
    cards: [
      ...embeds.map(readEmbed),
      { title: '', rest: [...restOf(payload, (path) => OPTIONS.has(path))] },
      { title: '', text: joined(itemsOf(payload.components).map(readComponent)) },
    ],
  };
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
    footer: joined([
      lineOf(at(provider, 'name')),
      linked('', at(image, 'url')) || linked('', at(video, 'url')) || linked('', at(thumbnail, 'url')),
      lineOf(at(footer, 'text')),
    ]),
  };
}

/** Buttons, and texts of the newer layout. */
function readComponent(value: unknown): string {
  const { label, url, content, components, items } = fieldsOf(value);
  return joined([
    discordText(content),
    linked(lineOf(label), url),
    ...[...itemsOf(components), ...itemsOf(items)].map(readComponent),
  ]);
}
