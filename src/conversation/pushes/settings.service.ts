import { NotFound } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import { checkTimeZone, lockUser } from '../../people/users/index.ts';
import { isPaused, type PushSettings, type PushSettingsChange, settingsOf } from './push.settings.ts';
import { findSettings, listOwnTeams, lockNaming, lockSettings, saveSettings } from './settings.store.ts';

export type PushSettingsService = ReturnType<typeof pushSettings>;

/** The choices of a person: which messages notify, and when. */
export function pushSettings(deps: {
  db: Database;
  clock: Clock;
  /** Runs after a change. */
  onChange: () => void;
}) {
  const { db, clock, onChange } = deps;

  const get = async (userId: string) =>
    present(settingsOf((await findSettings.first(db, { userId }))?.settings_json));

  /** @throws InvalidFields for an unknown time zone @throws NotFound for a team of which the person is no member */
  async function change(tx: Tx, userId: string, changes: PushSettingsChange): Promise<PushSettings> {
    checkTimeZone(changes.time_zone);
    if (changes.teams) await checkTeams(tx, userId, changes.teams);
    // Serializes the first changes of a person, too: there is no row to lock before them.
    await lockUser.first(tx, { id: userId });
    const before = settingsOf((await lockSettings.first(tx, { userId }))?.settings_json);
    const after = { ...before, ...changes, teams: merged(before.teams, changes.teams ?? []) };
    await save(tx, userId, after);
    tx.afterCommit(onChange);
    return present(after);
  }

  /** An ended pause is shown as no pause. */
  function present(settings: PushSettings): PushSettings {
    const paused = isPaused(settings, clock());
    return { ...settings, paused, paused_until: paused ? settings.paused_until : null };
  }

  return { get, change };
}

/** Removes the levels that people have set for a team which they leave. */
export async function forgetLevels(
  tx: Tx,
  of: { teamId: string; userIds: readonly string[] },
): Promise<void> {
  for (const { user_id: userId, settings_json } of await lockNaming.all(tx, of)) {
    const before = settingsOf(settings_json);
    await save(tx, userId, { ...before, teams: before.teams.filter(({ team }) => team !== of.teamId) });
  }
}

const save = (tx: Tx, userId: string, settings: PushSettings): Promise<void> =>
  saveSettings.run(tx, { userId, json: JSON.stringify(settings), wantsTeam: wantsTeam(settings) ? 1 : 0 });

/** Merges levels: the last one of a team holds. */
const merged = (...levels: PushSettings['teams'][]): PushSettings['teams'] =>
  [...new Map(levels.flat().map((one) => [one.team.toLowerCase(), one]))].map(([team, { level }]) => ({
    team,
    level,
  }));

const wantsTeam = ({ team_default, teams }: PushSettings) =>
  [team_default, ...teams.map(({ level }) => level)].includes('all');

async function checkTeams(tx: Tx, userId: string, teams: PushSettings['teams']): Promise<void> {
  const own = new Set((await listOwnTeams.all(tx, { userId })).map((row) => row.team_id));
  if (teams.some(({ team }) => !own.has(team.toLowerCase()))) throw new NotFound();
}
