import { queryOptions } from '@tanstack/react-query';
import { callOne } from '../api/client.ts';
import type { Consent, Opening, ShownInvitation, ShownJoinLink, Team } from '../api/types.ts';

/** The details of an invitation; never cached, since it works once. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) =>
      callOne<ShownInvitation>(`/v1/invitations/${encodeURIComponent(token)}`, { signal }),
    staleTime: 0,
  });

/** The team behind a join link. */
export const joinLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['join_link', token],
    queryFn: ({ signal }) =>
      callOne<ShownJoinLink>(`/v1/join_links/${encodeURIComponent(token)}`, { signal }),
    staleTime: 0,
  });

/** An application's request for consent. @param parameters of its request, as they stood in the URL */
export const consentQuery = (parameters: Readonly<Record<string, string>>) =>
  queryOptions({
    queryKey: ['consent', parameters],
    queryFn: ({ signal }) => callOne<Consent>('/v1/oauth2/consent', { query: parameters, signal }),
    staleTime: 0,
    gcTime: 0,
  });

/** The consent needed to open an application from a team. */
export const openingQuery = (application: string, team: string) =>
  queryOptions({
    queryKey: ['opening', application, team],
    queryFn: ({ signal }) =>
      callOne<Opening>(`/v1/applications/${encodeURIComponent(application)}/opening`, {
        query: { team },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
  });

export const welcomeTeamQuery = (id: string) =>
  queryOptions({
    queryKey: ['team', id],
    queryFn: ({ signal }) => callOne<Team>(`/v1/teams/${encodeURIComponent(id)}`, { signal }),
  });
