import type { Tx } from '#platform/db/index.ts';
import type { MessageRow } from '#schema';
import type { TeamChange } from '../../teams/index.ts';
import { type MessageChange, receiversOf } from '../messages/index.ts';
import type { NewEvent } from './catalogue.ts';

type Emit = (tx: Tx, event: NewEvent) => Promise<void>;

/** Stores a live event for each change that other domains report. */
export type LiveEvents = ReturnType<typeof liveEvents>;

export function liveEvents(emit: Emit) {
  async function tellAll(
    tx: Tx,
    kind: 'message.created' | 'message.updated',
    row: MessageRow,
  ): Promise<void> {
    const data = { message: row.id, author: row.author_id };
    for (const audience of await audiences(tx, row)) await emit(tx, { kind, audience, data });
  }

  async function onMessageChange(tx: Tx, change: MessageChange): Promise<void> {
    if (change.kind === 'posted') return tellAll(tx, 'message.created', change.message);
    if ('message' in change) return tellAll(tx, 'message.updated', change.message);
    if (change.kind === 'sidebar') return tellSidebar(tx, change.sidebarId, change.sidebarUsers);
    const audience = { user: change.userId };
    if (change.kind === 'team_read') {
      return emit(tx, { kind: 'read', audience, data: { team: change.teamId } });
    }
    if (change.kind === 'all_read') return emit(tx, { kind: 'read', audience, data: { team: null } });
    const data = { message: change.messageId, viewer: change.userId };
    return emit(tx, { kind: 'message.state', audience, data });
  }

  async function tellSidebar(tx: Tx, sidebar: string, users: readonly string[]): Promise<void> {
    for (const user of users)
      await emit(tx, { kind: 'sidebar.created', audience: { user }, data: { sidebar } });
  }

  /** A visible change goes to all connections of the user, any other to the user's own clients. */
  function onUserChange(tx: Tx, userId: string, isVisible: boolean): Promise<void> {
    const audience = isVisible ? { connectionsOf: userId } : { user: userId };
    return emit(tx, { kind: 'user.updated', audience, data: { user: userId } });
  }

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

  const onInstallationChange = (tx: Tx, { id, team_id: team }: { id: string; team_id: string }) =>
    emit(tx, { kind: 'installation.updated', audience: { team }, data: { installation: id } });

  return { onMessageChange, onTeamChange, onUserChange, onInstallationChange };
}

async function audiences(tx: Tx, row: MessageRow): Promise<NewEvent<'message.created'>['audience'][]> {
  const audience = await receiversOf(tx, row);
  return 'team' in audience ? [audience] : audience.users.map((user) => ({ user }));
}
