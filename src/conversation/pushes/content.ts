import { plainExcerpt, shorten } from '#platform/text/index.ts';
import type { Language } from '../../people/users/index.ts';
import type { MessageView } from '../messages/index.ts';
import { MOST_CONTENT_BYTES } from './protocol/encryption.ts';
import { MOST_TOLD } from './push.row.ts';
import type { PushSettings } from './push.settings.ts';
import { texts, whatOf } from './texts.ts';

const PRODUCT = 'Parley';
const NAME_CHARACTERS = 80;
const TEXT_CHARACTERS = 600;

export interface MessageContent {
  readonly kind: 'message' | 'test';
  /** A newer notification with the same tag replaces the older one. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  /** The page that shows it. */
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly at: number;
}

/** The message that a device receives; docs/members.md describes it for other receivers that speak UnifiedPush. */
export type Content =
  | MessageContent
  /** The conversation was read, or the message deleted: the notification goes away. */
  | { readonly kind: 'read'; readonly tag: string };

/** The newest reaction that its reader has not seen, and how many others reacted. */
export interface Reaction {
  readonly first_name: string;
  readonly last_name: string;
  /** As it was given, in a skin tone; of a custom emoji its name between colons. */
  readonly emoji: string;
  readonly numPeople: number;
}

export interface Shown {
  readonly message: MessageView;
  /** Where the reason is a reaction. */
  readonly reaction?: Reaction | undefined;
  /** The name of the object that it mentions. */
  readonly object: string | undefined;
  readonly team: string | null;
  readonly reason: string;
  readonly numMessages: number;
  readonly tag: string;
  readonly language: Language;
}

/** The content of a notification, with as much as the person lets it show. */
export function contentOf(shown: Shown, show: PushSettings['content']): MessageContent {
  const { message, object, reaction, numMessages, tag, language } = shown;
  const { what } = texts[language];
  const title = show === 'none' ? PRODUCT : titleOf(shown);
  const text = textOf(message, object, language);
  const body = {
    none: reaction ? texts[language].reaction : what.message,
    sender: what[whatOf(shown.reason)],
    all: reaction ? `${reaction.emoji} ${text}` : text,
  }[show];
  return {
    kind: 'message',
    tag,
    title: numMessages > 1 ? `${title} (${countText(numMessages)})` : title,
    body,
    url: `/messages/${message.id}`,
    at: message.created_at,
  };
}

/** No more are counted. */
const countText = (count: number) => (count < MOST_TOLD ? String(count) : `${MOST_TOLD - 1}+`);

function titleOf({ message, reason, reaction, team, language }: Shown): string {
  // Its person is its author.
  if (reason === 'reminder') return texts[language].what.reminder;
  const { first_name, last_name } = reaction ?? message;
  const name = oneLine(`${first_name} ${last_name}`);
  const isApplication = !reaction && message.is_application === 1;
  const author = isApplication ? texts[language].application(name) : name;
  return team === null ? author : texts[language].from(author, placeOf(team, message.subject_name));
}

/** A team, and what the conversation in it is about. */
const placeOf = (team: string, subject: string | null) =>
  subject === null ? oneLine(team) : `${oneLine(team)} › ${oneLine(subject)}`;

/** A notification has no formatting. A mentioned object's name belongs where the text has `{0}`. */
function textOf(
  { text, format }: Pick<MessageView, 'text' | 'format'>,
  object: string | undefined,
  language: Language,
): string {
  return plainExcerpt(text, TEXT_CHARACTERS, object, format) || texts[language].attachment;
}

/** An invitation to a team, as it stands when it is sent. */
export interface ShownInvitation {
  readonly team: string;
  readonly inviter: { readonly first_name: string; readonly last_name: string };
  readonly tag: string;
  readonly language: Language;
  readonly at: number;
}

/** It opens the page where invitations are answered. Names are shown, unless nothing is. */
export function invitationContent(shown: ShownInvitation, show: PushSettings['content']): MessageContent {
  const { team, inviter, tag, language, at } = shown;
  const isShown = show !== 'none';
  return {
    kind: 'message',
    tag,
    title: isShown ? oneLine(`${inviter.first_name} ${inviter.last_name}`) : PRODUCT,
    body: isShown ? texts[language].invites(oneLine(team)) : texts[language].invitation,
    url: '/teams',
    at,
  };
}

export const testContent = (language: Language, tag: string, at: number): Content => ({
  kind: 'test',
  tag,
  title: PRODUCT,
  body: texts[language].test,
  url: '/settings/notifications',
  at,
});

/** @returns the content as it is encrypted; undefined where that is more than a push may hold */
export function bytesOf(content: Content): Buffer | undefined {
  const bytes = Buffer.from(JSON.stringify(content));
  return bytes.length > MOST_CONTENT_BYTES ? undefined : bytes;
}

/** No control character, and none that turns the direction of what follows, gets into a title. */
function oneLine(name: string): string {
  const line = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  return shorten(line.replaceAll(/ +/g, ' ').trim(), NAME_CHARACTERS);
}
