import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, NotFound, Timestamp } from '#api';
import type { FailureService } from './failure.service.ts';

const Failure = Type.Object({
  error: Type.String({ description: 'As the token route answered it' }),
  grant_type: Type.String({
    description: 'Of the request; `other` for one that there is not, `none` without one',
  }),
  reason: Type.String(),
  message: Type.String({ description: 'The reason in words' }),
  count: Type.Integer({ description: 'How often it happened' }),
  first_at: Timestamp,
  last_at: Timestamp,
});

export function failureRoutes(app: FastifyInstance, failures: FailureService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/token_failures',
    access: 'developer',
    tag: 'Applications',
    summary: 'Why an application got no tokens of late, the last kind of failure first',
    description:
      'For its owner, and for a program with its secret. The token route answers the error alone, since anybody may ask it in the name of an application. Equal ' +
      'failures are one entry with a count.',
    params: Type.Object({ application: Type.String() }),
    item: Failure,
    errors: [NotFound],
    handle: ({ params, principal }) => failures.list(principal, params.application),
  });
}
