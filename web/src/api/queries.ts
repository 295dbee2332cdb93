import { QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError, call, callOne } from './client.ts';
import type { Membership, ServerFacts, SessionUser, UserProfile, UserSummary } from './types.ts';

const MINUTE_MS = 60_000;

/** What was read of the server, for all views. Live events keep it current (see live.ts), so little is read twice. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5 * MINUTE_MS,
      refetchOnWindowFocus: false,
      // What a browser takes for offline may still reach a server in the same house, or on the same machine.
      networkMode: 'always',
      // What the server refused it refuses again; what it could not answer is asked once more.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Who is signed in; null for nobody. */
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
      (one, other) => other.is_favorite - one.is_favorite || one.team.name.localeCompare(other.team.name),
    );
  },
});

/** Somebody's public profile. */
export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['person', id],
    queryFn: ({ signal }) => callOne<UserProfile>(`/v1/users/${id}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** As many as a list of suggestions shows. */
const SUGGESTED = 8;

/** The first connections whose names hold a text, by name. */
export const connectionsQuery = (name: string) =>
  queryOptions({
    queryKey: ['connections', name],
    queryFn: async ({ signal }) => {
      const query = { limit: SUGGESTED, ...(name !== '' && { query: name }) };
      return (await call<UserSummary>('/v1/users/me/connections', { query, signal })).data;
    },
    staleTime: MINUTE_MS,
  });

/** Shown until they are found: who was before, but nobody whom a hasty Enter would choose wrongly. */
export const connectionsBefore = (name: string) => (before: UserSummary[] | undefined) =>
  before?.filter((person) =>
    `${person.first_name} ${person.last_name} ${person.username}`.toLowerCase().includes(name.toLowerCase()),
  );
