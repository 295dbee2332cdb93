import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, newId, parseId } from '#platform/ids.ts';
import {
  cutPage,
  NotFound,
  type Page,
  UnreachableAddressee,
  type UserPrincipal,
  WrongMention,
} from '../api/index.ts';
import { findObject } from '../objects/index.ts';
import type { MessageRow } from '../schema/index.ts';
import { accessTeam, findMember, listUnread } from '../teams/index.ts';
import type { UnreadCounts, UserPresenter } from '../users/index.ts';
import type { MessageChange, MessageListener } from './message.listener.ts';
import { presentMessages } from './message.present.ts';
import type { Message, NewMessage } from './message.schema.ts';
import {
  advanceCursor,
  countUnreadDirect,
  countUnreadSent,
  findMessage,
  findReachable,
  insertMessage,
  insertReadMark,
  insertRecipient,
  listMessages,
  takePlace,
} from './message.store.ts';
import { type MessageInput, readMessage } from './message-input.ts';

const DEFAULT_PAGE = 50;

/** The uploads that messages hold. */
export interface MessageFiles {
  /** @returns what the message keeps of each @throws InvalidFields */
  attach(tx: Tx, userId: string, messageId: string, ids: readonly string[]): Promise<unknown[]>;
  /** One of the kept things as it is sent; what is no file stays as it is. */
  item(stored: unknown): unknown;
}

export type MessageService = ReturnType<typeof messageService>;

export function messageService(deps: {
  db: Database;
  clock: Clock;
  present: UserPresenter;
  maxTextLength: number;
  listeners: readonly MessageListener[];
  files: MessageFiles;
}) {
  const { db, clock, present, maxTextLength, listeners, files } = deps;

  async function tell(tx: Tx, change: MessageChange): Promise<void> {
    for (const listener of listeners) await listener(tx, change);
  }

  /** Reads what can be checked without the database. @throws the errors of part 4.3 */
  const read = (body: NewMessage) => readMessage(body, maxTextLength);

  /**
   * Stores a message: the same few writes for a team of any size. What was posted is durable when this
   * transaction is.
   * @throws UnreachableAddressee @throws WrongMention
   */
  async function post(tx: Tx, author: UserPrincipal, input: MessageInput): Promise<Message> {
    const now = clock();
    await refuseWrongMention(tx, author, input.mention);
    const addressees = input.teamId === undefined ? await resolveUsers(tx, author.userId, input) : [];
    const id = newId();
    const attached = await files.attach(tx, author.userId, id, input.fileIds);
    const row: MessageRow = {
      id,
      team_id: input.teamId ?? null,
      seq: input.teamId === undefined ? null : await takeTeamPlace(tx, author.userId, input.teamId),
      author_id: author.userId,
      application_id: author.grant?.applicationId ?? null,
      text: input.text,
      addressed_users_json: JSON.stringify(addressees),
      attachments_json: JSON.stringify([...attached, ...input.attachments]),
      mentions_json: JSON.stringify(input.mention ? [{ type: 'appobject', ...input.mention }] : []),
      num_replies: 0,
      num_high_fives: 0,
      created_at: now,
      updated_at: now,
      root_id: null,
      reply_seq: null,
      sidebar_id: null,
      sidebar_seq: null,
      events_json: '[]',
      deleted_at: null,
    };
    await insertMessage.all(tx, row);
    await passOver(tx, row);
    for (const userId of addressees) {
      const read_at = userId === author.userId ? now : null;
      await insertRecipient.all(tx, { user_id: userId, message_id: row.id, read_at });
    }
    await tell(tx, { kind: 'posted', message: row, root: undefined, sidebarUsers: undefined });
    return get(tx, author.userId, row.id);
  }

  async function takeTeamPlace(tx: Tx, authorId: string, teamId: string): Promise<number> {
    if (!(await findMember.first(tx, { teamId, userId: authorId }))) throw new UnreachableAddressee(teamId);
    const place = await takePlace.first(tx, { teamId });
    if (!place) throw new UnreachableAddressee(teamId);
    return place.message_seq;
  }

  /** What one has written oneself is read. */
  async function passOver(tx: Tx, row: MessageRow): Promise<void> {
    const { team_id: teamId, seq, author_id: userId, id: messageId } = row;
    if (teamId === null || seq === null) return;
    if (await advanceCursor.first(tx, { teamId, userId, from: seq - 1, to: seq })) return;
    await insertReadMark.all(tx, { userId, teamId, messageId, seq });
  }

  /** @returns the ids of the addressees, each once, in the order they were given */
  async function resolveUsers(tx: Tx, authorId: string, input: MessageInput): Promise<string[]> {
    const { userIds, emails } = input;
    const reachable = await findReachable(tx, authorId, userIds, emails);
    const byId = new Map(reachable.map((user) => [user.id, user.id]));
    const byEmail = new Map(reachable.map((user) => [user.email_key, user.id]));
    const found = (map: Map<string, string>) => (name: string) => {
      const id = map.get(name);
      if (id === undefined) throw new UnreachableAddressee(name.slice(0, 100));
      return id;
    };
    return [...new Set([...userIds.map(found(byId)), ...emails.map(found(byEmail))])];
  }

  /** The object must be the posting application's own, on a team that the author is in. */
  async function refuseWrongMention(
    tx: Tx,
    author: UserPrincipal,
    mention: MessageInput['mention'],
  ): Promise<void> {
    if (!mention) return;
    const object = await findObject.first(tx, { id: mention.id });
    const own = object !== undefined && object.application_id === author.grant?.applicationId;
    const seen = own && (await findMember.first(tx, { teamId: object.team_id, userId: author.userId }));
    if (!seen)
      throw new WrongMention(
        'not_found',
        'The mentioned object does not exist, or is not this application’s',
      );
  }

  /** @throws NotFound for whoever may not see it */
  async function get(reader: Reader, viewerId: string, id: string): Promise<Message> {
    const known = parseId(id);
    const row = known && (await findMessage.first(reader, { id: known, viewerId }));
    if (!row) throw new NotFound();
    const [message] = await presentMessages(reader, [row], viewerId, present, files.item);
    return message as Message;
  }

  async function list(viewerId: string, filter: { team?: string; tag?: string }, page: Page) {
    const team = filter.team === undefined ? undefined : await accessTeam(db, viewerId, filter.team);
    const limit = page.limit ?? DEFAULT_PAGE;
    const before = parseId(page.after?.[0]);
    const rows = await listMessages(db, { viewerId, teamId: team?.id, tag: filter.tag, limit, before });
    const cut = cutPage(rows, { ...page, limit }, (row) => [row.id]);
    return { messages: await presentMessages(db, cut.rows, viewerId, present, files.item), next: cut.next };
  }

  return { read, post, get, list };
}

/** What a user has not read, by team and by tag (part 2.8). */
export async function unreadCounts(db: Reader, userId: string): Promise<UnreadCounts> {
  const [teams, directRow, sentRow] = await Promise.all([
    listUnread.all(db, { userId }),
    countUnreadDirect.first(db, { userId }),
    countUnreadSent.first(db, { userId }),
  ]);
  const direct = directRow?.unread ?? 0;
  const sent = sentRow?.unread ?? 0;
  const inTeams = teams.reduce((sum, team) => sum + team.unread_count, 0);
  const other = inTeams - sent;
  const total = inTeams + direct;
  return {
    teams: Object.fromEntries(teams.map((team) => [team.team_id, team.unread_count])),
    user: { total, direct },
    tags: { _sent: sent, _other: other, _inbox: other + direct, _direct: direct, _unread: total },
  };
}
