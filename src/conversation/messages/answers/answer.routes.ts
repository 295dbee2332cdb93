import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  EmptyMessage,
  InvalidFields,
  NotAllowed,
  NotFound,
  ScopeMissing,
  UnreachableAddressee,
  Uuid,
  viewerOf,
} from '#api';
import { ShownInteraction } from '../interactions/interaction.schema.ts';
import { EphemeralAnswer, GivenAnswer } from './answer.schema.ts';
import { type AnswerService, MOST_USES } from './answer.service.ts';
import type { EphemeralService } from './ephemeral.service.ts';

const tag = 'Messages';

export function answerRoutes(
  app: FastifyInstance,
  { answers, ephemeral }: { answers: AnswerService; ephemeral: EphemeralService },
): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/interactions/:interaction/:secret',
    access: 'response',
    tag,
    summary: 'Answer a click, at the `response_url` of its event',
    description:
      'As the application itself, which may do here what its own token may. `replace`, `append`, `reply` or `ephemeral` ' +
      `says where \`text\` and \`blocks\` belong; an empty object ends the click. Good for 30 minutes and ${MOST_USES} times.`,
    params: Type.Object({ interaction: Type.String(), secret: Type.String() }),
    body: GivenAnswer,
    item: Type.Object({
      ...ShownInteraction.properties,
      uses_left: Type.Integer(),
      message: Type.Optional(
        Type.Unsafe<string>({ ...Uuid, description: 'The message that was changed, or the new answer' }),
      ),
    }),
    errors: [NotFound, NotAllowed, ScopeMissing, InvalidFields, EmptyMessage, Conflict, UnreachableAddressee],
    handle: ({ params, body, write }) =>
      write(async (tx) => [await answers.answer(tx, params.interaction, body)]),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/ephemeral_answers',
    access: 'session',
    tag,
    summary: 'What applications of a team have answered the caller alone, the oldest first',
    description: 'They are kept for a day.',
    query: Type.Object({ team: Type.String() }),
    item: EphemeralAnswer,
    errors: [NotFound],
    handle: async ({ query, principal }) =>
      new Answer(await ephemeral.list(viewerOf(principal, 'read'), query.team), {}),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/ephemeral_answers/:answer',
    access: 'session',
    tag,
    summary: 'Dismiss what an application has answered the caller alone',
    params: Type.Object({ answer: Type.String() }),
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await ephemeral.dismiss(tx, principal.userId, params.answer);
        return [];
      }),
  });
}
