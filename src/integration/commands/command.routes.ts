import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { defineRoute, InvalidFields, NotAllowed, NotFound, Text } from '#api';
import type { Database } from '#platform/db/index.ts';
import { OfferedShortcut, TeamCommand } from './command.schema.ts';
import type { CommandsOfTeams } from './command.service.ts';

const Params = Type.Object({ team: Type.String() });
const tag = 'Installations';

export function commandRoutesOfTeams(
  app: FastifyInstance,
  { db, commands }: { db: Database; commands: CommandsOfTeams },
): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/commands',
    access: 'session',
    tag,
    summary: 'The commands of the applications of a team, by their names',
    description:
      'Of several applications that have the same name, or names that look alike, one has the command: the first, unless an ' +
      'admin decided. Admins are shown those of the others, too.',
    params: Params,
    query: Type.Object({
      application: Type.Optional(
        Text(100, {
          description: 'For admins: as if this application were installed now, to see what collides',
        }),
      ),
    }),
    item: TeamCommand,
    errors: [NotFound],
    handle: ({ params, query, principal }) =>
      commands.list(db, principal.userId, params.team, query.application),
  });

  defineRoute(app, {
    method: 'PUT',
    path: '/v1/teams/:team/commands/:command',
    access: 'session',
    tag,
    summary: 'Decide which application has a command in the team',
    params: Type.Object({ team: Type.String(), command: Type.String() }),
    body: Type.Object({
      application: Text(100, {
        description: 'The client id of one that has a command with this name or its look',
      }),
    }),
    item: TeamCommand,
    errors: [NotFound, NotAllowed, InvalidFields],
    handle: ({ params, body, principal, write }) =>
      write(async (tx) => {
        const given = { name: params.command, application: body.application };
        await commands.give(tx, principal.userId, params.team, given);
        return commands.list(tx, principal.userId, params.team);
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/teams/:team/shortcuts',
    access: 'session',
    tag,
    summary: 'What the applications of a team offer by name: in the team, and in the menus of its messages',
    params: Params,
    item: OfferedShortcut,
    errors: [NotFound],
    handle: ({ params, principal }) => commands.listShortcuts(principal.userId, params.team),
  });
}
