import { type Static, Type } from 'typebox';
import { Nullable, Timestamp, Uuid } from '#api';

const Headers = Type.Record(Type.String(), Type.String());

const Attempt = Type.Object({
  number: Type.Integer(),
  started_at: Timestamp,
  duration: Type.Number({ description: 'Seconds' }),
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    headers: Headers,
    body: Type.String({ description: 'Of `events` their ids, in place of what was sent' }),
  }),
  response: Nullable(
    Type.Object(
      { status: Type.Integer(), headers: Headers, body: Type.String() },
      { description: 'Of `events` the status alone: headers and body are not kept, and empty here' },
    ),
  ),
  reason: Nullable(
    Type.String({ description: 'Why it failed: `status_500`, `timeout`, `refused_address`, …' }),
  ),
});

/** An outbound call with everything that was tried; secrets are masked. */
export const Delivery = Type.Object(
  {
    id: Uuid,
    application: Uuid,
    team: Nullable(Uuid),
    subscription: Nullable(
      Type.String({ description: 'Of `events`: the id of the subscription. The body lists their ids alone' }),
    ),
    kind: Type.String({ description: '`install`, `uninstall`, `team_update`, `test` or `events`' }),
    status: Type.String({
      description: '`pending`, `delivered`, `failed`, or `replaced` by a later call that tells the same',
    }),
    num_attempts: Type.Integer(),
    next_attempt_at: Nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
    attempts: Type.Array(Attempt, { description: 'Empty in lists' }),
    redacted: Type.Optional(
      Type.Boolean({
        description:
          'Set where a team’s admin looks who does not own the application, and for its owner where attempts are from before they took it over, or the team has not agreed to them: of their addresses there is the host alone, and headers and bodies are empty',
      }),
    ),
  },
  { $id: 'Delivery' },
);
export type Delivery = Static<typeof Delivery>;
