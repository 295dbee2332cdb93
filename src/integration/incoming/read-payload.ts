import { readAlerts } from './alerts.ts';
import { readGitHub } from './github.ts';
import { readGitLab } from './gitlab.ts';
import { readKuma } from './kuma.ts';
import {
  beginningOf,
  type Fields,
  fieldsOf,
  joined,
  lineOf,
  linked,
  listOf,
  strong,
  textOf,
} from './payload.ts';
import { readSentry } from './sentry.ts';
import { readSlack } from './slack.ts';

/** Senders that are told by the header of their events. */
export interface Sender {
  /** `X-GitHub-Event`, also sent by Gitea and Forgejo. */
  readonly event: string | undefined;
}

/** How much of a payload is shown that nobody can read. */
const MOST_RAW = 3000;

/**
 * Turns a payload into the text of a message.
 * @param payload JSON that was parsed
 * @returns an empty text for one that says nothing
 */
export function readPayload(payload: unknown, sender: Sender): string {
  if (typeof payload === 'string') return payload.trim();
  const fields = fieldsOf(payload);
  if (Object.keys(fields).length === 0)
    return Array.isArray(payload) && payload.length > 0 ? raw(payload) : '';
  const hasParts = hasItems(fields.attachments) || hasItems(fields.blocks);
  const isSlack = hasParts || typeof fields.text === 'string';
  if (isSlack) return readSlack(fields) || (hasParts ? raw(fields) : '');
  const known =
    readAlerts(fields) ??
    readKuma(fields) ??
    readGitLab(fields) ??
    readSentry(fields) ??
    readGitHub(fields, sender.event);
  return known || readPlain(fields) || raw(fields);
}

const hasItems = (value: unknown) => listOf(value).length > 0;

/** Programs that agree on nothing still call a title a title. */
function readPlain(fields: Fields): string {
  const first = (...names: readonly string[]) =>
    names.map((name) => textOf(fields[name])).find((one) => one !== '');
  const title = first('title', 'subject', 'summary', 'event', 'alert');
  const said = first('message', 'body', 'content', 'description', 'msg', 'value');
  if (said === undefined && (title === undefined || Object.keys(fields).length > 3)) return '';
  return linked(
    joined([title === undefined ? '' : strong(lineOf(title)), said]),
    first('url', 'link', 'html_url'),
  );
}

/** Kept readable: what nothing here knows is shown as it came. */
function raw(value: unknown): string {
  const json = JSON.stringify(value, null, 2).replaceAll('```', "'''");
  const shown = json.length > MOST_RAW ? `${beginningOf(json, MOST_RAW)}\n…` : json;
  return `\`\`\`\n${shown}\n\`\`\``;
}
