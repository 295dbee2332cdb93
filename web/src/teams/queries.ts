import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callOne, type Page } from '../api/client.ts';
import { byName } from '../api/collation.ts';
import { commandsQuery } from '../api/offered.ts';
import { changeAnswers, membershipsQuery, queryClient } from '../api/queries.ts';
import type {
  Application,
  Delivery,
  DomainRule,
  IncomingWebhook,
  Invitation,
  JoinLink,
  Membership,
  PublicApplication,
  ScopeDecision,
} from '../api/types.ts';

const PAGE = 200;
/** How many pages are read, at most, to find a team's admins. */
const ADMIN_PAGES = 5;

/** The members in pages, in the order of the server. */
export const membersQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['team', team, 'members'],
    queryFn: ({ signal, pageParam }) => pageOfMembers(team, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
  });

const pageOfMembers = (team: string, cursor: string | undefined, signal: AbortSignal) =>
  call<Membership>(`/v1/teams/${team}/users`, { query: { limit: PAGE, cursor }, signal });

/** All members, for what needs the names of some of them. */
export const allMembersQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'members', 'all'],
    queryFn: async ({ signal }) => (await call<Membership>(`/v1/teams/${team}/users`, { signal })).data,
  });

/** The admins of a team. In a very large team, only those among its first members. */
export const adminsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'members', 'admins'],
    queryFn: async ({ signal }) => {
      const admins: Membership[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < ADMIN_PAGES; page++) {
        const { data, meta } = await pageOfMembers(team, cursor, signal);
        admins.push(...data.filter(isAdmin));
        cursor = meta.next_cursor ?? undefined;
        if (cursor === undefined || admins.length > 0) break;
      }
      return admins;
    },
  });

const isAdmin = ({ membership_type }: Membership) => membership_type === 1;

/** For admins. */
export const invitationsQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'invitations'],
    queryFn: async ({ signal }) => (await call<Invitation>(`/v1/teams/${team}/invitations`, { signal })).data,
    staleTime: 0,
  });

/** For admins. */
export const joinLinksQuery = (team: string) =>
  infiniteQueryOptions({
    queryKey: ['team', team, 'join_links'],
    queryFn: ({ signal, pageParam }) =>
      call<JoinLink>(`/v1/teams/${team}/join_links`, { query: { limit: 20, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    staleTime: 0,
  });

export const teamDomainRulesPath = (team: string) => `/v1/teams/${team}/domain_rules`;

/** For admins. */
export const teamDomainRulesQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'domain_rules'],
    queryFn: async ({ signal }) => (await call<DomainRule>(teamDomainRulesPath(team), { signal })).data,
    staleTime: 0,
  });

/** For admins. */
export const webhooksQuery = (team: string) =>
  queryOptions({
    queryKey: ['team', team, 'webhooks'],
    queryFn: async ({ signal }) =>
      (await call<IncomingWebhook>(`/v1/teams/${team}/webhooks`, { signal })).data,
    staleTime: 0,
  });

export { installationsQuery } from '../api/installations.ts';

/** The applications that can be installed: the directory, and the caller's own. */
export const installableQuery = queryOptions({
  queryKey: ['installable'],
  queryFn: async ({ signal }) => {
    const [directory, own] = await Promise.all([
      call<PublicApplication>('/v1/directory', { signal }),
      call<Application>('/v1/applications', { signal }),
    ]);
    const ownIds = new Set(own.data.map(({ id }) => id));
    const others = directory.data.filter(({ id }) => !ownIds.has(id));
    return [...own.data, ...others]
      .map((application) => ({ ...(application as PublicApplication), isOwn: ownIds.has(application.id) }))
      .sort((one, other) => byName(one.name, other.name));
  },
  staleTime: 0,
});

export type Installable = PublicApplication & { readonly isOwn: boolean };

/** The calls to an application that were about a team, the newest first. For admins of the team. */
export const deliveriesQuery = (team: string, application: string) =>
  infiniteQueryOptions({
    queryKey: ['team', team, 'deliveries', application],
    queryFn: ({ signal, pageParam }) =>
      call<Delivery>(`/v1/applications/${application}/deliveries`, {
        query: { team, limit: 20, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    staleTime: 0,
  });

export const deliveryQuery = (application: string, delivery: string) =>
  queryOptions({
    queryKey: ['delivery', application, delivery],
    queryFn: ({ signal }) =>
      callOne<Delivery>(`/v1/applications/${application}/deliveries/${delivery}`, { signal }),
    staleTime: 0,
  });

/** After the caller's own place in a team has changed, or the team has. */
export const refreshMemberships = () =>
  queryClient.invalidateQueries({ queryKey: membershipsQuery.queryKey });

export const refreshMembers = (team: string) =>
  queryClient.invalidateQueries({ queryKey: ['team', team, 'members'] });

/** For admins. */
export const scopeHistoryQuery = (team: string, application: string) =>
  queryOptions({
    queryKey: ['team', team, 'applications', application, 'scopes'],
    queryFn: async ({ signal }) =>
      (await call<ScopeDecision>(`/v1/teams/${team}/applications/${application}/scopes`, { signal })).data,
    staleTime: 0,
  });

export const refreshInstallations = (team: string) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: ['team', team, 'applications'] }),
    queryClient.invalidateQueries({ queryKey: ['team', team, 'deliveries'] }),
    queryClient.invalidateQueries({ queryKey: commandsQuery(team).queryKey }),
  ]);

/** Presence events are applied one by one, so that a large team is not fetched again for each. */
export function showPresence(team: string, user: string, online: boolean): void {
  const change = (member: Membership) =>
    member.userid === user ? { ...member, user: { ...member.user, online } } : member;
  changeAnswers<InfiniteData<Page<Membership>>>(
    (read) => {
      if (!read.pages.some(({ data }) => data.some(({ userid }) => userid === user))) return read;
      return { ...read, pages: read.pages.map((page) => ({ ...page, data: page.data.map(change) })) };
    },
    { queryKey: membersQuery(team).queryKey, exact: true },
  );
}
