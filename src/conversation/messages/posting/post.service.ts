import { asUser, type Caller, callerOf, UnreachableAddressee, type UserPrincipal } from '#api';
import { type Batch, type Outcome, settle, type Tx, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MessageRow } from '#schema';
import { returnPlaces, takePlaces } from '../../../teams/index.ts';
import { passOverOwn } from '../reading/reading.service.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import type { MessagePresenter } from '../view/message.present.ts';
import type { Message } from '../view/message.schema.ts';
import { type Author, lockAuthors, postersOf, viewOfNew } from '../view/view.store.ts';
import { findReachable, insertMessages, insertRecipients, type Place } from './message.store.ts';
import type { Addressees, Content } from './message-input.ts';
import type { Draft, Posting } from './posting.ts';

/** A message to post, and to whom. */
export interface Post {
  readonly author: UserPrincipal;
  readonly content: Content;
  readonly to: Addressees;
}

/** A post that is checked. */
interface Checked {
  readonly post: Post;
  readonly draft: Draft;
}

/** A post that nothing refuses any more. */
interface Accepted extends Checked {
  readonly place: Place;
}

/** Notes that a post is refused. */
type Refuse = (post: Post, error: unknown) => void;

export type PostService = ReturnType<typeof postService>;

/** Posting what opens a conversation. */
export function postService(deps: {
  present: MessagePresenter;
  finder: MessageFinder;
  posting: Posting;
  clock: Clock;
}) {
  const { present, posting, clock } = deps;
  const { get } = deps.finder;

  /**
   * Stores any number of messages with the few statements that one of them takes, in a team of any size. A refused one
   * takes no place: UnreachableAddressee, WrongMention, InvalidFields. What was posted is durable when the transaction is.
   */
  const post: Batch<Post, Message[]> = async (tx, posts) => {
    const outcomes = new Map<Post, Outcome<Message[]>>();
    const refuse: Refuse = (one, error) => void outcomes.set(one, { error });
    const accepted: Accepted[] = [];
    const authorsIn = new Map<string, ReadonlyMap<string, Author>>();
    for (const [teamId, all] of Map.groupBy(posts, ({ to }) => to.teamId)) {
      if (teamId === undefined) accepted.push(...(await acceptDirect(tx, all, refuse)));
      else {
        const { authors, placed } = await acceptInTeam(tx, teamId, all, refuse);
        authorsIn.set(teamId, authors);
        accepted.push(...placed);
      }
    }
    const rows = await posting.rowsOf(tx, accepted);
    await together([
      insertMessages(tx, rows),
      ...[...Map.groupBy(rows, (row) => row.team_id)].map(([teamId, own]) =>
        teamId === null
          ? addressAll(tx, own)
          : passOverOwn(tx, teamId, own, authorsIn.get(teamId) as ReadonlyMap<string, Author>),
      ),
    ]);
    for (const row of rows) await posting.announce(tx, row, { root: undefined, sidebarUsers: undefined });
    const messages = await presentNew(tx, rows, authorsIn);
    for (const [index, one] of accepted.entries()) {
      outcomes.set(one.post, { value: [messages[index] as Message] });
    }
    return posts.map((one) => outcomes.get(one) as Outcome<Message[]>);
  };

  /** From the time when places are taken, the team's row is locked and no member leaves. */
  async function acceptInTeam(tx: Tx, teamId: string, posts: readonly Post[], refuse: Refuse) {
    const refuseAll = (all: readonly Post[]) => {
      for (const one of all) refuse(one, new UnreachableAddressee(teamId));
    };
    const [within, beyond] = parted(posts, ({ author }) => (callerOf(author).onlyTeam ?? teamId) === teamId);
    refuseAll(beyond);
    const checked = await check(tx, within, refuse);
    const count = checked.length;
    if (count === 0) return { authors: new Map<string, Author>(), placed: [] };
    const [taken, authors] = await together([
      takePlaces.first(tx, { teamId, count }),
      authorsOf(tx, teamId, checked),
    ]);
    const [members, strangers] = parted(checked, ({ post: { author } }) => authors.has(author.userId));
    refuseAll((taken ? strangers : checked).map(({ post: stranger }) => stranger));
    if (!taken) return { authors, placed: [] };
    if (strangers.length > 0) await returnPlaces.run(tx, { teamId, count: strangers.length });
    const placed = members.map((one, index) => {
      const seq = taken.message_seq - count + 1 + index;
      return { ...one, place: { team_id: teamId, seq, addressees: [] } };
    });
    return { authors, placed };
  }

  async function authorsOf(tx: Tx, teamId: string, posts: readonly Checked[]): Promise<Map<string, Author>> {
    const userIds = [...new Set(posts.map(({ post: { author } }) => author.userId))];
    const rows = await lockAuthors.all(tx, { teamId, userIds });
    return new Map(rows.map((row) => [row.user_id, row]));
  }

  async function check(tx: Tx, posts: readonly Post[], refuse: Refuse): Promise<Checked[]> {
    const drafts = posts.map((one) => settle(posting.draft(tx, one.author, one.content)));
    const checked: Checked[] = [];
    for (const [index, drafted] of (await together(drafts)).entries()) {
      const post = posts[index] as Post;
      if ('error' in drafted) refuse(post, drafted.error);
      else checked.push({ post, draft: drafted.value });
    }
    return checked;
  }

  async function acceptDirect(tx: Tx, posts: readonly Post[], refuse: Refuse): Promise<Accepted[]> {
    const checked = await check(tx, posts, refuse);
    const found = checked.map(({ post: { author, to } }) => settle(resolveUsers(tx, callerOf(author), to)));
    const accepted: Accepted[] = [];
    for (const [index, resolved] of (await together(found)).entries()) {
      const one = checked[index] as Checked;
      if ('error' in resolved) refuse(one.post, resolved.error);
      else accepted.push({ ...one, place: { team_id: null, addressees: resolved.value } });
    }
    return accepted;
  }

  /** @returns the ids of the addressees, each once, in the order they were given */
  async function resolveUsers(tx: Tx, author: Caller, { userIds, emails }: Addressees): Promise<string[]> {
    const reachable = await findReachable(tx, author, userIds, emails);
    const byId = new Map(reachable.map((user) => [user.id, user.id]));
    const byEmail = new Map(reachable.map((user) => [user.email_key, user.id]));
    const found = (map: Map<string, string>) => (name: string) => {
      const id = map.get(name);
      if (id === undefined) throw new UnreachableAddressee(name.slice(0, 100));
      return id;
    };
    return [...new Set([...userIds.map(found(byId)), ...emails.map(found(byEmail))])];
  }

  function addressAll(tx: Tx, rows: readonly MessageRow[]): Promise<unknown> {
    const recipients = rows.flatMap((row) =>
      (JSON.parse(row.addressed_users_json) as string[]).map((user_id) => ({
        user_id,
        message_id: row.id,
        read_at: user_id === row.author_id ? clock() : null,
      })),
    );
    return insertRecipients(tx, recipients);
  }

  /** Each as its author sees it. */
  async function presentNew(
    tx: Tx,
    rows: readonly MessageRow[],
    authorsIn: ReadonlyMap<string, ReadonlyMap<string, Author>>,
  ): Promise<Message[]> {
    const ofTeams = rows.filter((row) => row.team_id !== null);
    const posters = await postersOf(
      tx,
      ofTeams.map((row) => row.application_id),
    );
    const messages = rows.map(async (row) => {
      const viewer = asUser(row.author_id);
      const author = authorsIn.get(row.team_id ?? '')?.get(row.author_id);
      if (!author) return get(tx, viewer, row.id);
      const view = viewOfNew(row, author, posters.get(row.application_id));
      return (await present(tx, [view], viewer, 'new'))[0] as Message;
    });
    return together(messages);
  }

  return { post };
}

function parted<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}
