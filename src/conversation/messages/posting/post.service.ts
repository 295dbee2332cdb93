import { asUser, callerOf, ScopeMissing, UnreachableAddressee, type UserPrincipal } from '#api';
import { type Batch, Outcomes, settleEach, type Tx, together } from '#platform/db/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { MessageRow } from '#schema';
import { returnSequences, takeSequences } from '../../../teams/index.ts';
import { type DirectApplications, isWithApplication } from '../direct/application.service.ts';
import { noteSaid, peopleOf } from '../direct/conversations.ts';
import { passOverOwn } from '../reading/reading.service.ts';
import type { NamingOfSubjects } from '../subjects/naming.ts';
import { conversationOf } from '../view/conversation-id.ts';
import type { MessageFinder } from '../view/message.finder.ts';
import type { MessagePresenter } from '../view/message.present.ts';
import type { Message } from '../view/message.schema.ts';
import {
  type Author,
  lockAuthors,
  lockInstalledAuthors,
  lockWebhookAuthors,
  postersOf,
  viewOfNew,
} from '../view/view.store.ts';
import { type Destination, findReachable, insertMessages, insertRecipients } from './message.store.ts';
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
  readonly place: Destination;
}

/** Rows that were read to accept posts, and are needed again to present them. */
interface Known {
  /** By the ids of teams and authors. */
  readonly authorsIn: Map<string, ReadonlyMap<string, Author>>;
  /** Of subjects, by their ids. */
  readonly namesOf: Map<string, string>;
}

/** Notes that a post is refused. */
type Refuse = (post: Post, error: unknown) => void;

export type PostService = ReturnType<typeof postService>;

/** Posting what opens a conversation. */
export function postService(deps: {
  present: MessagePresenter;
  finder: MessageFinder;
  posting: Posting;
  subjects: NamingOfSubjects;
  direct: DirectApplications;
  clock: Clock;
}) {
  const { present, posting, subjects, direct, clock } = deps;
  const { getAll } = deps.finder;

  /**
   * Stores any number of messages with the few statements that one of them takes, in a team of any size. A refused one
   * takes no place: UnreachableAddressee, WrongMention, InvalidFields. What was posted is durable when the transaction is.
   */
  const post: Batch<Post, Message[]> = async (tx, posts) => {
    const outcomes = new Outcomes<Post, Message[]>();
    const known: Known = { authorsIn: new Map(), namesOf: new Map() };
    const accepted = await acceptAll(tx, posts, outcomes.refuse, known);
    const written = await posting.rowsOf(tx, accepted);
    const rows = written.map(({ row }) => row);
    const [outside, inTeams] = parted(rows, ({ team_id }) => team_id === null);
    const { authorsIn } = known;
    // An application reads by itself: what is unread is counted for people.
    const toPeople = written.filter(
      ({ draft: { author }, place }) => place.direct === undefined || author.itself,
    );
    const received = toPeople.map(({ row }) => row).filter(({ team_id }) => team_id === null);
    await together([insertMessages(tx, rows), addressAll(tx, received), passOverOwn(tx, inTeams, authorsIn)]);
    for (const row of outside) tx.gather(noteSaid, { ...row, newestId: row.id });
    for (const { row, draft } of written)
      await posting.announce(tx, row, draft, row.team_id === null ? peopleOf(row) : undefined);
    const shown = await together([presentDirect(tx, outside), presentInTeams(tx, inTeams, known)]);
    const messages = new Map(shown.flat().map((message) => [message.id, message]));
    for (const { post: one, row } of written) outcomes.accept(one, [messages.get(row.id) as Message]);
    return outcomes.of(posts);
  };

  async function acceptAll(
    tx: Tx,
    posts: readonly Post[],
    refuse: Refuse,
    { authorsIn, namesOf }: Known,
  ): Promise<Accepted[]> {
    const byTeam = Map.groupBy(posts, ({ to }) => to.teamId);
    const accept = async ([teamId, all]: readonly [string | undefined, readonly Post[]]) => {
      if (teamId === undefined) return acceptDirect(tx, all, refuse);
      const { authors, placed } = await acceptInTeam(tx, teamId, all, { refuse, namesOf });
      authorsIn.set(teamId, authors);
      return placed;
    };
    return (await together([...byTeam].map(accept))).flat();
  }

  /** From the time when places are taken, the team's row is locked and no member leaves. */
  async function acceptInTeam(
    tx: Tx,
    teamId: string,
    posts: readonly Post[],
    { refuse, namesOf }: { refuse: Refuse } & Pick<Known, 'namesOf'>,
  ) {
    const refuseAll = (all: readonly Post[]) => {
      for (const one of all) refuse(one, new UnreachableAddressee(teamId));
    };
    const [able, unable] = parted(posts, ({ author }) => mayPostInTeam(author));
    for (const one of unable) refuse(one, new ScopeMissing('messages:write'));
    const [within, beyond] = parted(able, ({ author }) => (callerOf(author).onlyTeam ?? teamId) === teamId);
    refuseAll(beyond);
    const checked = await check(tx, within, refuse);
    const count = checked.length;
    if (count === 0) return { authors: new Map<string, Author>(), placed: [] };
    const [taken, authors] = await together([
      takeSequences.first(tx, { teamId, count }),
      authorsOf(tx, teamId, checked),
    ]);
    const [members, strangers] = parted(checked, ({ post: { author } }) => authors.has(author.userId));
    refuseAll((taken ? strangers : checked).map(({ post: stranger }) => stranger));
    if (!taken) return { authors, placed: [] };
    const subjectOf = await subjectsOf(tx, teamId, members, { refuse, namesOf });
    const accepted = subjectOf ? members.filter((one) => subjectOf.get(one) !== null) : members;
    const excess = count - accepted.length;
    if (excess > 0) await returnSequences.run(tx, { teamId, count: excess });
    const placed = accepted.map((one, index) => {
      const seq = taken.message_seq - count + 1 + index;
      const subject_id = subjectOf?.get(one) ?? undefined;
      return { ...one, place: { team_id: teamId, seq, addressees: [], subject_id } };
    });
    return { authors, placed };
  }

  /** @returns the subject of each post that names one, null for a refused one; undefined where none does */
  async function subjectsOf(
    tx: Tx,
    teamId: string,
    posts: readonly Checked[],
    { refuse, namesOf }: { refuse: Refuse } & Pick<Known, 'namesOf'>,
  ): Promise<ReadonlyMap<Checked, string | null> | undefined> {
    const named = posts.filter(({ post: { to } }) => typeof to.subject === 'string');
    if (named.length === 0) return undefined;
    const asked = named.map(({ post: { author, to } }) => ({
      name: to.subject as string,
      userId: author.userId,
    }));
    const found = await subjects.find(tx, teamId, asked);
    return new Map(
      named.map((one, index) => {
        const outcome = found[index] as (typeof found)[number];
        if (outcome instanceof Error) {
          refuse(one.post, outcome);
          return [one, null];
        }
        namesOf.set(outcome.id, outcome.name);
        return [one, outcome.id];
      }),
    );
  }

  /** Members, applications that the team has installed, and its incoming webhooks. */
  async function authorsOf(tx: Tx, teamId: string, posts: readonly Checked[]): Promise<Map<string, Author>> {
    const principals = posts.map(({ post: { author } }) => author);
    const [themselves, people] = parted(principals, ({ itself }) => itself !== undefined);
    const [installed, webhooks] = parted(themselves, ({ grant }) => grant !== undefined);
    const ids = (all: readonly UserPrincipal[]) => [...new Set(all.map(({ userId }) => userId))];
    const members = people.length === 0 ? [] : await lockAuthors.all(tx, { teamId, userIds: ids(people) });
    const authors = new Map<string, Author>(members.map((row) => [row.user_id, row]));
    for (const [lock, some] of [
      [lockInstalledAuthors, installed],
      [lockWebhookAuthors, webhooks],
    ] as const) {
      if (some.length === 0) continue;
      for (const row of await lock.all(tx, { teamId, userIds: ids(some) }))
        authors.set(row.user_id, { ...row, team_muted: null, read_seq: null });
    }
    return authors;
  }

  const check = (tx: Tx, posts: readonly Post[], refuse: Refuse): Promise<Checked[]> =>
    settleEach(
      posts,
      async (one) => ({ post: one, draft: await posting.draft(tx, one.author, one.content) }),
      refuse,
    );

  /** The addressees of all posts of one author are looked up at once. */
  async function acceptDirect(tx: Tx, posts: readonly Post[], refuse: Refuse): Promise<Accepted[]> {
    const checked = await check(tx, posts, refuse);
    const [apart, among] = parted(checked, ({ post: { author, to } }) => isWithApplication(author, to));
    // One after the other: the first message to an application makes its author.
    const placed: Accepted[] = [];
    for (const one of apart) {
      const place = async () => ({ ...one, place: await direct.placeOf(tx, one.post.author, one.post.to) });
      placed.push(...(await settleEach([one], place, (_, error) => refuse(one.post, error))));
    }
    const byCaller = Map.groupBy(among, ({ post: { author } }) => JSON.stringify(callerOf(author)));
    const accepted = await together([...byCaller.values()].map((own) => acceptBy(tx, own, refuse)));
    return [...placed, ...accepted.flat()];
  }

  /** @param own the posts of one author, by one grant */
  async function acceptBy(tx: Tx, own: readonly Checked[], refuse: Refuse): Promise<Accepted[]> {
    const [{ post: first }] = own as [Checked];
    const reachable = await findReachable(tx, callerOf(first.author), {
      ids: [...new Set(own.flatMap(({ post: { to } }) => to.userIds))],
      emails: [...new Set(own.flatMap(({ post: { to } }) => to.emails))],
    });
    const ids = new Map(
      reachable.flatMap(({ id, email_key }) => [[id, id] as const, [email_key, id] as const]),
    );
    const accept = async (one: Checked): Promise<Accepted> => {
      const named = [...one.post.to.userIds, ...one.post.to.emails];
      const missing = named.filter((name) => !ids.has(name));
      if (missing.length > 0) throw new UnreachableAddressee(missing.map((name) => name.slice(0, 100)));
      const addressees = [...new Set(named.map((name) => ids.get(name) as string))];
      const conversation_id = conversationOf([first.author.userId, ...addressees]);
      return { ...one, place: { team_id: null, conversation_id, addressees } };
    };
    return settleEach(own, accept, (one, error) => refuse(one.post, error));
  }

  async function addressAll(tx: Tx, rows: readonly MessageRow[]): Promise<void> {
    const recipients = rows.flatMap((row) =>
      (JSON.parse(row.addressed_users_json) as string[]).map((user_id) => ({
        user_id,
        message_id: row.id,
        read_at: user_id === row.author_id ? clock() : null,
      })),
    );
    await insertRecipients(tx, recipients);
  }

  /** Each as its author sees it. */
  const presentDirect = (tx: Tx, rows: readonly MessageRow[]): Promise<Message[]> =>
    getAll(
      tx,
      rows.map(({ id, author_id }) => ({ viewer: asUser(author_id), id })),
    );

  /** The same, without a look at the database: nothing can have happened to them yet. */
  async function presentInTeams(
    tx: Tx,
    rows: readonly MessageRow[],
    { authorsIn, namesOf }: Known,
  ): Promise<Message[]> {
    const posters = await postersOf(
      tx,
      rows.map((row) => row.application_id),
    );
    const messages = rows.map(async (row) => {
      const author = authorsIn.get(row.team_id as string)?.get(row.author_id) as Author;
      const subject = row.subject_id === null ? null : namesOf.get(row.subject_id);
      const view = viewOfNew(row, author, posters.get(row.application_id), subject);
      return (await present(tx, [view], asUser(row.author_id), 'new'))[0] as Message;
    });
    return together(messages);
  }

  return { post };
}

/** An incoming webhook has no token. */
const mayPostInTeam = ({ itself, grant }: UserPrincipal): boolean =>
  itself === undefined || grant === undefined || grant.scopes.includes('messages:write');

function parted<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}
