import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../api/client.ts';
import { queryClient } from '../api/queries.ts';
import type { Application, Delivery, ListedApplication, Subscription } from '../api/types.ts';

/** The polling interval of a view that waits for something; polling stops while the window is hidden. */
export const POLL_MS = 2000;
const CALM_POLL_MS = 15_000;

export const STEPS = [
  'registered',
  'callback_answered',
  'installed',
  'code_exchanged',
  'token_used',
  'object_made',
  'message_posted',
] as const;
export type StepName = (typeof STEPS)[number];

/** The first occurrences of an application's steps, with their times. */
export interface ProgressStep {
  readonly step: StepName;
  readonly done_at: number | null;
}

/** An installation, as the owner of the application sees it. */
export interface OwnInstallation {
  readonly team: { readonly id: string; readonly name: string };
  readonly status: string;
  readonly created_at: number;
}

const path = (application: string) => `/v1/applications/${encodeURIComponent(application)}`;

export const applicationsQuery = queryOptions({
  queryKey: ['own-applications'],
  queryFn: async ({ signal }) => (await call<ListedApplication>('/v1/applications', { signal })).data,
  // It includes the last call to each.
  staleTime: 0,
});

export const applicationQuery = (id: string) =>
  queryOptions({
    queryKey: ['own-applications', id],
    queryFn: ({ signal }) => callOne<Application>(path(id), { signal }),
    initialData: () => queryClient.getQueryData(applicationsQuery.queryKey)?.find((one) => one.id === id),
    initialDataUpdatedAt: () => queryClient.getQueryState(applicationsQuery.queryKey)?.dataUpdatedAt,
  });

/** Everything that the platform did with an application; events of the stream make it old. */
const workKey = (id: string) => ['application-work', id] as const;

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: [...workKey(id), 'progress'],
    queryFn: async ({ signal }) =>
      (await callOne<{ steps: ProgressStep[] }>(`${path(id)}/progress`, { signal })).steps,
    refetchInterval: ({ state }) => (state.data?.every(isDone) ? false : POLL_MS),
  });

export const isDone = ({ done_at }: ProgressStep) => done_at !== null;

export const installationsQuery = (id: string) =>
  queryOptions({
    queryKey: [...workKey(id), 'installations'],
    queryFn: async ({ signal }) =>
      (await call<OwnInstallation>(`${path(id)}/installations`, { signal })).data,
    refetchInterval: CALM_POLL_MS,
  });

/** @param of the calls about one team, or those that sent the events of one subscription */
export const deliveriesQuery = (
  id: string,
  { team, subscription }: { team?: string; subscription?: string },
) =>
  infiniteQueryOptions({
    queryKey: [...workKey(id), 'deliveries', team ?? '', subscription ?? ''],
    queryFn: ({ pageParam, signal }) =>
      call<Delivery>(`${path(id)}/deliveries`, { query: { team, subscription, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(isPending)) ? POLL_MS : CALM_POLL_MS,
  });

export const deliveryQuery = (id: string, delivery: string) =>
  queryOptions({
    queryKey: [...workKey(id), 'deliveries', 'one', delivery],
    queryFn: ({ signal }) =>
      callOne<Delivery>(`${path(id)}/deliveries/${encodeURIComponent(delivery)}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? POLL_MS : false),
  });

export const isPending = ({ status }: Delivery) => status === 'pending';

/** Requests for a token that failed alike. */
export interface TokenFailure {
  readonly error: string;
  readonly grant_type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly last_at: number;
}

export const failuresQuery = (id: string) =>
  queryOptions({
    queryKey: [...workKey(id), 'failures'],
    queryFn: async ({ signal }) => (await call<TokenFailure>(`${path(id)}/token_failures`, { signal })).data,
    staleTime: 0,
    refetchInterval: CALM_POLL_MS,
  });

/** Refetches the data that a callback or another event of the application has changed. */
export const refreshWork = (id: string) => queryClient.invalidateQueries({ queryKey: workKey(id) });

export async function sendTestCallback(id: string): Promise<Delivery> {
  return remember(await callOne<Delivery>(`${path(id)}/test_callback`, { method: 'POST' }));
}

export async function redeliver({ application, id }: Delivery): Promise<Delivery> {
  return remember(
    await callOne<Delivery>(`${path(application)}/deliveries/${id}/redeliver`, { method: 'POST' }),
  );
}

function remember(delivery: Delivery): Delivery {
  queryClient.setQueryData(deliveryQuery(delivery.application, delivery.id).queryKey, delivery);
  void refreshWork(delivery.application);
  return delivery;
}

/** @returns the application and, apart, so that no cache gets it, its secret if it has one */
export async function register(
  fields: object,
): Promise<{ application: Application; secret: string | undefined }> {
  const { client_secret: secret, ...application } = await callOne<Application & { client_secret?: string }>(
    '/v1/applications',
    { method: 'POST', body: fields },
  );
  queryClient.setQueryData(applicationQuery(application.id).queryKey, application);
  await queryClient.invalidateQueries({ queryKey: applicationsQuery.queryKey, exact: true });
  return { application, secret };
}

export async function change(id: string, fields: object): Promise<Application> {
  const application = await callOne<Application>(path(id), { method: 'PATCH', body: fields });
  queryClient.setQueryData(applicationQuery(id).queryKey, application);
  await queryClient.invalidateQueries({ queryKey: applicationsQuery.queryKey, exact: true });
  return application;
}

export async function remove(id: string): Promise<void> {
  await call(path(id), { method: 'DELETE' });
  queryClient.setQueryData(applicationsQuery.queryKey, (all) => all?.filter((one) => one.id !== id));
}

/** Drops a deleted application from the cache, so that returning to it shows that it is gone. */
export function forget(id: string): void {
  queryClient.removeQueries({ queryKey: applicationQuery(id).queryKey });
  queryClient.removeQueries({ queryKey: workKey(id) });
}

export interface NewSecret {
  /** Missing for a public application. */
  readonly client_secret?: string;
  /** Of an application that was taken over. */
  readonly webhook_keys?: readonly { readonly subscription: string; readonly key: string }[];
}

/** @returns the new secret, which nothing keeps */
export async function rotate(id: string, overlap: number): Promise<NewSecret> {
  const { previous_expires_at, ...made } = await callOne<NewSecret & { previous_expires_at: number | null }>(
    `${path(id)}/secret`,
    { method: 'POST', body: { overlap_seconds: overlap } },
  );
  queryClient.setQueryData(
    applicationQuery(id).queryKey,
    (before) =>
      before && {
        ...before,
        previous_secret_expires_at: made.webhook_keys ? null : previous_expires_at,
        suspension: before.suspension?.by_operator ? { ...before.suspension, awaits_owner: null } : null,
      },
  );
  return made;
}

const subscriptionsPath = (application: string, id = '') =>
  `${path(application)}/subscriptions${id && `/${encodeURIComponent(id)}`}`;

export const subscriptionsQuery = (application: string) =>
  queryOptions({
    queryKey: [...workKey(application), 'subscriptions'],
    queryFn: async ({ signal }) =>
      (await call<Subscription>(subscriptionsPath(application), { signal })).data,
    staleTime: 0,
    refetchInterval: CALM_POLL_MS,
  });

export const subscriptionQuery = (application: string, id: string) =>
  queryOptions({
    queryKey: [...workKey(application), 'subscriptions', id],
    queryFn: ({ signal }) => callOne<Subscription>(subscriptionsPath(application, id), { signal }),
    staleTime: 0,
    refetchInterval: CALM_POLL_MS,
  });

/** A group of an application, which reads with a cursor of its own. */
export interface Group {
  readonly name: string;
  readonly used_at: number;
  readonly copies: number;
}

export const groupsQuery = (application: string, id: string) =>
  queryOptions({
    queryKey: [...workKey(application), 'subscriptions', id, 'groups'],
    queryFn: async ({ signal }) =>
      (await call<Group>(`${subscriptionsPath(application, id)}/consumers`, { signal })).data,
    staleTime: 0,
    refetchInterval: CALM_POLL_MS,
  });

/** With a key where the webhook is new: no cache gets it. */
interface Keyed {
  readonly subscription: Subscription;
  readonly key: string | undefined;
}

function rememberSubscription({ key, ...subscription }: Subscription & { key?: string }): Keyed {
  const { application, id } = subscription;
  queryClient.setQueryData(subscriptionQuery(application, id).queryKey, subscription);
  void queryClient.invalidateQueries({ queryKey: subscriptionsQuery(application).queryKey, exact: true });
  return { subscription, key };
}

export const subscribe = async (application: string, body: object) =>
  rememberSubscription(await callOne(subscriptionsPath(application), { method: 'POST', body }));

export const changeSubscription = async ({ application, id }: Subscription, body: object) =>
  rememberSubscription(await callOne(subscriptionsPath(application, id), { method: 'PATCH', body }));

export async function unsubscribe({ application, id }: Subscription): Promise<void> {
  await call(subscriptionsPath(application, id), { method: 'DELETE' });
  const { queryKey } = subscriptionsQuery(application);
  queryClient.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id));
}

/** @returns the new key, which nothing keeps */
export async function makeKey({ application, id }: Subscription): Promise<string> {
  const body = {};
  const made = await callOne<{ key: string }>(`${subscriptionsPath(application, id)}/key`, {
    method: 'POST',
    body,
  });
  return made.key;
}

/** Sends a range of events once more. */
export async function replay({ application, id }: Subscription, body: object): Promise<void> {
  await call(`${subscriptionsPath(application, id)}/replays`, { method: 'POST', body });
  void refreshWork(application);
}
