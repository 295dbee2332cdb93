import { type Static, Type } from 'typebox';
import { Name, Nullable, OneOf, Text, Timestamp, Uuid } from '#api';
import { AUTH_METHODS } from './client-type.ts';
import { Command, MOST_COMMANDS, MOST_SHORTCUTS, Shortcut } from './commands.ts';
import { steps } from './progress.service.ts';
import { SCOPES } from './scopes.ts';

export const Scopes = (description?: string) =>
  Type.Array(OneOf(SCOPES), {
    maxItems: SCOPES.length,
    uniqueItems: true,
    ...(description && { description }),
  });

export const MAX_LINK_PREFIXES = 10;

const Url = Text(2000, { min: 1, description: 'An absolute https:// address' });

const ownUrl = (description: string) =>
  Type.Optional(Type.Unsafe<string | null>({ ...Url, type: ['string', 'null'], description }));
const OptionalUrl = ownUrl('An absolute https:// address');

const optionalFields = {
  description: Type.Optional(Text(2000)),
  icon: Type.Optional(Text(2000, { description: 'An address of a picture, or an emoji' })),
  base_url: ownUrl('Below which its objects are. Once there is one, it can be changed and not removed'),
  preinstall_url: ownUrl(
    'Called before a team installs it, which must answer 200. Without one, it is installed at once',
  ),
  uninstall_url: OptionalUrl,
  team_update_url: OptionalUrl,
  interaction_url: ownUrl(
    'Where clicks in its messages are sent; without it, `GET …/stream` brings them. A new address is answered with `interaction_key`',
  ),
  token_endpoint_auth_method: Type.Optional(
    OneOf(
      AUTH_METHODS,
      'How it proves at the token route who it is (RFC 7591); default `client_secret_basic`. With a secret, either way ' +
        'is good. `none` is a public application, such as a program on the person’s own machine: it has no secret, needs ' +
        'PKCE, and is not called. A change ends its secrets and tokens',
    ),
  ),
  initiate_login_uri: Type.Optional(
    Type.Unsafe<string | null>({
      ...Url,
      type: ['string', 'null'],
      description:
        'Where opening leads, with `iss` and `platform_team_id` and without a code, to start `authorize`',
    }),
  ),
  require_pkce: Type.Optional(
    Type.Boolean({
      description: 'Whether `authorize` demands PKCE; default true. Off only for a client that cannot do it',
    }),
  ),
  scopes: Type.Optional(Scopes('Scopes beyond the default, which an installing admin grants')),
  link_prefixes: Type.Optional(
    Type.Array(Text(500, { min: 1, description: 'An absolute https:// address without parameters' }), {
      maxItems: MAX_LINK_PREFIXES,
      description:
        'The beginnings of links that it asks to hear of as `link.posted`, where it is installed, a team’s admin has granted them, and it may read messages',
    }),
  ),
  commands: Type.Optional(
    Type.Array(Command, {
      maxItems: MOST_COMMANDS,
      description: 'What members ask it for by `/name` in the composer of a team that has it',
    }),
  ),
  shortcuts: Type.Optional(
    Type.Array(Shortcut, {
      maxItems: MOST_SHORTCUTS,
      description: 'What members ask it for by Ctrl-K, or in the menu of a message',
    }),
  ),
  has_home: Type.Optional(
    Type.Boolean({
      description: 'Whether it shows a page of its own inside Parley, to each member another one',
    }),
  ),
  listed: Type.Optional(
    Type.Boolean({ description: 'In the directory for all, or only for the owner’s teams' }),
  ),
};

const redirectUris = Type.Optional(
  Type.Array(
    Text(2000, {
      min: 1,
      description:
        'An absolute https:// address, or one of a program on the person’s own machine: http:// with 127.0.0.1, [::1] or ' +
        'localhost, which then answers on any port, or a scheme with a dot (com.example.app:/callback)',
    }),
    {
      maxItems: 20,
      description: 'Without one, no member opens it, as a bot that talks with them in Parley alone',
    },
  ),
);

export const NewApplication = Type.Object({
  name: Name(100),
  redirect_uris: redirectUris,
  ...optionalFields,
});
export type NewApplication = Static<typeof NewApplication>;

export const ApplicationChange = Type.Object({
  name: Type.Optional(Name(100)),
  redirect_uris: redirectUris,
  ...optionalFields,
});
export type ApplicationChange = Static<typeof ApplicationChange>;

const publicFields = {
  id: Type.String({ format: 'uuid', description: 'The client id' }),
  name: Type.String(),
  description: Type.String(),
  icon: Type.String({ description: 'An emoji, or the address of a picture on this server' }),
  base_url: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
  link_prefixes: Type.Array(Type.String(), {
    description: 'It asks to hear of links to these addresses, and to those below them',
  }),
  commands: Type.Array(Command),
  shortcuts: Type.Array(Shortcut),
  has_home: Type.Boolean({
    description: 'It shows a page of its own: `GET /v1/applications/:application/home`',
  }),
  listed: Type.Boolean(),
  suspended: Type.Boolean({ description: 'It sleeps: it may do nothing, and nothing is sent to it' }),
  openable: Type.Boolean({
    description: 'Whether a member can open it from a team; a program on their own machine they start there',
  }),
};

/** Why an application sleeps, for its owner and for administrators of the server. */
export const Suspension = Nullable(
  Type.Object({
    since: Timestamp,
    by_operator: Type.Boolean({ description: 'An administrator of the server decided it, and can end it' }),
    awaits_owner: Nullable(
      Type.String({
        description:
          'Others may have its secrets (`owner_changed`, `owner_closed`, `owner_reset`): its owner makes a new one',
      }),
    ),
  }),
);

/** The public view of an application. */
export const PublicApplication = Type.Object(publicFields, { $id: 'PublicApplication' });
export type PublicApplication = Static<typeof PublicApplication>;

const ownFields = {
  ...publicFields,
  icon_source: Type.String({
    description: 'The icon as it was given; of a picture, `icon` is an address of this server',
  }),
  preinstall_url: Nullable(Type.String()),
  uninstall_url: Nullable(Type.String()),
  team_update_url: Nullable(Type.String()),
  interaction_url: Nullable(Type.String({ description: 'Where clicks in its messages are sent' })),
  redirect_uris: Type.Array(Type.String()),
  initiate_login_uri: Nullable(Type.String()),
  require_pkce: Type.Boolean(),
  token_endpoint_auth_method: Type.String({ description: '`none` for a public application' }),
  suspension: Suspension,
  previous_secret_expires_at: Nullable(
    Type.Number({ description: 'Until when the secret before the current one is good, in seconds' }),
  ),
  calls_failing_since: Nullable(
    Type.Number({ description: 'Since when every call to it failed, in seconds; null while they succeed' }),
  ),
  calls_paused_until: Nullable(
    Type.Number({
      description: 'Until when it is not called, because it failed or asked for it, in seconds',
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** The owner's view. */
export const Application = Type.Object(ownFields, { $id: 'Application' });
export type Application = Static<typeof Application>;

const interactionKey = {
  interaction_key: Type.Optional(
    Type.String({
      description:
        'Signs the calls to `interaction_url` (Standard Webhooks); shown this once, with a first address',
    }),
  ),
};

export const ChangedApplication = Type.Object({ ...ownFields, ...interactionKey });
export type ChangedApplication = Static<typeof ChangedApplication>;

/** An entry of the owner's list. */
export const ListedApplication = Type.Object({
  ...ownFields,
  num_installations: Type.Integer({ description: 'Teams that have it installed' }),
  last_delivery: Nullable(
    Type.Object(
      { status: Type.String({ description: 'As that of a delivery' }), created_at: Timestamp },
      { description: 'The newest call to it' },
    ),
  ),
});

export type ListedApplication = Static<typeof ListedApplication>;

export const ProgressSteps = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: Type.Enum([...steps]),
      done_at: Nullable(Type.Number({ description: 'When it first succeeded, in seconds; null: not yet' })),
    }),
  ),
});

export const ApplicationWithSecret = Type.Object({
  ...ownFields,
  ...interactionKey,
  client_secret: Type.Optional(
    Type.String({ format: 'uuid', description: 'Shown this once; a public application has none' }),
  ),
});

export const NewSecret = Type.Object({
  id: Uuid,
  client_secret: Type.Optional(
    Type.String({ format: 'uuid', description: 'Missing where a public application is taken over' }),
  ),
  previous_expires_at: Nullable(Timestamp),
  webhook_keys: Type.Optional(
    Type.Array(Type.Object({ subscription: Uuid, key: Type.String() }), {
      description: 'Of an application that was taken over: the new keys of its webhooks, shown this once',
    }),
  ),
});
