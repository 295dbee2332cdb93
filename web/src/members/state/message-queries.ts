import { queryOptions } from '@tanstack/react-query';
import { call, callOne } from '../../api/client.ts';
import type { Message, MessageVersion, Sidebar } from '../../api/types.ts';

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
