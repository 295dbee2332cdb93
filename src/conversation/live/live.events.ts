import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import type { WhereaboutsChange } from '../../people/users/index.ts';
import type { TeamChange } from '../../teams/index.ts';
import { type Interaction, type MessageChange, receiversOf } from '../messages/index.ts';
import type { InstallationStep, NewEvent } from './catalogue.ts';
import { insertEvent } from './event.store.ts';
import type { Presence } from './presence.ts';

/** For a process that runs no streams: the servers find the event. @param holder an account or an application */
export const tellAccessEnd = (tx: Tx, holder: string, now: number): void =>
  insertEvent(tx, { kind: 'access.ended', audience: { holder }, data: {} }, now);

type Emit = (tx: Tx, event: NewEvent) => Promise<void>;

/** Stores a live event for each change that other domains report. */
export type LiveEvents = ReturnType<typeof liveEvents>;

export function liveEvents({ emit, onInvisible }: { emit: Emit; onInvisible: Presence['onInvisible'] }) {
  async function tellCreated(
    tx: Tx,
    { message: row, people, key }: Extract<MessageChange, { kind: 'posted' }>,
  ): Promise<void> {
    if (key !== undefined)
      await emit(tx, { kind: 'posted', audience: { user: row.author_id }, data: { key, message: row.id } });
    const root = row.root_id === null ? {} : { root: row.root_id };
    const data = { message: row.id, author: row.author_id, ...root };
    for (const audience of people?.map((user) => ({ user })) ?? (await audiences(tx, row)))
      await emit(tx, { kind: 'message.created', audience, data });
  }

  async function tellUpdated(
    tx: Tx,
    row: MessageRow,
    about: Partial<NewEvent<'message.updated'>['data']>,
  ): Promise<void> {
    const data = { message: row.id, author: row.author_id, ...about };
    for (const audience of await audiences(tx, row))
      await emit(tx, { kind: 'message.updated', audience, data });
  }

  /** An application is not told of messages that it writes as itself. */
  async function tellApplication(tx: Tx, change: MessageChange): Promise<void> {
    if (change.kind !== 'posted' && change.kind !== 'edited' && change.kind !== 'deleted') return;
    const { kind, message, byItself } = change;
    const { id, author_id: user, direct_team_id: team, direct_application_id: application } = message;
    if (team === null || application === null || byItself) return;
    const version = kind === 'edited' ? { version: change.version } : {};
    const data = { message: id, application, user, change: kind, ...version };
    await emit(tx, { kind: 'direct', audience: { team }, data });
  }

  async function onMessageChange(tx: Tx, change: MessageChange): Promise<void> {
    await tellApplication(tx, change);
    if (change.kind === 'posted') return tellCreated(tx, change);
    if (change.kind === 'subject') return tellSubject(tx, change);
    if ('message' in change) return tellUpdated(tx, change.message, aboutUpdate(change));
    if (change.kind === 'sidebar') return tellSidebar(tx, change.sidebarId, change.sidebarUsers);
    const audience = { user: change.userId };
    if (change.kind === 'team_read' || change.kind === 'team_unread') {
      return emit(tx, { kind: 'read', audience, data: { team: change.teamId } });
    }
    if (change.kind === 'all_read') return emit(tx, { kind: 'read', audience, data: { team: null } });
    const data = { message: change.messageId, viewer: change.userId };
    return emit(tx, { kind: 'message.state', audience, data });
  }

  /** With the name that it has now: programs hear of each name once. */
  const tellSubject = (
    tx: Tx,
    { row, change, userId: user }: Extract<MessageChange, { kind: 'subject' }>,
  ) => {
    const { id: subject, team_id: team, name } = row;
    return emit(tx, {
      kind: 'subject.updated',
      audience: { team },
      data: { team, subject, name, change, user },
    });
  };

  async function tellSidebar(tx: Tx, sidebar: string, users: readonly string[]): Promise<void> {
    for (const user of users)
      await emit(tx, { kind: 'sidebar.created', audience: { user }, data: { sidebar } });
  }

  /** A visible change goes to all connections of the user, any other to the user's own clients. */
  function onUserChange(tx: Tx, userId: string, isVisible: boolean): Promise<void> {
    const audience = isVisible ? { connectionsOf: userId } : { user: userId };
    return emit(tx, { kind: 'user.updated', audience, data: { user: userId } });
  }

  function onWhereabouts(tx: Tx, user: string, change: WhereaboutsChange): Promise<void> {
    if (change.kind === 'visibility') return onInvisible(tx, user, change.isInvisible);
    const { status, do_not_disturb_until } = change;
    const data = { user, status, do_not_disturb_until };
    return emit(tx, { kind: 'person.changed', audience: { connectionsOf: user }, data });
  }

  /** @param teams those in which an application listens for it */
  async function onHeardWhereabouts(tx: Tx, user: string, teams: readonly string[]): Promise<void> {
    for (const team of teams) await emit(tx, { kind: 'whereabouts', audience: { team }, data: { user } });
  }

  /** Of an incoming webhook, which knows nobody: its messages are in one team. */
  const onAuthorChange = (tx: Tx, { authorId, teamId }: { authorId: string; teamId: string }) =>
    emit(tx, { kind: 'user.updated', audience: { team: teamId }, data: { user: authorId } });

  async function onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
    const audience = { team: change.teamId };
    if (!('userId' in change)) {
      return emit(tx, { kind: 'team.updated', audience, data: { team: change.teamId, change: change.kind } });
    }
    const data = { team: change.teamId, user: change.userId, change: change.kind };
    await emit(tx, { kind: 'team.members', audience, data });
    if (change.kind !== 'member_removed') return;
    // The former member no longer gets events of the team.
    await emit(tx, { kind: 'team.members', audience: { user: change.userId }, data });
  }

  const onInstallationChange = (
    tx: Tx,
    of: { id: string; team_id: string; application_id: string; change: InstallationStep },
  ) => {
    const data = { installation: of.id, application: of.application_id, change: of.change };
    return emit(tx, { kind: 'installation.updated', audience: { team: of.team_id }, data });
  };

  const onObjectOpen = (
    tx: Tx,
    { team, object, application, user }: { team: string; object: string; application: string; user: string },
  ) => emit(tx, { kind: 'object.opened', audience: { team }, data: { object, application, user } });

  const onInteraction = (tx: Tx, { team, ...data }: Interaction) =>
    emit(tx, { kind: 'click', audience: { team }, data });

  /** Another name or address, or none any more. */
  const onObjectChange = (tx: Tx, { team, object }: { team: string; object: string }) =>
    emit(tx, { kind: 'object.updated', audience: { team }, data: { object } });

  /** Of an account or an application. */
  const onAccessEnd = (tx: Tx, holder: string) =>
    emit(tx, { kind: 'access.ended', audience: { holder }, data: {} });

  return {
    onAccessEnd,
    onMessageChange,
    onTeamChange,
    onUserChange,
    onWhereabouts,
    onHeardWhereabouts,
    onAuthorChange,
    onInstallationChange,
    onObjectOpen,
    onInteraction,
    onObjectChange,
  };
}

type Update =
  | Extract<MessageChange, { kind: 'edited' | 'deleted' | 'counted' | 'unfurled' | 'moved' | 'pinned' }>
  | { kind: 'reacted' };

function aboutUpdate(change: Update): Partial<NewEvent<'message.updated'>['data']> {
  if (change.kind === 'edited') return { change: 'edited', version: change.version };
  if (change.kind === 'deleted') return { change: 'deleted' };
  if (change.kind === 'pinned')
    return { change: change.isPinned ? 'pinned' : 'unpinned', user: change.userId };
  if (change.kind !== 'counted' || !change.reaction) return {};
  const { userId, emoji, isGiven } = change.reaction;
  return { change: isGiven ? 'reaction_added' : 'reaction_removed', user: userId, emoji };
}

async function audiences(tx: Tx, row: MessageRow): Promise<NewEvent<'message.created'>['audience'][]> {
  const audience = await receiversOf(tx, row);
  return 'team' in audience ? [audience] : audience.users.map((user) => ({ user }));
}
