import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Conflict, defineRoute, InvalidFields, NotAllowed, NotFound, viewerOf } from '#api';
import { GivenClick, GivenQuestion, SharedInteraction, SharedOffer } from './interaction.schema.ts';
import type { InteractionService } from './interaction.service.ts';
import { OPTIONS_WITHIN_MS, type QuestionService } from './question.service.ts';
import { lockSeen } from './surface.ts';

export function interactionRoutes(
  app: FastifyInstance,
  { interactions, questions }: { interactions: InteractionService; questions: QuestionService },
): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages/:message/options',
    access: 'session',
    tag: 'Messages',
    summary: 'Ask for the options of an `external_select` that fit a text',
    description:
      `The application is asked by the event \`interaction\` of the kind \`options\`, and has ${OPTIONS_WITHIN_MS / 1000} ` +
      'seconds. The live event `interaction` tells how it went; the same request then answers what was offered.',
    params: Type.Object({ message: Type.String() }),
    body: GivenQuestion,
    item: SharedOffer,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const surface = await lockSeen(tx, viewerOf(principal, 'write'), params.message);
        return [await questions.ask(tx, principal.userId, surface, body)];
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/messages/:message/interactions',
    access: 'session',
    tag: 'Messages',
    summary: 'Press or choose something in the blocks of a message',
    description:
      'The application hears of it by the event `interaction`. The same `click` is told once, however often it is sent, ' +
      'and answers how it goes by then. While it is pending, the same value from the same person is the same click.',
    params: Type.Object({ message: Type.String() }),
    body: GivenClick,
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body: { click, ...given }, principal, write }) =>
      write(
        async (tx) => {
          const surface = await lockSeen(tx, viewerOf(principal, 'write'), params.message);
          return [await interactions.act(tx, principal.userId, surface, click, given)];
        },
        { again: async (tx, id) => [await interactions.get(tx, principal.userId, id)] },
      ),
  });
}
