import { queryOptions } from '@tanstack/react-query';
import { callOne } from '../../api/client.ts';
import type { Installation, ShownHome } from '../../api/types.ts';
import { installationsQuery } from '../../teams/queries.ts';

/** What an application shows one person of a team. */
export const homeQuery = (application: string, team: string) =>
  queryOptions({
    queryKey: ['team', team, 'home', application],
    queryFn: ({ signal }) =>
      callOne<ShownHome>(`/v1/applications/${application}/home`, { query: { team }, signal }),
    staleTime: 0,
  });

/** The applications of a team that have a home. */
export const homesQuery = (team: string) => queryOptions({ ...installationsQuery(team), select: withHome });

const withHome = (all: Installation[]) =>
  all.filter(({ status, application }) => status === 'active' && application.has_home);
