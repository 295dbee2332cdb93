import { asMarkdown, htmlText, withEmoji } from '#platform/text/index.ts';
import { textOf } from './payload.ts';
import { roomFor, roomForTagged } from './room.ts';

/** Texts of other products in our formatting, as far as there is room for them. */

/** Of Slack, and of Mattermost, which took its formatting over. */
export const slackText = (value: unknown): string => asMarkdown(roomFor(textOf(value)), 'slack');

/** Markdown. */
export const markdownText = (value: unknown): string => asMarkdown(roomFor(textOf(value)), 'markdown');

/** Of Discord, with its own names of emoji, times and people. */
export const discordText = (value: unknown): string => asMarkdown(roomFor(textOf(value)), 'discord');

/** A text without its tags: each link of them takes as long as a message, so it is cut before. */
export const untagged = (text: string): string => htmlText(roomForTagged(text));

/** A text without formatting: the names of emoji alone mean something. */
export const emojiText = (value: unknown): string => withEmoji(roomFor(textOf(value)));
