import { eachOnce, gathering, type Tx } from '#platform/db/index.ts';
import { newId } from '#platform/ids.ts';
import type { InboxEntryRow } from '#schema';
import type { MessageChange } from '../messages/index.ts';
import type { Notice, NoticeListener } from '../notices/index.ts';
import {
  closeEntries,
  findSidebarRoot,
  listRead,
  listUnreadInStream,
  lockOpen,
  lockOpenOf,
  openEntry,
  putEntries,
} from './inbox.store.ts';

/** Tells the windows of a user that their inbox has changed. */
export type TellInbox = (tx: Tx, userId: string, conversation: string) => Promise<void>;

/** Keeps the entries of an inbox: one for each conversation that concerns a user. */
export function inboxListener({ tell }: { tell: TellInbox }) {
  const noticed: NoticeListener = {
    onNoticed: async (tx, notices) => {
      for (const notice of notices) {
        // Plain team messages are read from the streams of the teams.
        if (notice.reasons[0] === 'team') continue;
        const row = entryOf(notice);
        tx.gather(putEntries, row);
        await tell(tx, row.user_id, row.conversation_id);
      }
    },
  };

  async function onState(tx: Tx, change: MessageChange & { kind: 'state' }): Promise<void> {
    const { userId, marked } = change;
    if (!marked) return;
    if (marked.as === 'unread') return reopen(tx, userId, marked.message);
    tx.gather(closeTogether, { userId, conversationId: conversationOf(marked.message) });
  }

  async function onTeamRead(
    tx: Tx,
    { userId, teamId }: MessageChange & { kind: 'team_read' },
  ): Promise<void> {
    // High fives are not part of a team's stream: they stay new until their conversation is opened, or is done.
    const read = await lockOpen.all(tx, { userId, teamId });
    await closeRead(tx, { userId, locked: read, isReactionKept: true });
  }

  async function onTeamUnread(
    tx: Tx,
    { userId, teamId }: MessageChange & { kind: 'team_unread' },
  ): Promise<void> {
    for (const { conversation_id } of await listUnreadInStream.all(tx, { userId, teamId }))
      tx.gather(openTogether, { userId, conversationId: conversation_id });
  }

  async function onAllRead(tx: Tx, { userId }: MessageChange & { kind: 'all_read' }): Promise<void> {
    await closeRead(tx, { userId, locked: await lockOpen.all(tx, { userId, teamId: null }) });
  }

  /**
   * A message that its user marks as unread comes to the inbox; one of a team's stream counts with its team. Entries are
   * written at the end of the transaction, after the marks of what is read: reading locks both in this order.
   */
  async function reopen(tx: Tx, userId: string, message: MarkedMessage): Promise<void> {
    const { id, root_id, sidebar_id, team_id } = message;
    const conversationId = conversationOf(message);
    if (team_id !== null && root_id === null && sidebar_id === null) {
      return tx.gather(openTogether, { userId, conversationId });
    }
    const beside = sidebar_id === null ? undefined : await findSidebarRoot.first(tx, { id: sidebar_id });
    tx.gather(putEntries, {
      ...empty,
      user_id: userId,
      conversation_id: conversationId,
      root_id: beside?.message_id ?? root_id ?? id,
      sidebar_id,
      team_id,
      place: id,
      activity_id: id,
      reasons: 'unread',
      root_concerns: Number(root_id === null && sidebar_id === null),
    });
  }

  return { noticed, onState, onTeamRead, onTeamUnread, onAllRead };
}

/** Closes what was read. Whether it was is asked once the entry is locked, so that no new message is missed. */
async function closeRead(
  tx: Tx,
  of: { userId: string; locked: readonly { conversation_id: string }[]; isReactionKept?: boolean },
): Promise<void> {
  const { userId, locked, isReactionKept = false } = of;
  if (locked.length === 0) return;
  const open = locked.map((row) => row.conversation_id);
  const read = await listRead.all(tx, { userId, ids: open, isReactionKept: Number(isReactionKept) });
  const ids = read.map((row) => row.conversation_id);
  if (ids.length > 0) await closeEntries.run(tx, { userId, ids });
}

/** An entry whose state is to be looked at again. */
interface Asked {
  readonly userId: string;
  readonly conversationId: string;
}

/** At the end of a transaction, which may read thousands of messages: a few statements for all of a user's. */
const closeTogether = gathering('inbox_entries, closed', async (tx: Tx, asked: readonly Asked[]) => {
  const userIds = [...new Set(asked.map(({ userId }) => userId))];
  const ids = [...new Set(asked.map(({ conversationId }) => conversationId))];
  const locked = Map.groupBy(await lockOpenOf.all(tx, { userIds, ids }), (row) => row.user_id);
  for (const [userId, open] of locked) await closeRead(tx, { userId, locked: open });
});

/** Opens entries in the order in which all transactions write them. */
const openTogether = gathering('inbox_entries, opened', async (tx: Tx, asked: readonly Asked[]) => {
  const keyOf = (one: Asked) => `${one.conversationId} ${one.userId}`;
  for (const one of eachOnce(asked, keyOf, (first) => first)) await openEntry.run(tx, one);
});

export type InboxListener = ReturnType<typeof inboxListener>;

type MarkedMessage = NonNullable<(MessageChange & { kind: 'state' })['marked']>['message'];

export const conversationOf = ({ id, root_id, sidebar_id }: Omit<MarkedMessage, 'team_id'>) =>
  sidebar_id ?? root_id ?? id;

const empty = { mention_id: null, reacted_id: null, is_open: 1, done_json: null };

function entryOf({ user, message, reasons }: Notice): InboxEntryRow {
  const { id, root_id, sidebar_id, space_id } = message;
  const isReaction = reasons[0] === 'reaction';
  return {
    ...empty,
    user_id: user.id,
    conversation_id: conversationOf(message),
    root_id: message.sidebar_message_id ?? root_id ?? id,
    sidebar_id,
    team_id: space_id,
    place: isReaction ? newId() : id,
    activity_id: id,
    reasons: reasons.filter((reason) => reason !== 'team').join(','),
    mention_id: reasons.includes('mention') ? id : null,
    root_concerns: Number(!isReaction && root_id === null && sidebar_id === null),
    reacted_id: isReaction ? id : null,
  };
}
