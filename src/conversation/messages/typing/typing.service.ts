import { asUser, lookUp, NotFound } from '#api';
import type { Database } from '#platform/db/index.ts';
import type { SubjectRow } from '#schema';
import { listPrefs, prefsOf } from '../../../people/users/index.ts';
import { accessTeam } from '../../../teams/index.ts';
import { findConversation, listPeopleOf, listReachable } from '../direct/conversation.store.ts';
import type { SidebarService } from '../sidebars/sidebar.service.ts';
import { findSubject } from '../subjects/subject.store.ts';
import { accessConversation, refuseDeleted } from '../view/message.access.ts';
import { listSidebarViewers } from '../view/sidebar.store.ts';
import type { SeenMessage } from '../view/view.store.ts';
import { listWriters } from './typing.store.ts';

/** In the stream of a larger team nobody is told: somebody would be typing at any time. */
export const MOST_TOLD = 100;

/** Where in a team or a conversation a person types: in its stream, in a thread or in a sidebar. */
export interface TypingIn {
  /** The message that opened the thread, or one of its replies. */
  readonly message?: string | undefined;
  readonly sidebar?: string | undefined;
  /** The subject of the message that is being written to the stream. */
  readonly subject?: string | undefined;
}

/** A typing person, as others are told. */
export interface Typing {
  readonly user: string;
  readonly team?: string;
  readonly conversation?: string;
  readonly message?: string;
  readonly sidebar?: string;
  readonly subject?: string;
}

/** All members of the team, or these users. */
export type Hearers = { readonly team: string } | { readonly users: readonly string[] };

export type TypingService = ReturnType<typeof typingService>;

/** Lets the others in a place know that somebody types there. Nothing of it is stored. */
export function typingService(deps: {
  db: Database;
  sidebars: SidebarService;
  /** Passes it on to whoever listens, or drops it. */
  tell: (typing: Typing, hearers: Hearers) => void;
}) {
  const { db, sidebars, tell } = deps;

  /** @throws NotFound @throws Conflict for a deleted message */
  async function inTeam(userId: string, id: string, { message, sidebar, subject }: TypingIn): Promise<void> {
    const { id: team, num_members } = await accessTeam(db, userId, id);
    if (sidebar !== undefined) return inSidebar(userId, sidebar, { team });
    const root = message === undefined ? undefined : await accessThread(userId, message);
    if (root && root.team_id !== team) throw new NotFound();
    if (!root) {
      const about = subject === undefined ? undefined : await accessSubject(userId, subject, team);
      if (num_members > MOST_TOLD) return;
      return say({ user: userId, team, ...(about && { subject: about.id }) }, { team });
    }
    const thread = { message: root.id };
    if (num_members <= MOST_TOLD) return say({ user: userId, team, ...thread }, { team });
    const writers = await listWriters.all(db, { rootId: root.id, newest: MOST_TOLD });
    await say({ user: userId, team, ...thread }, { users: writers.map(({ author_id }) => author_id) });
  }

  /**
   * Nobody is told who could not get a message: whose account is closed, or who shares no team with the person any more.
   * @throws NotFound also for a conversation that has not begun @throws Conflict for a deleted message
   */
  async function inConversation(userId: string, id: string, { message, sidebar }: TypingIn): Promise<void> {
    const found = await lookUp(id, (known) => findConversation.first(db, { userId, id: known }));
    if (sidebar !== undefined) return inSidebar(userId, sidebar, { conversation: found.id });
    const root = message === undefined ? undefined : await accessThread(userId, message);
    if (root && root.conversation_id !== found.id) throw new NotFound();
    const people = await listPeopleOf.all(db, { ids: [found.id] });
    const ids = people.map(({ user_id }) => user_id);
    const users = await reachable(userId, ids);
    // A message to all of them would be refused. Applications count as out of reach: they do not hear of this.
    if (!root && users.length < ids.length) return;
    await say({ user: userId, conversation: found.id, ...(root && { message: root.id }) }, { users });
  }

  /** Beside a message of the team or the conversation. */
  async function inSidebar(
    userId: string,
    id: string,
    place: { readonly team: string } | { readonly conversation: string },
  ): Promise<void> {
    const sidebar = await sidebars.access(db, asUser(userId), id);
    const beside = await accessConversation(db, asUser(userId), sidebar.message_id);
    const isThere =
      'team' in place ? beside.team_id === place.team : beside.conversation_id === place.conversation;
    if (!isThere) throw new NotFound();
    const viewers = await listSidebarViewers.all(db, { sidebarId: sidebar.id });
    const ids = viewers.map(({ user_id }) => user_id);
    const users = 'team' in place ? ids : await reachable(userId, ids);
    await say({ user: userId, ...place, sidebar: sidebar.id }, { users });
  }

  /** @throws NotFound also for a subject of another team */
  async function accessSubject(userId: string, id: string, team: string): Promise<SubjectRow> {
    const row = await lookUp(id, (known) => findSubject.first(db, { id: known, userId }));
    if (row.team_id !== team) throw new NotFound();
    return row;
  }

  /** The thread of a message that the person may answer. @throws NotFound @throws Conflict */
  async function accessThread(userId: string, id: string): Promise<SeenMessage> {
    const root = await accessConversation(db, asUser(userId), id);
    if (root.sidebar_id !== null) throw new NotFound();
    refuseDeleted(root);
    return root;
  }

  const reachable = async (userId: string, ids: readonly string[]) =>
    (await listReachable.all(db, { userId, ids })).map((row) => row.id);

  /** Unless the person has switched it off, or does not want to be seen here. */
  async function say(typing: Typing, hearers: Hearers): Promise<void> {
    const [user] = await listPrefs.all(db, { ids: [typing.user] });
    if (user?.is_invisible === 0 && prefsOf(user).send_typing) tell(typing, hearers);
  }

  return { inTeam, inConversation };
}
