import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { readApplicationKey } from '../api/application-key.ts';
import { membershipsQuery } from '../api/queries.ts';

/** The team whose messages, one of whose pages, or with one of whose applications a conversation is open. */
export function useOpenTeam(): string | undefined {
  const { pathname } = useLocation();
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const [, place, name = ''] = pathname.split('/');
  const open = place === 'direct' ? readApplicationKey(name)?.team : place === 'teams' ? name : undefined;
  return memberships.find(({ team }) => team.id === open)?.team.id;
}
