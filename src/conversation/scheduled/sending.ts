import {
  ApiError,
  asUser,
  Conflict,
  InvalidFields,
  NotFound,
  UnreachableAddressee,
  type UserPrincipal,
  viewerOf,
} from '#api';
import type { Tx } from '#platform/db/index.ts';
import type { ScheduledRow } from '#schema';
import { findUser, languageOf, lockActiveUser } from '../../people/users/index.ts';
import type {
  Message,
  MessageFinder,
  MessageReader,
  NewMessage,
  PostService,
  ReplyService,
  SidebarService,
} from '../messages/index.ts';
import type { UnsentReason } from './scheduled.schema.ts';
import { texts } from './texts.ts';

/** A message as it was asked for. */
export type GivenMessage = NewMessage & { readonly reply_to?: unknown; readonly sidebar?: unknown };
/** A reminder as it was asked for. */
export interface GivenReminder {
  readonly message?: string;
  readonly text?: string;
}

/** This has no author any more. */
export class Unsendable extends Error {
  readonly reason: UnsentReason;

  constructor(reason: UnsentReason) {
    super(`not sent: ${reason}`);
    this.reason = reason;
  }
}

/** The author is not in the sidebar, or does not see the message beside it any more. */
class OutOfSidebar extends NotFound {}

const FIELDS = [
  'text',
  'format',
  'blocks',
  'addressed_teams',
  'subject',
  'addressed_users',
  'addressed_application',
  'team',
  'mentions',
  'attachments',
  'reply_to',
  'sidebar',
] as const satisfies (keyof GivenMessage)[];

/** The longest text and the largest blocks have room. */
const MOST_BYTES = 131_072;

/** Without what posting would not look at: nobody has bounded it. */
function meant({ team, subject, ...message }: GivenMessage): GivenMessage {
  const isOpening = message.reply_to === undefined && message.sidebar === undefined;
  const isInTeam = message.addressed_teams !== undefined && isOpening;
  return {
    ...message,
    ...(team !== undefined && message.addressed_application !== undefined && { team }),
    ...(subject !== undefined && isInTeam && { subject }),
  };
}

/** Fields that name a conversation in which a message goes on, and those that begin one. */
const GOING_ON = ['reply_to', 'sidebar'] as const;
const ADDRESSING = ['addressed_teams', 'addressed_users', 'addressed_application'] as const;

/** A message, and the team in which it is, or in which it is beside a message. */
interface Posted {
  readonly message: Message;
  readonly teamId: string | null;
}

type Content = ReturnType<MessageReader['content']>;

/** What a body holds: a message that begins a conversation, a reply, or one into a sidebar. */
interface Parts {
  readonly content: Content;
  readonly to?: ReturnType<MessageReader['message']>['to'];
  readonly reply_to?: string;
  readonly sidebar?: string;
}

export type Sending = ReturnType<typeof sending>;

/** Writes what is due, by the services that write what is posted: both have the same rights and limits. */
export function sending(deps: {
  read: MessageReader;
  posts: PostService;
  replies: ReplyService;
  sidebars: SidebarService;
  finder: MessageFinder;
  baseUrl: () => string;
  /** The holder of a grant that still stands. */
  actBy: (tx: Tx, grantId: string) => Promise<UserPrincipal | undefined>;
  /** Tells a person of a note of their own. */
  remind: (tx: Tx, note: { messageId: string; userId: string }) => void;
}) {
  const { read, posts, replies, sidebars, finder, baseUrl, actBy, remind } = deps;

  /** Reads a body. @returns the part of it that is kept, and the uploads that it names @throws InvalidFields, and as posting */
  function readGiven(given: unknown): { message: GivenMessage; fileIds: readonly string[] } {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      throw wrong('message', 'must be an object');
    const fields = FIELDS.flatMap((name) => {
      const value = (given as Record<string, unknown>)[name];
      return value === undefined || value === null ? [] : [[name, value] as const];
    });
    const message = meant(Object.fromEntries(fields) as GivenMessage);
    const { fileIds } = partsOf(message).content;
    if (Buffer.byteLength(JSON.stringify(message)) > MOST_BYTES)
      throw wrong('message', `must be at most ${MOST_BYTES} bytes of JSON`);
    return { message, fileIds };
  }

  function partsOf(message: GivenMessage): Parts {
    const [where, other] = GOING_ON.filter((name) => message[name] !== undefined);
    if (where === undefined) return read.message(message);
    const id = message[where];
    if (typeof id !== 'string')
      throw wrong(`message.${where}`, `must be the id of a ${where === 'sidebar' ? where : 'message'}`);
    const beside = other ?? ADDRESSING.find((name) => message[name] !== undefined);
    if (beside !== undefined) throw wrong(`message.${beside}`, `goes without ${where}`);
    return { content: read.content(message), [where]: id };
  }

  /** @throws as posting does */
  async function post(tx: Tx, author: UserPrincipal, given: GivenMessage): Promise<Posted> {
    const { content, to, reply_to, sidebar } = partsOf(given);
    if (sidebar !== undefined) return postBeside(tx, author, sidebar, content);
    const [outcome] =
      to === undefined
        ? await replies.post(tx, [{ author, to: reply_to as string, content }])
        : await posts.post(tx, [{ author, content, to }]);
    if (!outcome || 'error' in outcome) throw outcome?.error;
    const message = outcome.value[0] as Message;
    return { message, teamId: message.addressed_teams[0] ?? null };
  }

  /** Into a sidebar. @throws OutOfSidebar, and as posting there does */
  async function postBeside(
    tx: Tx,
    author: UserPrincipal,
    sidebar: string,
    content: Content,
  ): Promise<Posted> {
    const viewer = viewerOf(author, 'write');
    const { team_id: teamId } = await sidebars.access(tx, viewer, sidebar).catch((error: unknown) => {
      throw error instanceof NotFound ? new OutOfSidebar() : error;
    });
    const id = await sidebars.post(tx, author, sidebar, content);
    return { message: await finder.get(tx, viewer, id), teamId };
  }

  /** Writes a note of a person to themselves, which is new to them. It names the application that asked for it. */
  async function note(tx: Tx, author: UserPrincipal, text: string): Promise<string> {
    const { userId } = author;
    const { message } = await post(tx, author, { text, addressed_users: [userId] });
    const { id } = message;
    remind(tx, { messageId: id, userId });
    return id;
  }

  /** A link, and never the words of the message: those may be gone by now, or out of the person's sight. */
  async function remindOf(
    tx: Tx,
    author: UserPrincipal,
    row: ScheduledRow,
    isLate: boolean,
  ): Promise<string> {
    const { message, text } = JSON.parse(row.body_json ?? '{}') as GivenReminder;
    const said = texts[await languageFor(tx, row.user_id)];
    const [seen] = message === undefined ? [] : await finder.find(tx, asUser(row.user_id), message);
    const isThere = seen !== undefined && !seen.events.some(({ type }) => type === 'deleted');
    const about = isThere ? `${baseUrl()}/messages/${seen.id}` : said.gone;
    const lines = [
      text === undefined ? said.reminder : `${said.reminder}: ${text}`,
      ...(message === undefined ? [] : [about]),
      ...(isLate ? [said.wasDue(`${row.local_time.replace('T', ' ')} (${row.zone})`)] : []),
    ];
    return note(tx, author, lines.join('\n'));
  }

  /** Tells an author that something was not sent. */
  async function ask(tx: Tx, userId: string): Promise<void> {
    if (!(await lockActiveUser.first(tx, { id: userId }))) return;
    const said = texts[await languageFor(tx, userId)];
    await note(tx, { userId }, said.unsent(`${baseUrl()}/scheduled`));
  }

  async function languageFor(tx: Tx, userId: string) {
    const user = await findUser.first(tx, { id: userId });
    return user ? languageOf(user) : 'en';
  }

  /**
   * The author, with the rights that they have now. The account works until the transaction ends.
   * @throws Unsendable
   */
  async function authorOf(tx: Tx, { user_id: userId, grant_id }: ScheduledRow): Promise<UserPrincipal> {
    const author = grant_id === null ? { userId } : await actBy(tx, grant_id);
    if (!author) throw new Unsendable('access_ended');
    if (!author.itself && !(await lockActiveUser.first(tx, { id: userId }))) throw new Unsendable('account');
    return author;
  }

  /**
   * @param by who sends it now: a token does so with no rights but its own
   * @returns the message that it has become @throws Unsendable, and as posting does
   */
  async function send(
    tx: Tx,
    row: ScheduledRow,
    { by, isLate = false }: { by?: UserPrincipal; isLate?: boolean } = {},
  ): Promise<string> {
    const author = await authorOf(tx, by?.grant ? { ...row, grant_id: by.grant.id } : row);
    if (row.kind === 'reminder') return remindOf(tx, author, row, isLate);
    const { message } = await post(tx, author, JSON.parse(row.body_json ?? '{}') as GivenMessage);
    return message.id;
  }

  return { readGiven, post, send, ask };
}

const wrong = (field: string, message: string) => new InvalidFields({ field, message });

/** Why a refusal keeps something from being sent; undefined for what is no refusal, or passes by itself. */
export function reasonOf(error: unknown): UnsentReason | undefined {
  if (error instanceof Unsendable) return error.reason;
  if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) return undefined;
  if (error instanceof UnreachableAddressee || error instanceof OutOfSidebar) return 'unreachable';
  if (error instanceof NotFound) return 'message_gone';
  if (error instanceof Conflict && error.reason === 'deleted') return 'message_gone';
  if (error instanceof InvalidFields && error.reason?.startsWith('attachments')) return 'file_gone';
  return 'refused';
}
