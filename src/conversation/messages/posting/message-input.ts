import {
  EmptyMessage,
  InvalidFields,
  NobodyAddressed,
  SeveralTeamsAddressed,
  TeamAndUsersAddressed,
  UnreachableAddressee,
  WrongMention,
} from '#api';
import { isDeeper } from '#platform/depth.ts';
import { parseId } from '#platform/ids.ts';
import { cleanLine, type Format, isSeen } from '#platform/text/index.ts';
import { emailKey } from '../../../people/users/index.ts';
import { type Block, readBlocks } from '../../blocks/index.ts';
import { readSubject } from '../subjects/subject-name.ts';
import type { WithApplication } from '../view/conversation-id.ts';
import { MAX_ADDRESSEES, MAX_ATTACHMENTS, type NewMessage } from '../view/message.schema.ts';
import { saidIn } from '../view/shown-blocks.ts';

/** The content of a message, checked as far as that needs no database. */
export interface Content {
  readonly text: string;
  readonly format: Format;
  readonly blocks?: readonly Block[] | undefined;
  /** Whether the text is that of the blocks. */
  readonly isMade?: boolean;
  readonly attachments: unknown[];
  /** Uploads. */
  readonly fileIds: readonly string[];
  readonly mention: { readonly id: string /** Its own, unless given. */; readonly name?: string } | undefined;
  /** By which its author's windows know it. */
  readonly key?: string | undefined;
}

/** The attachments of an edit. A part that is not given stays as it is. */
export interface GivenAttachments {
  readonly fileIds: readonly string[] | undefined;
  readonly others: readonly unknown[] | undefined;
}

/** To whom it goes. */
export interface Addressees {
  readonly teamId: string | undefined;
  readonly userIds: readonly string[];
  readonly emails: readonly string[];
  /** An application that a team has installed. */
  readonly application?: WithApplication;
  /** The subject that a message to a team names. */
  readonly subject?: string | null;
}

const MAX_ATTACHMENT_BYTES = 16_384;
const MAX_DEPTH = 32;
const MAX_NAME = 500;

export type MessageReader = ReturnType<typeof messageReader>;

/**
 * Reads what a message, a reply, a sidebar and an edit bring, before their transaction begins.
 * @param maxText in characters
 */
export function messageReader(maxText: number) {
  return {
    /** Content and addressees of a post. @throws the errors of part 4.3 */
    message: (body: NewMessage) => ({ content: readContent(body, maxText), to: readAddressees(body) }),
    /** Content whose addressees are known from elsewhere. @throws EmptyMessage, WrongMention */
    content: (
      body: Omit<
        NewMessage,
        'addressed_teams' | 'addressed_users' | 'addressed_application' | 'team' | 'subject'
      >,
    ) => readContent(body, maxText),
    /** @throws InvalidFields */
    format: readFormat,
    /** Those of an edit. @throws InvalidFields */
    attachments: readGiven,
    /** A text on its own; empty for one that holds only white space. */
    text: (given: unknown) => readText(given, maxText),
  };
}

/** Reads both forms of every field (part 2.4). @throws EmptyMessage before anything else */
function readContent(body: NewMessage, maxText: number): Content {
  const blocks = readBlocks(body.blocks);
  const own = readText(body.text, maxText);
  const text = own || saidIn(blocks, maxText);
  const attachments = readAttachments(body.attachments);
  const fileIds = readFileIds(body.attachments, MAX_ATTACHMENTS - attachments.length);
  if (text === '' && attachments.length + fileIds.length === 0) throw new EmptyMessage();
  return {
    text,
    // A text that is made of blocks has formatting.
    format: own === '' && blocks ? null : readFormat(body.format),
    blocks,
    isMade: own === '' && blocks !== undefined,
    attachments,
    fileIds,
    mention: readMention(body.mentions, text),
  };
}

function wrong(field: string, message: string): InvalidFields {
  return new InvalidFields({ field, message });
}

/** Absent, null, and what holds nothing are the same. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function readStrings(value: unknown, field: string): string[] {
  if (isNothing(value)) return [];
  if (!Array.isArray(value)) throw wrong(field, 'must be a list');
  const odd = value.findIndex((item) => typeof item !== 'string');
  if (odd !== -1) throw wrong(`${field}.${odd}`, 'must be a text');
  return value as string[];
}

function readText(value: unknown, maxText: number): string {
  if (isNothing(value)) return '';
  if (typeof value !== 'string' && !Array.isArray(value))
    throw wrong('text', 'must be a text or a list of texts');
  const text = typeof value === 'string' ? value : readStrings(value, 'text').join('\n');
  if (text.includes('\0')) throw wrong('text', 'must not contain U+0000');
  if (isLonger(text, maxText)) throw wrong('text', `must be at most ${maxText} characters`);
  return isSeen(text) ? text : '';
}

function readFormat(value: unknown): Format {
  if (isNothing(value)) return null;
  if (value !== 'plain') throw wrong('format', 'must be "plain", or null for a text with formatting');
  return value;
}

/** Characters are code points, but counting them is only needed when there are more code units than that. */
function isLonger(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}

function readAttachments(value: unknown): unknown[] {
  if (isNothing(value)) return [];
  if (typeof value !== 'object') throw wrong('attachments', 'must be an object or a list');
  const items = Array.isArray(value) ? value : attachmentItems(value as Record<string, unknown>);
  refuseMany(items);
  const posing = items.findIndex((item) => (item as { type?: unknown } | null)?.type === 'file');
  if (posing !== -1) throw wrong(`attachments.${posing}.type`, 'file is for uploads: name them in files');
  if (isDeeper(items, MAX_DEPTH))
    throw wrong('attachments', `must not be nested deeper than ${MAX_DEPTH} levels`);
  if (Buffer.byteLength(JSON.stringify(items)) > MAX_ATTACHMENT_BYTES) {
    throw wrong('attachments', `must be at most ${MAX_ATTACHMENT_BYTES} bytes of JSON`);
  }
  items.forEach(checkLinkItem);
  return items.filter((item) => !isNothing(item));
}

function refuseMany(items: readonly unknown[]): void {
  if (items.length > MAX_ATTACHMENTS) throw wrong('attachments', `must be at most ${MAX_ATTACHMENTS} items`);
}

/**
 * `{files, links}` replaces what it names; a list, or an item of one's own, is all that the message then has.
 * @returns undefined where nothing is given
 */
function readGiven(value: unknown): GivenAttachments | undefined {
  if (isNothing(value)) return undefined;
  const others = readAttachments(value);
  if (typeof value !== 'object' || value === null || !hasFilesAndLinks(value)) return { fileIds: [], others };
  return {
    fileIds: isNothing(value.files) ? undefined : readFileIds(value, MAX_ATTACHMENTS),
    others: isNothing(value.links) ? undefined : others,
  };
}

/** Nothing but `files` and `links`. */
function hasFilesAndLinks(value: object): value is { files?: unknown; links?: unknown } {
  return !Array.isArray(value) && Object.keys(value).every((name) => name === 'files' || name === 'links');
}

/** Their owner is checked when they are attached. */
function readFileIds(value: unknown, most: number): string[] {
  if (typeof value !== 'object' || value === null || !hasFilesAndLinks(value)) return [];
  if (isNothing(value.files)) return [];
  if (!Array.isArray(value.files)) throw wrong('attachments.files', 'must be a list');
  if (value.files.length > most) throw wrong('attachments', `must be at most ${MAX_ATTACHMENTS} items`);
  return value.files.map(readFileId);
}

function readFileId(value: unknown, index: number): string {
  const id = parseId(value);
  if (!id) throw wrong(`attachments.files.${index}`, 'must be the id of an upload');
  return id;
}

/** `{files, links}` becomes one item for each link; any other object is one item as it is. */
function attachmentItems(value: Record<string, unknown>): unknown[] {
  if (Object.keys(value).length === 0) return [];
  if (!hasFilesAndLinks(value)) return [value];
  if (isNothing(value.links)) return [];
  if (!Array.isArray(value.links)) throw wrong('attachments.links', 'must be a list');
  refuseMany(value.links);
  return value.links.map(readLink);
}

function readLink(link: unknown, index: number): unknown {
  const { url, title } = (link ?? {}) as { url?: unknown; title?: unknown };
  checkLink({ url, title }, `attachments.links.${index}`);
  return { type: 'link', url, title: title ?? null };
}

/** An item that says that it is a link is shown as one, whichever way it came in. */
function checkLinkItem(item: unknown, index: number): void {
  const link = item as { type?: unknown; url?: unknown; title?: unknown } | null;
  if (link?.type === 'link') checkLink(link, `attachments.${index}`);
}

function checkLink({ url, title }: { url?: unknown; title?: unknown }, field: string): void {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw wrong(`${field}.url`, 'must be an http or https address');
  }
  if (!isNothing(title) && typeof title !== 'string') throw wrong(`${field}.title`, 'must be a text');
}

/** Rules 1 to 3 of part 4.3. */
function readAddressees(body: NewMessage): Addressees {
  const teams = [
    ...new Set(readStrings(body.addressed_teams, 'addressed_teams').map((id) => id.toLowerCase())),
  ];
  const users = readAddressedUsers(body.addressed_users);
  const application = readApplication(body, teams.length);
  const anyUser = users.userIds.length + users.emails.length > 0;
  if (teams.length > 1) throw new SeveralTeamsAddressed();
  if (teams.length === 1 && anyUser) throw new TeamAndUsersAddressed();
  if (application) {
    if (anyUser) throw wrong('addressed_application', ALONE);
    return { teamId: undefined, ...users, application };
  }
  if (teams.length === 0 && !anyUser) throw new NobodyAddressed();
  if (users.userIds.length + users.emails.length > MAX_ADDRESSEES) {
    throw wrong('addressed_users', `must be at most ${MAX_ADDRESSEES}`);
  }
  if (teams[0] === undefined) return { teamId: undefined, ...users };
  // Subjects belong to teams: elsewhere the field says nothing.
  return { teamId: knownId(teams[0]), ...users, subject: readSubject(body.subject) };
}

const ALONE = 'goes without other addressees';

/** @throws UnreachableAddressee for a text that is no id @throws InvalidFields */
function readApplication(
  { addressed_application: given, team }: NewMessage,
  teams: number,
): WithApplication | undefined {
  if (isNothing(given)) return undefined;
  if (typeof given !== 'string') throw wrong('addressed_application', 'must be the id of an application');
  if (typeof team !== 'string') throw wrong('team', 'must be the id of a team that has the application');
  if (teams > 0) throw wrong('addressed_application', ALONE);
  return { applicationId: knownId(given), teamId: knownId(team) };
}

function readAddressedUsers(value: unknown): { userIds: string[]; emails: string[] } {
  const listed = Array.isArray(value) || isNothing(value);
  if (!listed && typeof value !== 'object') throw wrong('addressed_users', 'must be a list or {ids, emails}');
  const { ids, emails } = (listed ? { ids: value } : value) as { ids?: unknown; emails?: unknown };
  const field = listed ? 'addressed_users' : 'addressed_users.ids';
  return {
    userIds: [...new Set(readStrings(ids, field).map(knownId))],
    emails: [...new Set(readStrings(emails, 'addressed_users.emails').map(emailKey))],
  };
}

/** @throws UnreachableAddressee for a text that is no id */
function knownId(text: string): string {
  const id = parseId(text);
  if (!id) throw new UnreachableAddressee(text.slice(0, 100));
  return id;
}

/** Rules 4 and 5 of part 4.3. One object is taken as a list of one. */
function readMention(given: unknown, text: string): Content['mention'] {
  if (isNothing(given)) return undefined;
  if (typeof given !== 'object') throw wrong('mentions', 'must be a list');
  const value = [given].flat();
  if (value.length === 0) return undefined;
  if (value.length > 1) throw new WrongMention('several', 'Only one object may be mentioned');
  const { type, id, name } = (value[0] ?? {}) as { type?: unknown; id?: unknown; name?: unknown };
  if (type !== 'appobject') throw new WrongMention('type', 'The type of a mention must be "appobject"');
  const known = parseId(id);
  if (!known) throw new WrongMention('not_found', 'The mentioned object does not exist');
  const shown = isNothing(name) ? '' : readMentionName(name);
  if (!text.includes('{0}'))
    throw new WrongMention('no_placeholder', 'The text must contain {0} where the link belongs');
  return shown === '' ? { id: known } : { id: known, name: shown };
}

function readMentionName(name: unknown): string {
  if (typeof name === 'string' && !name.includes('\0') && !isLonger(name, MAX_NAME)) return cleanLine(name);
  throw wrong('mentions.0.name', `must be a text of at most ${MAX_NAME} characters`);
}
