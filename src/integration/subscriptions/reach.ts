import type { Reader } from '#platform/db/index.ts';
import type { EventRow } from '#schema';
import { grantedLinks } from '../applications/index.ts';
import type { HeardKind } from './kinds.ts';
import { scopesFor } from './kinds.ts';
import { listReach, listReachIn } from './reach.store.ts';

/** An application's reach in one team, by one installation. */
interface Stay {
  readonly installationId: string;
  /** Nothing that happened before it was installed. */
  readonly since: number;
  /** An ended one is heard of itself alone. */
  readonly isActive: boolean;
  readonly scopes: ReadonlySet<string>;
  readonly linkPrefixes: readonly string[];
}

/** An application's reach as it is now. It is asked for before every page that is sent: it changes at any time. */
export interface Reach {
  /** Those where the application sleeps are none of them: what happens there waits. */
  readonly teamIds: readonly string[];
  /** The name by which a text mentions the application; undefined when it has no letter or digit of ours. */
  readonly handle: string | undefined;
  /** The author of what the application writes as itself, if it ever did. */
  readonly authorId: string | null;
  /** The beginnings of links that it hears of in a team. */
  linkPrefixesIn(teamId: string): readonly string[];
  /** Whether the application sleeps in a team, or everywhere. */
  sleepsIn(teamId: string): boolean;
  allows(row: EventRow, kind: HeardKind): boolean;
}

/** Those that only their application hears. */
const FOR_ONE: ReadonlySet<HeardKind> = new Set(['object.opened', 'interaction', 'application.opened']);

const NAMELESS = /[^a-z0-9._-]+/g;
const ENDS = /^[._-]+|(?<![._-])[._-]+$/g;

/** @param name of an application @returns its name after an @: in lower case, without blanks */
export const handleOf = (name: string): string | undefined =>
  name.toLowerCase().replaceAll(NAMELESS, '').replaceAll(ENDS, '') || undefined;

type ReachRow = Awaited<ReturnType<typeof listReach.all>>[number];

function stayOf(row: ReachRow): Stay {
  const asked = new Set(JSON.parse(row.asked_json) as string[]);
  const granted = (JSON.parse(row.granted_json) as string[]).filter((scope) => asked.has(scope));
  return {
    installationId: row.id,
    since: row.created_at,
    isActive: Number(row.is_active) === 1,
    scopes: new Set(granted),
    linkPrefixes: grantedLinks(
      { link_prefixes_json: row.asked_links_json },
      { link_prefixes_json: row.decided_links_json },
    ),
  };
}

/**
 * @param of.since how far back the end of an installation is still heard of
 * @param of.teamIds leaves out all other teams: an application may be in thousands
 */
export async function findReach(
  db: Reader,
  { applicationId, since, teamIds }: { applicationId: string; since: number; teamIds?: readonly string[] },
): Promise<Reach> {
  const rows = await (teamIds === undefined
    ? listReach.all(db, { applicationId, since })
    : listReachIn.all(db, { applicationId, since, teamIds }));
  const rowsIn = Map.groupBy(rows, (row) => row.team_id);
  const asleep = new Set(rows.flatMap((row) => (Number(row.is_awake) === 1 ? [] : [row.team_id])));
  /** Of the teams that were asked for: a page has events of a few. */
  const read = new Map<string, readonly Stay[]>();

  function staysIn(team: string): readonly Stay[] {
    const stays = read.get(team) ?? (rowsIn.get(team) ?? []).map(stayOf);
    read.set(team, stays);
    return stays;
  }

  function allows(row: EventRow, kind: HeardKind): boolean {
    const here = staysIn(row.audience_id);
    if (row.kind === 'installation.updated') {
      const { installation } = JSON.parse(row.data_json) as { installation?: string };
      return here.some(({ installationId }) => installationId === installation);
    }
    if (FOR_ONE.has(kind) || row.kind === 'direct') {
      const { application } = JSON.parse(row.data_json) as { application?: string };
      if (application !== applicationId) return false;
    }
    const scopes = scopesFor(kind);
    return here.some(
      (stay) =>
        stay.isActive &&
        row.created_at >= stay.since &&
        (scopes === undefined || scopes.some((scope) => stay.scopes.has(scope))),
    );
  }

  return {
    teamIds: [...rowsIn.keys()].filter((team) => !asleep.has(team)),
    sleepsIn: (team) => asleep.has(team),
    handle: handleOf(rows[0]?.name ?? ''),
    authorId: rows[0]?.author_id ?? null,
    linkPrefixesIn: (team) =>
      staysIn(team).flatMap(({ isActive, linkPrefixes }) => (isActive ? linkPrefixes : [])),
    allows,
  };
}
