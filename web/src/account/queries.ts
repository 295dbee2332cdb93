import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import { meQuery, queryClient } from '../api/queries.ts';
import type { Grant, SessionItem, SessionUser } from '../api/types.ts';

/** The signed-in user; these views require one. */
export function useMe(): SessionUser {
  return useSuspenseQuery(meQuery).data as SessionUser;
}

type Change = Partial<
  Pick<SessionUser, 'first_name' | 'last_name' | 'title' | 'location' | 'company' | 'username'>
> & {
  readonly prefs?: Partial<SessionUser['prefs']>;
  readonly language?: SessionUser['language'];
  readonly link_previews?: Partial<SessionUser['link_previews']>;
  readonly status?: SessionUser['status'];
  readonly do_not_disturb_until?: number | null;
  readonly invisible?: boolean;
};

/** Changes the profile or the preferences, here and on the server. */
export async function changeMe(body: Change): Promise<SessionUser> {
  const me = await callOne<SessionUser>('/v1/users/me', { method: 'PATCH', body });
  const { queryKey } = meQuery;
  const isAsked = queryClient.isFetching({ queryKey }) > 0;
  queryClient.setQueryData(queryKey, me);
  // A pending request may return the old value, so it is repeated.
  if (isAsked) void queryClient.invalidateQueries({ queryKey });
  void queryClient.invalidateQueries({ queryKey: ['person', me.id] });
  return me;
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const { data } = await call<SessionItem>('/v1/sessions', { signal });
    return data.sort(
      (one, other) => Number(other.current) - Number(one.current) || other.seen_at - one.seen_at,
    );
  },
  staleTime: 0,
});

/** The applications that may act for the user. */
export const grantsQuery = queryOptions({
  queryKey: ['grants'],
  queryFn: async ({ signal }) => (await call<Grant>('/v1/users/me/grants', { signal })).data,
  staleTime: 0,
});

/** The ids of the teams shared with a user. */
export const commonTeamsQuery = (user: string) =>
  queryOptions({
    queryKey: ['memberships', 'common', user],
    queryFn: async ({ signal }) =>
      (await call<string>('/v1/users/me/teams', { query: { users: user }, signal })).data,
  });
