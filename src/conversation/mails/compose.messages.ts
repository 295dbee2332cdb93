import { asUser } from '#api';
import { type Reader, together } from '#platform/db/index.ts';
import { plainExcerpt } from '#platform/text/index.ts';
import type { UserRow } from '#schema';
import { type Language, type PrefName, type Prefs, prefsOf } from '../../people/users/index.ts';
import { findMessages, type MessageView } from '../messages/index.ts';
import { listInMuted } from '../mutes/index.ts';
import { common, titleOf, write } from './catalogue.ts';
import type { MessageSummary, Rest } from './mail.facts.ts';
import type { MatterOf } from './mail.matter.ts';
import { type MailContent, oneLine, type Quote } from './mail.template.ts';
import { listOfMail, type Waiting } from './notification.store.ts';
import { listUntold, type Range } from './stream.store.ts';
import type { UnsubscribeLinks } from './unsubscribe.ts';

/** How many messages one mail shows. Others are counted, with where they are. */
export const MAIL_SHOWS = 50;
const EXCERPT = 1000;

/** A message that waits to be mailed, as its recipient sees it, and why it is mailed. */
type WaitingMessage = MessageView & Waiting;

/** What a mail tells of a stream: the first of its messages, and how many there are. */
interface Told {
  readonly teamId: string;
  readonly team: string | null;
  readonly count: number;
  /** Undefined where several people wrote them. */
  readonly authorId: string | undefined;
  readonly first: readonly Waiting[];
}

/** The order in which a mail shows messages: who is called by name comes first. */
const URGENCY: readonly PrefName[] = [
  'email_on_at_mention',
  'email_on_direct_message',
  'email_on_reply_to_your_direct_message',
  'email_on_reply_to_your_message',
  'email_on_reply_to_message_you_replied_to',
  'email_on_sidebar_message',
  'email_on_team_message',
];

/**
 * The mail about these messages, as the recipient sees them now: those that concern them by name, then those of their teams.
 * @returns undefined when there is nothing to tell any more
 */
export async function messagesContent(
  { links, baseUrl }: { links: UnsubscribeLinks; baseUrl: () => string },
  reader: Reader,
  mail: { id: string; user: UserRow; language: Language; matter: MatterOf<'messages'> },
): Promise<MailContent | undefined> {
  const { id: mailId, user, language, matter } = mail;
  // A mail in a database from before 0.1.0 may name none.
  const { streams = [] } = matter;
  const userId = user.id;
  const noticed = await listOfMail.all(reader, { userId, mailId });
  const named = byUrgency(await wantedMessages(reader, user, noticed));
  const isOn = prefsOf(user).email_on_team_message;
  const told = isOn ? await together(streams.map((range) => toldOf(reader, userId, range))) : [];
  const plain = await wantedMessages(reader, user, firstOf(told, MAIL_SHOWS - named.length));
  const shown = [...named.slice(0, MAIL_SHOWS), ...plain];
  if (shown.length === 0) return undefined;
  // Of all that the mail was queued for: each attempt has the same link.
  const ofStreams: PrefName[] = streams.length > 0 ? ['email_on_team_message'] : [];
  const reasons = [...new Set([...noticed.map(reasonOf), ...ofStreams])];
  return contentOf(language, { named, told, shown }, baseUrl(), links.url(userId, reasons));
}

async function toldOf(reader: Reader, userId: string, range: Range): Promise<Told> {
  const rows = await listUntold.all(reader, { ...range, userId, limit: MAIL_SHOWS });
  const { count = 0, first_author: first, last_author: last, space_name: team = null } = rows[0] ?? {};
  const waiting = rows.map(({ id, space_name }) => ({
    ...{ message_id: id, reason: 'email_on_team_message', space_name, beside_muted: null },
  }));
  const authorId = first === last ? (first ?? undefined) : undefined;
  return { teamId: range.teamId, team, count, authorId, first: waiting };
}

/** The first messages of all streams, in the order in which they were posted. */
const firstOf = (told: readonly Told[], most: number): Waiting[] =>
  told
    .flatMap(({ first }) => first)
    .sort((one, other) => (one.message_id < other.message_id ? -1 : 1))
    .slice(0, Math.max(0, most));

function byUrgency(rows: readonly WaitingMessage[]): WaitingMessage[] {
  const urgency = (row: WaitingMessage) => URGENCY.indexOf(reasonOf(row));
  return rows.toSorted((one, other) => urgency(one) - urgency(other) || (one.id < other.id ? -1 : 1));
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

interface Content {
  readonly named: readonly WaitingMessage[];
  readonly told: readonly Told[];
  readonly shown: readonly WaitingMessage[];
}

function contentOf(
  language: Language,
  { named, told, shown }: Content,
  baseUrl: string,
  unsubscribe: string,
): MailContent {
  const streams = told.filter(({ count }) => count > 0);
  const shared = (values: readonly (string | null | undefined)[]) =>
    new Set(values).size === 1 && values[0] !== null && values[0] !== undefined;
  const count = named.length + streams.reduce((sum, one) => sum + one.count, 0);
  const first = summaryOf(language, shown[0] as WaitingMessage);
  const authors = [...named.map((row) => row.author_id), ...streams.map(({ authorId }) => authorId)];
  const teams = [...named.map((row) => row.team_id), ...streams.map(({ teamId }) => teamId)];
  const facts = {
    count,
    more: count - shown.length,
    rest: restOf(named, streams, shown),
    first,
    author: shared(authors) ? first.author : undefined,
    team: shared(teams) ? sharedPlace(shown, count) : undefined,
  };
  const quotes = shown.map((row) => quoteOf(language, row, baseUrl));
  return write('messages', language, facts, { action: baseUrl, unsubscribe, quotes });
}

/** Of messages in one team: what all of them are about, too, where all are known. */
function sharedPlace(shown: readonly WaitingMessage[], count: number): string | undefined {
  const subjects = new Set(shown.map((row) => row.shown_subject_id));
  const [first] = shown as [WaitingMessage];
  const subject = subjects.size === 1 && count === shown.length ? first.subject_name : null;
  return placeOf({ ...first, subject_name: subject }) ?? undefined;
}

/** A team, and what the conversation in it is about. */
const placeOf = ({
  space_name: team,
  subject_name: subject,
}: Pick<WaitingMessage, 'space_name' | 'subject_name'>) => {
  if (team === null) return null;
  return subject === null ? oneLine(team) : `${oneLine(team)} › ${oneLine(subject)}`;
};

/** How many messages are not shown, by where they are: mentions first, then where most are. */
function restOf(
  named: readonly WaitingMessage[],
  streams: readonly Told[],
  shown: readonly WaitingMessage[],
) {
  const places = new Map<string, Rest>();
  const add = (team: string | null, isMention: boolean, count: number) => {
    const key = JSON.stringify([team, isMention]);
    const place = { team: team === null ? null : oneLine(team), isMention };
    places.set(key, { ...place, count: (places.get(key)?.count ?? 0) + count });
  };
  for (const row of named.slice(MAIL_SHOWS)) add(row.space_name, whatOf(row) === 'mention', 1);
  for (const { team, count, teamId } of streams) {
    const left = count - shown.filter((row) => isPlain(row) && row.team_id === teamId).length;
    if (left > 0) add(team, false, left);
  }
  return [...places.values()].sort(
    (one, other) => Number(other.isMention) - Number(one.isMention) || other.count - one.count,
  );
}

const isPlain = (row: WaitingMessage) => reasonOf(row) === 'email_on_team_message';

function summaryOf(language: Language, row: WaitingMessage): MessageSummary {
  const name = oneLine(`${row.first_name} ${row.last_name}`);
  return {
    author: row.is_application === 1 ? common[language].application(name) : name,
    team: placeOf(row),
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
  const text = plainExcerpt(row.text, EXCERPT, objectOf(row), row.format);
  return {
    title: titleOf(language, summaryOf(language, row)),
    text: text === '' ? common[language].attachment : text,
    url: `${baseUrl}/messages/${row.id}`,
  };
}

/** The name of a mentioned object, which belongs where the text has `{0}`. */
const objectOf = ({ mentions_json }: WaitingMessage): string | undefined =>
  (JSON.parse(mentions_json) as { name: string }[])[0]?.name;
