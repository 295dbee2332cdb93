import { timestamp, type Viewer } from '#api';
import { type Reader, together } from '#platform/db/index.ts';
import { type MentionedObject, mentionedObjects, nameIn } from '../../../objects/index.ts';
import { type SummaryRow, type UserPresenter, withoutAddresses } from '../../../people/users/index.ts';
import type { MessageView, ShownMessage } from './message.columns.ts';
import { linksOf } from './message.links.ts';
import type { Message, MessageEvent, Sidebar } from './message.schema.ts';
import { listBlockPictures, type PictureView, presentPictures } from './picture.view.ts';
import { type Counts, countsOf, HIGH_FIVE } from './reaction-counts.ts';
import { listSidebars, type SidebarView } from './sidebar.store.ts';
import { type CardPresenters, listUnfurls, presentUnfurls, type UnfurlView } from './unfurl.view.ts';

interface StoredMention {
  type: string;
  id: string;
  name: string;
}

const parse = <T>(json: string): T[] => (json === '[]' ? [] : (JSON.parse(json) as T[]));

/** Presents rows for the viewer for whom they were read; undefined for all members of their teams. */
export type MessagePresenter = (
  db: Reader,
  rows: readonly MessageView[],
  viewer: Viewer | undefined,
  /** That are posted just now: there are no sidebars beside them. */
  areNew?: 'new',
) => Promise<Message[]>;

/** Presenters of other domains for the parts of a message. */
export interface Presenters extends CardPresenters {
  readonly users: UserPresenter;
  /** An upload as it is sent; what is none stays as it is. */
  readonly attachment: (stored: unknown) => unknown;
  /** For applications: what somebody saves is nobody else's business. */
  readonly hidesSaved?: true;
}

export const showsAddresses = (viewer: Viewer | undefined): boolean => viewer?.reach?.addresses !== false;

/** For viewers who see no addresses. */
export const bareOf = (others: Presenters): Presenters => ({
  ...others,
  users: withoutAddresses(others.users),
});

/** What is made of the presenters, for each kind of viewer. */
export function forViewers<Made>(others: Presenters, make: (of: Presenters) => Made) {
  const whole = make(others);
  const ofToken = make({ ...others, hidesSaved: true });
  const bare = make({ ...bareOf(others), hidesSaved: true });
  return (viewer: Viewer | undefined): Made => {
    if (!showsAddresses(viewer)) return bare;
    return viewer?.reach === undefined ? whole : ofToken;
  };
}

export function messagePresenter(others: Presenters): MessagePresenter {
  const presentersFor = forViewers(others, (of) => of);
  return (db, rows, viewer, areNew) => presentMessages(db, rows, viewer, presentersFor(viewer), areNew);
}

async function presentMessages(
  db: Reader,
  rows: readonly MessageView[],
  viewer: Viewer | undefined,
  others: Presenters,
  areNew: 'new' | undefined,
): Promise<Message[]> {
  const { objects, ownOf } = await findBeside(db, viewer, rows, areNew);
  return rows.map((row) => presentMessage(row, { objects, ...ownOf(row.id) }, others));
}

type Mentioning = Pick<ShownMessage, 'id' | 'mentions_json'>;

/** The ids of the objects that a message mentions. */
export const mentionedIn = (row: Pick<Mentioning, 'mentions_json'>): string[] =>
  mentionsOf(row).map(({ id }) => id);

/** With the names that the message gave the objects. */
export const mentionsOf = ({ mentions_json }: Pick<Mentioning, 'mentions_json'>) =>
  parse<StoredMention>(mentions_json);

/** The name of the object that a message mentions, as it is now. */
export async function mentionedName(
  db: Reader,
  row: Pick<ShownMessage, 'mentions_json' | 'created_at'>,
): Promise<string | undefined> {
  const [mention] = mentionsOf(row);
  if (!mention) return undefined;
  const objects = await mentionedObjects(db, [mention.id]);
  return nameIn(objects.get(mention.id), { given: mention.name, at: row.created_at });
}

/** The parts of a message that are not in its row. */
export interface Beside {
  readonly objects: ReadonlyMap<string, MentionedObject>;
  readonly sidebars: readonly SidebarView[];
  readonly unfurls: readonly UnfurlView[];
  readonly pictures: readonly PictureView[];
}

/**
 * Finds the parts of messages that are not in their rows: the mentioned objects, by their ids, and for each message the
 * viewer's sidebars, the cards of links and the pictures of blocks.
 */
export async function findBeside(
  db: Reader,
  viewer: Viewer | undefined,
  rows: readonly (Mentioning & Pick<MessageView, 'has_unfurls'>)[],
  areNew?: 'new',
) {
  const ids = areNew ? [] : rows.map(({ id }) => id);
  const unfurled = areNew ? [] : rows.filter(({ has_unfurls }) => has_unfurls === 1).map(({ id }) => id);
  const [objects, sidebars, unfurls, pictures] = await together([
    mentionedObjects(db, rows.flatMap(mentionedIn)),
    viewer && ids.length > 0 ? listSidebars(db, viewer, ids) : Promise.resolve([]),
    unfurled.length > 0 ? listUnfurls.all(db, { ids: unfurled }) : Promise.resolve([]),
    unfurled.length > 0 ? listBlockPictures.all(db, { ids: unfurled }) : Promise.resolve([]),
  ]);
  const sidebarsOf = Map.groupBy(sidebars, (sidebar) => sidebar.message_id);
  const unfurlsOf = Map.groupBy(unfurls, (unfurl) => unfurl.message_id);
  const picturesOf = Map.groupBy(pictures, (picture) => picture.place_id);
  const ownOf = (id: string) => ({
    sidebars: sidebarsOf.get(id) ?? [],
    unfurls: unfurlsOf.get(id) ?? [],
    pictures: picturesOf.get(id) ?? [],
  });
  return { objects, unfurls, ownOf };
}

/** The fields that every viewer sees alike, without those that depend on the viewer. */
export function presentForAll(message: Message) {
  const { read, tags, muted, is_muted, subscribed_to, unread_sidebar, unread_reply, ...rest } = message;
  const { user_high_fived, user_replied, user_replied_to_sidebar, unread_since, sidebars, ...more } = rest;
  const { reactions, saved, ...common } = more;
  return { ...common, ...(reactions && { reactions: reactions.map(({ emoji, num }) => ({ emoji, num })) }) };
}

export function presentMessage(
  row: ShownMessage,
  { objects, sidebars, unfurls, pictures }: Beside,
  others: Presenters,
): Message {
  const { attachment, icon, hidesSaved } = others;
  const read = Boolean(row.is_read);
  const isMuted = row.is_muted === 1 || row.team_muted === 1;
  const replied = Boolean(row.user_replied);
  const own = row.own_reactions?.split(' ') ?? [];
  const message: Message = {
    id: row.id,
    text: row.text,
    subject: row.subject_name,
    author: authorOf(row, others),
    author_type: row.is_application === 1 ? 'application' : 'user',
    addressed_users: parse(row.addressed_users_json),
    addressed_teams: row.team_id === null || row.sidebar_id !== null ? [] : [row.team_id],
    attachments: parse<unknown>(row.attachments_json).map(attachment),
    mentions: mentionsOf(row).map((mention) => ({
      ...mention,
      name: nameIn(objects.get(mention.id), { given: mention.name, at: row.created_at }),
      url: objects.get(mention.id)?.url ?? null,
    })),
    sidebars: sidebars.map(presentSidebar),
    events: parse<MessageEvent>(row.events_json),
    tags: tagsOf(row),
    via_app: viaApp(row, icon),
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
    num_replies: row.num_replies,
    num_high_fives: row.num_high_fives,
    read,
    muted: row.is_muted === 1,
    is_muted: isMuted,
    subscribed_to: !isMuted && (Boolean(row.is_own) || Boolean(row.is_addressed) || replied),
    resurface_html: false,
    unread_sidebar: sidebars.some((sidebar) => Number(sidebar.num_unread) > 0),
    unread_reply: Boolean(row.unread_reply),
    user_high_fived: own.includes(HIGH_FIVE),
    user_replied: replied,
    user_replied_to_sidebar: sidebars.some((sidebar) => Boolean(sidebar.has_replied)),
    unread_since: read ? null : timestamp(row.created_at),
  };
  if (row.format !== null) message.format = row.format;
  if (row.blocks_json !== null) message.blocks = JSON.parse(row.blocks_json) as unknown[];
  if (row.shown_subject_id !== null) message.subject_id = row.shown_subject_id;
  if (row.root_id !== null) message.reply_to = row.root_id;
  if (row.direct_application_id !== null) message.addressed_application = row.direct_application_id;
  if (row.direct_team_id !== null) message.team = row.direct_team_id;
  if (row.sidebar_id !== null) message.sidebar = row.sidebar_id;
  if (row.reactions_json !== null) message.reactions = reactionsOf(countsOf(row.reactions_json), own);
  if (row.is_pinned === 1) message.pinned = true;
  if (row.is_saved && !hidesSaved) message.saved = true;
  if (unfurls.length > 0) message.unfurls = presentUnfurls(linksOf(row), unfurls, others);
  if (pictures.length > 0) message.pictures = presentPictures(pictures, others);
  return message;
}

const reactionsOf = (counts: Counts, own: readonly string[]): Message['reactions'] =>
  counts.map(([emoji, num]) => ({ emoji, num, mine: own.includes(emoji) }));

/** An application as itself has the picture of its icon. */
function authorOf(row: ShownMessage, { users, icon }: Presenters): Message['author'] {
  const author = users.summary(summaryOf(row));
  if (row.is_application !== 1 || row.application_id === null) return author;
  const shown = icon({ id: row.application_id, icon: row.application_icon ?? '' });
  // An emoji is no picture.
  if (!/^https?:/.test(shown)) return author;
  const image = { default: shown, original: shown, fullwidth: shown, square300: shown, icon: shown };
  return { ...author, images: [image] };
}

/** Named one by one: a copy of the whole row would take as long as all the rest. */
function summaryOf(row: ShownMessage): SummaryRow {
  return {
    id: row.author_id,
    first_name: row.first_name,
    last_name: row.last_name,
    username: row.username,
    title: row.title,
    active: row.active,
    email: row.email,
    image_version: row.image_version,
    online_until: row.online_until,
    status_json: row.status_json,
    do_not_disturb_until: row.do_not_disturb_until,
    is_application: row.is_application,
  };
}

export function presentSidebar(row: SidebarView): Sidebar {
  return {
    id: row.id,
    message: row.message_id,
    users: JSON.parse(row.user_ids_json) as string[],
    num_messages: row.message_seq,
    unread: Number(row.num_unread),
    created_at: timestamp(row.created_at),
  };
}

type Tagged = Pick<
  ShownMessage,
  'is_own' | 'is_read' | 'is_addressed' | 'team_id' | 'root_id' | 'sidebar_id'
>;

/** The author has it in `_sent`, its recipients in `_inbox`; a note to oneself is in both. */
export function tagsOf(row: Tagged): string[] {
  const sent = Boolean(row.is_own);
  const direct = row.sidebar_id !== null || row.team_id === null;
  const noteToSelf = row.root_id === null && Boolean(row.is_addressed);
  const received = !sent || noteToSelf;
  return [
    ...(sent ? ['_sent'] : []),
    ...(received ? ['_inbox', direct ? '_direct' : '_other'] : []),
    ...(row.is_read ? [] : ['_unread']),
  ];
}

function viaApp(row: ShownMessage, iconOf: Presenters['icon']): Message['via_app'] {
  if (row.application_id === null) return null;
  return {
    id: row.application_id,
    name: row.application_name ?? '',
    icon: iconOf({ id: row.application_id, icon: row.application_icon ?? '' }),
    url: row.application_base_url ?? '',
  };
}
