import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Conflict,
  defineRoute,
  InvalidFields,
  NotAllowed,
  NotFound,
  Text,
  UnreachableAddressee,
  Uuid,
  viewerOf,
} from '#api';
import { SharedInteraction } from '../interactions/interaction.schema.ts';
import type { InteractionService } from '../interactions/interaction.service.ts';
import type { CommandService } from './command.service.ts';

/** Characters of a command with its arguments. */
const LONGEST_LINE = 3000;

const Params = Type.Object({ team: Type.String() });
const Click = Type.Unsafe<string>({
  ...Uuid,
  description: 'Names this request, and each attempt to send it',
});
const tag = 'Messages';

export function commandRoutes(
  app: FastifyInstance,
  { commands, interactions }: { commands: CommandService; interactions: InteractionService },
): void {
  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/commands',
    access: 'session',
    tag,
    summary: 'Give a command to the application that has it in the team',
    description:
      'The application hears of it by the event `interaction` of the kind `command`. The same `click` is told once, however ' +
      'often it is sent. Nothing is posted, unless the application does.',
    params: Params,
    body: Type.Object({
      text: Text(LONGEST_LINE, { min: 2, description: 'As it was written: `/name` and its arguments' }),
      application: Type.Optional(
        Text(100, {
          description:
            'Where it is given in the conversation with an application: one of its own commands, whose answers come there',
        }),
      ),
      click: Click,
    }),
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, UnreachableAddressee],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await commands.run(tx, viewerOf(principal, 'write'), params.team, body)], {
        again: async (tx, id) => [await interactions.get(tx, principal.userId, id)],
      }),
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/teams/:team/shortcuts',
    access: 'session',
    tag,
    summary: 'Ask an application for one of its shortcuts, in the team or for a message',
    description:
      'The application hears of it by the event `interaction`, of the kind `shortcut` or, with `message`, `message_action`. ' +
      'The same `click` is told once, however often it is sent.',
    params: Params,
    body: Type.Object({
      application: Text(100, { description: 'The client id' }),
      action_id: Text(100, { min: 1 }),
      message: Type.Optional(Type.Unsafe<string>({ ...Uuid, description: 'In whose menu it was chosen' })),
      click: Click,
    }),
    item: SharedInteraction,
    errors: [NotFound, InvalidFields, NotAllowed, Conflict],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => [await commands.choose(tx, viewerOf(principal, 'write'), params.team, body)], {
        again: async (tx, id) => [await interactions.get(tx, principal.userId, id)],
      }),
  });
}
