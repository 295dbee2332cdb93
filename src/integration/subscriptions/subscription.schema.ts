import { type Static, Type } from 'typebox';
import { Nullable, OneOf, Text, Timestamp, Uuid } from '#api';
import { heardKinds, kindsText } from './kinds.ts';

/** Of one application. */
export const MOST_SUBSCRIPTIONS = 20;
/** The most teams in a filter. */
export const MOST_TEAMS = 1000;
/** The most events in one call of a webhook. */
export const MOST_IN_BATCH = 100;
/** The form of a group's name. */
export const GROUP_NAME = '^[A-Za-z0-9._-]{1,64}$';
/** The most groups of one subscription. */
export const MOST_GROUPS = 20;

const Kinds = Type.Array(OneOf(heardKinds), {
  minItems: 1,
  maxItems: heardKinds.length,
  uniqueItems: true,
  description: `The events that it asks for:\n\n${kindsText}`,
});
const Teams = Type.Array(Text(36), { minItems: 1, maxItems: MOST_TEAMS, uniqueItems: true });

const filters = {
  teams: Type.Optional(
    Type.Unsafe<string[] | null>({
      ...Teams,
      type: ['array', 'null'],
      description: 'Only events of these teams; null for all that have the application installed',
    }),
  ),
  mentions_only: Type.Optional(
    Type.Boolean({ description: 'Of messages, only those that mention the application; default false' }),
  ),
  own_messages: Type.Optional(
    Type.Boolean({
      description:
        'Also the posts, edits and reactions of the application itself, with its own token; default false',
    }),
  ),
  object_type: Type.Optional(
    Type.Unsafe<string | null>({
      ...Text(100),
      type: ['string', 'null'],
      description:
        'Of messages, only those that mention an object of the application of this type; of openings, only those of such an object',
    }),
  ),
};

const NewWebhook = Type.Object({
  url: Text(2000, { min: 1, description: 'An absolute https:// address' }),
  batch: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_IN_BATCH,
      description:
        'The most events in one call. At 1, the default, the body is an event; above, a list of them',
    }),
  ),
});

const webhook = Type.Optional(
  Type.Unsafe<Static<typeof NewWebhook> | null>({
    ...NewWebhook,
    type: ['object', 'null'],
    description: 'Where events are sent; without it, the application reads them itself',
  }),
);

export const NewSubscription = Type.Object({ kinds: Kinds, ...filters, webhook });
export type NewSubscription = Static<typeof NewSubscription>;

export const SubscriptionChange = Type.Object({
  kinds: Type.Optional(Kinds),
  ...filters,
  webhook,
  pause: Type.Optional(
    Type.Boolean({ description: 'true keeps the webhook from being called until it is resumed' }),
  ),
  resume: Type.Optional(
    Type.Boolean({
      description: 'true calls a webhook that ended or is paused again, from where it stopped',
    }),
  ),
});
export type SubscriptionChange = Static<typeof SubscriptionChange>;

const Webhook = Type.Object({
  url: Type.String(),
  batch: Type.Integer(),
  ended: Nullable(
    Type.String({
      description:
        'Why it is not called: it answered 410 (`gone`), all attempts failed (`failed`), or you paused it (`paused`)',
    }),
  ),
  failing_since: Nullable(Type.Number({ description: 'Since when every call failed, in seconds' })),
  paused_until: Nullable(Type.Number({ description: 'Until when it is not called, in seconds' })),
});

const shown = {
  id: Uuid,
  application: Uuid,
  kinds: Type.Array(Type.String()),
  teams: Type.Unsafe<string[] | null>({ type: ['array', 'null'], items: { type: 'string' } }),
  mentions_only: Type.Boolean(),
  own_messages: Type.Boolean(),
  object_type: Nullable(Type.String()),
  own: Type.Boolean({
    description:
      'Whether it is the application’s own, for clicks, which `/stream` and `interaction_url` read; `own` names it in addresses',
  }),
  webhook: Nullable(Webhook),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Subscription = Type.Object(shown, { $id: 'Subscription' });
export type Subscription = Static<typeof Subscription>;

export const SubscriptionWithKey = Type.Object(
  {
    ...shown,
    key: Type.Optional(
      Type.String({ description: 'Signs the calls of the webhook (Standard Webhooks); shown this once' }),
    ),
  },
  { $id: 'SubscriptionWithKey' },
);

export const NewKey = Type.Object({
  key: Type.String({ description: 'Shown this once' }),
  previous_expires_at: Timestamp,
});

/** An event as it is sent in every way. */
export const HeardEvent = Type.Object(
  {
    id: Uuid,
    type: Type.String(),
    timestamp: Type.String({ description: 'When it happened, ISO 8601' }),
    data: Type.Unknown({ description: 'As the kind says' }),
  },
  { $id: 'Event' },
);

export const Group = Type.Object({
  name: Type.String(),
  used_at: Timestamp,
  copies: Type.Integer({ description: 'Streams that share its work now' }),
});
