import { asUser, InvalidFields, lookUp, timestamp } from '#api';
import type { Database, Tx } from '#platform/db/index.ts';
import { type Clock, newId } from '#platform/ids.ts';
import { type Rounds, startRounds } from '#platform/jobs/index.ts';
import type { MuteRow } from '#schema';
import type { TeamService } from '../../teams/index.ts';
import { findConversation, findSubject, type ReadingService } from '../messages/index.ts';
import type { Mute, MutedKind } from './mute.schema.ts';
import { anyDue, forgetMute, listMutes, putMute, takeDue } from './mute.store.ts';

/** How many mutes one transaction ends. */
const AT_ONCE = 100;

/** Tells the windows of a user that a place is muted, or not any more. */
export type TellMute = (tx: Tx, userId: string, mute: Pick<Mute, 'kind' | 'id'>) => Promise<void>;

export type MuteService = ReturnType<typeof muteService>;

/** Mutes for a time, and of direct conversations and subjects. Teams and threads keep the flag that all else asks for. */
export function muteService(deps: {
  db: Database;
  clock: Clock;
  teams: Pick<TeamService, 'changeOwn'>;
  reading: Pick<ReadingService, 'mute'>;
  tell: TellMute;
}) {
  const { db, clock, teams, reading, tell } = deps;

  /** @returns the id of the place @throws NotFound for a place that the user does not see */
  const SET: Record<MutedKind, (tx: Tx, userId: string, id: string, isMuted: boolean) => Promise<string>> = {
    team: async (tx, userId, id, is_muted) => (await teams.changeOwn(tx, userId, id, { is_muted })).team.id,
    message: (tx, userId, id, isMuted) => reading.mute(tx, asUser(userId), id, isMuted),
    subject: async (tx, userId, id) =>
      forgetEnd(tx, userId, await lookUp(id, (known) => findSubject.first(tx, { userId, id: known }))),
    conversation: async (tx, userId, id) =>
      forgetEnd(tx, userId, await lookUp(id, (known) => findConversation.first(tx, { userId, id: known }))),
  };

  /** Of a place that has no flag: its row is the mute. */
  async function forgetEnd(tx: Tx, userId: string, { id: placeId }: { id: string }): Promise<string> {
    await forgetMute(tx, { userId, placeId });
    return placeId;
  }

  /** @param until in seconds; null for a mute without an end @throws NotFound @throws InvalidFields */
  async function mute(
    tx: Tx,
    userId: string,
    kind: MutedKind,
    id: string,
    until: number | null,
  ): Promise<Mute> {
    const now = clock();
    const endsAt = until === null ? null : Math.round(until * 1000);
    if (endsAt !== null && !(Number.isSafeInteger(endsAt) && endsAt > now)) {
      throw new InvalidFields({ field: 'until', message: 'must be a time in the future, or null' });
    }
    const placeId = await SET[kind](tx, userId, id, true);
    if (endsAt !== null || kind === 'conversation' || kind === 'subject') {
      const place = { kind, place_id: placeId, muted_until: endsAt };
      await putMute(tx, [{ ...place, id: newId(), user_id: userId, created_at: now }]);
    }
    await tell(tx, userId, { kind, id: placeId });
    return { kind, id: placeId, until: endsAt === null ? null : timestamp(endsAt) };
  }

  /** @throws NotFound */
  async function unmute(tx: Tx, userId: string, kind: MutedKind, id: string): Promise<void> {
    const placeId = await SET[kind](tx, userId, id, false);
    await tell(tx, userId, { kind, id: placeId });
  }

  const list = async (userId: string): Promise<Mute[]> => (await listMutes.all(db, { userId })).map(present);

  return { mute, unmute, list };
}

const present = ({ kind, place_id, muted_until }: MuteRow): Mute => ({
  kind: kind as MutedKind,
  id: place_id,
  until: muted_until === null ? null : timestamp(muted_until),
});

/** Ends the mutes whose time has come. The flag is cleared here, so readers of it need no clock. */
export function startMuteWorker(deps: {
  db: Database;
  clock: Clock;
  unmuteTeam: (tx: Tx, of: { userId: string; teamId: string; now: number }) => Promise<unknown>;
  unmuteMessage: (tx: Tx, of: { userId: string; messageId: string }) => Promise<unknown>;
  tell: TellMute;
  intervalMs: number;
  onError: (error: unknown) => void;
}): Rounds {
  const { db, clock, unmuteTeam, unmuteMessage, tell, ...pace } = deps;

  async function end(tx: Tx, due: Pick<MuteRow, 'user_id' | 'kind' | 'place_id'>): Promise<void> {
    const { user_id: userId, kind, place_id: id } = due;
    if (kind === 'team') await unmuteTeam(tx, { userId, teamId: id, now: clock() });
    if (kind === 'message') await unmuteMessage(tx, { userId, messageId: id });
    await tell(tx, userId, { kind: kind as MutedKind, id });
  }

  async function work(): Promise<boolean> {
    if (!(await anyDue.first(db, { now: clock() }))) return false;
    return db.write(async (tx) => {
      const due = await takeDue.all(tx, { now: clock(), limit: AT_ONCE });
      for (const mute of due) await end(tx, mute);
      return due.length === AT_ONCE;
    });
  }

  return startRounds({ work, ...pace });
}
