import { queryOptions } from '@tanstack/react-query';
import { call, type PageMeta } from '../../api/client.ts';
import type { UserSummary } from '../../api/types.ts';

interface Joined {
  readonly user: UserSummary;
  readonly joined_at: number;
}

/** People who joined between two messages: the first of them by name, the others by their number. */
export interface JoinedPeople {
  readonly people: readonly UserSummary[];
  readonly count: number;
}

const DAY = 86_400;

/** Who joined a team since the day of a message; 0 for ever. In days, so that a longer list asks again for few of them. */
export const joinedQuery = (team: string, since: number) => {
  const after = Math.floor(since / DAY) * DAY;
  return queryOptions({
    queryKey: ['team', team, 'joined', after],
    queryFn: async ({ signal }) => {
      const { data, meta } = await call<Joined, PageMeta & { total?: number }>(`/v1/teams/${team}/joined`, {
        query: { after },
        signal,
      });
      return { joined: data.toReversed(), total: meta.total ?? data.length };
    },
  });
};

/** Stands for the end of the stream in place of a message. */
export const AT_END = 'end';

/**
 * @param times of the messages, the oldest first
 * @param whole whether the list begins with the first message, and whether it ends with the newest
 * @returns who joined before each message, by its id, and after the last one
 */
export function joinedBetween(
  { joined, total }: { joined: readonly Joined[]; total: number },
  times: readonly { readonly id: string; readonly at: number }[],
  whole: { readonly begins: boolean; readonly ends: boolean },
): ReadonlyMap<string, JoinedPeople> {
  const groups = new Map<string, JoinedPeople>();
  let next = 0;
  for (const { user, joined_at } of joined) {
    while (next < times.length && (times[next]?.at ?? 0) < joined_at) next += 1;
    if ((next === 0 && !whole.begins) || (next === times.length && !whole.ends)) continue;
    const key = times[next]?.id ?? AT_END;
    const { people = [], count = 0 } = groups.get(key) ?? {};
    groups.set(key, { people: people.length < 2 ? [...people, user] : people, count: count + 1 });
  }
  // The answer has the latest: those beyond it joined before all of them.
  const [first] = groups.entries();
  if (first && total > joined.length)
    groups.set(first[0], { ...first[1], count: first[1].count + total - joined.length });
  return groups;
}
