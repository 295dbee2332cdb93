import { inIdList, type Tx } from '#platform/db/index.ts';
import { type MessageRow, statement } from '#schema';

/** Where a text is read. */
export interface Readers {
  /** Also of a conversation with an application, which is one of the team: its person knows all members. */
  readonly teamId: string | null;
  /** Of a direct conversation or a sidebar. */
  readonly userIds: readonly string[];
  /** Of a reply: its author reads it, too. */
  readonly rootId: string | null;
}

/** @param people the author and the addressees */
export const readersOf = (
  {
    team_id,
    direct_team_id,
    sidebar_id,
    root_id,
  }: Partial<Pick<MessageRow, 'direct_team_id' | 'sidebar_id' | 'root_id'>> & Pick<MessageRow, 'team_id'>,
  people: readonly string[],
): Readers => ({
  teamId: sidebar_id ? null : (team_id ?? direct_team_id ?? null),
  userIds: people,
  rootId: root_id ?? null,
});

/** As blocks name people. A backslash before the sign makes it a text. */
const BY_ID = /(?<!\\)@([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?![\w-])/gi;
/** In a text, no more names call anybody. */
const MOST_NAMED = 100;
const SOMEBODY = '@…';

/**
 * Puts user names in the place of the ids by which blocks name people. All who read the text see these people: the members
 * of its team, or of its conversation. Anybody else stays without a name.
 */
export async function withNames(tx: Tx, text: string, { teamId, userIds, rootId }: Readers): Promise<string> {
  const ids = [...new Set([...text.matchAll(BY_ID)].map(([, id = '']) => id.toLowerCase()))];
  if (ids.length === 0) return text;
  const found = await findNames.all(tx, { ids: ids.slice(0, MOST_NAMED), teamId, userIds, rootId });
  const names = new Map(found.map(({ id, username }) => [id, username]));
  return text.replaceAll(BY_ID, (_, id: string) => {
    const name = names.get(id.toLowerCase());
    return name === undefined ? SOMEBODY : `@${name}`;
  });
}

const findNames = statement<Readers & { ids: readonly string[] }>()((q, p, dialect) =>
  q
    .selectFrom('users')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'users.id').on('memberships.team_id', '=', p.teamId),
    )
    .leftJoin('messages as root', (join) =>
      join
        .onRef('root.author_id', '=', 'users.id')
        .on('root.id', '=', p.rootId)
        .on('root.team_id', 'is', null),
    )
    .select(['users.id', 'users.username'])
    .where(inIdList(dialect, 'users.id', p.ids))
    .where('users.active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('memberships.user_id', 'is not', null),
        eb('root.id', 'is not', null),
        inIdList(dialect, 'users.id', p.userIds),
      ]),
    ),
);
