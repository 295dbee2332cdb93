import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ByHand,
  Conflict,
  defineRoute,
  InvalidFields,
  NotAllowed,
  NotFound,
  Text,
  Uuid,
  viewerOf,
} from '#api';
import type { InteractionService } from './interaction.service.ts';

/** Values of one element. */
const MOST_VALUES = 100;

export function interactionRoutes(app: FastifyInstance, interactions: InteractionService): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages/:message/interactions',
    access: 'session',
    tag: 'Messages',
    summary: 'Press or choose something in the blocks of a message',
    description:
      'The application hears of it by the event `interaction`. The same `click` is told once, however often it is sent.',
    params: Type.Object({ message: Type.String() }),
    body: Type.Object({
      block_id: Text(255),
      action_id: Text(255),
      value: Type.Optional(Text(3000, { description: 'Of an element with one value' })),
      values: Type.Optional(
        Type.Array(Text(3000), { maxItems: MOST_VALUES, description: 'Of an element with several' }),
      ),
      state: Type.Optional(
        ByHand(
          'What all elements of the message hold: `{block_id: {action_id: value or values}}`',
          Type.Object({}, { additionalProperties: true }),
        ),
      ),
      click: Type.Unsafe<string>({ ...Uuid, description: 'Names this click, and each attempt to send it' }),
    }),
    item: Type.Object({
      id: Uuid,
      status: Type.Unsafe<'done'>({
        type: 'string',
        enum: ['done'],
        description: '`done`: it is in the log, and is delivered as all events are',
      }),
    }),
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body: { click, ...given }, principal, request, write }) => {
      request.headers['idempotency-key'] = click;
      return write(async (tx) => {
        await interactions.act(tx, viewerOf(principal, 'write'), params.message, click, given);
        return [{ id: click, status: 'done' as const }];
      });
    },
  });
}
