import { asUser } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { plainExcerpt } from '#platform/text/index.ts';
import {
  findUser,
  type Language,
  languageOf,
  type PrefName,
  type Prefs,
  prefsOf,
} from '../../people/users/index.ts';
import { findMessages, type MessageView } from '../messages/index.ts';
import { listInMuted } from '../mutes/index.ts';
import { common, titleOf, write } from './catalogue.ts';
import type { MessageSummary } from './mail.facts.ts';
import type { MailService } from './mail.service.ts';
import { type MailContent, oneLine, type Quote } from './mail.template.ts';
import { listWaiting, markCollected, takeBatch, type Waiting } from './notification.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** How many notifications one mail is made from, and how many messages it shows. */
const MOST = 500;
const SHOWN = 50;
const EXCERPT = 1000;

/** A message that waits to be mailed, as its recipient sees it, and why it is mailed. */
type WaitingMessage = MessageView & Waiting;

/** Puts everything that waits for one person into one mail. */
export function digest(deps: {
  clock: Clock;
  mails: MailService;
  links: UnsubscribeLinks;
  baseUrl: () => string;
}) {
  const { clock, mails, links, baseUrl } = deps;

  return async function collect(tx: Tx, userId: string): Promise<void> {
    const now = clock();
    if (!(await takeBatch.first(tx, { userId, now }))) return;
    const user = await findUser.first(tx, { id: userId });
    const waiting = await listWaiting.all(tx, { userId, limit: MOST });
    await markCollected.run(tx, { userId, now });
    if (user?.active !== 1) return;
    const found = await withMessages(tx, userId, waiting);
    const ids = found.map(({ id }) => id);
    const muted = new Set((await listInMuted.all(tx, { userId, ids })).map(({ id }) => id));
    const wanted = found.filter((row) => !muted.has(row.id) && isWanted(row, prefsOf(user)));
    if (wanted.length === 0) return;
    const reasons = [...new Set(wanted.map(reasonOf))];
    await mails.enqueue(tx, {
      kind: 'messages',
      to: { email: user.email, userId },
      content: contentOf(languageOf(user), wanted, baseUrl(), links.url(userId, reasons)),
    });
  };
}

const reasonOf = (row: Waiting) => row.reason as PrefName;

/** As the recipient sees them now, without those that they no longer see. */
async function withMessages(tx: Tx, userId: string, waiting: readonly Waiting[]): Promise<WaitingMessage[]> {
  const byId = new Map(waiting.map((row) => [row.message_id, row]));
  const messages = await findMessages(tx, asUser(userId), [...byId.keys()]);
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
