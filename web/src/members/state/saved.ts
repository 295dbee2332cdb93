import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Message, UserSummary } from '../../api/types.ts';
import { LISTS } from './lists.ts';
import type { MessageList } from './message-list.ts';
import { receive } from './messages.ts';

/** A message that was saved or pinned. */
export interface Kept {
  readonly id: string;
  readonly at: number;
  /** Who pinned it. */
  readonly user?: UserSummary;
}

/** A page in the order in which the messages were put into the list, the last one first. */
export interface KeptPage extends MessageList {
  readonly rows: readonly Kept[];
}

interface Item {
  readonly message: Message;
  readonly saved_at?: number;
  readonly pinned_at?: number;
  readonly user?: UserSummary;
}

const PAGE = 50;

export type KeptQuery = ReturnType<typeof keptQuery>;

/** The page's messages are stored with those of the other lists, and so are kept current. */
const keptQuery = (path: string, flag: 'saved' | 'pinned', of: string) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, flag, of] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<KeptPage> => {
      let rows: readonly Kept[] = [];
      const read = async () => {
        const { data, meta } = await call<Item>(path, { query: { limit: PAGE, cursor }, signal });
        rows = data.map(({ message, saved_at, pinned_at = 0, user }) => ({
          id: message.id,
          at: saved_at ?? pinned_at,
          ...(user && { user }),
        }));
        const messages = data.map(({ message }) => message);
        return { messages, older: meta.next_cursor ?? null, newer: null };
      };
      const list = await receive(read(), () => false);
      return { ...list, rows };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ older }) => older ?? undefined,
    staleTime: 0,
    // It may outlive no right to read it.
    gcTime: 0,
  });

export const savedQuery = keptQuery('/v1/users/me/saved', 'saved', '');

export const pinsQuery = (team: string) => keptQuery(`/v1/teams/${team}/pins`, 'pinned', team);
