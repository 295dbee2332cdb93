import { type Static, Type } from 'typebox';
import { Nullable, Shared, Timestamp, Uuid } from '#api';
import { UserSummary } from '../../people/users/index.ts';
import { Message } from '../messages/index.ts';

export const INBOX_FILTERS = ['new', 'all', 'mentions', 'threads'] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

/** A conversation that concerns the caller, or the rest of what is unread in a team. */
export const InboxEntry = Type.Object(
  {
    conversation: Type.Unsafe<string>({
      ...Uuid,
      description: 'The id of the message that opened it, of the sidebar, or of the team',
    }),
    kind: Type.Union([Type.Literal('conversation'), Type.Literal('sidebar'), Type.Literal('team')], {
      description: '`team` stands for all unread messages of a team that were not addressed to the caller',
    }),
    message: Nullable(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The message that opened it, or at which the sidebar stands; null for `team`',
      }),
    ),
    sidebar: Nullable(Uuid),
    team: Nullable(Uuid),
    people: Type.Array(Shared(UserSummary), {
      description:
        'Up to 8 others in it: of a direct message and a sidebar those who take part, else who wrote last and who began; who gave a high five, if that is all that is new',
    }),
    last: Shared(Message),
    about: Nullable(
      Type.Object(
        {
          id: Uuid,
          author: Shared(UserSummary),
          text: Type.String({ description: 'The beginning of its text, without formatting' }),
        },
        {
          description:
            'The message that the row is about, if `last` is another one: that which it answers, beside which a sidebar stands, or ' +
            'which was given a high five; null if it is deleted or has no text',
        },
      ),
    ),
    reasons: Type.Array(Type.String(), {
      description:
        'Why the last message concerns the caller: `mention`, `direct`, `reply` (to a message of theirs), `followed` ' +
        '(to one that they answered), `sidebar`, `reaction`, `high_five` (🙌), `reminder` (a note of their own, for this time), `team`, `unread` (they marked it so)',
    }),
    unread: Type.Boolean(),
    mentioned: Type.Boolean({ description: 'An unread message in it mentions the caller' }),
    muted: Type.Boolean({ description: 'It, or its team: it is counted only while `mentioned`' }),
    num_unread: Type.Integer(),
    num_replies: Type.Integer({
      description: 'Replies to the message so far, or messages in the sidebar, for `done`; 0 for a team',
    }),
    active_at: Timestamp,
  },
  { $id: 'InboxEntry' },
);
export type InboxEntry = Static<typeof InboxEntry>;

export const InboxCounts = Type.Object({
  total: Type.Integer({
    description:
      'Conversations with something new for the caller; direct messages between the same people are one',
  }),
  mentions: Type.Integer({ description: 'Those among them that mention the caller' }),
  direct: Type.Integer({ description: 'Those among them that are direct messages or sidebars' }),
  in_teams: Type.Record(Type.String(), Type.Integer(), {
    description: 'How many of them stand in a team, sidebars included, by the ids of the teams that have any',
  }),
  teams: Type.Integer({ description: 'Teams, none of them muted, with other unread messages' }),
});
export type InboxCounts = Static<typeof InboxCounts>;
