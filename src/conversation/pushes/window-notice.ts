import { asUser } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findUser, languageOf } from '../../people/users/index.ts';
import { findMessages } from '../messages/index.ts';
import { listInMuted } from '../mutes/index.ts';
import { contentOf, type MessageContent } from './content.ts';
import { isTold, settingsOf } from './push.settings.ts';
import type { FindReaction } from './sender.ts';
import { findSettings } from './settings.store.ts';
import { shownOf } from './shown.ts';

/** The newest unread message of a conversation, and why it concerns its reader. */
export interface ConversationNews {
  /** Its news share a notification: direct messages with the same people are one conversation. */
  readonly conversation: string;
  readonly messageId: string;
  readonly teamId: string | null;
  readonly reason: string;
  readonly numMessages: number;
}

/** @throws NotFound for a conversation that is not in the user's inbox @returns undefined where nothing is new or heard */
export type FindNews = (userId: string, conversation: string) => Promise<ConversationNews | undefined>;

export type WindowNotice = ReturnType<typeof windowNotice>;

/**
 * The notice that an open window shows of a conversation, where a browser has no push service: by the same settings as
 * pushes. It leaves the server in an answer alone.
 */
export function windowNotice(deps: {
  db: Database;
  clock: Clock;
  findNews: FindNews;
  findReaction: FindReaction;
}) {
  const { db, clock, findNews, findReaction } = deps;
  return async function find(userId: string, conversation: string): Promise<MessageContent | undefined> {
    const news = await findNews(userId, conversation);
    if (!news) return undefined;
    const user = await findUser.first(db, { id: userId });
    const { settings_json } = (await findSettings.first(db, { userId })) ?? {};
    if (!user || !isTold({ ...user, settings_json }, news, clock())) return undefined;
    const { messageId, reason, conversation: tag } = news;
    // A subject may be muted; for all else that was asked before.
    const mayBeMuted = reason === 'team' || reason === 'reaction';
    if (mayBeMuted && (await listInMuted.first(db, { userId, ids: [messageId] }))) return undefined;
    const [message] = await findMessages(db, asUser(userId), [messageId]);
    if (!message || message.deleted_at !== null) return undefined;
    const reaction = reason === 'reaction' ? await findReaction(db, userId, message) : undefined;
    if (reason === 'reaction' ? !reaction : message.is_read) return undefined;
    const numMessages = reaction?.numPeople ?? news.numMessages;
    const about = { message, reaction, reason, numMessages, tag, language: languageOf(user) };
    return contentOf(await shownOf(db, about), settingsOf(settings_json).content);
  };
}
