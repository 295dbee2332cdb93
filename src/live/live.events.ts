import type { Tx } from '#platform/db/index.ts';
import { audienceOf, type MessageChange } from '../messages/index.ts';
import type { MessageRow } from '../schema/index.ts';
import type { TeamChange } from '../teams/index.ts';
import type { Audience, NewEvent } from './event.ts';

type Emit = (tx: Tx, event: NewEvent) => Promise<void>;

/** Turns what happens elsewhere into events. */
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
    if (change.kind === 'changed') return tellAll(tx, 'message.updated', change.message);
    const audience = { user: change.userId };
    if (change.kind === 'team_read') {
      return emit(tx, { kind: 'read', audience, data: { team: change.teamId } });
    }
    const data = { message: change.messageId, viewer: change.userId };
    return emit(tx, { kind: 'message.state', audience, data });
  }

  async function onTeamChange(tx: Tx, change: TeamChange): Promise<void> {
    const audience = { team: change.teamId };
    if (!('userId' in change)) {
      return emit(tx, { kind: 'team.updated', audience, data: { team: change.teamId, change: change.kind } });
    }
    const data = { team: change.teamId, user: change.userId, change: change.kind };
    return emit(tx, { kind: 'team.members', audience, data });
  }

  const onInstallationChange = (tx: Tx, { id, team_id: team }: { id: string; team_id: string }) =>
    emit(tx, { kind: 'installation.updated', audience: { team }, data: { installation: id } });

  return { onMessageChange, onTeamChange, onInstallationChange };
}

async function audiences(tx: Tx, row: MessageRow): Promise<Audience[]> {
  const audience = await audienceOf(tx, row);
  return 'team' in audience ? [audience] : audience.users.map((user) => ({ user }));
}
