import { type Static, Type } from 'typebox';
import { Name, Nullable, Shared, Timestamp, Uuid } from '#api';
import { UserSummary } from '../../people/users/index.ts';

/** Of one team. */
export const MOST_WEBHOOKS = 50;

const name = Name(100, 'Under which it posts');
const signed = Type.Boolean({
  description:
    'Whether calls must be signed with the key (Standard Webhooks, `X-Hub-Signature-256` or `X-Gitlab-Token`)',
});

export const NewWebhook = Type.Object({ name, signed: Type.Optional(signed) });
export const WebhookChange = Type.Object({ name });
export const Renewal = Type.Object({ signed: Type.Optional(signed) });

const shown = {
  id: Uuid,
  team: Uuid,
  author: Shared(UserSummary),
  signed,
  created_by: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
  used_at: Nullable(Type.Number({ description: 'When it last posted, to about a minute, in seconds' })),
};

/** An address at which other programs post to a team. */
export const IncomingWebhook = Type.Object(shown, { $id: 'IncomingWebhook' });
export type IncomingWebhook = Static<typeof IncomingWebhook>;

export const WebhookWithAddress = Type.Object(
  {
    ...shown,
    url: Type.String({
      description: 'Its address, with which every program that has it can post; shown this once',
    }),
    key: Type.Optional(Type.String({ description: 'Signs the calls; shown this once' })),
  },
  { $id: 'WebhookWithAddress' },
);
