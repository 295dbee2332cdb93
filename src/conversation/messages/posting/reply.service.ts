import { Conflict, type UserPrincipal, viewerOf } from '#api';
import { type Batch, type Outcome, settleEach, type Tx, together } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import { noteSaid } from '../direct/conversations.ts';
import { letRepliesIn } from '../reading/reading.store.ts';
import { accessConversation, refuseDeleted } from '../view/message.access.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import type { Message } from '../view/message.schema.ts';
import { insertMessages, type Place, takeReplyPlaces } from './message.store.ts';
import type { Content } from './message-input.ts';
import type { Draft, Posting } from './posting.ts';

/** An answer to a message, or to an answer. */
export interface Reply {
  readonly author: UserPrincipal;
  readonly to: string;
  readonly content: Content;
}

/** A reply that is checked. */
interface Checked {
  readonly reply: Reply;
  readonly draft: Draft;
  /** The message that opened the conversation. */
  readonly rootId: string;
}

/** A reply to a direct message. */
type Said = Parameters<typeof noteSaid>[1][number];

export type ReplyService = ReturnType<typeof replyService>;

/** Posting into the conversations of messages. */
export function replyService({ finder, posting }: { finder: MessageFinder; posting: Posting }) {
  /**
   * Stores any number of replies with the few statements that one of them takes; each is checked, and shown, to its own
   * author. A refused one takes no place: NotFound, Conflict in a sidebar and for a deleted message, and what a draft
   * throws.
   */
  const post: Batch<Reply, Message[]> = async (tx, replies) => {
    const outcomes = new Map<Reply, Outcome<Message[]>>();
    const refuse = (one: Reply, error: unknown) => void outcomes.set(one, { error });
    const checked = await settleEach(replies, (one) => check(tx, one), refuse);
    if (checked.length > 0) await letRepliesIn(tx);
    const said: Said[] = [];
    for (const [rootId, all] of Map.groupBy(checked, (one) => one.rootId)) {
      const messages = await store(tx, rootId, all, said);
      for (const [index, { reply }] of all.entries()) {
        const message = messages?.[index];
        outcomes.set(
          reply,
          message ? { value: [message] } : { error: new Conflict('deleted', 'The message was deleted') },
        );
      }
    }
    // Locked last, as for new messages.
    await noteSaid(tx, said);
    return replies.map((one) => outcomes.get(one) as Outcome<Message[]>);
  };

  async function check(tx: Tx, reply: Reply): Promise<Checked> {
    const { author, to, content } = reply;
    const root = await accessConversation(tx, viewerOf(author, 'write'), to);
    if (root.sidebar_id !== null) throw new Conflict('sidebar', 'Write into the sidebar instead');
    refuseDeleted(root);
    return { reply, draft: await posting.draft(tx, author, content), rootId: root.id };
  }

  /** @returns the messages as their authors see them; undefined when the first message was deleted meanwhile */
  async function store(
    tx: Tx,
    rootId: string,
    all: readonly Checked[],
    said: Said[],
  ): Promise<Message[] | undefined> {
    const count = all.length;
    const taken = await takeReplyPlaces.first(tx, { id: rootId, count });
    if (!taken) return undefined;
    const { newest_id: after, ...root } = taken;
    const addressees = JSON.parse(root.addressed_users_json) as string[];
    const placed = all.map(({ draft }, index): { draft: Draft; place: Place } => {
      const reply_seq = root.num_replies - count + 1 + index;
      return { draft, place: { after, team_id: root.team_id, root_id: root.id, reply_seq, addressees } };
    });
    const rows = await posting.rowsOf(tx, placed);
    await insertMessages(tx, rows);
    for (const row of rows) await posting.announce(tx, row, { root, sidebarUsers: undefined });
    await posting.publish(tx, { kind: 'counted', message: root });
    if (root.team_id === null) said.push(...rows.map(({ id: newestId }) => ({ ...root, newestId })));
    return together(rows.map((row, index) => shown(tx, row, all[index] as Checked)));
  }

  const shown = (tx: Tx, { id }: MessageRow, { reply: { author } }: Checked): Promise<Message> =>
    finder.get(tx, viewerOf(author, 'write'), id);

  return { post };
}
