import type { Tx } from '#platform/db/index.ts';
import { type Clock, LOWEST_ID } from '#platform/ids.ts';
import type { MailStreamRow } from '#schema';
import { prefsOf } from '../../people/users/index.ts';
import type { MessageListener } from '../messages/index.ts';
import { openBatches } from './notification.store.ts';
import {
  closeStream,
  findPostedAt,
  findStreamEnd,
  listBehind,
  moveCursors,
  moveStream,
  openStreams,
} from './stream.store.ts';

/** The most members that one transaction looks at. */
const MEMBERS = 200;

/**
 * Mails about plain messages to a team. A post writes nothing for its readers: it notes that the team has something to tell. Once
 * that is as old as `batchMs`, a worker goes through the members, and has those who are behind mailed.
 * @param deps.enabled without it nothing is noted, and what was is dropped
 */
export function mailStreams(deps: { clock: Clock; batchMs: number; enabled: boolean }) {
  const { clock, batchMs, enabled } = deps;

  const onPosted: MessageListener = async (tx, change) => {
    if (!enabled || change.kind !== 'posted') return;
    const { team_id, seq, created_at } = change.message;
    if (team_id === null || seq === null) return;
    tx.gather(openStreams, {
      team_id,
      after_seq: seq - 1,
      up_to_seq: null,
      cursor: LOWEST_ID,
      num_failures: 0,
      due_at: created_at + batchMs,
      created_at: clock(),
    });
  };

  /** Looks at a page of the team's members. @returns how many they are */
  async function walk(tx: Tx, stream: MailStreamRow): Promise<number> {
    const { team_id: teamId, after_seq: afterSeq } = stream;
    const end = enabled ? await findStreamEnd.first(tx, { teamId }) : undefined;
    if (!end) {
      await closeStream.run(tx, { teamId });
      return 0;
    }
    const upToSeq = stream.up_to_seq ?? end.message_seq;
    const page = { teamId, afterSeq, upToSeq, after: stream.cursor, limit: MEMBERS };
    const members = await listBehind.all(tx, page);
    for (const { id, active, prefs_json, is_muted, waits, since } of members) {
      if (since === null || waits === 1 || is_muted === 1 || active !== 1) continue;
      if (!prefsOf({ prefs_json }).email_on_team_message) continue;
      openBatches(tx, [id], since + batchMs);
      tx.gather(moveCursors, { user_id: id, team_id: teamId, told_seq: afterSeq, waits: 1 });
    }
    const last = members.at(-1);
    if (last && members.length === MEMBERS) {
      await moveStream.run(tx, { ...stream, up_to_seq: upToSeq, cursor: last.id, due_at: clock() });
    } else await endWalk(tx, teamId, upToSeq, end.message_seq);
    return members.length;
  }

  /** What was posted during the walk begins the next one. */
  async function endWalk(tx: Tx, teamId: string, upToSeq: number, endSeq: number): Promise<void> {
    const next = endSeq > upToSeq ? await findPostedAt.first(tx, { teamId, seq: upToSeq + 1 }) : undefined;
    if (!next) return closeStream.run(tx, { teamId });
    await moveStream.run(tx, {
      team_id: teamId,
      after_seq: upToSeq,
      up_to_seq: null,
      cursor: LOWEST_ID,
      due_at: next.created_at + batchMs,
    });
  }

  return { onPosted, walk };
}
