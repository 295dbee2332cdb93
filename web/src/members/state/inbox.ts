import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { plainExcerpt, ROW_EXCERPT } from '#platform/text/plain-text.ts';
import { call, callOne, mayPass } from '../../api/client.ts';
import { changeAnswers, queryClient } from '../../api/queries.ts';
import type { InboxEntry, InboxFilter } from '../../api/types.ts';
import { type CommonMessage, merge } from './message-list.ts';
import { INBOX, markTeamRead, refreshCounts, undoTeamRead } from './reading.ts';

const PAGE = 50;

interface Page {
  readonly entries: readonly InboxEntry[];
  readonly next: string | null;
}

/** What is new to the reader, the newest activity first. */
export const inboxQuery = (filter: InboxFilter) =>
  infiniteQueryOptions({
    queryKey: [...INBOX, 'list', filter],
    queryFn: async ({ pageParam, signal: aborted }): Promise<Page> => {
      const query = { filter, limit: PAGE, ...(pageParam !== null && { cursor: pageParam }) };
      const { data, meta } = await call<InboxEntry>('/v1/users/me/inbox', { query, signal: aborted });
      return { entries: data, next: meta.next_cursor ?? null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: 0,
  });

/** Brings back what one entry stood for. */
type Undo = () => Promise<unknown>;

/**
 * How to bring back what the reader marked as done in this window, the last ones last. Each is a promise, so that an undo that
 * comes before the server's answer waits for it.
 */
const undoable: Promise<readonly Undo[]>[] = [];

/** Whether what was marked as read can be brought back, or was before the server answered. */
export type Marking = 'undoable' | 'final' | 'undone';

/** Marks what an entry stands for as read, together with others. */
export const markDone = (entry: InboxEntry, others: readonly InboxEntry[] = []): Promise<Marking> =>
  undoableBy(settle([entry, ...others]));

/** Marks a team's stream as read. @param known its newest message, if the loaded list reaches it */
export const markTeamDone = (team: string, known: string | undefined): Promise<Marking> =>
  undoableBy(settleTeam(team, known));

/** Each row is a request. */
export const MOST_AT_ONCE = 200;

/** Marks all that the inbox has as read. @returns `many` where that is too much to bring back: nothing is marked then */
export async function markAllDone(): Promise<Marking | 'many'> {
  const { pages } = await queryClient.fetchInfiniteQuery({
    ...inboxQuery('new'),
    pages: MOST_AT_ONCE / PAGE,
  });
  if (pages.at(-1)?.next !== null) return 'many';
  return undoableBy(settle(pages.flatMap(({ entries }) => entries)));
}

async function undoableBy(undos: Promise<readonly Undo[]>): Promise<Marking> {
  undoable.push(undos);
  const canUndo = await undos.then(
    ({ length }) => length > 0,
    () => false,
  );
  const at = undoable.indexOf(undos);
  if (!canUndo && at !== -1) undoable.splice(at, 1);
  await undos;
  if (at === -1) return 'undone';
  return canUndo ? 'undoable' : 'final';
}

/** Marks a high five as seen: the reader opened it, which `undoDone` leaves alone. */
export const markSeen = (entry: InboxEntry): Promise<unknown> => settle([entry]);

/** @returns what undoes it, step by step: a team's undo is refused once one of its messages is unread again */
async function settle(entries: readonly InboxEntry[]): Promise<readonly Undo[]> {
  takeOut(new Set(entries.map(({ conversation }) => conversation)));
  const teams = entries.filter(({ kind }) => kind === 'team');
  const others = entries.filter(({ kind }) => kind !== 'team');
  try {
    const undoOthers = await Promise.all(others.map(settleConversation));
    const undoTeams = await Promise.all(teams.map((team) => settleTeam(team.conversation, team.last.id)));
    return [undoTeams.flat(), undoOthers]
      .filter(({ length }) => length > 0)
      .map((undos) => () => all(undos.map((undo) => undo())));
  } finally {
    refreshCounts();
  }
}

/** Waits for each, also where another one fails. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(works);
  await Promise.all(works);
}

async function settleConversation({ conversation, num_replies }: InboxEntry): Promise<Undo> {
  // A reply that has just come is not shown yet, and stays unread.
  await callOne(pathOf(conversation), { method: 'PUT', query: { num_replies } });
  return () => callOne(pathOf(conversation), { method: 'DELETE' });
}

async function settleTeam(team: string, upTo: string | undefined): Promise<readonly Undo[]> {
  const undo = await markTeamRead(team, upTo);
  return undo === null ? [] : [() => undoTeamRead(team, undo)];
}

/** Brings back what was marked as done last. After a lost connection it can be tried again, after a refusal not. */
export async function undoDone(): Promise<void> {
  const last = undoable.pop();
  if (!last) return;
  // A failure is told where it was marked as done.
  const undos = await last.catch(() => []);
  const errors: unknown[] = [];
  // What was changed elsewhere since is no reason to leave the rest.
  for (const undo of undos) await undo().catch((error: unknown) => errors.push(error));
  refreshCounts();
  if (errors.length === 0) return;
  if (errors.some(mayPass)) undoable.push(last);
  throw errors[0];
}

const pathOf = (conversation: string) => `/v1/users/me/inbox/${conversation}/done`;

/** Shows an edit, or other reactions, in the rows that show the message. */
export function changeRows(common: CommonMessage): void {
  const changed = (entry: InboxEntry): InboxEntry => ({
    ...entry,
    last: entry.last.id === common.id ? merge(entry.last, common) : entry.last,
    about: entry.about?.id === common.id ? aboutAfter(entry.about, common) : entry.about,
  });
  const isShown = ({ last, about }: InboxEntry) => last.id === common.id || about?.id === common.id;
  changeAnswers<InfiniteData<Page>>(
    (data) => {
      if (!data.pages.some(({ entries }) => entries.some(isShown))) return data;
      return {
        ...data,
        pages: data.pages.map((page) => ({ ...page, entries: page.entries.map(changed) })),
      };
    },
    { queryKey: [...INBOX, 'list'] },
  );
}

/** The same excerpt that the server would send. */
function aboutAfter(
  about: InboxEntry['about'],
  { text, format, mentions }: CommonMessage,
): InboxEntry['about'] {
  if (!about || text === undefined) return about;
  const excerpt = plainExcerpt(text, ROW_EXCERPT, mentions?.[0]?.name, format);
  return excerpt === '' ? null : { ...about, text: excerpt };
}

function takeOut(conversations: ReadonlySet<string>): void {
  const { queryKey } = inboxQuery('new');
  queryClient.setQueryData<InfiniteData<Page, string | null>>(
    queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          entries: page.entries.filter(({ conversation }) => !conversations.has(conversation)),
        })),
      },
  );
}
