import { asUser, lookUp, NotFound, onlookerOf, type Page, pageOf, timestamp, type Viewer } from '#api';
import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { HIGHEST_ID, parseId, timeOf } from '#platform/ids.ts';
import { plainExcerpt, ROW_EXCERPT, readEmoji } from '#platform/text/index.ts';
import { findSummaries, type UserPresenter } from '../../people/users/index.ts';
import {
  type Counts,
  countsOf,
  findMessages,
  HIGH_FIVE,
  listGivers,
  type Message,
  type MessagePresenter,
  type ReadingService,
} from '../messages/index.ts';
import { conversationOf, type TellInbox } from './inbox.listener.ts';
import type { InboxCounts, InboxEntry, InboxFilter } from './inbox.schema.ts';
import {
  countEntries,
  dropDone,
  type EntryCounts,
  findEntry,
  findFirstNew,
  findNewReaction,
  keepDone,
  listCountedAsOne,
  listEntries,
  listTeamTraffic,
  listUsersOf,
  restoreReaction,
  type SeenEntry,
} from './inbox.store.ts';

/** The unread part of a conversation, as it was before the conversation was done. */
interface Done {
  readonly root: boolean;
  /** The first reply, or message in the sidebar, that was unread. */
  readonly from: string | null;
  readonly reacted: string | null;
}

/** A row of the list before it is presented. */
type Row =
  | { readonly kind: 'entry'; readonly place: string; readonly entry: SeenEntry }
  | { readonly kind: 'team'; readonly place: string; readonly team: TeamTraffic };

interface TeamTraffic {
  readonly id: string;
  readonly muted: boolean;
  readonly count: number;
  readonly newest: string;
}

/** How many of the people in a conversation are shown. */
const PEOPLE = 8;

const sumOf = (rows: readonly EntryCounts[], name: 'total' | 'mentions' | 'direct') =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0);

export type InboxService = ReturnType<typeof inboxService>;

/** The inbox of a user: a row for each conversation with something new. */
export function inboxService(deps: {
  db: Database;
  reading: ReadingService;
  present: MessagePresenter;
  users: UserPresenter;
  tell: TellInbox;
}) {
  const { db, reading, present, users, tell } = deps;

  /** @param viewer a user, or a token within its team */
  async function list(viewer: Viewer, filter: InboxFilter, page: Page) {
    const { userId } = viewer;
    const teamId = viewer.reach?.teamId ?? null;
    const from = parseId(page.after?.[0]) ?? HIGHEST_ID;
    const limit = page.limit + 1;
    const [entries, traffic] = await Promise.all([
      listEntries[filter].all(db, { userId, teamId, from, limit }),
      filter === 'new' ? trafficWithin(viewer) : [],
    ]);
    const rows: Row[] = [
      ...entries.map((entry) => ({ kind: 'entry' as const, place: entry.place, entry })),
      ...traffic
        .filter(({ newest }) => newest < from)
        .map((team) => ({ kind: 'team' as const, place: team.newest, team })),
    ].sort((one, other) => (one.place > other.place ? -1 : 1));
    const shown = rows.slice(0, page.limit);
    const next = rows.length > page.limit ? pageOf([shown.at(-1)?.place as string]) : null;
    return { entries: await presentAll(db, viewer, shown), next };
  }

  async function counts(viewer: Viewer): Promise<InboxCounts> {
    const [counted, traffic] = await Promise.all([
      countEntries.all(db, { userId: viewer.userId, teamId: viewer.reach?.teamId ?? null }),
      trafficWithin(viewer),
    ]);
    return {
      total: sumOf(counted, 'total'),
      mentions: sumOf(counted, 'mentions'),
      direct: sumOf(counted, 'direct'),
      in_teams: Object.fromEntries(
        counted.flatMap(({ team_id, total }) => (team_id === null ? [] : [[team_id, Number(total)]])),
      ),
      teams: traffic.filter(({ muted }) => !muted).length,
    };
  }

  async function trafficWithin({ userId, reach }: Viewer): Promise<TeamTraffic[]> {
    const traffic = await teamTraffic(db, userId);
    return reach ? traffic.filter(({ id }) => id === reach.teamId) : traffic;
  }

  /** Teams with unread messages that are no entries. */
  async function teamTraffic(reader: Reader, userId: string): Promise<TeamTraffic[]> {
    const rows = await listTeamTraffic.all(reader, { userIds: [userId] });
    return rows.flatMap((row) => {
      const count = Number(row.unread_count) - Number(row.num_addressed);
      if (count <= 0 || row.newest_id === null) return [];
      return [{ id: row.team_id, muted: row.is_muted === 1, count, newest: row.newest_id }];
    });
  }

  /** @throws NotFound for a conversation that is not in the inbox, or that the user sees no more */
  const access = (reader: Reader, userId: string, id: string): Promise<SeenEntry> =>
    lookUp(id, (conversationId) => findEntry.first(reader, { userId, conversationId }));

  /**
   * The unread news of which a row of the inbox may tell; undefined where there are none. Direct messages with the same
   * people are one row, by the id of each entry or of their conversation.
   * @throws NotFound for what is no row
   */
  async function news(userId: string, id: string) {
    const conversationId = parseId(id);
    const entry = conversationId && (await findEntry.first(db, { userId, conversationId }));
    const conversation = entry ? entry.counted_id : conversationId;
    const entries = conversation ? await listCountedAsOne.all(db, { userId, countedId: conversation }) : [];
    if (!entry && entries.length === 0) return newsOfTeam(userId, conversationId);
    const heard = entries.filter(isHeard);
    const [newest] = heard;
    if (conversation === undefined) return undefined;
    if (!newest) return newsOfReaction(conversation, entries);
    const { activity_id: messageId, team_id: teamId } = newest;
    const numMessages = heard.reduce((sum, { num_unread }) => sum + Number(num_unread), 0);
    return { conversation, messageId, teamId, reason: reasonOf(newest), numMessages };
  }

  async function newsOfTeam(userId: string, id: string | undefined) {
    const team = (await teamTraffic(db, userId)).find((one) => one.id === id);
    if (!team) throw new NotFound();
    if (team.muted) return undefined;
    const { id: conversation, newest: messageId, count: numMessages } = team;
    return { conversation, messageId, teamId: conversation, reason: 'team', numMessages };
  }

  /** Where nothing else is new, a reaction that was not seen. */
  function newsOfReaction(conversation: string, entries: readonly SeenEntry[]) {
    const reacted = entries.find(({ reacted_json, muted }) => reacted_json !== null && !muted);
    if (!reacted || reacted.reacted_id === null) return undefined;
    const { reacted_id: messageId, team_id: teamId } = reacted;
    return { conversation, messageId, teamId, reason: 'reaction', numMessages: 1 };
  }

  /** The newest reaction to a message that its author has not seen; undefined without one. */
  async function findReaction(
    reader: Reader,
    userId: string,
    message: { id: string; root_id: string | null; sidebar_id: string | null },
  ) {
    const conversationId = conversationOf(message);
    const found = await findNewReaction.first(reader, { userId, conversationId, messageId: message.id });
    if (!found) return undefined;
    const { given, first_name, last_name, num_people } = found;
    const emoji = readEmoji(given) ? given : `:${given}:`;
    return { first_name, last_name, emoji, numPeople: Number(num_people) };
  }

  /**
   * Marks what is new in a conversation as read, and keeps what it was.
   * @param numReplies how many replies, or messages of the sidebar, the user has been shown; all by default
   */
  async function done(
    tx: Tx,
    userId: string,
    id: string,
    numReplies = Number.MAX_SAFE_INTEGER,
  ): Promise<InboxEntry> {
    const entry = await access(tx, userId, id);
    const { conversation_id: conversationId } = entry;
    const [viewer, about] = [asUser(userId), { userId, conversationId }];
    const first = await findFirstNew.first(tx, { ...about, most: numReplies });
    const isSidebar = entry.sidebar_id !== null;
    const was: Done = {
      root: !isSidebar && !entry.root_read,
      from: (isSidebar ? first?.said_id : first?.reply_id) ?? null,
      reacted: entry.reacted_id,
    };
    await reading.markRead(tx, viewer, isSidebar ? entry.activity_id : entry.root_id, numReplies);
    // An entry is locked after the marks of what is read, as by all that reads. A request that is repeated finds nothing
    // new, and leaves what the first one has kept.
    if (was.root || was.from !== null || was.reacted !== null) {
      await keepDone.run(tx, { ...about, done: JSON.stringify(was), reacted: was.reacted });
    }
    await tell(tx, userId, conversationId);
    return presentOne(tx, userId, conversationId);
  }

  /** Brings back what was new before the conversation was done. */
  async function undo(tx: Tx, userId: string, id: string): Promise<InboxEntry> {
    const entry = await access(tx, userId, id);
    const { conversation_id: conversationId } = entry;
    const about = { userId, conversationId };
    if (entry.done_json !== null) {
      const was = JSON.parse(entry.done_json) as Done;
      const viewer = asUser(userId);
      if (was.root) await reading.markUnread(tx, viewer, entry.root_id);
      if (was.from !== null) await reading.markUnread(tx, viewer, was.from);
      if (was.reacted !== null) await restoreReaction.run(tx, { ...about, messageId: was.reacted });
      await dropDone.run(tx, about);
      await tell(tx, userId, conversationId);
    }
    return presentOne(tx, userId, conversationId);
  }

  async function presentOne(tx: Tx, userId: string, conversationId: string): Promise<InboxEntry> {
    const entry = await access(tx, userId, conversationId);
    const [shown] = await presentAll(tx, asUser(userId), [{ kind: 'entry', place: entry.place, entry }]);
    if (!shown) throw new NotFound();
    return shown;
  }

  async function presentAll(reader: Reader, viewer: Viewer, rows: readonly Row[]): Promise<InboxEntry[]> {
    const found = await findMessages(reader, viewer, [...new Set(rows.flatMap(idsOf))]);
    const messages = await present(reader, found, viewer);
    const byId = new Map(messages.map((message) => [message.id, message]));
    const people = await peopleOf(reader, viewer, rows, new Map(found.map((row) => [row.id, row.author_id])));
    return rows.flatMap((row) => {
      const last = byId.get(lastOf(row));
      // The user has left the team meanwhile.
      if (!last) return [];
      const common = { people: people.get(row) ?? [], last, about: excerptOf(byId.get(aboutOf(row) ?? '')) };
      return [row.kind === 'team' ? ofTeam(row.team, common) : ofEntry(row.entry, common)];
    });
  }

  async function peopleOf(
    reader: Reader,
    viewer: Viewer,
    rows: readonly Row[],
    authors: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<Row, InboxEntry['people']>> {
    const sidebarIds = rows.flatMap((row) =>
      row.kind === 'entry' && row.entry.sidebar_id !== null ? [row.entry.sidebar_id] : [],
    );
    const inSidebars = Map.groupBy(
      sidebarIds.length === 0 ? [] : await listUsersOf.all(reader, { ids: sidebarIds }),
      (row) => row.sidebar_id,
    );
    const givers = await giversOf(reader, rows);
    const othersIn = (row: Row): string[] => {
      const author = authors.get(lastOf(row));
      if (row.kind === 'team') return author === undefined ? [] : [author];
      if (isQuiet(row.entry)) return givers.get(row) ?? [];
      const { sidebar_id, team_id, author_id, addressed_users_json } = row.entry;
      if (sidebar_id !== null) return (inSidebars.get(sidebar_id) ?? []).map(({ user_id }) => user_id);
      if (team_id === null) return [author_id, ...(JSON.parse(addressed_users_json) as string[])];
      return [...(author === undefined ? [] : [author]), author_id];
    };
    const ids = new Map(
      rows.map((row) => [
        row,
        [...new Set(othersIn(row))].filter((id) => id !== viewer.userId).slice(0, PEOPLE),
      ]),
    );
    const asked = [...new Set([...ids.values()].flat())];
    const summaries = await findSummaries(reader, onlookerOf(viewer), asked);
    const byId = new Map(summaries.map((row) => [row.id, users.summary(row)]));
    return new Map([...ids].map(([row, own]) => [row, own.flatMap((id) => byId.get(id) ?? [])]));
  }

  return { list, counts, news, findReaction, done, undo };
}

const reasonOf = ({ mentioned, reasons }: SeenEntry): string =>
  mentioned ? 'mention' : (reasons.split(',')[0] ?? '');

/** Whether there is something unread in an entry of which its reader wants to hear. */
const isHeard = (entry: SeenEntry): boolean =>
  Number(entry.num_unread) > 0 && (Boolean(entry.mentioned) || !entry.muted) && reasonOf(entry) !== 'unread';

/** Whether all that is new are reactions. */
const isQuiet = (entry: SeenEntry) => entry.reacted_json !== null && Number(entry.num_unread) === 0;

/** The people who reacted, for rows in which nothing else is new. */
async function giversOf(reader: Reader, rows: readonly Row[]): Promise<ReadonlyMap<Row, string[]>> {
  const quiet = rows.flatMap((row) =>
    row.kind === 'entry' && row.entry.reacted_id !== null && isQuiet(row.entry)
      ? [{ row, id: row.entry.reacted_id }]
      : [],
  );
  if (quiet.length === 0) return new Map();
  const asked = { messageIds: quiet.map(({ id }) => id), most: PEOPLE };
  const given = Map.groupBy(await listGivers.all(reader, asked), (giver) => giver.message_id);
  return new Map(quiet.map(({ row, id }) => [row, (given.get(id) ?? []).map((giver) => giver.user_id)]));
}

/** The message that a row shows. */
const lastOf = (row: Row): string => (row.kind === 'team' ? row.team.newest : row.entry.activity_id);

/** The message that a row is about; undefined where it shows that message itself. */
function aboutOf(row: Row): string | undefined {
  if (row.kind === 'team') return undefined;
  const { reacted_id, root_id } = row.entry;
  const id = isQuiet(row.entry) && reacted_id !== null ? reacted_id : root_id;
  return id === lastOf(row) ? undefined : id;
}

const idsOf = (row: Row): string[] => [lastOf(row), aboutOf(row)].filter((id) => id !== undefined);

function excerptOf(message: Message | undefined): InboxEntry['about'] {
  if (!message) return null;
  const { id, author, text, format, mentions } = message;
  const excerpt = plainExcerpt(text, ROW_EXCERPT, mentions[0]?.name, format);
  return excerpt === '' ? null : { id, author, text: excerpt };
}

/** A high five is a reason by its own name. */
const reasonsIn = (counts: Counts): string[] => [
  ...(counts.some(([emoji]) => emoji !== HIGH_FIVE) ? ['reaction'] : []),
  ...(counts.some(([emoji]) => emoji === HIGH_FIVE) ? ['high_five'] : []),
];

type Common = Pick<InboxEntry, 'people' | 'last' | 'about'>;

const ofTeam = (team: TeamTraffic, common: Common): InboxEntry => ({
  conversation: team.id,
  kind: 'team',
  message: null,
  sidebar: null,
  team: team.id,
  ...common,
  reasons: ['team'],
  unread: true,
  mentioned: false,
  muted: team.muted,
  num_unread: team.count,
  num_replies: 0,
  active_at: timestamp(timeOf(team.newest)),
});

function ofEntry(entry: SeenEntry, common: Common): InboxEntry {
  // A reply that was read is no reason any more.
  const reasons = isQuiet(entry) ? [] : entry.reasons.split(',').filter((reason) => reason !== 'reaction');
  return {
    conversation: entry.conversation_id,
    kind: entry.sidebar_id === null ? 'conversation' : 'sidebar',
    message: entry.root_id,
    sidebar: entry.sidebar_id,
    team: entry.team_id,
    ...common,
    reasons: [...reasons, ...reasonsIn(countsOf(entry.reacted_json))],
    unread: Number(entry.num_unread) > 0,
    mentioned: Boolean(entry.mentioned),
    muted: Boolean(entry.muted),
    num_unread: Number(entry.num_unread),
    num_replies: entry.num_replies,
    active_at: timestamp(timeOf(entry.place)),
  };
}
