import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import type { CalledPeople, PeopleGroup } from '../api/types.ts';

const MINUTE_MS = 60_000;
/** The most that a team has. */
const GROUPS = 100;

/** The groups of a team, by name. */
export const groupsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'groups'],
    queryFn: async ({ signal }) => {
      const { data } = await call<PeopleGroup>(`/v1/teams/${team}/groups`, {
        query: { limit: GROUPS },
        signal,
      });
      return data;
    },
    staleTime: 5 * MINUTE_MS,
  });

/** Whom a message to a team would call by these names. */
export const calledQuery = (team: string, names: readonly string[]) =>
  queryOptions({
    queryKey: ['team', team, 'called', ...names],
    queryFn: ({ signal }) => callOne<CalledPeople>(`/v1/teams/${team}/called`, { query: { names }, signal }),
    staleTime: MINUTE_MS,
  });
