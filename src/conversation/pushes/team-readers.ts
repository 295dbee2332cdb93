import { LRUCache } from 'lru-cache';
import type { Reader, Tx } from '#platform/db/index.ts';
import { findTeamReader, listTeamReaders, listTeamsWithReader } from './settings.store.ts';

/** How long the answer for a team holds: settings may change, and members join, through other processes. */
const KNOWN_FOR_MS = 10_000;
const MOST_TEAMS = 5000;

export type TeamReaders = ReturnType<typeof teamReaders>;

/**
 * Whether a team has a member to whom every message is pushed. Each post asks, so the answer comes from memory; the worker
 * looks it up for the teams that were asked about, beside the posts.
 */
export function teamReaders(db: Reader) {
  let someWant = false;
  const known = new LRUCache<string, boolean>({ max: MOST_TEAMS, ttl: KNOWN_FOR_MS });
  const asked = new Set<string>();

  /** Until a team was looked up, its messages are treated as wanted. */
  function wants(teamId: string): boolean {
    if (!someWant) return false;
    const answer = known.get(teamId);
    if (answer === undefined) asked.add(teamId);
    return answer ?? true;
  }

  async function lookUp(): Promise<void> {
    someWant = (await findTeamReader.first(db, {})) !== undefined;
    const teamIds = [...asked];
    asked.clear();
    if (!someWant || teamIds.length === 0) return;
    const found = await listTeamsWithReader.all(db, { teamIds });
    const read = new Set(found.map((row) => row.team_id));
    for (const teamId of teamIds) known.set(teamId, read.has(teamId));
  }

  async function list(tx: Tx, page: { teamId: string; after: string; limit: number }): Promise<string[]> {
    return wants(page.teamId) ? (await listTeamReaders.all(tx, page)).map(({ id }) => id) : [];
  }

  /** After somebody changed their settings: until the next look, they may want any team. */
  function forget(): void {
    known.clear();
    someWant = true;
  }

  return { wants, list, lookUp, forget };
}
