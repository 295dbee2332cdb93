import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { PostedFile } from '../../api/types.ts';

export const KINDS = ['picture', 'video', 'audio', 'document'] as const;
export type Kind = (typeof KINDS)[number];

/** As it stands in the page's address. */
export interface FileFilter {
  /** A part of the name. */
  readonly q?: string;
  readonly kind?: string;
  readonly user?: string;
}

/** A team, or a direct conversation. */
export type FilesOf = { readonly team: string } | { readonly conversation: string };

const PAGE = 60;
const FILES = ['files'] as const;

/** A server's page may have few files while there are more: it looks at so many, whether or not they fit. */
export const filesQuery = (of: FilesOf, { q, kind, user }: FileFilter) =>
  infiniteQueryOptions({
    queryKey: [...FILES, of, { q, kind, user }],
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { q, kind: KINDS.find((one) => one === kind), user, limit: PAGE, cursor };
      const path =
        'team' in of ? `/v1/teams/${of.team}/files` : `/v1/users/me/conversations/${of.conversation}/files`;
      return call<PostedFile>(path, { query, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
    // It may outlive no right to read it.
    gcTime: 0,
  });

/** What is posted or deleted meanwhile. */
export const filesKey = (of: FilesOf) => [...FILES, of];

export const kindOf = ({ type }: Pick<PostedFile, 'type'>): Kind => {
  const [group] = type.split('/', 1);
  if (group === 'image') return 'picture';
  return KINDS.find((kind) => kind === group) ?? 'document';
};
