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
import { ShownInteraction } from './interaction.schema.ts';
import type { InteractionService } from './interaction.service.ts';
import { OPTIONS_WITHIN_MS, type QuestionService } from './question.service.ts';

/** Values of one element. */
const MOST_VALUES = 100;

/** Characters of a question. */
const LONGEST_QUESTION = 200;

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
    body: Type.Object({
      block_id: Text(255),
      action_id: Text(255),
      value: Text(LONGEST_QUESTION, { description: 'What was typed' }),
    }),
    item: Type.Object({
      ...ShownInteraction.properties,
      options: Type.Optional(Type.Array(Type.Unknown(), { description: 'As `MenuOption`' })),
      option_groups: Type.Optional(Type.Array(Type.Unknown(), { description: 'As `MenuOptionGroup`' })),
    }),
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await questions.ask(tx, viewerOf(principal, 'write'), params.message, body)]),
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
    item: ShownInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body: { click, ...given }, principal, write }) =>
      write(
        async (tx) => [
          await interactions.act(tx, viewerOf(principal, 'write'), params.message, click, given),
        ],
        { again: async (tx, id) => [await interactions.get(tx, principal.userId, id)] },
      ),
  });
}
