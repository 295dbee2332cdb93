import type { Caller } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { TEAM } from '#platform/text/index.ts';
import { localTime } from '#platform/time-zone.ts';
import { findSummaries, type UserPresenter } from '../people/users/index.ts';
import type { CalledPeople } from './calling.schema.ts';
import { countCalled } from './calling.store.ts';
import { listConnections } from './connection.store.ts';
import { listMembersAmong } from './group.store.ts';
import { accessTeam } from './team.access.ts';

/**
 * From this number on it is said for how many it is night: of few, that would tell where somebody is. Those who are called by
 * their own names do not count: two answers could differ by one of them.
 */
const FEW = 6;
const NIGHT = { from: '22:00', to: '07:00' };
/** The most people of whom it is said that they are not in the team. */
const MOST_MISSING = 20;

export type CallingService = ReturnType<typeof callingService>;

/** Tells an author whom a message would call, before and after it is sent. */
export function callingService(deps: { db: Database; clock: Clock; present: UserPresenter }) {
  const { db, clock, present } = deps;

  /** @param names in lower case @throws NotFound unless the caller is a member */
  async function called(caller: Caller, id: string, names: readonly string[]): Promise<CalledPeople> {
    const { userId } = caller;
    const team = await accessTeam(db, userId, id);
    const now = clock();
    const zones = await countCalled.all(db, {
      ...{ teamId: team.id, userId, names },
      all: Number(names.includes(TEAM)),
    });
    const asleep = zones.filter(({ time_zone: zone }) => zone !== null && isNight(now, zone));
    return {
      people: sum(zones, 'people'),
      at_night: sum(zones, 'together') < FEW ? null : sum(asleep, 'together'),
      missing: await missing(caller, team.id, names),
    };
  }

  /** The people with these names whom the caller knows, and who are not in the team. */
  async function missing(caller: Caller, teamId: string, usernames: readonly string[]) {
    const filter = { ...caller, name: undefined, usernames, others: [], active: true };
    const known = await listConnections(db, filter, { after: undefined, limit: 100, now: clock() });
    const ids = known.map((person) => person.id);
    const inside = new Set((await listMembersAmong.all(db, { teamId, ids })).map((member) => member.id));
    const outside = ids.filter((user) => !inside.has(user)).slice(0, MOST_MISSING);
    return (await findSummaries(db, caller, outside)).map(present.summary);
  }

  return { called };
}

type Counted = Readonly<Record<'people' | 'together', number>>;

const sum = (zones: readonly Counted[], what: keyof Counted) =>
  zones.reduce((total, zone) => total + Number(zone[what]), 0);

function isNight(now: number, zone: string): boolean {
  const { time } = localTime(now, zone);
  return time >= NIGHT.from || time < NIGHT.to;
}
