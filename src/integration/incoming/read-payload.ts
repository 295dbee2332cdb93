import { readAlerts } from './alerts.ts';
import { type Card, writeCard } from './card.ts';
import { readDiscord } from './discord.ts';
import { slackText } from './formatting.ts';
import { readGeneric } from './generic.ts';
import { readGitHub } from './github.ts';
import { readGitLab } from './gitlab.ts';
import { readGoogleChat } from './google-chat.ts';
import { readKuma } from './kuma.ts';
import { type Fields, fieldsOf, joined, strong, textOf, valueText } from './payload.ts';
import { within } from './room.ts';
import { readSentry } from './sentry.ts';
import { isSlack, readSlack } from './slack.ts';
import { readSns } from './sns.ts';
import { readTeams } from './teams.ts';

/** Senders that are told by the header of their events. */
export interface Sender {
  /** `X-GitHub-Event`, also sent by Gitea and Forgejo. */
  readonly event: string | undefined;
}

/** Events that are sent together, as a list. */
const MOST_TOGETHER = 50;

/**
 * Turns a payload into the text of a message: what its product says becomes a card, and the card a text.
 * @param payload JSON that was parsed
 * @param shown the characters of a message: a longer text may end sooner
 * @returns an empty text for one that says nothing
 */
export function readPayload(payload: unknown, sender: Sender, shown?: number): string {
  if (typeof payload === 'string') return payload.trim();
  return within(shown, () => writeCard(readCard(payload, sender)));
}

const NOTHING: Card = { title: '' };

function readCard(payload: unknown, sender: Sender): Card {
  if (Array.isArray(payload)) return readList(payload, sender);
  const fields = fieldsOf(payload);
  if (Object.keys(fields).length === 0) return NOTHING;
  const sns = readSns(fields);
  if (sns) {
    const inner =
      typeof sns.message === 'string'
        ? { title: '', text: slackText(sns.message) }
        : readCard(sns.message, sender);
    return { title: strong(textOf(sns.subject)), link: sns.confirm, cards: [inner] };
  }
  const known = readKnown(fields, sender);
  // Of a layout that holds nothing to read, what it holds is shown.
  const hasParts = Object.values(fields).some(
    (value) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
  return known && (!hasParts || writeCard(known) !== '') ? known : readGeneric(fields);
}

function readKnown(fields: Fields, sender: Sender): Card | undefined {
  const chat = readTeams(fields) ?? readGoogleChat(fields) ?? readDiscord(fields);
  if (chat) return chat;
  if (isSlack(fields)) return readSlack(fields);
  return (
    readAlerts(fields) ??
    readKuma(fields) ??
    readGitLab(fields) ??
    readSentry(fields) ??
    readGitHub(fields, sender.event)
  );
}

function readList(payload: readonly unknown[], sender: Sender): Card {
  if (payload.every((item) => typeof item !== 'object')) return { title: '', text: valueText(payload) };
  const shown = payload
    .slice(0, MOST_TOGETHER)
    .map((item) => (typeof item === 'object' ? readCard(item, sender) : { title: valueText(item) }));
  const more = payload.length - shown.length;
  return { title: '', cards: [...shown, { title: joined([more > 0 && `… ${more}`]) }] };
}
