import { strong } from '#platform/text/index.ts';
import type { Block } from '../../conversation/blocks/index.ts';
import { readAlerts } from './alerts.ts';
import { readBitrise } from './bitrise.ts';
import { type Card, writeCard } from './card.ts';
import { readDiscord } from './discord.ts';
import { readGeneric } from './generic.ts';
import { readGitHub } from './github.ts';
import { readGitLab } from './gitlab.ts';
import { readGoogleChat } from './google-chat.ts';
import { readKuma } from './kuma.ts';
import { type Fields, fieldsOf, joined, listOf, textOf, valueText } from './payload.ts';
import { restOf } from './rest.ts';
import { takeRoom, takesCard, within } from './room.ts';
import { readSentry } from './sentry.ts';
import { showCard } from './show-card.ts';
import { isSlack, readSlack } from './slack.ts';
import { readSns } from './sns.ts';
import { readTeams } from './teams.ts';
import { slackText } from './texts.ts';
import { unwrapped } from './unwrapped.ts';

/** Senders that are told by the header of their events. */
export interface Sender {
  /** `X-GitHub-Event`, also sent by Gitea and Forgejo. */
  readonly event: string | undefined;
  /** The event of a product that says it in a header of its own. */
  readonly topic?: string | undefined;
}

/** Of one object: more than a message ever shows. */
const MOST_FIELDS = 5000;
const DEEPEST_CUT = 4;
/** Events that are sent together, as a list. */
const MOST_TOGETHER = 50;

/** What a payload says as a message. */
export interface ReadPayload {
  /** Empty for a payload that says nothing. */
  readonly text: string;
  /** The same as blocks, where it is more than text. */
  readonly blocks: readonly Block[] | undefined;
}

/**
 * Turns a payload into a message: what its product says becomes a card, and the card a text and blocks.
 * @param payload JSON that was parsed
 * @param shown the characters of a message: a longer text may end sooner
 */
export function readPayload(payload: unknown, sender: Sender, shown?: number): ReadPayload {
  if (typeof payload === 'string') return { text: payload.trim(), blocks: undefined };
  return within(shown, (isCut) => {
    const card = readCard(payload, sender);
    const text = writeCard(card);
    const isMarked = isCut() && text !== '' && !text.endsWith('…');
    return { text: isMarked ? `${text}…` : text, blocks: showCard(card, isCut()) };
  });
}

const NOTHING: Card = { title: '' };

function readCard(payload: unknown, sender: Sender): Card {
  if (Array.isArray(payload)) return readList(payload, sender);
  const fields = narrowed(fieldsOf(payload));
  if (Object.keys(fields).length === 0) return NOTHING;
  const sns = readSns(fields);
  if (sns) {
    const title = strong(textOf(sns.subject));
    if (typeof sns.message === 'string')
      return { title, link: sns.confirm, cards: [{ title: '', text: slackText(sns.message) }] };
    const card = readCard(sns.message, sender);
    // Both titles stand above the states.
    const isPlain = title !== '' && sns.confirm === undefined && (card.about ?? '') === '';
    return isPlain ? { ...card, title, about: card.title } : { title, link: sns.confirm, cards: [card] };
  }
  const known = readKnown(fields, sender);
  // Of a layout that holds nothing to read, what it holds is shown.
  const hasParts = Object.values(fields).some(
    (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
  if (known && (takesRoom(known) || !hasParts)) return known;
  const open = unwrapped(fields);
  const together = togetherIn(open);
  if (!together) {
    const card = readGeneric(open === fields ? fields : narrowed(open), sender.topic);
    takesRoom(card);
    return card;
  }
  const { cards = [], ...list } = readList(together.list, sender);
  return { ...list, cards: [...cards, { title: '', rest: restOf(together.beside) }] };
}

/** Takes the room of what a card says. @returns whether it says something */
function takesRoom(card: Card): boolean {
  const text = writeCard(card);
  takeRoom(text);
  return text !== '';
}

/** Cuts wide objects once, and not in each of those that read them. */
function narrowed(fields: Fields, depth = 0): Fields {
  const names = Object.keys(fields);
  const cut: Record<string, unknown> = {};
  for (const name of depth > DEEPEST_CUT ? [] : names.slice(0, MOST_FIELDS)) {
    const inner = fieldsOf(fields[name]);
    const fewer = narrowed(inner, depth + 1);
    if (fewer !== inner) cut[name] = fewer;
  }
  if (names.length > MOST_FIELDS)
    return Object.fromEntries(names.slice(0, MOST_FIELDS).map((name) => [name, cut[name] ?? fields[name]]));
  return Object.keys(cut).length === 0 ? fields : { ...fields, ...cut };
}

function readKnown(fields: Fields, sender: Sender): Card | undefined {
  const chat = readTeams(fields) ?? readGoogleChat(fields) ?? readDiscord(fields);
  if (chat) return chat;
  if (isSlack(fields)) return readSlack(fields);
  return (
    readAlerts(fields) ??
    readKuma(fields) ??
    readBitrise(fields) ??
    readGitLab(fields) ??
    readSentry(fields) ??
    readGitHub(fields, sender.event)
  );
}

/** The list of a payload that is nothing but one, as `{events: […]}`, and short values beside it. */
function togetherIn(fields: Fields): { list: readonly unknown[]; beside: Fields } | undefined {
  const lists = Object.entries(fields).filter(
    ([name, value]) => typeof value === 'object' && value !== null && !OF_CALL.test(name),
  );
  const [name = '', value] = lists[0] ?? [];
  const list = listOf(value);
  const { [name]: _, ...beside } = fields;
  const isList =
    LISTS.test(name) && lists.length === 1 && (list.length > 1 || Object.keys(beside).length === 0);
  const isAll = list.length > 0 && list.every((one) => Object.keys(fieldsOf(one)).length > 0);
  const isAbout = Object.keys(beside).some((key) => SAYING.test(key));
  return isList && isAll && !isAbout ? { list, beside } : undefined;
}

/** About the call, not about the list. */
const OF_CALL = /^(?:meta|metadata|pagination|paging)$/i;
const LISTS = /^(?:events|alerts|items|records|notifications|messages|data|results|value)$/i;
/** What is said of all of the list. */
const SAYING =
  /title|subject|name|event|message|text|summary|description|stat(?:e|us)|severity|result$|run_|action|type/i;

function readList(payload: readonly unknown[], sender: Sender): Card {
  if (payload.every((item) => typeof item !== 'object')) return { title: '', text: valueText(payload) };
  const shown: Card[] = [];
  for (const item of payload.slice(0, MOST_TOGETHER)) {
    // A list may hold lists of lists.
    if (!takesCard()) break;
    shown.push(typeof item === 'object' ? readCard(item, sender) : { title: valueText(item) });
  }
  const more = payload.length - shown.length;
  return { title: '', cards: [...shown, { title: joined([more > 0 && `… ${more}`]) }] };
}
