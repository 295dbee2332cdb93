import type { Reader } from '#platform/db/index.ts';
import { timestamp } from '../api/index.ts';
import { linksOf } from '../objects/index.ts';
import type { UserPresenter } from '../users/index.ts';
import type { Message } from './message.schema.ts';
import type { MessageView } from './message.store.ts';

interface StoredMention {
  type: string;
  id: string;
  name: string;
}

const parse = <T>(json: string): T[] => (json === '[]' ? [] : (JSON.parse(json) as T[]));

/** @param viewerId the one for whom the rows were read @param attachment presents one attachment */
export async function presentMessages(
  db: Reader,
  rows: readonly MessageView[],
  viewerId: string,
  users: UserPresenter,
  attachment: (stored: unknown) => unknown,
): Promise<Message[]> {
  const mentioned = rows.flatMap((row) =>
    parse<StoredMention>(row.mentions_json).map((mention) => mention.id),
  );
  const links = await linksOf(db, mentioned);
  return rows.map((row) => presentMessage(row, viewerId, links, users, attachment));
}

function presentMessage(
  row: MessageView,
  viewerId: string,
  links: Map<string, string>,
  users: UserPresenter,
  attachment: (stored: unknown) => unknown,
): Message {
  const read = isRead(row);
  return {
    id: row.id,
    text: row.text,
    subject: null,
    author: users.summary({ ...row, id: row.author_id }),
    author_type: 'user',
    addressed_users: parse(row.addressed_users_json),
    addressed_teams: row.team_id === null ? [] : [row.team_id],
    attachments: parse<unknown>(row.attachments_json).map(attachment),
    mentions: parse<StoredMention>(row.mentions_json).map((mention) => ({
      ...mention,
      url: links.get(mention.id) ?? null,
    })),
    sidebars: [],
    events: [],
    tags: tagsOf(row, viewerId, read),
    via_app: viaApp(row),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    num_replies: row.num_replies,
    num_high_fives: row.num_high_fives,
    read,
    muted: row.team_muted === 1,
    is_muted: row.team_muted === 1,
    subscribed_to: row.team_muted !== 1,
    resurface_html: false,
    unread_sidebar: false,
    unread_reply: false,
    user_high_fived: false,
    user_replied: false,
    user_replied_to_sidebar: false,
    unread_since: read ? null : timestamp(row.created_at),
  };
}

/** A direct message is read when its addressee did; a team's when the cursor, corrected by exceptions, says so. */
function isRead(row: MessageView): boolean {
  if (row.team_id === null) return row.recipient_id === null || row.recipient_read_at !== null;
  if (row.marked_read !== null) return row.marked_read === 1;
  return (row.seq ?? 0) <= (row.read_seq ?? 0);
}

/** The author has it in `_sent`, whoever received it in `_inbox`; a note to oneself is both. */
function tagsOf(row: MessageView, viewerId: string, read: boolean): string[] {
  const sent = row.author_id === viewerId;
  const direct = row.recipient_id !== null;
  const received = direct || (row.team_id !== null && !sent);
  return [
    ...(sent ? ['_sent'] : []),
    ...(received ? ['_inbox', direct ? '_direct' : '_other'] : []),
    ...(read ? [] : ['_unread']),
  ];
}

function viaApp(row: MessageView): Message['via_app'] {
  if (row.application_id === null) return null;
  return {
    id: row.application_id,
    name: row.application_name ?? '',
    icon: row.application_icon ?? '',
    url: row.application_base_url ?? '',
  };
}
