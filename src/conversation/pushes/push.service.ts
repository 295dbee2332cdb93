import { gathering, type Tx } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { Portion } from '#platform/jobs/index.ts';
import type { TeamChange } from '../../teams/index.ts';
import type { MessageListener } from '../messages/index.ts';
import { newPush, topicOf } from './push.row.ts';
import { isTold } from './push.settings.ts';
import { insertPushes, listDevices, recheckMessage, recheckShown, recheckTeam } from './push.store.ts';

/** Marks of what was read come one after the other. */
const RECHECK_AFTER_MS = 1000;

export type PushService = ReturnType<typeof pushService>;

/** Notifications that devices show, kept in step with their conversations. */
export function pushService(deps: { clock: Clock; enabled: boolean; wake: () => void }) {
  const { clock, enabled, wake } = deps;

  /** Shows on one device that notifications reach it. */
  async function test(tx: Tx, device: { id: string; user_id: string }): Promise<void> {
    await insertPushes(tx, [newPush(device, topicOf('test'), clock())]);
    tx.afterCommit(wake);
  }

  /** Tells somebody who was invited by name, as of a direct message. The push is composed when it is sent. */
  async function invited(
    tx: Tx,
    invitation: { id: string; team_id: string; user_id: string },
  ): Promise<void> {
    if (!enabled) return;
    const now = clock();
    const news = { reason: 'invitation', teamId: null };
    const devices = await listDevices.all(tx, { userIds: [invitation.user_id], now });
    const rows = devices
      .filter((device) => isTold(device, news, now))
      .map((device) => ({
        ...newPush(device, topicOf(`invitation ${invitation.team_id}`), now),
        invitation_id: invitation.id,
        reason: news.reason,
        next_attempt_at: Math.max(now, device.not_before),
      }));
    if (rows.length === 0) return;
    await insertPushes(tx, rows);
    tx.afterCommit(wake);
  }

  /** Withdraws notifications of what was read, deleted or taken back. */
  const onMessageChange: MessageListener = async (tx, change) => {
    if (!enabled) return;
    const isWithdrawn = change.kind === 'counted' && change.reaction?.isGiven === false;
    if (change.kind === 'deleted' || isWithdrawn) {
      await recheckMessage.run(tx, { messageId: change.message.id, at: clock() });
    } else if (change.kind === 'state' || change.kind === 'team_read' || change.kind === 'all_read') {
      tx.gather(recheckTogether, { userId: change.userId, at: clock() + RECHECK_AFTER_MS });
    }
  };

  /** Withdraws what the devices of a former member show of a team, and the invitation of a new one. */
  async function onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
    if (!enabled) return;
    if (change.kind !== 'member_removed' && change.kind !== 'member_added') return;
    await recheckShown.run(tx, { userIds: [change.userId], at: clock() });
    tx.afterCommit(wake);
  }

  /** Withdraws what the devices of some members show of a deleted team. */
  const withdrawTeam: Portion<{ teamId: string; userIds: readonly string[] }> = async (tx, members) => {
    if (!enabled) return false;
    tx.afterCommit(wake);
    return recheckTeam(tx, { ...members, at: clock() });
  };

  return { onMessageChange, onTeamChange, withdrawTeam, invited, test };
}

const recheckTogether = gathering(
  'pushes',
  async (tx: Tx, asked: readonly { userId: string; at: number }[]): Promise<void> => {
    const userIds = [...new Set(asked.map(({ userId }) => userId))];
    const latest = asked.reduce((most, { at }) => Math.max(most, at), 0);
    await recheckShown.run(tx, { userIds, at: latest });
  },
  'at once',
);
