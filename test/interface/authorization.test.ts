import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import {
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { putPreview } from '../support/preview.ts';
import { scene } from '../support/scene.ts';

/** Scopes with a column of their own: a token of the admin that has this scope alone. */
const NARROW = [
  'direct:app',
  'files:read',
  'files:write',
  'high_fives:read',
  'high_fives:write',
  'reactions:read',
  'reactions:write',
  'members:read',
  'members.email:read',
  'members:write',
  'inbox:read',
  'inbox:write',
  'team:write',
  'profile:write',
  'objects:read',
] as const;
const THUMBS_UP = encodeURIComponent('👍');

/** Those among them that an application can have as itself: a token of its own that has this scope alone. */
const NARROW_OWN = [
  'direct:app',
  'files:read',
  'files:write',
  'high_fives:read',
  'reactions:read',
  'reactions:write',
  'members:read',
  'members.email:read',
  'objects:read',
] as const;
type Narrow = (typeof NARROW)[number];
type NarrowToken = `${Narrow} token` | `own ${(typeof NARROW_OWN)[number]} token`;
const narrowTokens = NARROW.map((scope) => `${scope} token` as const);
const narrowOwnTokens = NARROW_OWN.map((scope) => `own ${scope} token` as const);

/**
 * Every kind of caller. The tokens are the member's: one without scopes, one with those for the messages of its team,
 * and one with those for direct messages. `own token` is that
 * of the application itself, with the scopes for messages. `owner` owns the application and is in no team; `removed` was a member;
 * `superuser` is in none.
 */
const callers = [
  'nobody',
  'stranger',
  'member',
  'admin',
  'owner',
  'superuser',
  'token',
  'scoped token',
  'direct token',
  'own token',
  ...narrowTokens,
  ...narrowOwnTokens,
  'credentials',
  'other credentials',
  'deactivated',
  'deactivated token',
  'removed',
  'removed token',
  'uninstalled token',
  'uninstalled own token',
] as const;
type Caller = (typeof callers)[number];

/** 200 (or 303), or the code of the error. */
type Expected = Record<Caller, number>;

/** The object of a row's requests, created for each caller who may change it. */
interface Subject {
  readonly team: string;
  /** A subject of the team, in which the message is. */
  readonly matter: string;
  readonly application: RegisteredApplication;
  readonly message: string;
  readonly sidebar: string;
  /** By the admin, with a card of the application. */
  readonly linked: string;
  readonly unfurl: string;
  /** Of a picture of a preview. */
  readonly reference: string;
  /** A picture that the message holds. */
  readonly attachment: string;
  readonly object: string;
  readonly delivery: string;
  /** With a webhook and a consumer `bot`. */
  readonly subscription: string;
  /** Its token. */
  readonly invitation: string;
  readonly openTeam: string;
  /** The stranger's. */
  readonly ownInvitation: string;
  readonly group: string;
  readonly joinLink: { readonly id: string; readonly token: string };
  /** A custom emoji, added by the member. */
  readonly emoji: string;
  /** An incoming webhook. */
  readonly webhook: string;
  /** The same one's id. */
  readonly openInvitation: string;
  readonly mail: string;
  readonly other: Person;
}

const ENDED = {
  deactivated: 4010,
  'deactivated token': 4012,
  'removed token': 4012,
  'uninstalled token': 4012,
  'uninstalled own token': 4012,
};
const NO_USER = { nobody: 4010, credentials: 4010, 'other credentials': 4010, ...ENDED };

const each = <Name extends Caller>(names: readonly Name[], code: number) =>
  Object.fromEntries(names.map((name) => [name, code])) as Record<Name, number>;

const anyone = (code: number): Expected =>
  Object.fromEntries(callers.map((caller) => [caller, code])) as Expected;

type Roles = {
  stranger: number;
  member: number;
  admin: number;
  owner?: number;
  removed?: number;
  superuser?: number;
};

/** Sessions only: a token is refused with a hint. */
const session = ({
  stranger,
  member,
  admin,
  owner = stranger,
  removed = stranger,
  superuser = stranger,
}: Roles): Expected => ({
  ...NO_USER,
  stranger,
  member,
  admin,
  owner,
  removed,
  superuser,
  token: 4031,
  'scoped token': 4031,
  'direct token': 4031,
  'own token': 4031,
  ...each(narrowTokens, 4031),
  ...each(narrowOwnTokens, 4031),
});

/** Sessions, and every token of a person. */
const user = (roles: Roles): Expected => ({
  ...session(roles),
  token: roles.member,
  'scoped token': roles.member,
  'direct token': roles.member,
  ...each(narrowTokens, roles.admin),
});

/** Sessions, and tokens with a scope about messages, which sees the team's or does not. */
const scoped = (roles: Roles, team = roles.member, direct = 4040): Expected => ({
  ...session(roles),
  'scoped token': team,
  'direct token': direct,
});

/** The same, and the application as itself. */
const itself = (expected: Expected, code = 200): Expected => ({ ...expected, 'own token': code });

/** The same, and an application whose own token has direct messages with it alone, of which there are none. */
const alone = (expected: Expected, code = 4040): Expected => ({ ...expected, 'own direct:app token': code });

/** The same, and tokens with one of these scopes alone. */
const also = (expected: Expected, code: number, ...tokens: NarrowToken[]): Expected => ({
  ...expected,
  ...each(tokens, code),
});

/** The application's own credentials. */
const application: Expected = { ...anyone(4010), credentials: 200 };

/** The same, and the session of its owner. */
const developer: Expected = {
  ...session({ stranger: 4040, member: 4040, admin: 4040, owner: 200 }),
  credentials: 200,
};

const ofSubscription = ({ application, subscription }: Subject, rest = '') =>
  `/v1/applications/${application.id}/subscriptions/${subscription}${rest}`;

const all = (code: number): Roles => ({ stranger: code, member: code, admin: code });
const members: Roles = { stranger: 4040, member: 200, admin: 200 };
const admins: Roles = { stranger: 4040, member: 4030, admin: 200 };
const superusers: Roles = { ...all(4030), superuser: 200 };
const owners: Roles = { stranger: 4040, member: 4040, admin: 4040, owner: 200 };

const tomorrow = () => ({
  local: new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});

interface Row {
  readonly path: (subject: Subject, caller: Caller) => string;
  readonly json?: (subject: Subject, caller: Caller) => unknown;
  readonly expected: Expected;
  /** Whether a successful request leaves its subject as it is, so that all callers can share one. */
  readonly keeps?: true;
}

const newApplication = () => ({
  name: 'New',
  base_url: host.url,
  preinstall_url: `${host.url}/install`,
  redirect_uris: [`${host.url}/redirect`],
});
const newUser = () => ({
  email: `${randomUUID()}@example.org`,
  password: 'a password of length',
  first_name: 'N',
  last_name: '',
});
const consentTo = ({ id, redirectUri }: RegisteredApplication) => ({
  response_type: 'code',
  client_id: id,
  redirect_uri: redirectUri,
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
});
const none = randomUUID();

const table: Record<string, Row> = {
  'GET /v1/server': { path: () => '/v1/server', expected: anyone(200) },
  'POST /v1/users': { path: () => '/v1/users', json: newUser, expected: anyone(200) },
  'POST /v1/sessions': {
    path: () => '/v1/sessions',
    json: ({ other }) => ({ email: other.email, password: 'a password of length' }),
    expected: anyone(200),
    keeps: true,
  },
  'GET /v1/sessions': { path: () => '/v1/sessions', expected: session(all(200)) },
  'DELETE /v1/sessions/{session}': { path: () => `/v1/sessions/${none}`, expected: session(all(4040)) },
  'POST /v1/sessions/current/confirmation': {
    path: () => '/v1/sessions/current/confirmation',
    json: () => ({ password: 'wrong' }),
    expected: session(all(4002)),
  },
  'DELETE /v1/admin/users/{user}/sessions': {
    path: () => `/v1/admin/users/${none}/sessions`,
    expected: session({ ...superusers, superuser: 4040 }),
  },
  'POST /v1/users/me/password': {
    path: () => '/v1/users/me/password',
    json: () => ({ current: 'wrong', password: 'another password' }),
    expected: session(all(4002)),
  },
  'POST /v1/users/me/deactivation': {
    path: () => '/v1/users/me/deactivation',
    json: () => ({ password: 'wrong' }),
    expected: session(all(4002)),
  },
  'DELETE /v1/users/me': {
    path: () => '/v1/users/me',
    json: () => ({ password: 'wrong' }),
    expected: session(all(4002)),
  },
  'GET /v1/users/me/export': { path: () => '/v1/users/me/export', expected: session(all(200)) },
  'GET /v1/admin/users': { path: () => '/v1/admin/users', expected: session(superusers) },
  'PATCH /v1/admin/users/{user}': {
    path: ({ other }) => `/v1/admin/users/${other.id}`,
    json: () => ({ active: true }),
    expected: session(superusers),
  },
  'DELETE /v1/admin/users/{user}': {
    path: () => `/v1/admin/users/${none}`,
    expected: session({ ...superusers, superuser: 4040 }),
  },
  'GET /v1/admin/teams': { path: () => '/v1/admin/teams', expected: session(superusers) },
  'POST /v1/admin/teams/{team}/restore': {
    path: ({ team }) => `/v1/admin/teams/${team}/restore`,
    json: () => ({}),
    expected: session({ ...superusers, superuser: 4090 }),
  },
  'POST /v1/admin/domain_rules': {
    path: () => '/v1/admin/domain_rules',
    json: ({ team }) => ({ domain: 'company.example', team }),
    // No mail server is set.
    expected: session({ ...superusers, superuser: 4090 }),
  },
  'GET /v1/admin/domain_rules': { path: () => '/v1/admin/domain_rules', expected: session(superusers) },
  'DELETE /v1/admin/domain_rules/{rule}': {
    path: () => `/v1/admin/domain_rules/${none}`,
    expected: session({ ...superusers, superuser: 4040 }),
  },
  'PUT /v1/admin/teams/{team}/admins/{user}': {
    path: ({ team, other }) => `/v1/admin/teams/${team}/admins/${other.id}`,
    json: () => ({}),
    expected: session(superusers),
  },
  'PUT /v1/admin/applications/{application}/owner': {
    path: ({ application }) => `/v1/admin/applications/${application.id}/owner`,
    json: ({ other }) => ({ user: other.id }),
    expected: session(superusers),
  },
  'PUT /v1/admin/applications/{application}/suspension': {
    path: ({ application }) => `/v1/admin/applications/${application.id}/suspension`,
    expected: session(superusers),
  },
  'DELETE /v1/admin/applications/{application}/suspension': {
    path: ({ application }) => `/v1/admin/applications/${application.id}/suspension`,
    expected: session(superusers),
  },
  'GET /v1/admin/backup': {
    path: () => '/v1/admin/backup',
    expected: session(superusers),
  },
  'GET /v1/admin/applications': { path: () => '/v1/admin/applications', expected: session(superusers) },
  'GET /v1/admin/server': { path: () => '/v1/admin/server', expected: session(superusers) },
  'GET /v1/admin/settings': { path: () => '/v1/admin/settings', expected: session(superusers) },
  'GET /v1/admin/audit': { path: () => '/v1/admin/audit', expected: session(superusers) },
  'GET /v1/admin/audit/export': { path: () => '/v1/admin/audit/export', expected: session(superusers) },
  'GET /v1/users/me': { path: () => '/v1/users/me', expected: user(all(200)) },
  'PATCH /v1/users/me': {
    path: () => '/v1/users/me',
    json: () => ({ title: 'T' }),
    expected: also(session(all(200)), 200, 'profile:write token'),
  },
  'GET /v1/push': { path: () => '/v1/push', expected: session(all(200)) },
  'GET /v1/users/me/push_subscriptions': {
    path: () => '/v1/users/me/push_subscriptions',
    expected: session(all(200)),
  },
  'POST /v1/users/me/push_subscriptions': {
    path: () => '/v1/users/me/push_subscriptions',
    json: () => ({ endpoint: 'http://example.org', keys: { p256dh: 'none', auth: 'none' } }),
    expected: session(all(4002)),
  },
  'DELETE /v1/users/me/push_subscriptions/{subscription}': {
    path: () => `/v1/users/me/push_subscriptions/${none}`,
    expected: session(all(4040)),
  },
  'POST /v1/users/me/push_subscriptions/{subscription}/test': {
    path: () => `/v1/users/me/push_subscriptions/${none}/test`,
    expected: session(all(4040)),
  },
  'GET /v1/users/me/push_settings': {
    path: () => '/v1/users/me/push_settings',
    expected: session(all(200)),
  },
  'PATCH /v1/users/me/push_settings': {
    path: () => '/v1/users/me/push_settings',
    json: ({ team }) => ({ teams: [{ team, level: 'all' }] }),
    expected: session(members),
  },
  'GET /v1/users/{user}': { path: ({ other }) => `/v1/users/${other.id}`, expected: user(all(200)) },
  'PUT /v1/users/me/image': {
    path: () => '/v1/users/me/image',
    json: () => ({}),
    expected: also(session(all(4150)), 4150, 'profile:write token'),
  },
  'DELETE /v1/users/me/image': {
    path: () => '/v1/users/me/image',
    expected: also(session(all(200)), 200, 'profile:write token'),
  },
  'GET /v1/users/{user}/image/{variant}/{signature}': {
    path: ({ other }) => `/v1/users/${other.id}/image/icon/guessed`,
    expected: anyone(4040),
  },
  'GET /v1/applications/{application}/icon/{version}': {
    path: ({ application }) => `/v1/applications/${application.id}/icon/guessed`,
    expected: anyone(4040),
  },
  'GET /v1/users/me/teams': { path: () => '/v1/users/me/teams', expected: user(all(200)) },
  'PATCH /v1/users/me/teams/{team}': {
    path: ({ team }) => `/v1/users/me/teams/${team}`,
    json: () => ({ is_muted: false }),
    expected: session(members),
  },
  'GET /v1/users/me/connections': { path: () => '/v1/users/me/connections', expected: user(all(200)) },
  'POST /v1/teams': { path: () => '/v1/teams', json: () => ({ name: 'T' }), expected: session(all(200)) },
  'GET /v1/teams/{team}': {
    path: ({ team }) => `/v1/teams/${team}`,
    expected: also(
      session(members),
      200,
      'members:read token',
      'own members:read token',
      'own members.email:read token',
    ),
  },
  'GET /v1/teams/{team}/objects': {
    path: ({ team }) => `/v1/teams/${team}/objects`,
    expected: also(session(members), 200, 'objects:read token', 'own objects:read token'),
  },
  'GET /v1/teams': { path: () => '/v1/teams?open=1', expected: session(all(200)) },
  'PUT /v1/teams/{team}/users/me': {
    path: ({ openTeam }) => `/v1/teams/${openTeam}/users/me`,
    json: () => ({}),
    expected: session(all(200)),
  },
  'PATCH /v1/teams/{team}': {
    path: ({ team }) => `/v1/teams/${team}`,
    json: () => ({ name: 'New' }),
    expected: also(session(admins), 200, 'team:write token'),
  },
  'DELETE /v1/teams/{team}': { path: ({ team }) => `/v1/teams/${team}`, expected: session(admins) },
  'GET /v1/teams/{team}/users': {
    path: ({ team }) => `/v1/teams/${team}/users`,
    expected: also(user(members), 200, 'own members:read token', 'own members.email:read token'),
  },
  'PATCH /v1/teams/{team}/users/{user}': {
    path: ({ team, other }) => `/v1/teams/${team}/users/${other.id}`,
    json: () => ({ membership_type: 1 }),
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/users/{user}': {
    path: ({ team, other }) => `/v1/teams/${team}/users/${other.id}`,
    expected: also(session(admins), 200, 'members:write token'),
  },
  'POST /v1/teams/{team}/invitations': {
    path: ({ team }) => `/v1/teams/${team}/invitations`,
    json: () => ({ emails: ['x@example.org'] }),
    expected: also(session(admins), 200, 'members:write token'),
  },
  'GET /v1/teams/{team}/invitations': {
    path: ({ team }) => `/v1/teams/${team}/invitations`,
    expected: also(session(admins), 200, 'members:write token'),
  },
  'DELETE /v1/teams/{team}/invitations/{invitation}': {
    path: ({ team, openInvitation }) => `/v1/teams/${team}/invitations/${openInvitation}`,
    expected: also(session(admins), 200, 'members:write token'),
  },
  'GET /v1/invitations/{token}': {
    path: ({ invitation }) => `/v1/invitations/${invitation}`,
    expected: anyone(200),
  },
  'PUT /v1/invitations/{token}': {
    path: ({ invitation }) => `/v1/invitations/${invitation}`,
    json: () => ({}),
    expected: session({ stranger: 200, member: 4090, admin: 4090 }),
  },
  'GET /v1/teams/{team}/subjects': {
    path: ({ team }) => `/v1/teams/${team}/subjects`,
    expected: scoped(members, 200, 4031),
  },
  'PATCH /v1/teams/{team}/subjects/{subject}': {
    path: ({ team, matter }) => `/v1/teams/${team}/subjects/${matter}`,
    json: () => ({ closed: false }),
    expected: scoped(admins, admins.member, 4031),
  },
  'PUT /v1/teams/{team}/subjects/{subject}/read': {
    path: ({ team, matter }) => `/v1/teams/${team}/subjects/${matter}/read`,
    json: () => ({}),
    expected: also(session(members), 200, 'inbox:write token'),
  },
  'GET /v1/teams/{team}/groups': {
    path: ({ team }) => `/v1/teams/${team}/groups`,
    expected: session(members),
  },
  'GET /v1/teams/{team}/joined': {
    path: ({ team }) => `/v1/teams/${team}/joined`,
    expected: session(members),
  },
  'GET /v1/teams/{team}/called': {
    path: ({ team }) => `/v1/teams/${team}/called?names=team`,
    expected: session(members),
  },
  'POST /v1/teams/{team}/groups': {
    path: ({ team }) => `/v1/teams/${team}/groups`,
    json: () => ({ name: `g-${randomUUID()}` }),
    expected: session(admins),
  },
  'PATCH /v1/teams/{team}/groups/{group}': {
    path: ({ team, group }) => `/v1/teams/${team}/groups/${group}`,
    json: () => ({ users: [] }),
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/groups/{group}': {
    path: ({ team, group }) => `/v1/teams/${team}/groups/${group}`,
    expected: session(admins),
  },
  'GET /v1/teams/{team}/domain_rules': {
    path: ({ team }) => `/v1/teams/${team}/domain_rules`,
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/domain_rules/{rule}': {
    path: ({ team }) => `/v1/teams/${team}/domain_rules/${none}`,
    expected: session({ ...admins, admin: 4040 }),
  },
  'POST /v1/teams/{team}/join_links': {
    path: ({ team }) => `/v1/teams/${team}/join_links`,
    json: () => ({}),
    expected: session(admins),
  },
  'GET /v1/teams/{team}/join_links': {
    path: ({ team }) => `/v1/teams/${team}/join_links`,
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/join_links/{link}': {
    path: ({ team, joinLink }) => `/v1/teams/${team}/join_links/${joinLink.id}`,
    expected: session(admins),
  },
  'GET /v1/join_links/{token}': {
    path: ({ joinLink }) => `/v1/join_links/${joinLink.token}`,
    expected: anyone(200),
  },
  'PUT /v1/join_links/{token}': {
    path: ({ joinLink }) => `/v1/join_links/${joinLink.token}`,
    json: () => ({}),
    expected: { ...session({ stranger: 200, member: 4090, admin: 4090 }), removed: 4030 },
  },
  'POST /v1/messages': {
    path: () => '/v1/messages',
    json: ({ team }) => ({ text: 'hello', addressed_teams: [team] }),
    expected: itself(user({ stranger: 4008, member: 200, admin: 200 })),
    keeps: true,
  },
  'GET /v1/teams/{team}/webhooks': {
    path: ({ team }) => `/v1/teams/${team}/webhooks`,
    expected: session(admins),
  },
  'POST /v1/teams/{team}/webhooks': {
    path: ({ team }) => `/v1/teams/${team}/webhooks`,
    json: () => ({ name: 'Grafana' }),
    expected: session(admins),
  },
  'PATCH /v1/teams/{team}/webhooks/{webhook}': {
    path: ({ team, webhook }) => `/v1/teams/${team}/webhooks/${webhook}`,
    json: () => ({ name: 'Alarm' }),
    expected: session(admins),
  },
  'PUT /v1/teams/{team}/webhooks/{webhook}/image': {
    path: ({ team, webhook }) => `/v1/teams/${team}/webhooks/${webhook}/image`,
    json: () => ({}),
    expected: session({ stranger: 4040, member: 4030, admin: 4150 }),
  },
  'DELETE /v1/teams/{team}/webhooks/{webhook}/image': {
    path: ({ team, webhook }) => `/v1/teams/${team}/webhooks/${webhook}/image`,
    expected: session(admins),
  },
  'POST /v1/teams/{team}/webhooks/{webhook}/address': {
    path: ({ team, webhook }) => `/v1/teams/${team}/webhooks/${webhook}/address`,
    json: () => ({}),
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/webhooks/{webhook}': {
    path: ({ team, webhook }) => `/v1/teams/${team}/webhooks/${webhook}`,
    expected: session(admins),
  },
  'POST /v1/hooks/{secret}': {
    path: () => '/v1/hooks/guessed',
    json: () => ({ text: 'hello' }),
    expected: anyone(4040),
  },
  // An application as itself lists a conversation with one person.
  'GET /v1/messages': {
    path: ({ team }) => `/v1/messages?team=${team}`,
    expected: alone(itself(scoped(members), 4031), 4002),
  },
  'GET /v1/messages/{message}': {
    path: ({ message }) => `/v1/messages/${message}`,
    expected: alone(itself(scoped(members))),
  },
  'PATCH /v1/messages/{message}': {
    path: ({ message }) => `/v1/messages/${message}`,
    json: () => ({ text: 'other' }),
    expected: alone(itself(scoped(admins), 4030)),
  },
  'DELETE /v1/messages/{message}': {
    path: ({ message }) => `/v1/messages/${message}`,
    expected: alone(itself(scoped(admins), 4030)),
  },
  'GET /v1/messages/{message}/replies': {
    path: ({ message }) => `/v1/messages/${message}/replies`,
    expected: alone(itself(scoped(members))),
  },
  'POST /v1/messages/{message}/replies': {
    path: ({ message }) => `/v1/messages/${message}/replies`,
    json: () => ({ text: 'reply' }),
    expected: alone(itself(scoped(members))),
  },
  'GET /v1/teams/{team}/files': {
    path: ({ team }) => `/v1/teams/${team}/files`,
    expected: itself(scoped(members, 200, 4031)),
  },
  'GET /v1/users/me/conversations/{conversation}/files': {
    path: () => `/v1/users/me/conversations/${none}/files`,
    expected: { ...session(all(4040)), 'direct token': 4040 },
  },
  // Its answer says nothing of who may read a message: src/conversation/messages/quotes/quotes.test.ts
  'GET /v1/quotes': {
    path: ({ message }) => `/v1/quotes?messages=${message}`,
    expected: alone(itself(scoped(all(200), 200, 200)), 200),
  },
  'POST /v1/messages/{message}/interactions': {
    path: ({ message }) => `/v1/messages/${message}/interactions`,
    json: () => ({ block_id: 'b', action_id: 'a', click: randomUUID() }),
    // The message has no blocks.
    expected: session({ stranger: 4040, member: 4090, admin: 4090 }),
    keeps: true,
  },
  'POST /v1/teams/{team}/commands': {
    path: ({ team }) => `/v1/teams/${team}/commands`,
    json: () => ({ text: '/unknown', click: randomUUID() }),
    expected: session({ stranger: 4040, member: 4002, admin: 4002 }),
    keeps: true,
  },
  'POST /v1/teams/{team}/shortcuts': {
    path: ({ team }) => `/v1/teams/${team}/shortcuts`,
    json: () => ({ application: randomUUID(), action_id: 'unknown', click: randomUUID() }),
    expected: session({ stranger: 4040, member: 4002, admin: 4002 }),
    keeps: true,
  },
  'GET /v1/teams/{team}/commands': {
    path: ({ team }) => `/v1/teams/${team}/commands`,
    expected: session(members),
  },
  'PUT /v1/teams/{team}/commands/{command}': {
    path: ({ team }) => `/v1/teams/${team}/commands/unknown`,
    json: () => ({ application: randomUUID() }),
    expected: session({ stranger: 4040, member: 4030, admin: 4040 }),
    keeps: true,
  },
  'GET /v1/teams/{team}/shortcuts': {
    path: ({ team }) => `/v1/teams/${team}/shortcuts`,
    expected: session(members),
  },
  'POST /v1/messages/{message}/options': {
    path: ({ message }) => `/v1/messages/${message}/options`,
    json: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    // The message has no blocks.
    expected: session({ stranger: 4040, member: 4090, admin: 4090 }),
    keeps: true,
  },
  'GET /v1/forms/{form}': { path: ({ message }) => `/v1/forms/${message}`, expected: session(all(4040)) },
  'POST /v1/forms/{form}/submission': {
    path: ({ message }) => `/v1/forms/${message}/submission`,
    json: () => ({ hash: randomUUID() }),
    expected: session(all(4040)),
    keeps: true,
  },
  'DELETE /v1/forms/{form}': {
    path: ({ message }) => `/v1/forms/${message}`,
    expected: session(all(4040)),
    keeps: true,
  },
  'POST /v1/forms/{form}/interactions': {
    path: ({ message }) => `/v1/forms/${message}/interactions`,
    json: () => ({ block_id: 'b', action_id: 'a', click: randomUUID() }),
    expected: session(all(4040)),
    keeps: true,
  },
  'POST /v1/forms/{form}/options': {
    path: ({ message }) => `/v1/forms/${message}/options`,
    json: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    expected: session(all(4040)),
    keeps: true,
  },
  'GET /v1/applications/{application}/home': {
    path: ({ application: { id }, team }) => `/v1/applications/${id}/home?team=${team}`,
    expected: session(members),
  },
  'PUT /v1/applications/{application}/homes/{user}': {
    path: ({ application: { id }, team }) => `/v1/applications/${id}/homes/${people.member.id}?team=${team}`,
    json: () => ({ blocks: [{ type: 'divider' }] }),
    // It has no home.
    expected: { ...application, credentials: 4030 },
    keeps: true,
  },
  'POST /v1/applications/{application}/home/openings': {
    path: ({ application: { id }, team }) => `/v1/applications/${id}/home/openings?team=${team}`,
    json: () => ({ click: randomUUID() }),
    // It has no home.
    expected: session({ stranger: 4040, member: 4030, admin: 4030 }),
    keeps: true,
  },
  'POST /v1/applications/{application}/home/interactions': {
    path: ({ application: { id }, team }) => `/v1/applications/${id}/home/interactions?team=${team}`,
    json: () => ({ block_id: 'b', action_id: 'a', click: randomUUID() }),
    expected: session(all(4040)),
    keeps: true,
  },
  'POST /v1/applications/{application}/home/options': {
    path: ({ application: { id }, team }) => `/v1/applications/${id}/home/options?team=${team}`,
    json: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    expected: session(all(4040)),
    keeps: true,
  },
  'POST /v1/interactions/{interaction}/{secret}': {
    path: ({ message }) => `/v1/interactions/${message}/guessed`,
    json: () => ({}),
    expected: anyone(4040),
  },
  'GET /v1/users/me/ephemeral_answers': {
    path: ({ team }) => `/v1/users/me/ephemeral_answers?team=${team}`,
    expected: session(members),
  },
  'DELETE /v1/users/me/ephemeral_answers/{answer}': {
    path: ({ message }) => `/v1/users/me/ephemeral_answers/${message}`,
    expected: session(all(4040)),
    keeps: true,
  },
  'GET /v1/messages/{message}/versions': {
    path: ({ message }) => `/v1/messages/${message}/versions`,
    expected: scoped(members),
  },
  'GET /v1/messages/{message}/high_fives': {
    path: ({ message }) => `/v1/messages/${message}/high_fives`,
    expected: also(scoped(members), 200, 'high_fives:read token', 'own high_fives:read token'),
  },
  'PUT /v1/messages/{message}/high_five': {
    path: ({ message }) => `/v1/messages/${message}/high_five`,
    expected: also(scoped(members), 200, 'high_fives:write token'),
  },
  'GET /v1/messages/{message}/reactions': {
    path: ({ message }) => `/v1/messages/${message}/reactions`,
    expected: also(scoped(members), 200, 'reactions:read token', 'own reactions:read token'),
  },
  'PUT /v1/messages/{message}/reactions/{emoji}': {
    path: ({ message }) => `/v1/messages/${message}/reactions/${THUMBS_UP}`,
    expected: also(scoped(members), 200, 'reactions:write token', 'own reactions:write token'),
  },
  'PUT /v1/messages/{message}/unfurls': {
    path: ({ message }) => `/v1/messages/${message}/unfurls`,
    json: () => ({ unfurls: [] }),
    expected: itself(scoped(all(4030), 4030, 4030)),
  },
  'DELETE /v1/messages/{message}/unfurls': {
    path: ({ message }) => `/v1/messages/${message}/unfurls`,
    expected: itself(scoped(all(4030), 4030, 4030)),
  },
  'DELETE /v1/messages/{message}/unfurls/{unfurl}': {
    path: ({ linked, unfurl }) => `/v1/messages/${linked}/unfurls/${unfurl}`,
    expected: scoped({ stranger: 4040, member: 4030, admin: 200 }),
  },
  'PUT /v1/messages/{message}/read': {
    path: ({ message }) => `/v1/messages/${message}/read`,
    expected: also(session(members), 200, 'inbox:write token'),
  },
  'PUT /v1/messages/{message}/mute': {
    path: ({ message }) => `/v1/messages/${message}/mute`,
    expected: session(members),
  },
  'DELETE /v1/messages/{message}/high_five': {
    path: ({ message }) => `/v1/messages/${message}/high_five`,
    expected: also(scoped(members), 200, 'high_fives:write token'),
  },
  'DELETE /v1/messages/{message}/reactions/{emoji}': {
    path: ({ message }) => `/v1/messages/${message}/reactions/${THUMBS_UP}`,
    expected: also(scoped(members), 200, 'reactions:write token', 'own reactions:write token'),
  },
  'DELETE /v1/messages/{message}/read': {
    path: ({ message }) => `/v1/messages/${message}/read`,
    expected: also(session(members), 200, 'inbox:write token'),
  },
  'DELETE /v1/messages/{message}/mute': {
    path: ({ message }) => `/v1/messages/${message}/mute`,
    expected: session(members),
  },
  'GET /v1/users/me/saved': { path: () => '/v1/users/me/saved', expected: session(all(200)) },
  'PUT /v1/users/me/saved/{message}': {
    path: ({ message }) => `/v1/users/me/saved/${message}`,
    expected: session(members),
  },
  'DELETE /v1/users/me/saved/{message}': {
    path: ({ message }) => `/v1/users/me/saved/${message}`,
    expected: session(members),
  },
  'GET /v1/teams/{team}/pins': {
    path: ({ team }) => `/v1/teams/${team}/pins`,
    expected: itself(scoped(members, 200, 4031)),
  },
  'PUT /v1/teams/{team}/pins/{message}': {
    path: ({ team, message }) => `/v1/teams/${team}/pins/${message}`,
    expected: itself(scoped(members, 200, 4031)),
  },
  'DELETE /v1/teams/{team}/pins/{message}': {
    path: ({ team, message }) => `/v1/teams/${team}/pins/${message}`,
    expected: itself(scoped(members, 200, 4031)),
  },
  'GET /v1/users/me/conversations': {
    path: () => `/v1/users/me/conversations?with=${people.other.id}`,
    expected: scoped(all(200), 4031, 200),
  },
  'PUT /v1/users/me/conversations/read': {
    path: () => '/v1/users/me/conversations/read',
    // It is a message of a team: direct.test has those of a conversation.
    json: ({ message }) => ({ with: people.other.id, up_to: message }),
    expected: session(all(4002)),
  },
  'GET /v1/users/me/inbox': {
    path: () => '/v1/users/me/inbox',
    expected: also(session(all(200)), 200, 'inbox:read token'),
  },
  'GET /v1/users/me/inbox/counts': {
    path: () => '/v1/users/me/inbox/counts',
    expected: also(session(all(200)), 200, 'inbox:read token'),
  },
  // The message concerns no one: test/attacks/inbox-of-another has those that do.
  'GET /v1/users/me/inbox/{conversation}/notification': {
    path: ({ message }) => `/v1/users/me/inbox/${message}/notification`,
    expected: session(all(4040)),
  },
  'PUT /v1/users/me/inbox/{conversation}/done': {
    path: ({ message }) => `/v1/users/me/inbox/${message}/done`,
    expected: session(all(4040)),
  },
  'DELETE /v1/users/me/inbox/{conversation}/done': {
    path: ({ message }) => `/v1/users/me/inbox/${message}/done`,
    expected: session(all(4040)),
  },
  'GET /v1/users/me/invitations': {
    path: () => '/v1/users/me/invitations',
    expected: session(all(200)),
  },
  'PUT /v1/users/me/invitations/{invitation}': {
    path: ({ ownInvitation }) => `/v1/users/me/invitations/${ownInvitation}`,
    json: () => ({}),
    expected: { ...session(all(4040)), stranger: 200 },
  },
  'DELETE /v1/users/me/invitations/{invitation}': {
    path: ({ ownInvitation }) => `/v1/users/me/invitations/${ownInvitation}`,
    expected: { ...session(all(4040)), stranger: 200 },
  },
  'GET /v1/users/me/blocked_applications': {
    path: () => '/v1/users/me/blocked_applications',
    expected: session(all(200)),
  },
  'PUT /v1/users/me/blocked_applications/{application}': {
    path: ({ application }) => `/v1/users/me/blocked_applications/${application.id}`,
    expected: session(members),
  },
  'DELETE /v1/users/me/blocked_applications/{application}': {
    path: ({ application }) => `/v1/users/me/blocked_applications/${application.id}`,
    expected: session(all(200)),
  },
  'GET /v1/users/me/mutes': { path: () => '/v1/users/me/mutes', expected: session(all(200)) },
  'PUT /v1/users/me/mutes/{kind}/{id}': {
    path: ({ team }) => `/v1/users/me/mutes/team/${team}`,
    json: () => ({ until: null }),
    expected: session(members),
  },
  'DELETE /v1/users/me/mutes/{kind}/{id}': {
    path: ({ team }) => `/v1/users/me/mutes/team/${team}`,
    expected: session(members),
  },
  'GET /v1/users/me/scheduled_messages': {
    path: () => '/v1/users/me/scheduled_messages',
    expected: alone(itself(user(all(200))), 200),
  },
  'POST /v1/users/me/scheduled_messages': {
    path: () => '/v1/users/me/scheduled_messages',
    json: ({ team }) => ({ send_at: tomorrow(), message: { text: 'hello', addressed_teams: [team] } }),
    expected: itself(user({ stranger: 4008, member: 200, admin: 200 })),
    keeps: true,
  },
  'PATCH /v1/users/me/scheduled_messages/{scheduled}': {
    path: ({ message }) => `/v1/users/me/scheduled_messages/${message}`,
    json: () => ({ send_now: true }),
    expected: alone(itself(user(all(4040)), 4040)),
    keeps: true,
  },
  'DELETE /v1/users/me/scheduled_messages/{scheduled}': {
    path: ({ message }) => `/v1/users/me/scheduled_messages/${message}`,
    expected: alone(itself(user(all(4040)), 4040)),
    keeps: true,
  },
  'GET /v1/users/me/reminders': {
    path: () => '/v1/users/me/reminders',
    expected: scoped(all(200), 4031, 200),
  },
  'POST /v1/users/me/reminders': {
    path: () => '/v1/users/me/reminders',
    json: () => ({ at: tomorrow(), text: 'water the plants' }),
    expected: scoped(all(200), 4031, 200),
    keeps: true,
  },
  'DELETE /v1/users/me/reminders/{scheduled}': {
    path: ({ message }) => `/v1/users/me/reminders/${message}`,
    expected: scoped(all(4040), 4031, 4040),
    keeps: true,
  },
  'PUT /v1/users/me/read': { path: () => '/v1/users/me/read', expected: session(all(200)) },
  'PUT /v1/teams/{team}/typing': {
    path: ({ team }) => `/v1/teams/${team}/typing`,
    json: ({ message }) => ({ message }),
    expected: session(members),
  },
  // Of no conversation: typing.test has those who are in one.
  'PUT /v1/users/me/conversations/{conversation}/typing': {
    path: ({ message }) => `/v1/users/me/conversations/${message}/typing`,
    json: () => ({}),
    expected: session(all(4040)),
  },
  'PUT /v1/teams/{team}/read': {
    path: ({ team }) => `/v1/teams/${team}/read`,
    json: ({ message }) => ({ up_to: message }),
    expected: also(session(members), 200, 'inbox:write token'),
  },
  'POST /v1/teams/{team}/read/undo': {
    path: ({ team }) => `/v1/teams/${team}/read/undo`,
    // Nobody was given it: test/attacks/inbox-of-another has what others were given.
    json: () => ({ undo: 'e30.unsigned' }),
    expected: also(session({ stranger: 4040, member: 4002, admin: 4002 }), 4002, 'inbox:write token'),
  },
  'GET /v1/messages/{message}/sidebars': {
    path: ({ message }) => `/v1/messages/${message}/sidebars`,
    expected: scoped(members, 4031),
  },
  'POST /v1/messages/{message}/sidebars': {
    path: ({ message }) => `/v1/messages/${message}/sidebars`,
    json: () => ({ users: [people.member.id], text: 'between us' }),
    expected: scoped(members, 4031),
  },
  'GET /v1/sidebars/{sidebar}': {
    path: ({ sidebar }) => `/v1/sidebars/${sidebar}`,
    expected: scoped(members, 4031),
  },
  'GET /v1/sidebars/{sidebar}/messages': {
    path: ({ sidebar }) => `/v1/sidebars/${sidebar}/messages`,
    expected: scoped(members, 4031),
  },
  'POST /v1/sidebars/{sidebar}/messages': {
    path: ({ sidebar }) => `/v1/sidebars/${sidebar}/messages`,
    json: () => ({ text: 'yes' }),
    expected: scoped(members, 4031),
  },
  'GET /v1/emoji': {
    path: () => '/v1/emoji',
    expected: also(scoped(all(200), 200, 200), 200, 'reactions:read token', 'own reactions:read token'),
  },
  'POST /v1/emoji': {
    path: () => '/v1/emoji',
    json: () => ({}),
    expected: session(all(4150)),
  },
  'DELETE /v1/emoji/{name}': {
    path: ({ emoji }) => `/v1/emoji/${emoji}`,
    expected: session({ stranger: 4030, member: 200, admin: 4030, superuser: 200 }),
  },
  'GET /v1/emoji/{name}/{variant}/{version}': {
    path: ({ emoji }) => `/v1/emoji/${emoji}/still/${none}`,
    expected: anyone(4040),
  },
  'POST /v1/attachments': {
    path: () => '/v1/attachments',
    json: () => ({}),
    expected: also(scoped(all(4150), 4150, 4150), 4150, 'files:write token', 'own files:write token'),
  },
  'POST /v1/blocks/check': {
    path: () => '/v1/blocks/check',
    json: () => ({ blocks: [{ type: 'divider' }] }),
    expected: { ...session(all(200)), credentials: 200, 'other credentials': 200 },
    keeps: true,
  },
  'GET /v1/attachments/{attachment}': {
    path: ({ attachment }) => `/v1/attachments/${attachment}`,
    expected: alone(also(scoped(members), 200, 'files:read token', 'own files:read token')),
  },
  'GET /v1/attachments/{attachment}/thumbnail': {
    path: ({ attachment }) => `/v1/attachments/${attachment}/thumbnail`,
    expected: alone(also(scoped(members), 200, 'files:read token', 'own files:read token')),
  },
  'GET /v1/pictures/{reference}': {
    path: ({ reference }) => `/v1/pictures/${reference}`,
    expected: scoped(members),
  },
  'POST /v1/applications': {
    path: () => '/v1/applications',
    json: newApplication,
    expected: session(all(200)),
  },
  'GET /v1/applications': { path: () => '/v1/applications', expected: session(all(200)) },
  'GET /v1/applications/{application}': {
    path: ({ application }) => `/v1/applications/${application.id}`,
    expected: session(owners),
  },
  'PATCH /v1/applications/{application}': {
    path: ({ application }) => `/v1/applications/${application.id}`,
    json: () => ({ description: 'New' }),
    expected: session(owners),
  },
  'DELETE /v1/applications/{application}': {
    path: ({ application }) => `/v1/applications/${application.id}`,
    expected: session(owners),
  },
  'GET /v1/applications/{application}/progress': {
    path: ({ application }) => `/v1/applications/${application.id}/progress`,
    expected: session(owners),
  },
  'GET /v1/applications/{application}/token_failures': {
    path: ({ application }) => `/v1/applications/${application.id}/token_failures`,
    expected: developer,
  },
  'GET /v1/applications/{application}/installations': {
    path: ({ application }) => `/v1/applications/${application.id}/installations`,
    expected: session(owners),
  },
  'POST /v1/applications/{application}/secret': {
    path: ({ application }) => `/v1/applications/${application.id}/secret`,
    json: () => ({}),
    expected: session(owners),
  },
  'POST /v1/applications/{application}/test_callback': {
    path: ({ application }) => `/v1/applications/${application.id}/test_callback`,
    json: () => ({}),
    expected: session(owners),
  },
  'GET /v1/applications/{application}/deliveries': {
    path: ({ application }) => `/v1/applications/${application.id}/deliveries`,
    expected: session({ ...owners, admin: 200 }),
  },
  'GET /v1/applications/{application}/deliveries/{delivery}': {
    path: ({ application, delivery }) => `/v1/applications/${application.id}/deliveries/${delivery}`,
    expected: session({ ...owners, admin: 200 }),
  },
  'POST /v1/applications/{application}/deliveries/{delivery}/redeliver': {
    path: ({ application, delivery }) =>
      `/v1/applications/${application.id}/deliveries/${delivery}/redeliver`,
    json: () => ({}),
    expected: session(owners),
  },
  'POST /v1/applications/{application}/subscriptions': {
    path: ({ application }) => `/v1/applications/${application.id}/subscriptions`,
    json: () => ({ kinds: ['message.posted'] }),
    expected: developer,
  },
  'GET /v1/applications/{application}/subscriptions': {
    path: ({ application }) => `/v1/applications/${application.id}/subscriptions`,
    expected: developer,
  },
  'GET /v1/applications/{application}/subscriptions/{subscription}': {
    path: (subject) => ofSubscription(subject),
    expected: developer,
  },
  'PATCH /v1/applications/{application}/subscriptions/{subscription}': {
    path: (subject) => ofSubscription(subject),
    json: () => ({ kinds: ['mention'] }),
    expected: developer,
  },
  'DELETE /v1/applications/{application}/subscriptions/{subscription}': {
    path: (subject) => ofSubscription(subject),
    expected: developer,
  },
  'POST /v1/applications/{application}/subscriptions/{subscription}/replays': {
    path: (subject) => ofSubscription(subject, '/replays'),
    json: () => ({ since: '0' }),
    expected: developer,
  },
  'POST /v1/applications/{application}/subscriptions/{subscription}/key': {
    path: (subject) => ofSubscription(subject, '/key'),
    json: () => ({}),
    expected: developer,
  },
  'GET /v1/applications/{application}/subscriptions/{subscription}/events': {
    path: (subject) => ofSubscription(subject, '/events'),
    expected: application,
  },
  'GET /v1/applications/{application}/subscriptions/{subscription}/consumers': {
    path: (subject) => ofSubscription(subject, '/consumers'),
    expected: developer,
  },
  'PUT /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/cursor': {
    path: (subject) => ofSubscription(subject, '/consumers/bot/cursor'),
    json: () => ({ since: '0' }),
    expected: application,
  },
  'POST /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/acknowledgements': {
    path: (subject) => ofSubscription(subject, '/consumers/bot/acknowledgements'),
    json: () => ({ events: [none] }),
    expected: application,
  },
  'DELETE /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}': {
    path: (subject) => ofSubscription(subject, '/consumers/bot'),
    expected: developer,
  },
  'GET /v1/directory': { path: () => '/v1/directory', expected: session(all(200)) },
  'GET /v1/teams/{team}/applications': {
    path: ({ team }) => `/v1/teams/${team}/applications`,
    expected: session(members),
  },
  'POST /v1/teams/{team}/applications': {
    path: ({ team }) => `/v1/teams/${team}/applications`,
    json: ({ application }) => ({ application: application.id }),
    expected: session(admins),
  },
  'DELETE /v1/teams/{team}/applications/{application}': {
    path: ({ team, application }) => `/v1/teams/${team}/applications/${application.id}`,
    expected: session(admins),
  },
  'GET /v1/users/me/grants': {
    path: () => '/v1/users/me/grants',
    expected: session({ ...all(200), removed: 200, superuser: 200, owner: 200 }),
  },
  // Their own alone: test/attacks/grants-of-others.test.ts.
  'DELETE /v1/users/me/grants/{grant}': {
    path: () => `/v1/users/me/grants/${randomUUID()}`,
    expected: session(all(4040)),
  },
  'GET /v1/applications/{application}/opening': {
    path: ({ team, application }) => `/v1/applications/${application.id}/opening?team=${team}`,
    expected: session(members),
  },
  'POST /v1/applications/{application}/opening': {
    path: ({ application }) => `/v1/applications/${application.id}/opening`,
    json: ({ team }) => ({ team, scopes: ['messages:read'] }),
    expected: session(members),
  },
  'GET /v1/teams/{team}/applications/{application}/scopes': {
    path: ({ team, application }) => `/v1/teams/${team}/applications/${application.id}/scopes`,
    expected: session(admins),
  },
  'PUT /v1/teams/{team}/applications/{application}/scopes': {
    path: ({ team, application }) => `/v1/teams/${team}/applications/${application.id}/scopes`,
    json: () => ({ scopes: ['messages:read'] }),
    expected: session(admins),
  },
  'GET /v1/applications/{application}/open': {
    path: ({ team, application }) => `/v1/applications/${application.id}/open?team=${team}`,
    expected: session(members),
  },
  'POST /v1/applications/{application}/objects': {
    path: ({ application }) => `/v1/applications/${application.id}/objects`,
    json: ({ team }) => ({ name: 'O', team, type: 't', url: '/o' }),
    expected: application,
  },
  'GET /v1/applications/{application}/objects': {
    path: ({ application }) => `/v1/applications/${application.id}/objects`,
    expected: application,
  },
  'POST /v1/objects/{object}/openings': {
    path: ({ object }) => `/v1/objects/${object}/openings`,
    json: () => ({}),
    expected: session(members),
  },
  'PATCH /v1/applications/{application}/objects/{object}': {
    path: ({ application, object }) => `/v1/applications/${application.id}/objects/${object}`,
    json: () => ({ name: 'Changed' }),
    expected: application,
  },
  'DELETE /v1/applications/{application}/objects/{object}': {
    path: ({ application, object }) => `/v1/applications/${application.id}/objects/${object}`,
    expected: application,
  },
  'GET /v1/admin/mails': { path: () => '/v1/admin/mails', expected: session(superusers) },
  'GET /v1/admin/mails/{mail}': {
    path: ({ mail }) => `/v1/admin/mails/${mail}`,
    expected: session(superusers),
  },
  'POST /v1/admin/mails/{mail}/resend': {
    path: ({ mail }) => `/v1/admin/mails/${mail}/resend`,
    json: () => ({}),
    expected: session({ ...superusers, superuser: 4090 }),
  },
  'POST /v1/password_resets': {
    path: () => '/v1/password_resets',
    json: ({ other }) => ({ email: other.email }),
    expected: anyone(200),
    keeps: true,
  },
  'PUT /v1/password_resets/{token}': {
    path: () => '/v1/password_resets/guessed',
    json: () => ({ password: 'a password of length' }),
    expected: anyone(4040),
  },
  'POST /v1/email_verifications': {
    path: () => '/v1/email_verifications',
    json: () => ({}),
    expected: session(all(200)),
  },
  'PUT /v1/email_verifications/{token}': {
    path: () => '/v1/email_verifications/guessed',
    json: () => ({}),
    expected: session(all(4040)),
  },
  'DELETE /v1/email_verifications/{token}': {
    path: () => '/v1/email_verifications/guessed',
    expected: anyone(4040),
  },
  'GET /v1/unsubscribe/{token}': { path: () => '/v1/unsubscribe/guessed', expected: anyone(4040) },
  'POST /v1/unsubscribe/{token}': {
    path: () => '/v1/unsubscribe/guessed',
    json: () => ({}),
    expected: anyone(4040),
  },
  'GET /v1/oauth2/authorize': {
    path: ({ application }) => `/v1/oauth2/authorize?${new URLSearchParams(consentTo(application))}`,
    expected: anyone(200),
  },
  'GET /v1/oauth2/consent': {
    path: ({ application }) => `/v1/oauth2/consent?${new URLSearchParams(consentTo(application))}`,
    expected: session(all(200)),
  },
  'POST /v1/oauth2/consent': {
    path: () => '/v1/oauth2/consent',
    json: ({ application, team }) => ({ ...consentTo(application), team, decision: 'allow' }),
    expected: session(members),
  },
  'GET /v1/oauth2/test/app': {
    path: () => '/v1/oauth2/test/app',
    expected: { ...application, 'other credentials': 200 },
  },
  'GET /v1/oauth2/test/app_as_user': {
    path: () => '/v1/oauth2/test/app_as_user',
    expected: {
      ...user(all(4010)),
      token: 200,
      'scoped token': 200,
      'direct token': 200,
      ...each(narrowTokens, 200),
    },
  },
};

interface Conversations {
  /** To the member, by the admin. */
  readonly direct: string;
  /** By the admin, to another team that both belong to. */
  readonly elsewhere: string;
  /** Files of the two. */
  readonly files: { readonly direct: string; readonly elsewhere: string };
}

/** Messages outside a token's team that both users see. */
const beyond: Record<string, { what: keyof Conversations['files']; expected: Expected }> = {
  'a direct message': { what: 'direct', expected: scoped(members, 4040, 200) },
  'a message to another team': { what: 'elsewhere', expected: scoped(members, 4040, 4040) },
};

const ways: Record<string, (given: { message: string; file: string }) => string> = {
  'GET /v1/messages/{message}': ({ message }) => `/v1/messages/${message}`,
  'GET /v1/messages?around': ({ message }) => `/v1/messages?around=${message}`,
  'GET /v1/messages/{message}/replies': ({ message }) => `/v1/messages/${message}/replies`,
  'GET /v1/messages/{message}/versions': ({ message }) => `/v1/messages/${message}/versions`,
  'GET /v1/messages/{message}/high_fives': ({ message }) => `/v1/messages/${message}/high_fives`,
  'PUT /v1/messages/{message}/high_five': ({ message }) => `/v1/messages/${message}/high_five`,
  'GET /v1/messages/{message}/reactions': ({ message }) => `/v1/messages/${message}/reactions`,
  'PUT /v1/messages/{message}/reactions/{emoji}': ({ message }) =>
    `/v1/messages/${message}/reactions/${THUMBS_UP}`,
  'POST /v1/messages/{message}/replies': ({ message }) => `/v1/messages/${message}/replies`,
  'GET /v1/attachments/{attachment}': ({ file }) => `/v1/attachments/${file}`,
};

/** The ways that are open to an application as itself. */
const OF_ITSELF = new Set([
  'GET /v1/messages/{message}',
  'GET /v1/messages/{message}/replies',
  'POST /v1/messages/{message}/replies',
]);

/** The tokens with one scope alone for which a way is open: what is out of their reach does not exist for them. */
const NARROW_WAYS: Readonly<Record<string, readonly NarrowToken[]>> = {
  'GET /v1/messages/{message}/high_fives': ['high_fives:read token', 'own high_fives:read token'],
  'PUT /v1/messages/{message}/high_five': ['high_fives:write token'],
  'GET /v1/messages/{message}/reactions': ['reactions:read token', 'own reactions:read token'],
  'PUT /v1/messages/{message}/reactions/{emoji}': ['reactions:write token', 'own reactions:write token'],
  'GET /v1/attachments/{attachment}': ['files:read token', 'own files:read token', 'own direct:app token'],
};

/** Checked elsewhere: they end the caller's own session, never end, or speak a protocol of their own. */
const elsewhere = [
  'DELETE /v1/sessions/current',
  'GET /v1/events',
  // test/attacks/events-of-others.test.ts
  'GET /v1/applications/{application}/subscriptions/{subscription}/stream',
  // src/integration/subscriptions/own-stream.test.ts
  'GET /v1/applications/{application}/stream',
  'POST /v1/oauth2/token',
  'POST /v1/oauth2/revoke',
  'POST /v1/oauth2/introspect',
  'GET /.well-known/oauth-authorization-server',
];

const { server, host } = scene();
const people = {} as Record<
  'superuser' | 'stranger' | 'member' | 'admin' | 'owner' | 'removed' | 'deactivated' | 'other',
  Person
>;
const endedTokens = {} as Record<
  'deactivated token' | 'removed token' | 'uninstalled token' | 'uninstalled own token',
  Client
>;

beforeAll(async () => {
  // The first account administers the server.
  for (const name of [
    'superuser',
    'stranger',
    'member',
    'admin',
    'owner',
    'removed',
    'deactivated',
    'other',
  ] as const) {
    people[name] = await signUp(server, name);
  }
  const { admin, member, removed, deactivated } = people;
  const team = await makeTeam(admin, [member, removed, deactivated]);
  const app = await register(admin, host, { scopes: ['messages:write'] });
  await install(admin, team, app);
  const tokenOf = async (person: Person) =>
    server.anonymous().withToken((await authorize(person, team, app)).access_token);
  endedTokens['deactivated token'] = await tokenOf(deactivated);
  endedTokens['removed token'] = await tokenOf(removed);
  endedTokens['uninstalled token'] = await tokenOf(member);
  endedTokens['uninstalled own token'] = await ownToken(app, team);
  await admin.client.delete(`/v1/teams/${team}/users/${removed.id}`);
  const placeholder = process.env.TEST_DATABASE === 'postgres' ? '$1' : '?';
  await server.running.db.write((tx) =>
    tx.all(`UPDATE users SET active = 0 WHERE id = ${placeholder}`, [deactivated.id]),
  );
  await admin.client.delete(`/v1/teams/${team}/applications/${app.id}`);
});

async function ownToken({ credentials }: RegisteredApplication, team: string): Promise<Client> {
  const form = { grant_type: 'client_credentials', team };
  const { body } = await credentials.ask('POST', '/v1/oauth2/token', { form });
  return server.anonymous().withToken(body.access_token);
}

const nothing: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === Symbol.toPrimitive ? () => '' : nothing),
});

/** The parts of a subject that the requests of a row name: all others need not be made for them. */
function partsOf({ path, json }: Row): ReadonlySet<keyof Subject> {
  const named = new Set<keyof Subject>();
  const subject = new Proxy({} as Subject, {
    get: (_, name) => {
      named.add(name as keyof Subject);
      return nothing;
    },
  });
  for (const caller of callers) {
    path(subject, caller);
    json?.(subject, caller);
  }
  return named;
}

/** @param parts what is made besides its team and its application; without them, all of it */
async function makeSubject(parts?: ReadonlySet<keyof Subject>): Promise<Subject> {
  const { admin, member, owner, other, removed } = people;
  const team = await makeTeam(admin, [member, other, removed]);
  await admin.client.delete(`/v1/teams/${team}/users/${removed.id}`);
  const app = await register(owner, host, {
    scopes: ['messages:read', 'messages:write'],
    link_prefixes: ['https://tracker.example/'],
  });
  await install(admin, team, app);
  const subject: Partial<Subject> = { team, application: app, other };
  const make = async <Name extends keyof Subject>(
    names: readonly Name[],
    part: () => Promise<Pick<Subject, Name>>,
  ) => {
    if (!parts || names.some((name) => parts.has(name))) Object.assign(subject, await part());
  };
  await make(['message', 'matter', 'attachment', 'sidebar'], async () => {
    const attachment = await uploadPicture(admin);
    const posted = await admin.client.post('/v1/messages', {
      text: 'hello',
      addressed_teams: [team],
      subject: 'Matter',
      attachments: { files: [attachment] },
    });
    const { id, subject_id } = posted.data[0];
    const aside = { users: [member.id], text: 'between us' };
    const sidebar = await admin.client.post(`/v1/messages/${id}/sidebars`, aside);
    return { message: id, matter: subject_id, attachment, sidebar: sidebar.data[0].id };
  });
  await make(['linked', 'unfurl', 'reference'], async () => {
    const url = 'https://tracker.example/1';
    const posted = await admin.client.post('/v1/messages', { text: url, addressed_teams: [team] });
    const linked = posted.data[0].id;
    const card = { unfurls: [{ url, title: 'One' }] };
    const unfurled = await (await ownToken(app, team)).put(`/v1/messages/${linked}/unfurls`, card);
    const reference = await putPreview(server, admin, linked);
    return { linked, unfurl: unfurled.data[0].unfurls[0].id, reference };
  });
  await make(['object'], async () => {
    const object = { name: 'O', team, type: 't', url: '/o' };
    return { object: (await app.credentials.post(`/v1/applications/${app.id}/objects`, object)).data[0].id };
  });
  await make(['delivery'], async () => {
    const deliveries = await owner.client.get(`/v1/applications/${app.id}/deliveries`);
    return { delivery: deliveries.data[0].id };
  });
  await make(['subscription'], async () => {
    const subscriptions = `/v1/applications/${app.id}/subscriptions`;
    const subscribed = await app.credentials.post(subscriptions, {
      kinds: ['message.posted'],
      webhook: { url: `${host.url}/events` },
    });
    const subscription = subscribed.data[0].id as string;
    await app.credentials.put(`${subscriptions}/${subscription}/consumers/bot/cursor`, { since: '0' });
    return { subscription };
  });
  await make(['invitation', 'openInvitation'], async () => {
    const emails = ['somebody@example.org'];
    const [invited] = (await admin.client.post(`/v1/teams/${team}/invitations`, { emails })).data;
    return { invitation: invited.token, openInvitation: invited.id };
  });
  await make(['openTeam'], async () => {
    return { openTeam: (await admin.client.post('/v1/teams', { name: 'Open', open: true })).data[0].id };
  });
  await make(['ownInvitation'], async () => {
    const users = [people.stranger.id];
    const named = await admin.client.post(`/v1/teams/${team}/invitations`, { users });
    return { ownInvitation: named.data[0].id };
  });
  await make(['joinLink'], async () => {
    return { joinLink: (await admin.client.post(`/v1/teams/${team}/join_links`, {})).data[0] };
  });
  await make(['group'], async () => {
    const group = await admin.client.post(`/v1/teams/${team}/groups`, { name: `g-${randomUUID()}` });
    return { group: group.data[0].id };
  });
  await make(['webhook'], async () => {
    return { webhook: (await admin.client.post(`/v1/teams/${team}/webhooks`, { name: 'CI' })).data[0].id };
  });
  await make(['emoji'], async () => {
    const emoji = `own_${randomUUID()}`.slice(0, 32);
    await member.client.ask('POST', '/v1/emoji', { raw: pictureForm({ name: emoji }) });
    return { emoji };
  });
  await make(['mail'], async () => {
    return { mail: (await people.superuser.client.get('/v1/admin/mails?limit=1')).data[0].id };
  });
  return subject as Subject;
}

/** One pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function pictureForm(fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([PICTURE]), 'pixel.png');
  return form;
}

async function uploadPicture(person: Person): Promise<string> {
  const raw = pictureForm();
  return (await person.client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

/** The callers of each subject that need an application or a token of their own. */
const made = new WeakMap<Subject, Map<Caller, Promise<Client>>>();

async function clientOf(caller: Caller, subject: Subject): Promise<Client> {
  if (caller === 'nobody') return server.anonymous();
  if (caller in people) return people[caller as keyof typeof people].client;
  if (caller in endedTokens) return endedTokens[caller as keyof typeof endedTokens];
  if (caller === 'credentials') return subject.application.credentials;
  const ofSubject = made.get(subject) ?? new Map<Caller, Promise<Client>>();
  made.set(subject, ofSubject);
  const client = ofSubject.get(caller) ?? makeClient(caller, subject);
  ofSubject.set(caller, client);
  return client;
}

async function makeClient(caller: Caller, subject: Subject): Promise<Client> {
  const { member, owner, admin } = people;
  if (caller === 'other credentials') return (await register(owner, host)).credentials;
  if (caller === 'own token') return ownToken(subject.application, subject.team);
  if (caller === 'scoped token') return tokenOf(subject, subject.application);
  const narrow = /^(own )?([a-z_.]+:[a-z]+) token$/.exec(caller);
  if (narrow) {
    const app = await register(owner, host, { scopes: [narrow[2]] });
    await install(admin, subject.team, app);
    return narrow[1] ? ownToken(app, subject.team) : tokenOf(subject, app, admin);
  }
  const scopes = caller === 'direct token' ? ['direct:read', 'direct:write'] : [];
  const app = await register(owner, host, { scopes });
  await install(admin, subject.team, app);
  return tokenOf(subject, app);

  async function tokenOf({ team }: Subject, app: RegisteredApplication, person = member): Promise<Client> {
    return server.anonymous().withToken((await authorize(person, team, app)).access_token);
  }
}

const documented = Object.entries(
  (JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as { paths: object })
    .paths,
).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));

it('the table has every route, and no other', () => {
  expect([...Object.keys(table), ...elsewhere].sort()).toEqual(documented.sort());
});

it('the table has a column for every scope', async () => {
  const { body } = await server.anonymous().get('/.well-known/oauth-authorization-server');
  const wide = ['messages:read', 'messages:write', 'direct:read', 'direct:write'];
  expect(body.scopes_supported).toEqual([...wide, ...NARROW]);
});

/** Shared by all requests that leave it unchanged: reads, refusals and rows without a subject. */
let untouched: Promise<Subject> | undefined;

/** Whether a row changes a subject and not only its caller. */
const isAbout = ({ path, json, keeps }: Row) => !keeps && (path.length > 0 || (json?.length ?? 0) > 0);

describe.each(Object.entries(table))('%s', (route, row) => {
  const { path, json, expected } = row;
  const method = route.split(' ')[0] as string;
  it('admits the right callers and no others', async () => {
    const parts = partsOf(row);
    const seen = {} as Record<Caller, number>;
    for (const caller of callers) {
      const changes = method !== 'GET' && expected[caller] === 200 && isAbout(row);
      untouched ??= makeSubject();
      const subject = changes ? await makeSubject(parts) : await untouched;
      const client = await clientOf(caller, subject);
      const body = json?.(subject, caller);
      const fresh =
        route === 'POST /v1/users' || route === 'POST /v1/sessions' ? await again(client) : client;
      const answer = await fresh.ask(method, path(subject, caller), body === undefined ? {} : { json: body });
      seen[caller] = answer.code ?? (answer.status === 303 ? 200 : answer.status);
    }
    expect(seen).toEqual(expected);
  });
});

/** The same caller in a session that a sign-in may end. */
async function again(client: Client): Promise<Client> {
  const person = Object.values(people).find((one) => one.client === client);
  if (!person) return client.copy();
  const anonymous = server.anonymous();
  await anonymous.post('/v1/sessions', { email: person.email, password: 'a password of length' });
  return anonymous;
}

async function makeConversations(): Promise<Conversations> {
  const { admin, member } = people;
  const team = await makeTeam(admin, [member]);
  const post = async (to: object) => {
    const file = await uploadPicture(admin);
    const json = { text: 'hello', attachments: { files: [file] }, ...to };
    return { file, id: (await admin.client.post('/v1/messages', json)).data[0].id as string };
  };
  const direct = await post({ addressed_users: [member.id] });
  const elsewhere = await post({ addressed_teams: [team] });
  return {
    direct: direct.id,
    elsewhere: elsewhere.id,
    files: { direct: direct.file, elsewhere: elsewhere.file },
  };
}

describe.each(Object.entries(beyond))('%s', (_, { what, expected }) => {
  it.each(Object.entries(ways))('%s', async (route, path) => {
    untouched ??= makeSubject();
    const [subject, conversations] = [await untouched, await makeConversations()];
    const method = route.split(' ')[0] as string;
    const json = method === 'POST' ? { json: { text: 'reply' } } : {};
    const seen = {} as Record<Caller, number>;
    for (const caller of callers) {
      const client = await clientOf(caller, subject);
      const answer = await client.ask(
        method,
        path({ message: conversations[what], file: conversations.files[what] }),
        json,
      );
      seen[caller] = answer.code ?? answer.status;
    }
    const open = also(expected, 4040, ...(NARROW_WAYS[route] ?? []));
    const asked = OF_ITSELF.has(route) ? alone(itself(open, 4040)) : open;
    // An application lists a conversation with one person.
    expect(seen).toEqual(route.endsWith('?around') ? alone(asked, 4002) : asked);
  });
});
