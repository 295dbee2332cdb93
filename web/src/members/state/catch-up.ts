import type { QueryKey } from '@tanstack/react-query';
import { mayPass } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { LISTS, type ListFilter, loadAround, loadNewest, MOST, PAGE } from './lists.ts';
import { follow, type MessageList } from './message-list.ts';

/** Delay before the next attempt. */
const RETRY_MS = 5000;
/** What was read so lately, as when a window opens, lacks few messages. */
const RECENT_MS = 10_000;
let catchingUp: ReturnType<typeof setTimeout> | undefined;

/** Fetches messages that were missed without a stream: the newest of each visible list, joined to what it has. */
export async function catchUp(): Promise<void> {
  clearTimeout(catchingUp);
  const shown = queryClient.getQueryCache().findAll({ queryKey: LISTS, type: 'active' });
  queryClient.removeQueries({ queryKey: LISTS, type: 'inactive' });
  const done = await Promise.allSettled(shown.map(({ queryKey }) => catchUpWith(queryKey)));
  // No later event would repeat the missed ones.
  if (done.some((one) => one.status === 'rejected' && mayPass(one.reason)))
    catchingUp = setTimeout(() => void catchUp(), RETRY_MS);
}

async function catchUpWith(queryKey: QueryKey): Promise<void> {
  const [, kind, filter] = queryKey as [string, string, ListFilter];
  const list = queryClient.getQueryData<MessageList>(queryKey);
  // Messages may have left the list of unread ones, so there is nothing to join to.
  const leaves = kind === 'of' && 'tag' in filter && filter.tag === '_unread';
  if (!list) {
    // The first request may have been sent before the stream was open. Its answer is shown meanwhile.
    await queryClient
      .getQueryCache()
      .find({ queryKey })
      ?.promise?.catch(() => undefined);
    const isThere = queryClient.getQueryData(queryKey) !== undefined;
    return isThere ? catchUpWith(queryKey) : queryClient.invalidateQueries({ queryKey });
  }
  if (kind !== 'of' || leaves || list.ids.length === 0) return queryClient.invalidateQueries({ queryKey });
  const before = list.newer === null ? await readOn(queryKey, filter, list) : list.ids;
  await renew(filter, before);
}

/** @returns what the list shows of earlier messages */
async function readOn(queryKey: QueryKey, filter: ListFilter, list: MessageList): Promise<readonly string[]> {
  const last = list.ids.at(-1);
  const readAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
  const newest = await loadNewest(filter, Date.now() - readAt < RECENT_MS ? PAGE : MOST, true);
  queryClient.setQueryData<MessageList>(queryKey, (now) => (now ? follow(now, newest, last) : newest));
  const ids = queryClient.getQueryData<MessageList>(queryKey)?.ids ?? [];
  return ids.filter((id) => id < (newest.ids[0] ?? ''));
}

/** Reads messages of a list again, which may have changed. A list that shows the past gets no others: its end is loaded when it is reached. */
async function renew(filter: ListFilter, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += MOST) {
    const middle = ids[Math.min(from + MOST / 2, ids.length - 1)];
    if (middle !== undefined) await loadAround(filter, middle, MOST, true);
  }
}
