import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type {
  Application,
  AuditEntry,
  DomainRule,
  Mail,
  PublicApplication,
  ServerState,
  ShownSetting,
  UserSummary,
} from '../api/types.ts';

/** An account, as GET /v1/admin/users tells of it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly title: string;
  readonly active: boolean;
  readonly superuser: boolean;
  readonly created_at: number;
}

export interface AnyTeam {
  readonly id: string;
  readonly name: string;
  readonly num_members: number;
  readonly has_admin: boolean;
  readonly active: boolean;
  readonly created_at: number;
  readonly deleted_at: number | null;
  readonly erased_after: number | null;
  readonly erased: boolean;
}

export type AnyApplication = PublicApplication & {
  readonly owner: UserSummary;
  readonly num_installations: number;
  readonly suspension: Application['suspension'];
};

const PAGE = 50;
const REFRESH_MS = 10_000;

type Filter = Readonly<Record<string, string | number | boolean | undefined>>;

/** A list of the administration in pages; fetched again whenever it is opened. */
const pagesOf = <T>(path: string, filter: Filter = {}) =>
  infiniteQueryOptions({
    queryKey: ['admin', path, filter],
    queryFn: ({ signal, pageParam }) =>
      call<T>(path, { query: { ...filter, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    staleTime: 0,
  });

export const accountsQuery = (query: string) =>
  pagesOf<Account>('/v1/admin/users', { query: query || undefined });
export const teamsQuery = (active: boolean | undefined) => pagesOf<AnyTeam>('/v1/admin/teams', { active });
export const applicationsQuery = pagesOf<AnyApplication>('/v1/admin/applications');
export const mailsQuery = pagesOf<Mail>('/v1/admin/mails');
export const auditQuery = (filter: Filter) => pagesOf<AuditEntry>('/v1/admin/audit', filter);

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'mail', id],
    queryFn: ({ signal }) => callOne<Mail>(`/v1/admin/mails/${id}`, { signal }),
    staleTime: 0,
  });

export const serverStateQuery = queryOptions({
  queryKey: ['admin', 'server'],
  queryFn: ({ signal }) => callOne<ServerState>('/v1/admin/server', { signal }),
  staleTime: 0,
  refetchInterval: REFRESH_MS,
});

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: async ({ signal }) => (await call<ShownSetting>('/v1/admin/settings', { signal })).data,
});

export const domainRulesQuery = queryOptions({
  queryKey: ['admin', 'domain_rules'],
  queryFn: async ({ signal }) => (await call<DomainRule>('/v1/admin/domain_rules', { signal })).data,
  staleTime: 0,
});

/** After something was changed: all lists of a kind. */
export const refresh = (path: string) => queryClient.invalidateQueries({ queryKey: ['admin', path] });
