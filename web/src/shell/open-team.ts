import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { membershipsQuery } from '../api/queries.ts';

/** The team whose messages, or one of whose pages, are open; undefined elsewhere. */
export function useOpenTeam(): string | undefined {
  const { pathname } = useLocation();
  const { data: memberships = [] } = useQuery(membershipsQuery);
  return memberships.find(({ team }) => `${pathname}/`.startsWith(`/teams/${team.id}/`))?.team.id;
}
