import type { Database, Reader, Tx } from '#platform/db/index.ts';
import { type Clock, lowestIdAt, newId } from '#platform/ids.ts';
import type { UserRow } from '#schema';
import { findUser, prefsOf } from '../../people/users/index.ts';
import { findFirstNamed } from '../notices/index.ts';
import { wantedMessages } from './compose.messages.ts';
import type { MailQueue } from './mail.queue.ts';
import { listWaiting, markCollected, openBatches, takeBatch } from './notification.store.ts';
import { endWaiting, findUntold, listRanges, moveCursors, type Range } from './stream.store.ts';

/** How many messages that concern a person by name are in one mail. Others are in the next one. */
export const MOST = 500;

/** A message this young may not be noticed yet: it waits for another mail, so that none tells of it twice. */
const YOUNG_MS = 1000;

/**
 * Puts everything that waits for one person into one mail.
 * @param deps.batchMs how long what is left waits for the next one
 */
export function digest(deps: { db: Database; clock: Clock; mails: MailQueue; batchMs: number }) {
  const { db, clock, mails, batchMs } = deps;

  /** @returns the first id of the messages that are not told yet, because it is not known whom they concern by name */
  async function findBound(): Promise<string> {
    const young = lowestIdAt(clock() - YOUNG_MS);
    const named = await findFirstNamed.first(db, {});
    return named && named.message_id < young ? named.message_id : young;
  }

  async function collect(tx: Tx, userId: string, bound: string): Promise<void> {
    const now = clock();
    if (!(await takeBatch.first(tx, { userId, now }))) return;
    const user = await findUser.first(tx, { id: userId });
    const waiting = await listWaiting.all(tx, { userId, limit: MOST + 1 });
    const named = waiting.slice(0, MOST);
    const { ranges, left } = await takeStreams(tx, userId, user, bound);
    if (left || waiting.length > MOST) openBatches(tx, [userId], now + batchMs);
    const isTold = user?.active === 1 && (await isAnyWanted(tx, user, named, ranges));
    const mailId = isTold ? newId() : null;
    const messageIds = named.map(({ message_id }) => message_id);
    if (messageIds.length > 0) await markCollected.run(tx, { userId, messageIds, now, mailId });
    if (mailId === null || !user) return;
    const matter = { kind: 'messages', streams: ranges } as const;
    await mails.enqueue(tx, { id: mailId, to: { email: user.email, userId }, matter });
  }

  /** Moves the person's cursors to the ends of the streams, or to the bound. @returns whether something is left */
  async function takeStreams(tx: Tx, userId: string, user: UserRow | undefined, bound: string) {
    const isOn = user !== undefined && prefsOf(user).email_on_team_message;
    const found = isOn ? await listRanges.all(tx, { userId, bound }) : [];
    await endWaiting.run(tx, { userId });
    const ranges = found.map(({ teamId, after, end, bounded_by: first }) => ({
      ...{ teamId, after, isLeft: first !== null },
      upTo: Math.max(after, first === null ? end : first - 1),
    }));
    await moveCursors(
      tx,
      ranges.map(({ teamId, upTo, isLeft }) => ({
        ...{ user_id: userId, team_id: teamId },
        told_seq: upTo,
        waits: Number(isLeft),
      })),
    );
    return {
      left: ranges.some(({ isLeft }) => isLeft),
      ranges: ranges
        .filter(({ after, upTo }) => upTo > after)
        .map(({ teamId, after, upTo }) => ({ teamId, after, upTo })),
    };
  }

  /** Only to queue no mail in vain: what is in it is decided when it is sent. */
  async function isAnyWanted(
    reader: Reader,
    user: UserRow,
    named: Parameters<typeof wantedMessages>[2],
    ranges: readonly Range[],
  ): Promise<boolean> {
    if ((await wantedMessages(reader, user, named)).length > 0) return true;
    for (const range of ranges) {
      if (await findUntold.first(reader, { ...range, userId: user.id })) return true;
    }
    return false;
  }

  return { findBound, collect };
}
