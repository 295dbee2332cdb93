import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { applicationKey, conversationNamed } from '../../api/application-key.ts';
import { call } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { DirectConversation, Message } from '../../api/types.ts';
import { peopleKey } from './people-key.ts';
import { isWorthAnother, markSeenWith, refreshCounts } from './reading.ts';

/*
 * Conversations of direct messages. In addresses and lists, one is named by the ids of the other people, sorted, or by
 * an application and its team.
 */

const PAGE = 50;
const CONVERSATIONS = ['conversations'] as const;

export const keyOf = ({ users, application }: DirectConversation, me: string) =>
  application
    ? applicationKey({ team: application.team, application: application.id })
    : peopleKey(
        users.map(({ id }) => id),
        me,
      );

/** The reader's conversations, the newest first. */
export const conversationsQuery = infiniteQueryOptions({
  queryKey: [...CONVERSATIONS, 'all'],
  queryFn: ({ pageParam, signal }) =>
    call<DirectConversation>('/v1/users/me/conversations', {
      query: { limit: PAGE, cursor: pageParam || undefined },
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: ({ meta }) => meta.next_cursor,
});

/** The conversation with these people; null before anything was said. */
export const conversationQuery = (people: string) =>
  queryOptions({
    queryKey: [...CONVERSATIONS, 'with', people],
    queryFn: async ({ signal }) => {
      const query = conversationNamed(people);
      const { data } = await call<DirectConversation>('/v1/users/me/conversations', { query, signal });
      return data[0] ?? null;
    },
  });

const BLOCKED_PATH = '/v1/users/me/blocked_applications';

/** The ids of the applications that may not write to the reader. */
export const blockedQuery = queryOptions({
  queryKey: [...CONVERSATIONS, 'blocked'],
  queryFn: async ({ signal }) =>
    (await call<{ id: string }>(BLOCKED_PATH, { signal })).data.map(({ id }) => id),
});

/** Blocks an application in all teams, or ends that. */
export async function setBlocked(application: string, isBlocked: boolean): Promise<void> {
  const path = `${BLOCKED_PATH}/${application}`;
  await call(path, isBlocked ? { method: 'PUT', body: {} } : { method: 'DELETE' });
  await queryClient.invalidateQueries({ queryKey: CONVERSATIONS });
}

/** Whether there is something in it that the reader has not read, replies included. */
export const hasNews = ({ unread, unread_reply, last }: DirectConversation) =>
  unread > 0 || unread_reply || last?.read === false;

const REFRESH_AFTER_MS = 250;
let refreshing: ReturnType<typeof setTimeout> | undefined;

/** Once for all events of a moment. */
export function refreshConversations(): void {
  if (refreshing !== undefined) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    void queryClient.invalidateQueries({ queryKey: CONVERSATIONS });
  }, REFRESH_AFTER_MS);
}

/** Whether the reader has a conversation with this person, among those that were read. */
export const isInConversation = (user: string): boolean =>
  queryClient
    .getQueriesData<DirectConversation | null>({ queryKey: [...CONVERSATIONS, 'with'] })
    .some(([, one]) => one?.users.some(({ id }) => id === user));

/** Call it for a message, or a reply, that is new or has changed. */
export function onDirect({ addressed_teams, sidebar }: Pick<Message, 'addressed_teams' | 'sidebar'>): void {
  if (addressed_teams.length === 0 && sidebar === undefined) refreshConversations();
}

const GATHER_MS = 400;
const RETRY_MS = 5000;
/** The last message that was seen in a conversation and is not reported yet. */
const gathered = new Map<string, string>();
let telling: ReturnType<typeof setTimeout> | undefined;

/** Notes the last unread message of a conversation that is in view while the window is looked at. */
export function noteSeenWith(people: string, last: string): void {
  if (last <= (gathered.get(people) ?? '')) return;
  gathered.set(people, last);
  tellIn(GATHER_MS);
}

function tellIn(ms: number): void {
  if (telling === undefined) telling = setTimeout(tellSeen, ms);
}

async function tellSeen(): Promise<void> {
  telling = undefined;
  const all = [...gathered];
  gathered.clear();
  for (const [people, last] of all) {
    try {
      await markSeenWith(people, last);
      refreshCounts();
      refreshConversations();
    } catch (error) {
      if (!isWorthAnother(error)) continue;
      gathered.set(people, last);
      tellIn(RETRY_MS);
    }
  }
}
