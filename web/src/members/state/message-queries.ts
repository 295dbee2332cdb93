import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { Message, MessageVersion, Sidebar, UserSummary } from '../../api/types.ts';
import { MOST } from './lists.ts';

/** The number of versions that the server keeps. */
const MOST_VERSIONS = 50;

/** A sidebar, with the message that it belongs to. */
export const sidebarQuery = (id: string) =>
  queryOptions({
    queryKey: ['sidebar', id],
    queryFn: ({ signal }) => callOne<Sidebar>(`/v1/sidebars/${id}`, { signal }),
    staleTime: 0,
  });

/** A message's earlier versions; fetched again after each edit. */
export const versionsQuery = ({ id, updated_at }: Pick<Message, 'id' | 'updated_at'>) =>
  queryOptions({
    queryKey: ['versions', id, updated_at],
    queryFn: async ({ signal }) =>
      (await call<MessageVersion>(`/v1/messages/${id}/versions`, { query: { limit: MOST_VERSIONS }, signal }))
        .data,
  });

export type Fived = Pick<Message, 'id' | 'num_high_fives' | 'user_high_fived'>;

/** The users who gave a message high fives; fetched again when their number changes. */
export const highFivesQuery = ({ id, num_high_fives, user_high_fived }: Fived) =>
  queryOptions({
    queryKey: [...highFivesOf(id), num_high_fives, user_high_fived],
    queryFn: async ({ signal }) =>
      (await call<UserSummary>(`/v1/messages/${id}/high_fives`, { query: { limit: MOST }, signal })).data,
    staleTime: 10_000,
  });

const highFivesOf = (id: string) => ['high-fives', id] as const;

/** Call it after one's own change: the change is shown before the server has it, so a fetch may have been too early. */
export const renewHighFives = (id: string) => queryClient.invalidateQueries({ queryKey: highFivesOf(id) });
