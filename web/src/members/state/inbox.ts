import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { call, callOne, mayPass } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { InboxEntry, InboxFilter } from '../../api/types.ts';
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

/**
 * Marks what an entry stands for as read, together with others.
 * @returns whether that can be undone, or was before the server answered
 */
export async function markDone(
  entry: InboxEntry,
  others: readonly InboxEntry[] = [],
): Promise<'undoable' | 'final' | 'undone'> {
  const undos = settle([entry, ...others]);
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

async function settle(entries: readonly InboxEntry[]): Promise<readonly Undo[]> {
  takeOut(new Set(entries.map(({ conversation }) => conversation)));
  try {
    const undos = await Promise.all(entries.map(settleOne));
    return undos.flat();
  } finally {
    refreshCounts();
  }
}

/** @returns how that is undone, if it can be */
async function settleOne({ kind, conversation, last, num_replies }: InboxEntry): Promise<readonly Undo[]> {
  if (kind === 'team') {
    const undo = await markTeamRead(conversation, last.id);
    return undo === null ? [] : [() => undoTeamRead(conversation, undo)];
  }
  // A reply that has just come is not shown yet, and stays unread.
  await callOne(pathOf(conversation), { method: 'PUT', query: { num_replies } });
  return [() => callOne(pathOf(conversation), { method: 'DELETE' })];
}

/** Brings back what was marked as done last. After a lost connection it can be tried again, after a refusal not. */
export async function undoDone(): Promise<void> {
  const last = undoable.pop();
  if (!last) return;
  // A failure is told where it was marked as done.
  const undos = await last.catch(() => []);
  try {
    await Promise.all(undos.map((undo) => undo()));
  } catch (error) {
    if (mayPass(error)) undoable.push(last);
    throw error;
  } finally {
    refreshCounts();
  }
}

const pathOf = (conversation: string) => `/v1/users/me/inbox/${conversation}/done`;

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
