import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ByHand, Conflict, defineRoute, InvalidFields, NotAllowed, NotFound, Uuid, viewerOf } from '#api';
import {
  GivenClick,
  GivenQuestion,
  SharedInteraction,
  SharedOffer,
} from '../interactions/interaction.schema.ts';
import type { InteractionService } from '../interactions/interaction.service.ts';
import type { QuestionService } from '../interactions/question.service.ts';
import { SharedForm } from './form.schema.ts';
import type { FormService } from './form.service.ts';

const Params = Type.Object({ form: Type.String() });
const tag = 'Messages';

export function formRoutes(
  app: FastifyInstance,
  deps: { forms: FormService; interactions: InteractionService; questions: QuestionService },
): void {
  const { forms, interactions, questions } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/forms/:form',
    access: 'session',
    tag,
    summary: 'A form that an application has opened for the caller',
    description: 'As long as it is open, and for a day. The live event `form` tells of each change.',
    params: Params,
    item: SharedForm,
    errors: [NotFound],
    handle: async ({ params, principal }) => [await forms.get(viewerOf(principal, 'read'), params.form)],
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/forms/:form/submission',
    access: 'session',
    tag,
    summary: 'Submit a form',
    description:
      'The application hears of it by the event `interaction` of the kind `form`. While it has not answered, this is the same ' +
      'submission, however often it is sent. `done` without `form` has closed the form: sent later, it is answered with 404. ' +
      'After `errors` or another form, one with the `hash` of before gets 409 (`form_changed`).',
    params: Params,
    body: Type.Object({
      state: Type.Optional(
        ByHand(
          'What all elements of the form hold: `{block_id: {action_id: value or values}}`',
          Type.Object({}, { additionalProperties: true }),
        ),
      ),
      hash: Type.Unsafe<string>({ ...Uuid, description: 'Of the form as it was filled in' }),
    }),
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await forms.submit(tx, viewerOf(principal, 'write'), params.form, body)], {
        again: async (tx, id) => [await interactions.get(tx, principal.userId, id)],
      }),
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/forms/:form',
    access: 'session',
    tag,
    summary: 'Close a form without submitting it, and those that lie on it',
    params: Params,
    errors: [NotFound],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await forms.close(tx, viewerOf(principal, 'write'), params.form);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/forms/:form/interactions',
    access: 'session',
    tag,
    summary: 'Press or choose something in a form',
    description: 'As in the blocks of a message.',
    params: Params,
    body: GivenClick,
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body: { click, ...given }, principal, write }) =>
      write(
        async (tx) => {
          const surface = await forms.surface(tx, viewerOf(principal, 'write'), params.form);
          return [await interactions.act(tx, principal.userId, surface, click, given)];
        },
        { again: async (tx, id) => [await interactions.get(tx, principal.userId, id)] },
      ),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/forms/:form/options',
    access: 'session',
    tag,
    summary: 'Ask for the options of an `external_select` of a form',
    description: 'As in the blocks of a message.',
    params: Params,
    body: GivenQuestion,
    item: SharedOffer,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const surface = await forms.surface(tx, viewerOf(principal, 'write'), params.form);
        return [await questions.ask(tx, principal.userId, surface, body)];
      }),
  });
}
