import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  infiniteQueryOptions,
  type Query,
  QueryClient,
  type QueryFilters,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query';
import { ApiError, call, callOne } from './client.ts';
import { byName } from './collation.ts';
import { isCalled } from './matching.ts';
import type {
  InboxCounts,
  Membership,
  OpenTeam,
  OwnInvitation,
  ServerFacts,
  SessionUser,
  UserProfile,
  UserSummary,
} from './types.ts';

const MINUTE_MS = 60_000;

class Answers extends QueryClient {
  /** Queries whose first answer is under way, and outdated already. */
  readonly #outdated = new WeakSet<Query>();

  /** A first answer under way may be as outdated as one that is kept: it is shown, and then asked for again. */
  override invalidateQueries<Key extends QueryKey = QueryKey>(
    filters?: InvalidateQueryFilters<Key>,
    options?: InvalidateOptions,
  ): Promise<void> {
    for (const query of this.getQueryCache().findAll(filters)) {
      const isFirst = query.state.data === undefined && query.state.fetchStatus === 'fetching';
      if (!isFirst || this.#outdated.has(query)) continue;
      this.#outdated.add(query);
      whenEnded(query, () => {
        this.#outdated.delete(query);
        if (query.state.status === 'success')
          void super.invalidateQueries({ queryKey: query.queryKey, exact: true });
      });
    }
    return super.invalidateQueries(filters, options);
  }
}

/** The cache of all views. Live events keep it current (see live.ts), so little is fetched twice. */
export const queryClient = new Answers({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE_MS,
      refetchOnWindowFocus: false,
      // An offline browser may still reach a server in the same network, or on the same machine.
      networkMode: 'always',
      // A refusal would be repeated; a request without an answer is retried once.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/**
 * Changes kept answers in place. One that is out of date stays marked as such, unlike by `setQueryData`.
 * @param change gives the same object where nothing changes
 */
export function changeKept<Data>(change: (data: Data) => Data, filters: QueryFilters = {}): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) changeIn(query, change);
}

/** The same, and for answers under way when they come: they may be older than the change. @param change may be made twice */
export function changeAnswers<Data>(change: (data: Data) => Data, filters: QueryFilters = {}): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    changeIn(query, change);
    if (query.state.fetchStatus === 'fetching') whenEnded(query, () => changeIn(query, change));
  }
}

function changeIn<Data>(query: Query, change: (data: Data) => Data): void {
  const { data } = query.state as { data: Data | undefined };
  const after = data && change(data);
  if (after !== data) query.setState({ data: after });
}

/** Calls back when the request of a query has ended, with an answer or without. */
function whenEnded(query: Query, then: () => void): void {
  const end = queryClient.getQueryCache().subscribe((event) => {
    const isUnderWay = event.type !== 'removed' && query.state.fetchStatus === 'fetching';
    if (event.query !== query || isUnderWay) return;
    end();
    then();
  });
}

/** The signed-in user; null without a session. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }): Promise<SessionUser | null> => {
    try {
      return await callOne<SessionUser>('/v1/users/me', { signal });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
});

export const serverQuery = queryOptions({
  queryKey: ['server'],
  queryFn: ({ signal }) => callOne<ServerFacts>('/v1/server', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The caller's teams, favourites first, then by name. */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: async ({ signal }) => {
    const { data } = await call<Membership>('/v1/users/me/teams', { signal });
    return data.sort(
      (one, other) => other.is_favorite - one.is_favorite || byName(one.team.name, other.team.name),
    );
  },
});

/** The invitations that wait for the caller's answer; the newest, where they are many. */
export const ownInvitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await call<OwnInvitation>('/v1/users/me/invitations', { signal })).data,
});

/** The teams that everybody on the server can join, the newest first. */
export const openTeamsQuery = infiniteQueryOptions({
  queryKey: ['open_teams'],
  queryFn: ({ signal, pageParam }) =>
    call<OpenTeam>('/v1/teams', { query: { open: 1, limit: 50, cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  staleTime: 0,
});

/** How much is new to the caller. */
export const inboxCountsQuery = queryOptions({
  queryKey: ['inbox', 'counts'],
  queryFn: ({ signal }) => callOne<InboxCounts>('/v1/users/me/inbox/counts', { signal }),
});

/** A user's public profile. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => callOne<UserProfile>(`/v1/users/${id}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The length of a list of suggestions. */
const SUGGESTED = 8;

/** The first connections whose names contain a text, of a team or of all, ordered by name; without closed accounts. */
export const connectionsQuery = (name: string, team?: string) =>
  queryOptions({
    queryKey: team === undefined ? ['connections', name] : ['team', team, 'connections', name],
    queryFn: async ({ signal }) => {
      const query = { limit: SUGGESTED, active: true, team, ...(name !== '' && { query: name }) };
      return (await call<UserSummary>('/v1/users/me/connections', { query, signal })).data;
    },
    staleTime: MINUTE_MS,
  });

/** Shown during the search: the earlier suggestions that still match, so that a quick Enter cannot choose wrongly. */
export const connectionsBefore = (name: string) => (before: UserSummary[] | undefined) =>
  before?.filter((person) => isCalled(person, name));
