import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  Answer,
  Conflict,
  defineRoute,
  EmptyMessage,
  InvalidFields,
  MAY_POST,
  NobodyAddressed,
  NotAllowed,
  NotFound,
  nextCursor,
  pageQuery,
  readPage,
  SeveralTeamsAddressed,
  Shared,
  TeamAndUsersAddressed,
  UnreachableAddressee,
  WrongMention,
} from '#api';
import {
  NewReminder,
  NewScheduled,
  Reminder,
  ScheduledChange,
  ScheduledMessage,
} from './scheduled.schema.ts';
import type { ScheduledService } from './scheduled.service.ts';

const tag = 'Scheduled';
const Params = Type.Object({ scheduled: Type.String() });
const Listed = { query: Type.Object(pageQuery), meta: Type.Object(nextCursor) };
/** Those of posting. */
const POSTING = [
  InvalidFields,
  EmptyMessage,
  NobodyAddressed,
  SeveralTeamsAddressed,
  TeamAndUsersAddressed,
  WrongMention,
  UnreachableAddressee,
  Conflict,
  NotAllowed,
  NotFound,
];
/** Its notes are private: they are direct messages. */
const MAY_REMIND = { scope: ['direct:write'] } as const;

/** Messages and reminders for later. */
export function scheduledRoutes(app: FastifyInstance, scheduled: ScheduledService): void {
  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/scheduled_messages',
    access: MAY_POST,
    tag,
    summary: 'Scheduled messages of the caller, the next ones first',
    description:
      'A token lists what it has scheduled where it may still write, and of other tokens of its application what it may read and write. What was sent is listed for a week, without its text.',
    ...Listed,
    item: Shared(ScheduledMessage),
    handle: async ({ query, principal }) => {
      const { shown, next } = await scheduled.messages(principal, readPage(query, 'number', 'id'));
      return new Answer(shown, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/scheduled_messages',
    access: MAY_POST,
    tag,
    summary: 'Schedule a message, a reply, or a message into a sidebar',
    description:
      'What posting refuses now is refused at once; every right is checked again when it is sent. More than an hour late it is not sent: its status is `late`.',
    body: NewScheduled,
    item: Shared(ScheduledMessage),
    errors: POSTING,
    handle: async ({ body, principal, write }) => {
      const read = await scheduled.readMessage(principal, body);
      return write(async (tx) => [await scheduled.addMessage(tx, principal, read)], {
        again: async (tx, id) => [await scheduled.again(tx, principal, id)],
      });
    },
  });

  defineRoute(app, {
    method: 'PATCH',
    path: '/v1/users/me/scheduled_messages/:scheduled',
    access: MAY_POST,
    tag,
    summary: 'Change a scheduled message, give it another time, or send it now',
    params: Params,
    body: ScheduledChange,
    item: Shared(ScheduledMessage),
    errors: POSTING,
    handle: async ({ params, body, principal, write }) => {
      const read = await scheduled.readChange(principal, body);
      return write(async (tx) => [await scheduled.change(tx, principal, params.scheduled, read)]);
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/scheduled_messages/:scheduled',
    access: MAY_POST,
    tag,
    summary: 'Cancel a scheduled message',
    params: Params,
    errors: [NotFound, Conflict],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await scheduled.remove(tx, principal, 'message', params.scheduled);
        return [];
      }),
  });

  defineRoute(app, {
    method: 'GET',
    path: '/v1/users/me/reminders',
    access: MAY_REMIND,
    tag,
    summary: 'Reminders of the caller, the next ones first',
    ...Listed,
    item: Shared(Reminder),
    handle: async ({ query, principal }) => {
      const { shown, next } = await scheduled.reminders(principal, readPage(query, 'number', 'id'));
      return new Answer(shown, { next_cursor: next });
    },
  });

  defineRoute(app, {
    method: 'POST',
    path: '/v1/users/me/reminders',
    access: MAY_REMIND,
    tag,
    summary: 'Be reminded, of a message or by a text',
    description:
      'It becomes a note of the person to themselves, with a link to the message where they may still read it, and never with its words.',
    body: NewReminder,
    item: Shared(Reminder),
    errors: [InvalidFields, NotFound, Conflict],
    handle: async ({ body, principal, write }) => {
      const read = await scheduled.readReminder(principal, body);
      return write(async (tx) => [await scheduled.addReminder(tx, principal, read)], {
        again: async (tx, id) => [await scheduled.reminderAgain(tx, principal, id)],
      });
    },
  });

  defineRoute(app, {
    method: 'DELETE',
    path: '/v1/users/me/reminders/:scheduled',
    access: MAY_REMIND,
    tag,
    summary: 'Cancel a reminder',
    params: Params,
    errors: [NotFound, Conflict],
    handle: ({ params, principal, write }) =>
      write(async (tx) => {
        await scheduled.remove(tx, principal, 'reminder', params.scheduled);
        return [];
      }),
  });
}
