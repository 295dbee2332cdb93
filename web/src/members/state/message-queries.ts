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
/** As many as the server gives at once. */
const MOST = 200;

/** As many as the server keeps. */
const MOST_VERSIONS = 50;

const LISTS = ['messages'] as const;

/** What opens conversations: a team's stream, or one of the reader's lists. */
export const listQuery = (filter: ListFilter) =>
  queryOptions({
    queryKey: [...LISTS, 'of', filter],
    queryFn: ({ signal }) =>
      'team' in filter
        ? withHeard('of', filter, readTeam(filter.team, signal))
        : readNewest(filter, PAGE, signal),
    staleTime: 'team' in filter ? Number.POSITIVE_INFINITY : 0,
  });

/** What was answered to a message, or said in a sidebar. */
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

/** A sidebar, with the message that it stands at. */
export const sidebarQuery = (id: string) =>
  queryOptions({
    queryKey: ['sidebar', id],
    queryFn: ({ signal }) => callOne<Sidebar>(`/v1/sidebars/${id}`, { signal }),
    staleTime: 0,
  });

/** What a message said before; asked for again after each edit. */
export const versionsQuery = ({ id, updated_at }: Pick<Message, 'id' | 'updated_at'>) =>
  queryOptions({
    queryKey: ['versions', id, updated_at],
    queryFn: async ({ signal }) =>
      (await call<MessageVersion>(`/v1/messages/${id}/versions`, { query: { limit: MOST_VERSIONS }, signal }))
        .data,
  });

export type Fived = Pick<Message, 'id' | 'num_high_fives' | 'user_high_fived'>;

/** Who gave a message high fives; asked for anew when they have become more or fewer. */
export const highFivesQuery = ({ id, num_high_fives, user_high_fived }: Fived) =>
  queryOptions({
    queryKey: [...highFivesOf(id), num_high_fives, user_high_fived],
    queryFn: async ({ signal }) =>
      (await call<UserSummary>(`/v1/messages/${id}/high_fives`, { query: { limit: MOST }, signal })).data,
    staleTime: 10_000,
  });

const highFivesOf = (id: string) => ['high-fives', id] as const;

/** For after a change of the reader's own: shown before the server has it, it may have been asked for too early. */
export const renewHighFives = (id: string) => queryClient.invalidateQueries({ queryKey: highFivesOf(id) });

function readNewest(filter: ListFilter, limit: number, signal?: AbortSignal): Promise<MessageList> {
  return readPage(filter, { limit }, signal);
}

/** Pages come the newest first: what follows is older. */
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

/** A team's stream from its first unread message on, which may be far from its end. */
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

/** Replies, and what is said in a sidebar, begin with the oldest. */
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

/** For each answer that is on its way, what was heard since it was asked for. */
const underWay = new Set<Change[]>();

/** An answer may be older than what is heard before it comes: that is done to it, too. */
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

/** For what may be done twice without harm. */
function noteHeard(change: Change): void {
  for (const heard of underWay) heard.push(change);
}

/** Shows a list around one of its messages, wherever it stands. */
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

/** Reads on at one of a list's ends; asked twice, it does it once. */
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
    // Another part may have been put in its place meanwhile.
    list?.[end] === cursor ? { ...list, items: join(list.items, page.items), [end]: page[end] } : list,
  );
}

/** How soon it is tried again. */
const RETRY_MS = 5000;
let catchingUp: ReturnType<typeof setTimeout> | undefined;

/** What may have been missed while nothing was heard: the newest of each list that is shown, joined to what it has. */
export async function catchUp(): Promise<void> {
  clearTimeout(catchingUp);
  const shown = queryClient.getQueryCache().findAll({ queryKey: LISTS, type: 'active' });
  queryClient.removeQueries({ queryKey: LISTS, type: 'inactive' });
  const done = await Promise.allSettled([
    ...shown.map(({ queryKey }) => catchUpWith(queryKey)),
    queryClient.invalidateQueries({ queryKey: ['message'] }),
  ]);
  // Nothing else would ever tell of what was missed.
  if (done.some((one) => one.status === 'rejected' && mayPass(one.reason)))
    catchingUp = setTimeout(() => void catchUp(), RETRY_MS);
}

async function catchUpWith(queryKey: QueryKey): Promise<void> {
  const [, kind, filter] = queryKey as [string, string, ListFilter];
  const list = queryClient.getQueryData<MessageList>(queryKey);
  // What was read elsewhere is no longer unread: nothing to join to.
  const leaves = kind === 'of' && 'tag' in filter && filter.tag === '_unread';
  if (kind !== 'of' || leaves || !list || list.items.length === 0) {
    // The first answer, which nothing else would end, may have been asked for before anything was heard.
    if (!list) await queryClient.cancelQueries({ queryKey });
    return queryClient.invalidateQueries({ queryKey });
  }
  // Somewhere in the past: its end is read when it is reached.
  if (list.newer !== null) return;
  const last = list.items.at(-1)?.id;
  const newest = await readNewest(filter, MOST);
  queryClient.setQueryData<MessageList>(queryKey, (now) => (now ? follow(now, newest, last) : newest));
}

// ——— What happens to messages, in all the places where they are shown ———

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

/** What the server answered, for this reader. */
export const replaceMessage = (message: Message) => settleMessage(message.id, () => message);
export const mergeMessage = (common: CommonMessage) =>
  settleMessage(common.id, (message) => merge(message, common));

function settleMessage(id: string, change: (message: Message) => Message): void {
  changeMessage(id, change);
  noteHeard((list) => changeIn(list, id, change));
}

/** A new message, into every list it belongs to. Where a list's end is not read yet, it comes with that. */
export function addMessage(message: Message): void {
  const add: Change = (list, kind, of) =>
    list.newer === null && belongs(message, kind, of) ? putIn(list, message) : list;
  everyList(add);
  // An answer that has it knows more of it.
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

/** A message that is shown somewhere. */
export function findMessage(id: string): Message | undefined {
  const single = queryClient.getQueryData(messageQuery(id).queryKey);
  if (single) return single;
  for (const [, list] of queryClient.getQueriesData<MessageList>({ queryKey: LISTS })) {
    const found = list?.items.findLast((message) => message.id === id);
    if (found) return found;
  }
  return undefined;
}
