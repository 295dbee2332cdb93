import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { findUser, type PrefName, type Prefs, prefsOf } from '../users/index.ts';
import type { MailService } from './mail.service.ts';
import { type MailContent, oneLine, type Quote, shorten } from './mail.template.ts';
import { listWaiting, markCollected, takeBatch, type Waiting } from './notification.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** How many notifications one mail is made from, and how many messages it shows. */
const MOST = 500;
const SHOWN = 50;
const EXCERPT = 1000;

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
    await markCollected.all(tx, { userId, now });
    const wanted = user?.active === 1 ? waiting.filter((row) => isWanted(row, prefsOf(user))) : [];
    if (!user || wanted.length === 0) return;
    const reasons = [...new Set(wanted.map(reasonOf))];
    await mails.enqueue(tx, {
      kind: 'messages',
      to: { email: user.email, userId },
      content: contentOf(wanted, baseUrl(), links.url(userId, reasons)),
    });
  };
}

const reasonOf = (row: Waiting) => row.notification_reason as PrefName;

/** Asked again: much can happen while messages are collected. */
function isWanted(row: Waiting, prefs: Prefs): boolean {
  const gone = row.deleted_at !== null || (row.space_id !== null && row.team_muted === null);
  const muted = row.team_muted === 1 || row.own_muted === 1 || row.thread_muted === 1;
  return prefs[reasonOf(row)] && !gone && row.space_active !== 0 && !muted && !isRead(row);
}

function isRead(row: Waiting): boolean {
  const reached = (cursor: number | null, place: number | null) => place !== null && (cursor ?? 0) >= place;
  if (row.sidebar_id !== null) return reached(row.sidebar_read_seq, row.sidebar_seq);
  if (row.root_id !== null) return reached(row.replies_read, row.reply_seq);
  if (row.space_id === null) return row.recipient_read_at !== null;
  return row.marked_read === null ? reached(row.read_seq, row.seq) : row.marked_read === 1;
}

function contentOf(rows: readonly Waiting[], baseUrl: string, unsubscribeUrl: string): MailContent {
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

function subjectOf(rows: readonly Waiting[]): string {
  const [first] = rows;
  if (first && rows.length === 1) return titleOf(first);
  const one = (values: readonly (string | null)[]) => (new Set(values).size === 1 ? values[0] : null);
  const count = `${rows.length} new messages`;
  if (first && one(rows.map((row) => row.author_id))) return `${count} from ${authorOf(first)}`;
  const team = one(rows.map((row) => row.space_id)) ? first?.space_name : null;
  return team ? `${count} in ${oneLine(team)}` : count;
}

function authorOf(row: Waiting): string {
  return oneLine(`${row.author_first_name} ${row.author_last_name}`);
}

function titleOf(row: Waiting): string {
  const author = authorOf(row);
  const place = row.space_name === null ? '' : ` in ${oneLine(row.space_name)}`;
  if (reasonOf(row) === 'email_on_at_mention') return `${author} mentioned you${place}`;
  if (row.sidebar_id !== null) return `${author} wrote in a sidebar${place}`;
  if (row.root_id !== null) return `${author} replied${place}`;
  return row.space_name === null ? `${author} wrote to you` : `${author} wrote${place}`;
}

function quoteOf(row: Waiting, baseUrl: string): Quote {
  const text = shorten(withNames(row).trim(), EXCERPT);
  return {
    title: titleOf(row),
    text: text === '' ? '(an attachment)' : text,
    url: `${baseUrl}/messages/${row.id}`,
  };
}

/** A mentioned object's name belongs where the text has `{0}`. */
function withNames({ text, mentions_json }: Waiting): string {
  const [mention] = JSON.parse(mentions_json) as { name: string }[];
  return mention ? text.replaceAll('{0}', () => mention.name) : text;
}
