import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  defineRoute,
  InvalidFields,
  NotAllowed,
  NotAuthorized,
  NotFound,
  Shared,
  Uuid,
  viewerOf,
} from '#api';
import { parseId } from '#platform/ids.ts';
import { PageBlocksByHand } from '../../blocks/index.ts';
import {
  GivenClick,
  GivenQuestion,
  SharedInteraction,
  SharedOffer,
} from '../interactions/interaction.schema.ts';
import type { InteractionService } from '../interactions/interaction.service.ts';
import type { QuestionService } from '../interactions/question.service.ts';
import { ShownHome } from './home.schema.ts';
import type { HomeService } from './home.service.ts';

const Params = Type.Object({ application: Type.String() });
const InTeam = Type.Object({ team: Type.String() });
const tag = 'Messages';
const item = Shared(ShownHome);

export function homeRoutes(
  app: FastifyInstance,
  deps: { homes: HomeService; interactions: InteractionService; questions: QuestionService },
): void {
  const { homes, interactions, questions } = deps;

  defineRoute(app, {
    method: 'GET',
    path: '/v1/applications/:application/home',
    access: 'session',
    tag,
    summary: 'The page that an application shows the caller in a team',
    description: 'The live event `home` tells of each change.',
    params: Params,
    query: InTeam,
    item,
    errors: [NotFound],
    handle: async ({ params, query, principal }) => [
      await homes.get(viewerOf(principal, 'read'), { ...params, ...query }),
    ],
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/applications/:application/homes/:user',
    access: 'application',
    tag,
    summary: 'Publish what one person sees on the page of the application in a team',
    description: 'In place of what was there. Their windows show it at once.',
    params: Type.Object({ application: Type.String(), user: Type.String() }),
    query: InTeam,
    body: Type.Object({ blocks: PageBlocksByHand }),
    item,
    errors: [NotFound, NotAllowed, InvalidFields],
    handle: ({ params, query, body, principal, write }) => {
      if (parseId(params.application) !== principal.applicationId) throw new NotAuthorized();
      const of = { user: params.user, team: query.team };
      return write(async (tx) => [await homes.put(tx, principal.applicationId, of, body.blocks)]);
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/home/openings',
    access: 'session',
    tag,
    summary: 'Tell an application that the caller looks at its page',
    description:
      'By the event `application.opened`. It is `done` when the application has published the page or has acknowledged the ' +
      'event. The same `click` is told once, however often it is sent.',
    params: Params,
    query: InTeam,
    body: Type.Object({
      click: Type.Unsafe<string>({ ...Uuid, description: 'Names this visit, and each attempt to send it' }),
    }),
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed],
    handle: ({ params, query, body, principal, write }) =>
      write(
        async (tx) => [
          await homes.open(tx, viewerOf(principal, 'write'), { ...params, ...query }, body.click),
        ],
        { again: async (tx, id) => [await interactions.get(tx, principal.userId, id)] },
      ),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/home/interactions',
    access: 'session',
    tag,
    summary: 'Press or choose something on the page of an application',
    description: 'As in the blocks of a message.',
    params: Params,
    query: InTeam,
    body: GivenClick,
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed],
    handle: ({ params, query, body: { click, ...given }, principal, write }) =>
      write(
        async (tx) => {
          const surface = await homes.surface(tx, viewerOf(principal, 'write'), { ...params, ...query });
          return [await interactions.act(tx, principal.userId, surface, click, given)];
        },
        { again: async (tx, id) => [await interactions.get(tx, principal.userId, id)] },
      ),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/applications/:application/home/options',
    access: 'session',
    tag,
    summary: 'Ask for the options of an `external_select` on the page of an application',
    description: 'As in the blocks of a message.',
    params: Params,
    query: InTeam,
    body: GivenQuestion,
    item: SharedOffer,
    errors: [NotFound, InvalidFields, NotAllowed],
    handle: ({ params, query, body, principal, write }) =>
      write(async (tx) => {
        const surface = await homes.surface(tx, viewerOf(principal, 'write'), { ...params, ...query });
        return [await questions.ask(tx, principal.userId, surface, body)];
      }),
  });
}
