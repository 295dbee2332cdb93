import type { Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { PushRow } from '#schema';
import type { Notice, NoticeListener } from '../notices/index.ts';
import { newPush, topicOf } from './push.row.ts';
import { isTold } from './push.settings.ts';
import { insertPushes, listDevices } from './push.store.ts';
import type { TeamReaders } from './team-readers.ts';

/** While a window is open, its reader has this long to read first. Reactions that come within it share a push. */
export const READERS_TIME_MS = 4000;

/** Makes a row for each device of those whom a message concerns, in the transaction in which they are found. */
export function pushNoticed(deps: {
  clock: Clock;
  enabled: boolean;
  readers: TeamReaders;
  wake: () => void;
}): NoticeListener {
  const { clock, enabled, readers, wake } = deps;

  async function onNoticed(tx: Tx, notices: readonly Notice[]): Promise<void> {
    if (!enabled) return;
    const now = clock();
    const byUser = new Map(notices.map((notice) => [notice.user.id, notice]));
    const devices = await listDevices.all(tx, { userIds: [...byUser.keys()], now });
    const rows: PushRow[] = [];
    for (const device of devices) {
      const { message, reasons } = byUser.get(device.user_id) as Notice;
      const [reason] = reasons;
      const news = { reason, teamId: message.space_id };
      if (!isTold(device, news, now)) continue;
      const waits = reason === 'reaction' || Number(device.online_until) > now;
      const readable = waits ? now + READERS_TIME_MS : now;
      rows.push({
        ...newPush(device, topicOf(conversationOf(message, reason)), now),
        message_id: message.id,
        message_ids: `${message.id},`,
        reason,
        next_attempt_at: Math.max(readable, device.not_before),
      });
    }
    await insertPushes(tx, rows);
    if (rows.length > 0) tx.afterCommit(wake);
  }

  return { ofTeams: { wants: readers.wants, list: readers.list }, onNoticed };
}

/**
 * The conversation that shares a notification: a thread, a sidebar, the direct messages among some people or with an
 * application of a team, or a team's plain messages. Reactions in one, which has one row in the inbox, share another.
 */
function conversationOf(message: Notice['message'], reason: string): string {
  const { id, author_id, root_id, sidebar_id, space_id } = message;
  if (reason === 'reaction') return `reactions ${sidebar_id ?? root_id ?? id}`;
  if (sidebar_id !== null) return `sidebar ${sidebar_id}`;
  if (space_id !== null)
    return root_id === null && reason === 'team' ? `team ${space_id}` : `thread ${root_id ?? id}`;
  if (message.among_id !== null) return `direct ${message.among_id}`;
  // Too many people for a conversation of theirs.
  const opener = root_id === null ? author_id : message.root_author_id;
  const addressed = root_id === null ? message.addressed_users_json : message.root_addressed_users_json;
  const people = new Set([opener, ...(JSON.parse(addressed ?? '[]') as string[])]);
  return `direct ${[...people].sort().join(' ')}`;
}
