import { type QueryKey, queryOptions } from '@tanstack/react-query';
import { call, callOne, mayPass } from '../../api/client.ts';
import { membershipsQuery, queryClient } from '../../api/queries.ts';
import type { Message, MessageVersion, Sidebar, UserSummary } from '../../api/types.ts';
import {
  type CommonMessage,
  changeAll,
  changeIn,
  follow,
  join,
  type MessageList,
  merge,
  putIn,
} from './message-list.ts';

export const TAGS = ['_inbox', '_direct', '_sent', '_unread'] as const;
export type Tag = (typeof TAGS)[number];
export type ListFilter = { readonly team: string } | { readonly tag: Tag };

const PAGE = 60;
const REPLIES_PAGE = 100;
/** The server's largest page. */
const MOST = 200;

/** The number of versions that the server keeps. */
const MOST_VERSIONS = 50;

const LISTS = ['messages'] as const;

/** Top-level messages: a team's stream, or one of the reader's lists. */
export const listQuery = (filter: ListFilter) =>
  queryOptions({
    queryKey: [...LISTS, 'of', filter],
    queryFn: ({ signal }) =>
      'team' in filter
        ? withHeard('of', filter, readTeam(filter.team, signal))
        : readNewest(filter, PAGE, signal),
    staleTime: 'team' in filter ? Number.POSITIVE_INFINITY : 0,
  });

/** The replies to a message, or the messages in a sidebar. */
export const answersQuery = (kind: 'replies' | 'sidebar', id: string) =>
  queryOptions({
    queryKey: [...LISTS, kind, id],
    queryFn: ({ signal }) => readForward(kind, id, undefined, signal),
    staleTime: 0,
  });

const answersPath = (kind: 'replies' | 'sidebar', id: string) =>
  kind === 'replies' ? `/v1/messages/${id}/replies` : `/v1/sidebars/${id}/messages`;

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ['message', id],
    queryFn: async ({ signal }) => {
      const read = callOne<Message>(`/v1/messages/${id}`, { signal });
      const asList = read.then((message) => ({ items: [message], older: null, newer: null }));
      return (await withHeard('one', id, asList)).items[0] as Message;
    },
    staleTime: 0,
  });

/** A sidebar, with the message that it belongs to. */
export const sidebarQuery = (id: string) =>
  queryOptions({
    queryKey: ['sidebar', id],
    queryFn: ({ signal }) => callOne<Sidebar>(`/v1/sidebars/${id}`, { signal }),
    staleTime: 0,
  });

/** A message's earlier versions; fetched again after each edit. */
export const versionsQuery = ({ id, updated_at }: Pick<Message, 'id' | 'updated_at'>) =>
  queryOptions({
    queryKey: ['versions', id, updated_at],
    queryFn: async ({ signal }) =>
      (await call<MessageVersion>(`/v1/messages/${id}/versions`, { query: { limit: MOST_VERSIONS }, signal }))
        .data,
  });

export type Fived = Pick<Message, 'id' | 'num_high_fives' | 'user_high_fived'>;

/** The users who gave a message high fives; fetched again when their number changes. */
export const highFivesQuery = ({ id, num_high_fives, user_high_fived }: Fived) =>
  queryOptions({
    queryKey: [...highFivesOf(id), num_high_fives, user_high_fived],
    queryFn: async ({ signal }) =>
      (await call<UserSummary>(`/v1/messages/${id}/high_fives`, { query: { limit: MOST }, signal })).data,
    staleTime: 10_000,
  });

const highFivesOf = (id: string) => ['high-fives', id] as const;

/** Call it after one's own change: the change is shown before the server has it, so a fetch may have been too early. */
export const renewHighFives = (id: string) => queryClient.invalidateQueries({ queryKey: highFivesOf(id) });

function readNewest(filter: ListFilter, limit: number, signal?: AbortSignal): Promise<MessageList> {
  return readPage(filter, { limit }, signal);
}

/** Pages are sorted newest first: the next one is older. */
function readPage(filter: ListFilter, page: PageWanted, signal?: AbortSignal): Promise<MessageList> {
  const query = { ...filter, ...page };
  const read = call<Message>('/v1/messages', { query, ...(signal && { signal }) }).then(({ data, meta }) => ({
    items: data.reverse(),
    older: meta.next_cursor ?? null,
    newer: meta.previous_cursor ?? null,
  }));
  return withHeard('of', filter, read);
}

interface PageWanted {
  readonly limit: number;
  readonly cursor?: string;
  readonly around?: string;
}

/** A team's stream around its first unread message, which may be far from the end. */
async function readTeam(team: string, signal: AbortSignal): Promise<MessageList> {
  const [newest, memberships] = await Promise.all([
    readNewest({ team }, PAGE, signal),
    queryClient.ensureQueryData(membershipsQuery),
  ]);
  const unread = memberships.find((membership) => membership.team.id === team)?.team.unread_count ?? 0;
  const here = newest.items.filter((message) => !message.read).length;
  if (unread <= here || newest.older === null) return newest;
  const first = await call<Message>('/v1/messages', {
    query: { team, tag: '_unread', order: 'oldest', limit: 1 },
    signal,
  });
  const [message] = first.data;
  return message ? readAround({ team }, message.id, signal) : newest;
}

function readAround(filter: ListFilter, id: string, signal?: AbortSignal): Promise<MessageList> {
  return readPage(filter, { around: id, limit: PAGE }, signal);
}

/** Replies and sidebar messages are sorted oldest first. */
function readForward(
  kind: 'replies' | 'sidebar',
  id: string,
  cursor?: string,
  signal?: AbortSignal,
): Promise<MessageList> {
  const query = { limit: REPLIES_PAGE, cursor };
  const read = call<Message>(answersPath(kind, id), { query, ...(signal && { signal }) }).then(
    ({ data, meta }) => ({
      items: data,
      older: null,
      newer: meta.next_cursor ?? null,
    }),
  );
  return withHeard(kind, id, read);
}

type Change = (list: MessageList, kind: string, of: unknown) => MessageList;

/** For each pending request, the changes since it was sent. */
const underWay = new Set<Change[]>();

/** An answer may be older than events that came before it, so these are applied to it. */
async function withHeard(kind: string, of: unknown, read: Promise<MessageList>): Promise<MessageList> {
  const heard: Change[] = [];
  underWay.add(heard);
  try {
    const list = await read;
    return heard.reduce((now, change) => change(now, kind, of), list);
  } finally {
    underWay.delete(heard);
  }
}

/** Only for idempotent changes. */
function noteHeard(change: Change): void {
  for (const heard of underWay) heard.push(change);
}

/** Loads the part of a list around a message, unless it is loaded already. */
export async function showAround(filter: ListFilter, id: string): Promise<void> {
  const { queryKey } = listQuery(filter);
  if (queryClient.getQueryData(queryKey)?.items.some((message) => message.id === id)) return;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, await readAround(filter, id));
}

/** Shows the newest part of a list. */
export async function showNewest(filter: ListFilter): Promise<void> {
  const { queryKey } = listQuery(filter);
  if (queryClient.getQueryData(queryKey)?.newer === null) return;
  queryClient.setQueryData(queryKey, await readNewest(filter, PAGE));
}

const running = new Map<string, Promise<void>>();

/** Loads more at one of a list's ends; concurrent calls share one request. */
export function extend(queryKey: QueryKey, end: 'older' | 'newer'): Promise<void> {
  const name = JSON.stringify([queryKey, end]);
  const work = running.get(name) ?? readOn(queryKey, end).finally(() => running.delete(name));
  running.set(name, work);
  return work;
}

async function readOn(queryKey: QueryKey, end: 'older' | 'newer'): Promise<void> {
  const cursor = queryClient.getQueryData<MessageList>(queryKey)?.[end];
  if (!cursor) return;
  const [, kind, of] = queryKey as [string, 'of' | 'replies' | 'sidebar', unknown];
  const page =
    kind === 'of'
      ? await readPage(of as ListFilter, { cursor, limit: MOST })
      : await readForward(kind, of as string, cursor);
  queryClient.setQueryData<MessageList>(queryKey, (list) =>
    // The list may show another part by now.
    list?.[end] === cursor ? { ...list, items: join(list.items, page.items), [end]: page[end] } : list,
  );
}

/** Delay before the next attempt. */
const RETRY_MS = 5000;
let catchingUp: ReturnType<typeof setTimeout> | undefined;

/** Fetches messages that were missed without a stream: the newest of each visible list, joined to what it has. */
export async function catchUp(): Promise<void> {
  clearTimeout(catchingUp);
  const shown = queryClient.getQueryCache().findAll({ queryKey: LISTS, type: 'active' });
  queryClient.removeQueries({ queryKey: LISTS, type: 'inactive' });
  const done = await Promise.allSettled([
    ...shown.map(({ queryKey }) => catchUpWith(queryKey)),
    queryClient.invalidateQueries({ queryKey: ['message'] }),
  ]);
  // No later event would repeat the missed ones.
  if (done.some((one) => one.status === 'rejected' && mayPass(one.reason)))
    catchingUp = setTimeout(() => void catchUp(), RETRY_MS);
}

async function catchUpWith(queryKey: QueryKey): Promise<void> {
  const [, kind, filter] = queryKey as [string, string, ListFilter];
  const list = queryClient.getQueryData<MessageList>(queryKey);
  // Messages may have left the list of unread ones, so there is nothing to join to.
  const leaves = kind === 'of' && 'tag' in filter && filter.tag === '_unread';
  if (kind !== 'of' || leaves || !list || list.items.length === 0) {
    // The first request may have been sent before the stream was open.
    if (!list) await queryClient.cancelQueries({ queryKey });
    return queryClient.invalidateQueries({ queryKey });
  }
  // The list shows the past; its end is loaded when it is reached.
  if (list.newer !== null) return;
  const last = list.items.at(-1)?.id;
  const newest = await readNewest(filter, MOST);
  queryClient.setQueryData<MessageList>(queryKey, (now) => (now ? follow(now, newest, last) : newest));
}

// ——— Changes to messages, in every list that holds them ———

function everyList(change: Change): void {
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: LISTS })) {
    const [, kind, of] = queryKey as [string, string, unknown];
    queryClient.setQueryData<MessageList>(queryKey, (list) => list && change(list, kind, of));
  }
}

export function changeMessage(id: string, change: (message: Message) => Message): void {
  everyList((list) => changeIn(list, id, change));
  queryClient.setQueryData<Message>(messageQuery(id).queryKey, (message) => message && change(message));
}

export function changeMessages(
  fits: (message: Message) => boolean,
  change: (message: Message) => Message,
): void {
  everyList((list) => changeAll(list, fits, change));
  queryClient.setQueriesData<Message>({ queryKey: ['message'] }, (message) =>
    message && fits(message) ? change(message) : message,
  );
}

/** The server's answer, for this reader. */
export const replaceMessage = (message: Message) => settleMessage(message.id, () => message);
export const mergeMessage = (common: CommonMessage) =>
  settleMessage(common.id, (message) => merge(message, common));

function settleMessage(id: string, change: (message: Message) => Message): void {
  changeMessage(id, change);
  noteHeard((list) => changeIn(list, id, change));
}

/** Adds a new message to every list it belongs to. A list that does not reach the end gets it when it does. */
export function addMessage(message: Message): void {
  const add: Change = (list, kind, of) =>
    list.newer === null && belongs(message, kind, of) ? putIn(list, message) : list;
  everyList(add);
  // An answer that contains it has more of its state.
  noteHeard((list, kind, of) =>
    list.items.some(({ id }) => id === message.id) ? list : add(list, kind, of),
  );
}

function belongs(message: Message, kind: string, of: unknown): boolean {
  if (kind === 'one') return false;
  if (kind === 'replies') return message.reply_to === of;
  if (kind === 'sidebar') return message.sidebar === of;
  if (message.reply_to !== undefined || message.sidebar !== undefined) return false;
  const filter = of as ListFilter;
  if ('team' in filter) return message.addressed_teams.includes(filter.team);
  return message.tags.includes(filter.tag);
}

/** The sidebars beside a message. */
export const changeSidebars = (message: string, change: (sidebars: Sidebar[]) => Sidebar[]) =>
  changeMessage(message, (now) => {
    const sidebars = change(now.sidebars);
    return { ...now, sidebars, unread_sidebar: sidebars.some(({ unread }) => unread > 0) };
  });

/** Finds a message in the cache. */
export function findMessage(id: string): Message | undefined {
  const single = queryClient.getQueryData(messageQuery(id).queryKey);
  if (single) return single;
  for (const [, list] of queryClient.getQueriesData<MessageList>({ queryKey: LISTS })) {
    const found = list?.items.findLast((message) => message.id === id);
    if (found) return found;
  }
  return undefined;
}
