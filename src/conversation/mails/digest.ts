import { asUser } from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findUser, type PrefName, type Prefs, prefsOf } from '../../people/users/index.ts';
import { findMessages, isRead, type MessageView } from '../messages/index.ts';
import type { MailService } from './mail.service.ts';
import { type MailContent, oneLine, type Quote, shorten } from './mail.template.ts';
import { listWaiting, markCollected, takeBatch, type Waiting } from './notification.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** How many notifications one mail is made from, and how many messages it shows. */
const MOST = 500;
const SHOWN = 50;
const EXCERPT = 1000;

/** A message that waits to be mailed, as its recipient sees it, and why it is mailed. */
type Told = MessageView & Waiting;

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
    const told = await withMessages(tx, userId, waiting);
    const wanted = told.filter((row) => isWanted(row, userId, prefsOf(user)));
    if (wanted.length === 0) return;
    const reasons = [...new Set(wanted.map(reasonOf))];
    await mails.enqueue(tx, {
      kind: 'messages',
      to: { email: user.email, userId },
      content: contentOf(wanted, baseUrl(), links.url(userId, reasons)),
    });
  };
}

const reasonOf = (row: Waiting) => row.reason as PrefName;

/** As the recipient sees them now; what they do not see any more is left out. */
async function withMessages(tx: Tx, userId: string, waiting: readonly Waiting[]): Promise<Told[]> {
  const byId = new Map(waiting.map((row) => [row.message_id, row]));
  const messages = await findMessages(tx, asUser(userId), [...byId.keys()]);
  return messages.map((message) => ({ ...message, ...(byId.get(message.id) as Waiting) }));
}

/** Asked again: much can happen while messages are collected. */
function isWanted(row: Told, userId: string, prefs: Prefs): boolean {
  const muted = row.team_muted === 1 || row.is_muted === 1 || row.beside_muted === 1;
  return prefs[reasonOf(row)] && row.deleted_at === null && !muted && !isRead(row, userId);
}

function contentOf(rows: readonly Told[], baseUrl: string, unsubscribeUrl: string): MailContent {
  const more = rows.length - SHOWN;
  return {
    subject: subjectOf(rows),
    paragraphs: [],
    quotes: rows.slice(0, SHOWN).map((row) => quoteOf(row, baseUrl)),
    ...(more > 0 && { action: { label: `And ${more} more`, url: baseUrl } }),
    footer: ['Parley tells you about messages that you have not read yet.'],
    unsubscribe: { label: 'Stop mails of this kind', url: unsubscribeUrl },
  };
}

function subjectOf(rows: readonly Told[]): string {
  const [first] = rows;
  if (first && rows.length === 1) return titleOf(first);
  const one = (values: readonly (string | null)[]) => (new Set(values).size === 1 ? values[0] : null);
  const count = `${rows.length} new messages`;
  if (first && one(rows.map((row) => row.author_id))) return `${count} from ${authorOf(first)}`;
  const team = one(rows.map((row) => row.team_id)) ? first?.space_name : null;
  return team ? `${count} in ${oneLine(team)}` : count;
}

function authorOf(row: Told): string {
  return oneLine(`${row.first_name} ${row.last_name}`);
}

function titleOf(row: Told): string {
  const author = authorOf(row);
  const place = row.space_name === null ? '' : ` in ${oneLine(row.space_name)}`;
  if (reasonOf(row) === 'email_on_at_mention') return `${author} mentioned you${place}`;
  if (row.sidebar_id !== null) return `${author} wrote in a sidebar${place}`;
  if (row.root_id !== null) return `${author} replied${place}`;
  return row.space_name === null ? `${author} wrote to you` : `${author} wrote${place}`;
}

function quoteOf(row: Told, baseUrl: string): Quote {
  const text = shorten(withNames(row).trim(), EXCERPT);
  return {
    title: titleOf(row),
    text: text === '' ? '(an attachment)' : text,
    url: `${baseUrl}/messages/${row.id}`,
  };
}

/** A mentioned object's name belongs where the text has `{0}`. */
function withNames({ text, mentions_json }: Told): string {
  const [mention] = JSON.parse(mentions_json) as { name: string }[];
  return mention ? text.replaceAll('{0}', () => mention.name) : text;
}
