import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, InvalidFields, NotFound, Nullable, Shared, Timestamp } from '#api';
import { Mute, MutedKind } from './mute.schema.ts';
import type { MuteService } from './mute.service.ts';

const tag = 'Notifications';
const Params = Type.Object({ kind: MutedKind, id: Type.String() });

/** Muting a place for a time, or a direct conversation. */
export function muteRoutes(app: FastifyInstance, mutes: MuteService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/mutes',
    access: 'session',
    tag,
    summary:
      'The mutes of the caller that end by themselves, and the muted subjects and direct conversations',
    description: 'Teams and messages that are muted without an end say so themselves: `is_muted`, `muted`.',
    item: Shared(Mute),
    handle: ({ principal }) => mutes.list(principal.userId),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/users/me/mutes/:kind/:id',
    access: 'session',
    tag,
    summary:
      'Mute a team, a message with its replies, a subject or a direct conversation, for a time or without an end',
    description: '`until` is when it ends by itself; null for a mute that the caller ends.',
    params: Params,
    body: Type.Object({ until: Nullable(Timestamp) }),
    item: Shared(Mute),
    errors: [InvalidFields, NotFound],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await mutes.mute(tx, principal.userId, params.kind, params.id, body.until)]),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/mutes/:kind/:id',
    access: 'session',
    tag,
    summary: 'Unmute a team, a message with its replies, a subject or a direct conversation',
    params: Params,
    errors: [InvalidFields, NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await mutes.unmute(tx, principal.userId, params.kind, params.id);
        return [];
      }),
  });
}
