import { asUser } from '#api';
import type { Reader } from '#platform/db/index.ts';
import { plainExcerpt } from '#platform/text/index.ts';
import type { UserRow } from '#schema';
import { type Language, type PrefName, type Prefs, prefsOf } from '../../people/users/index.ts';
import { findMessages, type MessageView } from '../messages/index.ts';
import { listInMuted } from '../mutes/index.ts';
import { common, titleOf, write } from './catalogue.ts';
import type { MessageSummary } from './mail.facts.ts';
import { type MailContent, oneLine, type Quote } from './mail.template.ts';
import { listNoticed, type Waiting } from './notification.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** How many messages one mail shows. */
const SHOWN = 50;
const EXCERPT = 1000;

/** A message that waits to be mailed, as its recipient sees it, and why it is mailed. */
type WaitingMessage = MessageView & Waiting;

/**
 * The mail about these messages, as the recipient sees them now.
 * @returns undefined when there is nothing to tell any more
 */
export async function messagesContent(
  { links, baseUrl }: { links: UnsubscribeLinks; baseUrl: () => string },
  reader: Reader,
  { user, language, messageIds }: { user: UserRow; language: Language; messageIds: readonly string[] },
): Promise<MailContent | undefined> {
  const noticed = await listNoticed.all(reader, { userId: user.id, messageIds });
  const wanted = await wantedMessages(reader, user, noticed);
  if (wanted.length === 0) return undefined;
  // Of all messages that the mail was queued for: each attempt has the same link.
  const reasons = [...new Set(noticed.map(reasonOf))];
  return contentOf(language, wanted, baseUrl(), links.url(user.id, reasons));
}

/** Those that the person still sees, has not read or muted, and wants mails about. */
export async function wantedMessages(
  reader: Reader,
  user: UserRow,
  noticed: readonly Waiting[],
): Promise<WaitingMessage[]> {
  const found = await withMessages(reader, user.id, noticed);
  const ids = found.map(({ id }) => id);
  const muted = new Set((await listInMuted.all(reader, { userId: user.id, ids })).map(({ id }) => id));
  return found.filter((row) => !muted.has(row.id) && isWanted(row, prefsOf(user)));
}

const reasonOf = (row: Waiting) => row.reason as PrefName;

/** As the recipient sees them now, without those that they no longer see. */
async function withMessages(
  reader: Reader,
  userId: string,
  waiting: readonly Waiting[],
): Promise<WaitingMessage[]> {
  const byId = new Map(waiting.map((row) => [row.message_id, row]));
  const messages = await findMessages(reader, asUser(userId), [...byId.keys()]);
  return messages.map((message) => ({ ...message, ...(byId.get(message.id) as Waiting) }));
}

/** Asked again: much can happen while messages are collected. */
function isWanted(row: WaitingMessage, prefs: Prefs): boolean {
  const muted = row.team_muted === 1 || row.is_muted === 1 || row.beside_muted === 1;
  return prefs[reasonOf(row)] && row.deleted_at === null && !muted && !row.is_read;
}

function contentOf(
  language: Language,
  rows: readonly WaitingMessage[],
  baseUrl: string,
  unsubscribe: string,
): MailContent {
  const shared = (values: readonly (string | null)[]) => new Set(values).size === 1 && values[0] !== null;
  const first = summaryOf(language, rows[0] as WaitingMessage);
  const facts = {
    count: rows.length,
    more: rows.length - SHOWN,
    first,
    author: shared(rows.map((row) => row.author_id)) ? first.author : undefined,
    team: shared(rows.map((row) => row.team_id)) ? (first.team ?? undefined) : undefined,
  };
  const quotes = rows.slice(0, SHOWN).map((row) => quoteOf(language, row, baseUrl));
  return write('messages', language, facts, { action: baseUrl, unsubscribe, quotes });
}

function summaryOf(language: Language, row: WaitingMessage): MessageSummary {
  const name = oneLine(`${row.first_name} ${row.last_name}`);
  return {
    author: row.is_application === 1 ? common[language].application(name) : name,
    team: row.space_name === null ? null : oneLine(row.space_name),
    what: whatOf(row),
  };
}

function whatOf(row: WaitingMessage): MessageSummary['what'] {
  if (reasonOf(row) === 'email_on_at_mention') return 'mention';
  if (row.sidebar_id !== null) return 'sidebar';
  if (row.root_id !== null) return 'reply';
  return row.space_name === null ? 'direct' : 'message';
}

function quoteOf(language: Language, row: WaitingMessage, baseUrl: string): Quote {
  const text = plainExcerpt(row.text, EXCERPT, objectOf(row));
  return {
    title: titleOf(language, summaryOf(language, row)),
    text: text === '' ? common[language].attachment : text,
    url: `${baseUrl}/messages/${row.id}`,
  };
}

/** The name of a mentioned object, which belongs where the text has `{0}`. */
const objectOf = ({ mentions_json }: WaitingMessage): string | undefined =>
  (JSON.parse(mentions_json) as { name: string }[])[0]?.name;
