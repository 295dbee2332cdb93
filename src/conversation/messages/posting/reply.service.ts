import { Conflict, type UserPrincipal, viewerOf } from '#api';
import { type Batch, Outcomes, settleEach, type Tx, together } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import type { DirectApplications } from '../direct/application.service.ts';
import { noteSaid, peopleOf } from '../direct/conversations.ts';
import { letRepliesIn } from '../reading/reading.store.ts';
import { accessConversation, refuseDeleted } from '../view/message.access.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import type { Message } from '../view/message.schema.ts';
import type { SeenMessage } from '../view/view.store.ts';
import { type Destination, insertMessages, takeReplySequences } from './message.store.ts';
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

/** A reply that nothing refuses any more. */
interface Placed extends Checked {
  /** The message that opened the conversation. */
  readonly root: MessageRow;
  readonly place: Destination;
}

export type ReplyService = ReturnType<typeof replyService>;

/** Posting into the conversations of messages. */
export function replyService(deps: { finder: MessageFinder; posting: Posting; direct: DirectApplications }) {
  const { finder, posting, direct } = deps;

  /**
   * Stores any number of replies with the few statements that one of them takes; each is checked, and shown, to its own
   * author. A refused one takes no place: NotFound, Conflict in a sidebar and for a deleted message, and what a draft
   * throws.
   */
  const post: Batch<Reply, Message[]> = async (tx, replies) => {
    const outcomes = new Outcomes<Reply, Message[]>();
    const access = accessOnce(tx);
    const checked = await settleEach(replies, (one) => check(tx, one, access), outcomes.refuse);
    if (checked.length > 0) await letRepliesIn(tx);
    const placed = await take(tx, checked, outcomes.refuse);
    const written = await posting.rowsOf(tx, placed);
    await insertMessages(
      tx,
      written.map(({ row }) => row),
    );
    await tell(tx, written);
    const shown = await finder.getAll(
      tx,
      written.map(({ reply, row }) => ({ viewer: viewing(reply), id: row.id })),
    );
    for (const [index, { reply }] of written.entries()) outcomes.accept(reply, [shown[index] as Message]);
    return outcomes.of(replies);
  };

  /** Of the replies, and then of each message that has more of them now. */
  async function tell(tx: Tx, written: readonly (Placed & { readonly row: MessageRow })[]): Promise<void> {
    for (const { root, draft, row } of written) {
      const isDirect = root.team_id === null;
      await posting.announce(tx, row, draft, isDirect ? peopleOf(root) : undefined);
      if (isDirect) tx.gather(noteSaid, { ...root, newestId: row.id });
    }
    for (const message of new Set(written.map(({ root }) => root)))
      await posting.publish(tx, { kind: 'counted', message });
  }

  async function check(tx: Tx, reply: Reply, access: Access): Promise<Checked> {
    const root = await access(reply);
    if (root.sidebar_id !== null) throw new Conflict('sidebar', 'Write into the sidebar instead');
    refuseDeleted(root);
    await direct.refuseClosed(tx, reply.author, root);
    return { reply, draft: await posting.draft(tx, reply.author, reply.content), rootId: root.id };
  }

  /** Takes the places in the order of the messages' ids, so that two groups do not wait for each other. */
  async function take(
    tx: Tx,
    checked: readonly Checked[],
    refuse: (one: Reply, error: unknown) => void,
  ): Promise<Placed[]> {
    const byRoot = [...Map.groupBy(checked, ({ rootId }) => rootId)].sort(([one], [other]) =>
      one < other ? -1 : 1,
    );
    const taken = await together(
      byRoot.map(([id, own]) => takeReplySequences.first(tx, { id, count: own.length })),
    );
    return byRoot.flatMap(([, own], index) => {
      const found = taken[index];
      // Deleted since the check.
      if (!found)
        for (const { reply } of own) refuse(reply, new Conflict('deleted', 'The message was deleted'));
      return found ? placesIn(found, own) : [];
    });
  }

  return { post };
}

const viewing = ({ author }: Reply) => viewerOf(author, 'write');

/** Reads the message that opened the conversation. @throws NotFound */
type Access = (reply: Reply) => Promise<SeenMessage>;

/** Reads once what several replies of one author answer. */
function accessOnce(tx: Tx): Access {
  const known = new Map<string, Promise<SeenMessage>>();
  return (reply) => {
    const viewer = viewing(reply);
    const key = `${reply.to} ${JSON.stringify(viewer)}`;
    const found = known.get(key) ?? accessConversation(tx, viewer, reply.to);
    known.set(key, found);
    return found;
  };
}

function directOf({ direct_team_id: teamId, direct_application_id: applicationId }: MessageRow) {
  return teamId === null || applicationId === null ? undefined : { teamId, applicationId };
}

/** @param taken the message that opened the conversation, with its last place given to the last of these replies */
function placesIn(
  { newest_id: after, ...root }: MessageRow & { newest_id: string },
  own: readonly Checked[],
): Placed[] {
  const addressees = JSON.parse(root.addressed_users_json) as string[];
  const before = root.num_replies - own.length;
  return own.map((one, index) => ({
    ...one,
    root,
    place: {
      after,
      team_id: root.team_id,
      root_id: root.id,
      root_conversation_id: root.conversation_id,
      reply_seq: before + 1 + index,
      addressees,
      direct: directOf(root),
    },
  }));
}
