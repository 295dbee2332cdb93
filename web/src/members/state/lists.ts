import { type InfiniteData, type QueryKey, queryOptions } from '@tanstack/react-query';
import { conversationNamed, readApplicationKey } from '../../api/application-key.ts';
import { call, callOne, type Request } from '../../api/client.ts';
import { changeKept, membershipsQuery, meQuery, queryClient } from '../../api/queries.ts';
import type { Message } from '../../api/types.ts';
import { join, type MessageList, putIn } from './message-list.ts';
import { dropExcept, keep, noteAdded, type Page, receive } from './messages.ts';
import { peopleKey } from './people-key.ts';

export const TAGS = ['_inbox', '_direct', '_sent', '_unread'] as const;
export type Tag = (typeof TAGS)[number];
/** `with`: direct messages between the reader and these people, whose ids are sorted and joined by commas, or an application. */
export type ListFilter =
  | { readonly team: string /** What its messages are about. */; readonly subject?: string }
  | { readonly tag: Tag }
  | { readonly with: string };

/** As many as a list begins with. */
export const PAGE = 60;
const REPLIES_PAGE = 100;
/** The server's largest page. */
export const MOST = 200;

export const LISTS = ['messages'] as const;
type ListKey =
  | readonly ['messages', 'of', ListFilter]
  | readonly ['messages', 'replies' | 'sidebar' | 'one' | 'quote', string];

/** Top-level messages: a team's stream, what of it is about one subject, or one of the reader's lists. */
export const listQuery = (filter: ListFilter) =>
  'team' in filter
    ? listOf(
        [...LISTS, 'of', filter],
        (signal) =>
          filter.subject === undefined
            ? readTeam(filter.team, signal)
            : readPage(filter, { limit: PAGE }, { signal }),
        Number.POSITIVE_INFINITY,
      )
    : listOf(
        [...LISTS, 'of', filter],
        (signal) => readPage(filter, { limit: PAGE }, { signal }),
        'with' in filter ? Number.POSITIVE_INFINITY : 0,
      );

/** The replies to a message, or the messages in a sidebar. */
export const answersQuery = (kind: 'replies' | 'sidebar', id: string) =>
  listOf([...LISTS, kind, id], (signal) => readAnswers(kind, id, signal));

/** One message, as a list of its own. */
export const messageQuery = (id: string) =>
  listOf([...LISTS, 'one', id], async (signal) => ({
    messages: [await callOne<Message>(`/v1/messages/${id}`, { signal })],
    older: null,
    newer: null,
  }));

export const listOf = (queryKey: ListKey, load: (signal: AbortSignal) => Promise<Page>, staleTime = 0) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => read(queryKey, load(signal)), staleTime });

const read = (key: ListKey, page: Promise<Page>) => receive(page, (message) => belongs(message, key));

/** Pages are sorted newest first: the next one is older. */
async function readPage(
  filter: ListFilter,
  wanted: {
    readonly limit: number;
    readonly cursor?: string;
    readonly around?: string;
    readonly at?: number;
  },
  how: Pick<Request, 'signal' | 'isFresh'> = {},
): Promise<Page> {
  const query = { ...('with' in filter ? conversationNamed(filter.with) : filter), ...wanted };
  const { data, meta } = await call<Message>('/v1/messages', { query, ...how });
  return {
    messages: data.reverse(),
    older: meta.next_cursor ?? null,
    newer: meta.previous_cursor ?? null,
  };
}

/** A team's stream around its first unread message, which may be far from the end. */
async function readTeam(team: string, signal: AbortSignal): Promise<Page> {
  const [newest, memberships] = await Promise.all([
    readPage({ team }, { limit: PAGE }, { signal }),
    queryClient.ensureQueryData(membershipsQuery),
  ]);
  const unread = memberships.find((membership) => membership.team.id === team)?.team.unread_count ?? 0;
  const here = newest.messages.filter((message) => !message.read).length;
  if (unread <= here || newest.older === null) return newest;
  const first = await call<Message>('/v1/messages', {
    query: { team, tag: '_unread', order: 'oldest', limit: 1 },
    signal,
  });
  const [message] = first.data;
  return message ? readPage({ team }, { around: message.id, limit: PAGE }, { signal }) : newest;
}

/** Reads as many as the list had before: nothing that stands in view goes from there. */
async function readAnswers(kind: 'replies' | 'sidebar', id: string, signal: AbortSignal): Promise<Page> {
  const before = queryClient.getQueryData<MessageList>([...LISTS, kind, id])?.ids.length ?? 0;
  let page = await readForward(kind, id, undefined, signal);
  while (page.newer !== null && page.messages.length < before) {
    const more = await readForward(kind, id, page.newer, signal);
    page = { ...more, messages: [...page.messages, ...more.messages] };
  }
  return page;
}

/** Replies and sidebar messages are sorted oldest first. */
async function readForward(
  kind: 'replies' | 'sidebar',
  id: string,
  cursor?: string,
  signal?: AbortSignal,
): Promise<Page> {
  const path = kind === 'replies' ? `/v1/messages/${id}/replies` : `/v1/sidebars/${id}/messages`;
  const query = { limit: REPLIES_PAGE, cursor };
  const { data, meta } = await call<Message>(path, { query, ...(signal && { signal }) });
  return { messages: data, older: null, newer: meta.next_cursor ?? null };
}

/** Loads the part of a list around a message, unless it is loaded already. */
export async function showAround(filter: ListFilter, id: string): Promise<void> {
  const { queryKey } = listQuery(filter);
  if (queryClient.getQueryData(queryKey)?.ids.includes(id)) return;
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, await loadAround(filter, id, PAGE));
}

/** Loads the part of a list that begins at a time. @returns its first message from then on; else the newest one, if any */
export async function showSince(filter: ListFilter, time: Date): Promise<string | undefined> {
  const { queryKey } = listQuery(filter);
  await queryClient.cancelQueries({ queryKey });
  const page = await readPage(filter, { at: time.getTime() / 1000, limit: PAGE });
  const list = await read(queryKey, Promise.resolve(page));
  queryClient.setQueryData(queryKey, list);
  const first = page.messages.find(({ created_at }) => created_at * 1000 >= time.getTime());
  return first?.id ?? page.messages.at(-1)?.id;
}

/** Shows the newest part of a list. */
export async function showNewest(filter: ListFilter): Promise<void> {
  const { queryKey } = listQuery(filter);
  if (queryClient.getQueryData(queryKey)?.newer === null) return;
  queryClient.setQueryData(queryKey, await loadNewest(filter, PAGE));
}

export const loadNewest = (filter: ListFilter, limit: number, isFresh = false) =>
  read(listQuery(filter).queryKey, readPage(filter, { limit }, { isFresh }));

/** The messages at a place, half of them before it. */
export const loadAround = (filter: ListFilter, around: string, limit: number, isFresh = false) =>
  read(listQuery(filter).queryKey, readPage(filter, { around, limit }, { isFresh }));

const running = new Map<string, Promise<void>>();

/** Loads more at one of a list's ends; concurrent calls share one request. */
export function extend(queryKey: QueryKey, end: 'older' | 'newer'): Promise<void> {
  const name = JSON.stringify([queryKey, end]);
  const work = running.get(name) ?? readOn(queryKey as ListKey, end).finally(() => running.delete(name));
  running.set(name, work);
  return work;
}

async function readOn(queryKey: ListKey, end: 'older' | 'newer'): Promise<void> {
  const cursor = queryClient.getQueryData<MessageList>(queryKey)?.[end];
  const [, kind, of] = queryKey;
  if (!cursor || kind === 'one' || kind === 'quote') return;
  const page = kind === 'of' ? readPage(of, { cursor, limit: MOST }) : readForward(kind, of, cursor);
  const more = await read(queryKey, page);
  queryClient.setQueryData<MessageList>(queryKey, (list) =>
    // The list may show another part by now.
    list?.[end] === cursor ? { ...list, ids: join(list.ids, more.ids), [end]: more[end] } : list,
  );
}

/** Adds a new message to every list it belongs to. A list that does not reach the end gets it when it does. */
export function addMessage(message: Message): void {
  noteAdded(message);
  const lists = queryClient
    .getQueriesData<MessageList>({ queryKey: LISTS })
    .filter(([key, list]) => list?.newer === null && belongs(message, key as unknown as ListKey));
  if (lists.length > 0) keep([message]);
  for (const [queryKey] of lists)
    changeKept<MessageList>((list) => putIn(list, message.id), { queryKey, exact: true });
}

function belongs(message: Message, [, kind, of]: ListKey): boolean {
  if (kind !== 'of')
    return (
      of === { one: message.id, quote: message.id, replies: message.reply_to, sidebar: message.sidebar }[kind]
    );
  if (message.reply_to !== undefined || message.sidebar !== undefined) return false;
  if ('team' in of) {
    const isOf = of.subject === undefined || message.subject_id === of.subject;
    return isOf && message.addressed_teams.includes(of.team);
  }
  return 'tag' in of ? message.tags.includes(of.tag) : isBetween(message, of.with);
}

/** Whether a message is part of the reader's conversation with these people. */
function isBetween(message: Message, people: string): boolean {
  const { addressed_teams, author, addressed_users, addressed_application, team } = message;
  const of = readApplicationKey(people);
  if (of) return addressed_application === of.application && team === of.team;
  const me = queryClient.getQueryData(meQuery.queryKey)?.id;
  if (addressed_teams.length > 0 || me === undefined) return false;
  return peopleKey([author.id, ...addressed_users], me) === people;
}

/** A removed list may be on the screen for one more moment. */
const SWEEP_AFTER_MS = 60_000;
let sweeping: ReturnType<typeof setTimeout> | undefined;

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'removed' || query.queryKey[0] !== LISTS[0]) return;
  clearTimeout(sweeping);
  sweeping = setTimeout(sweep, SWEEP_AFTER_MS);
});

function sweep(): void {
  const lists = queryClient.getQueriesData<MessageList | InfiniteData<MessageList>>({ queryKey: LISTS });
  const pages = lists.flatMap(([, list]) => (list && 'pages' in list ? list.pages : (list ?? [])));
  dropExcept(new Set(pages.flatMap(({ ids }) => ids)));
}
