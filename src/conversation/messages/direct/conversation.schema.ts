import { type Static, Type } from 'typebox';
import { Shared, Uuid } from '#api';
import { UserSummary } from '../../../people/users/index.ts';
import { Message } from '../view/message.schema.ts';
import type { DirectObstacle } from './application.service.ts';

/** All direct messages between the same people, as one of them sees it. */
export const DirectConversation = Type.Object(
  {
    id: Uuid,
    users: Type.Array(Shared(UserSummary), {
      description: 'Everyone in it but the caller; the caller alone for notes to oneself',
    }),
    unreachable: Type.Array(Uuid, {
      description: 'Those whom the caller cannot write to: deactivated, or in no team of the caller',
    }),
    unread: Type.Integer({
      description: 'How many of its messages the caller has not read; replies are not counted',
    }),
    unread_reply: Type.Boolean({
      description:
        'Whether a reply in it that concerns the caller is unread: one of its rows in the inbox is new',
    }),
    application: Type.Optional(
      Type.Object(
        {
          id: Uuid,
          name: Type.String(),
          icon: Type.String(),
          team: Type.Unsafe<string>({ ...Uuid, description: 'The team in which it is installed' }),
          obstacle: Type.Optional(
            Type.Unsafe<DirectObstacle>({
              type: 'string',
              enum: ['not_installed', 'suspended', 'not_granted', 'blocked', 'left_team'],
              description:
                'Why nothing can be written any more: the team has uninstalled it, it sleeps, no admin has granted it ' +
                '`direct:app`, the caller has blocked it, or has left the team',
            }),
          ),
        },
        { description: 'Of a conversation with an application' },
      ),
    ),
    newest_id: Type.Unsafe<string>({ ...Uuid, description: 'The newest message or reply' }),
    last: Type.Optional(Shared(Message)),
  },
  { $id: 'DirectConversation' },
);
export type DirectConversation = Static<typeof DirectConversation>;
