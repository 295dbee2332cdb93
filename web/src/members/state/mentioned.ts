import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { UserSummary } from '../../api/types.ts';

const KEY = ['mentioned'] as const;
/** The server's limit for one request. */
const MOST = 100;
/** All names on a screen are requested together. */
const GATHER_MS = 20;

/** The user with a name; null when the reader shares no team with such a user. */
export const mentionedQuery = (username: string) =>
  queryOptions({
    queryKey: [...KEY, username.toLowerCase()],
    queryFn: () => find(username.toLowerCase()),
    staleTime: 5 * 60_000,
  });

export const mentionedKey = KEY;

interface Gathering {
  readonly names: Set<string>;
  readonly people: Promise<Map<string, UserSummary>>;
}
let gathering: Gathering | undefined;

async function find(name: string): Promise<UserSummary | null> {
  if (!gathering || gathering.names.size === MOST) gathering = gather();
  gathering.names.add(name);
  return (await gathering.people).get(name) ?? null;
}

function gather(): Gathering {
  const names = new Set<string>();
  const begun: Gathering = { names, people: later(GATHER_MS).then(ask) };
  async function ask() {
    if (gathering === begun) gathering = undefined;
    const { data } = await call<UserSummary>('/v1/users/me/connections', {
      query: { usernames: [...names] },
    });
    return new Map(data.map((person) => [person.username.toLowerCase(), person]));
  }
  return begun;
}

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
