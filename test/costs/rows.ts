import { randomUUID } from 'node:crypto';
import { allRoutes } from '../../tools/routes.ts';
import { type DocumentedOperation, documentedOperations } from '../support/openapi.ts';
import { receiverKeys } from '../support/push-service.ts';
import { BODY_BYTES, exampleOf, type Ordinary } from './inputs.ts';
import type { Caller, Stage } from './stage.ts';

type Known = Stage['known'];

/** What the schema of a route does not say. */
interface Exception {
  readonly by?: Caller;
  /** Values of its own, by name. */
  readonly known?: (known: Known) => Record<string, string | undefined>;
  readonly query?: (known: Known) => Record<string, string | undefined>;
  /** Its ordinary body, beside a field that is tried. */
  readonly body?: (stage: Stage, field?: string | number) => object;
  /** Bodies that it takes beside those of its schema. */
  readonly more?: Readonly<Record<string, (share: number) => object>>;
  /** The error of its ordinary request, where the stage has nothing that it could work on. */
  readonly code?: number;
  /** Why its ordinary request takes longer where there is more, although it answers no more. */
  readonly grows?: string;
  /** Where its longest page is tried, because what other tests have written is in it. */
  readonly pages?: string;
  /** Its success takes away what other routes need. Those come last, in the order of this table. */
  readonly spends?: true;
  /** Its answer is everything that there is of something, and made while others are served. */
  readonly whole?: true;
  /** Its answer does not end. */
  readonly streams?: true;
}

const linked: Exception = { by: 'itself', known: (known) => ({ message: known.linked }) };
const device: Exception = { known: (known) => ({ subscription: known.device }) };
const unknownToken: Exception = { known: () => ({ token: 'guessed' }), code: 4040 };
const wrongPassword: Exception = { known: () => ({ password: 'wrong', current: 'wrong' }), code: 4002 };
const consent = (known: Known) => ({
  response_type: 'code',
  client_id: known.application,
  redirect_uri: known.redirect_uri,
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
});
const client = ({ known }: Stage) => ({ client_id: known.application, client_secret: known.client_secret });
const joinLink: Exception = { known: (known) => ({ token: known.join_link }) };
/** A rule needs a mail server, which the stage has not. */
const noRule: Exception = { known: () => ({ rule: '00000000-0000-4000-8000-000000000000' }), code: 4040 };
let accounts = 0;
let plans = 0;
/** Another one each time: few go to one conversation in five minutes. */
const laterTime = () => ({
  local: new Date(Date.now() + (24 * 60 + 10 * (plans++ % 10_000)) * 60_000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
});
const post: Exception = { body: () => ({ text: 'hello' }) };

/** What products send to an incoming webhook, as often as a body holds it. */
const parts = (part: object) => (share: number) =>
  Array.from({ length: Math.floor((BODY_BYTES / JSON.stringify(part).length) * share) }, () => part);
/** As much as blocks may hold. */
const sections = (share: number) => {
  const text = 'Words, *signs* and <https://a.example|links>. '.repeat(63);
  return Array.from({ length: 20 * share }, () => ({ type: 'section', text: { type: 'mrkdwn', text } }));
};

const header = parts({ type: 'header', text: { type: 'plain_text', text: '*a* <@b|c>' } });
const alert = parts({ status: 'firing', labels: { a: 'x' }, annotations: { b: '[y](http://z' } });

const exceptions: Readonly<Record<string, Exception>> = {
  'GET /.well-known/security.txt': { code: 4040 },
  'POST /v1/users': {
    body: () => ({
      email: `person${++accounts}@example.org`,
      password: 'a password of length',
      first_name: 'N',
      last_name: '',
    }),
  },
  'POST /v1/sessions': { body: ({ known }) => ({ email: known.own_email, password: known.password }) },
  // The right one would change the session of all others.
  'POST /v1/sessions/current/confirmation': wrongPassword,
  'POST /v1/users/me/password': wrongPassword,
  'POST /v1/users/me/deactivation': wrongPassword,
  'DELETE /v1/users/me': wrongPassword,
  'PUT /v1/password_resets/{token}': unknownToken,
  'PUT /v1/email_verifications/{token}': unknownToken,
  'DELETE /v1/email_verifications/{token}': unknownToken,
  'GET /v1/unsubscribe/{token}': unknownToken,
  'POST /v1/unsubscribe/{token}': unknownToken,
  'PUT /v1/invitations/{token}': { code: 4090 },
  'PUT /v1/users/me/invitations/{invitation}': { code: 4040 },
  'DELETE /v1/users/me/invitations/{invitation}': { code: 4040 },
  'POST /v1/teams/{team}/invitations': {
    body: ({ known }, field) => (field === 'users' ? {} : { emails: [known.emails] }),
  },
  'GET /v1/teams': { query: () => ({ open: '1' }) },
  'GET /v1/teams/{team}/called': {
    query: () => ({ names: 'team' }),
    grows: 'counts the members of the team',
  },
  'GET /v1/teams/{team}/joined': { grows: 'counts the members who joined in that time' },
  'POST /v1/teams/{team}/groups': { body: () => ({ name: `g-${++accounts}` }) },
  'GET /v1/join_links/{token}': joinLink,
  'PUT /v1/join_links/{token}': { ...joinLink, code: 4090 },
  'GET /v1/users/{user}/image/{variant}/{signature}': { code: 4040 },
  'GET /v1/applications/{application}/icon/{version}': { code: 4040 },
  'POST /v1/admin/teams/{team}/restore': { code: 4090 },
  'POST /v1/admin/domain_rules': {
    body: ({ known }) => ({ domain: 'company.example', team: known.team }),
    code: 4090,
  },
  'DELETE /v1/admin/domain_rules/{rule}': noRule,
  'DELETE /v1/teams/{team}/domain_rules/{rule}': noRule,
  'POST /v1/admin/mails/{mail}/resend': { code: 4090 },
  'POST /v1/messages': {
    body: ({ known }, field) => ({
      text: 'hello',
      ...(field !== 'addressed_users' && { addressed_teams: [known.team] }),
    }),
  },
  'GET /v1/messages': { query: ({ team }) => ({ team }) },
  'GET /v1/users/me/conversations/{conversation}/files': {
    known: (known) => ({ conversation: known.conversation_of_two }),
  },
  'PUT /v1/users/me/conversations/{conversation}/typing': {
    known: (known) => ({ conversation: known.conversation_of_two }),
    body: () => ({}),
  },
  'GET /v1/quotes': { query: ({ message }) => ({ messages: message }) },
  'POST /v1/blocks/check': { body: () => ({ blocks: [{ type: 'divider' }] }) },
  'PATCH /v1/messages/{message}': post,
  'POST /v1/messages/{message}/replies': post,
  'POST /v1/sidebars/{sidebar}/messages': post,
  'PUT /v1/users/me/conversations/read': {
    body: ({ known }) => ({ with: known.user, up_to: known.direct }),
  },
  'GET /v1/users/me/conversations': { query: (known) => ({ with: known.user }) },
  'POST /v1/teams/{team}/read/undo': { code: 4002 },
  'POST /v1/messages/{message}/interactions': { code: 4090 },
  // What a command costs where there are many: test/costs/commands.test.ts
  'POST /v1/teams/{team}/commands': { body: () => ({ text: '/unknown', click: randomUUID() }), code: 4002 },
  'PUT /v1/teams/{team}/commands/{command}': { known: () => ({ command: 'unknown' }), code: 4040 },
  'POST /v1/teams/{team}/shortcuts': {
    body: ({ known }) => ({ application: known.application, action_id: 'unknown', click: randomUUID() }),
    code: 4002,
  },
  // Forms as large as they may be: test/costs/forms.test.ts
  'GET /v1/forms/{form}': { known: (known) => ({ form: known.message }), code: 4040 },
  'DELETE /v1/forms/{form}': { known: (known) => ({ form: known.message }), code: 4040 },
  'POST /v1/forms/{form}/submission': {
    known: (known) => ({ form: known.message }),
    body: () => ({ hash: randomUUID() }),
    code: 4040,
  },
  'POST /v1/forms/{form}/interactions': {
    known: (known) => ({ form: known.message }),
    body: () => ({ block_id: 'b', action_id: 'a', click: randomUUID() }),
    code: 4040,
  },
  'POST /v1/forms/{form}/options': {
    known: (known) => ({ form: known.message }),
    body: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    code: 4040,
  },
  // Pages as large as they may be: test/costs/forms.test.ts
  'GET /v1/applications/{application}/home': { query: ({ team }) => ({ team }) },
  'PUT /v1/applications/{application}/homes/{user}': {
    query: ({ team }) => ({ team }),
    body: () => ({ blocks: [{ type: 'divider' }] }),
    code: 4030,
  },
  'POST /v1/applications/{application}/home/openings': {
    query: ({ team }) => ({ team }),
    body: () => ({ click: randomUUID() }),
    code: 4030,
  },
  'POST /v1/applications/{application}/home/interactions': {
    query: ({ team }) => ({ team }),
    body: () => ({ block_id: 'b', action_id: 'a', click: randomUUID() }),
    code: 4040,
  },
  'POST /v1/applications/{application}/home/options': {
    query: ({ team }) => ({ team }),
    body: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    code: 4040,
  },
  // An address is good five times: what it carries out is tried by the routes that do the same.
  'POST /v1/interactions/{interaction}/{secret}': {
    by: 'nobody',
    known: (known) => ({ interaction: known.message, secret: 'guessed' }),
    body: () => ({}),
    code: 4040,
  },
  'POST /v1/messages/{message}/options': {
    body: () => ({ block_id: 'b', action_id: 'a', value: 'words' }),
    code: 4090,
  },
  'GET /v1/users/me/ephemeral_answers': { query: ({ team }) => ({ team }) },
  'DELETE /v1/users/me/ephemeral_answers/{answer}': {
    known: (known) => ({ answer: known.message }),
    code: 4040,
  },
  'PUT /v1/messages/{message}/unfurls': {
    ...linked,
    body: () => ({ unfurls: [{ url: 'https://tracker.example/1', title: 'One' }] }),
  },
  'POST /v1/users/me/scheduled_messages': {
    body: ({ known }) => ({
      send_at: laterTime(),
      message: { text: 'hello', addressed_teams: [known.team] },
    }),
    more: {
      text: (share) => ({
        send_at: laterTime(),
        message: {
          text: 'x'.repeat(16_000 * share),
          addressed_teams: ['00000000-0000-4000-8000-000000000000'],
        },
      }),
    },
  },
  'PATCH /v1/users/me/scheduled_messages/{scheduled}': {
    known: (known) => ({ scheduled: known.message }),
    body: () => ({ send_now: true }),
    code: 4040,
  },
  'DELETE /v1/users/me/scheduled_messages/{scheduled}': {
    known: (known) => ({ scheduled: known.message }),
    code: 4040,
  },
  'POST /v1/users/me/reminders': {
    body: ({ known }) => ({ at: laterTime(), message: known.message, text: 'hello' }),
  },
  'DELETE /v1/users/me/reminders/{scheduled}': {
    known: (known) => ({ scheduled: known.message }),
    code: 4040,
  },
  'GET /v1/users/me/export': { whole: true },
  'GET /v1/admin/audit/export': { whole: true },
  'GET /v1/admin/backup': { whole: true },
  'GET /v1/events': { streams: true },
  'GET /v1/applications/{application}/subscriptions/{subscription}/events': {
    pages: 'test/costs/events.test.ts',
  },
  'GET /v1/applications/{application}/subscriptions/{subscription}/stream': { streams: true },
  'GET /v1/applications/{application}/stream': { streams: true },
  'PUT /v1/users/me/image': { code: 4150 },
  'PUT /v1/teams/{team}/webhooks/{webhook}/image': { code: 4150 },
  'POST /v1/attachments': { code: 4150 },
  'POST /v1/emoji': { code: 4150 },
  'GET /v1/emoji/{name}/{variant}/{version}': { code: 4040 },
  'PUT /v1/teams/{team}/applications/{application}/scopes': { body: ({ scopes }) => ({ scopes }) },
  'POST /v1/messages/{message}/sidebars': {
    body: ({ known }) => ({ users: [known.user], text: 'hello' }),
    grows: 'reads all sidebars of the caller beside the message',
  },
  'POST /v1/applications': {
    body: ({ known }) => ({
      name: 'New',
      base_url: known.base,
      preinstall_url: `${known.base}/install`,
      redirect_uris: [known.redirect_uri],
    }),
  },
  'PATCH /v1/applications/{application}': { known: (known) => ({ application: known.spare }) },
  'POST /v1/applications/{application}/objects': {
    body: ({ known }) => ({ name: 'O', team: known.team, type: 't', url: '/o' }),
  },
  'POST /v1/hooks/{secret}': {
    more: {
      blocks: (share) => ({ blocks: header(share) }),
      'long blocks': (share) => ({ blocks: sections(share) }),
      attachments: (share) => ({
        attachments: parts({ text: '*a*', fields: [{ title: 'a', value: '<b|c>' }] })(share),
      }),
      alerts: (share) => ({ status: 'firing', alerts: alert(share) }),
      embeds: (share) => ({ embeds: parts({ title: '*a*', fields: [{ name: 'a', value: '<@1>' }] })(share) }),
      sections: (share) => ({
        '@type': 'MessageCard',
        sections: parts({ facts: [{ name: 'a', value: '<br>b' }] })(share),
      }),
      states: (share) => ({ title: 'a', parts: parts({ state: 'a', deep: { status: 'b' } })(share) }),
    },
  },
  'GET /v1/users/me/inbox/counts': { grows: 'counts all that is new' },
  'GET /v1/users/me/inbox/{conversation}/notification': { grows: 'counts all that is new in a conversation' },
  'PUT /v1/users/me/inbox/{conversation}/done': {
    grows: 'reads all sidebars of the caller beside the message',
  },
  'DELETE /v1/users/me/inbox/{conversation}/done': {
    grows: 'reads all sidebars of the caller beside the message',
  },
  'GET /v1/admin/applications': { grows: 'sorts all applications, for administrators' },
  'GET /v1/sidebars/{sidebar}': { grows: 'reads all sidebars of the caller beside the message' },
  'GET /metrics': { by: 'metrics' },
  'GET /v1/oauth2/authorize': { query: consent },
  'GET /v1/oauth2/consent': { query: consent },
  'POST /v1/oauth2/consent': {
    body: ({ known }) => ({ ...consent(known), team: known.team, decision: 'allow' }),
  },
  'POST /v1/oauth2/token': {
    by: 'nobody',
    body: (stage) => ({ ...client(stage), grant_type: 'client_credentials', team: stage.known.team }),
  },
  'POST /v1/oauth2/introspect': {
    by: 'nobody',
    body: (stage) => ({ ...client(stage), token: stage.known.access_token }),
  },
  'POST /v1/oauth2/revoke': { by: 'nobody', body: (stage) => ({ ...client(stage), token: 'guessed' }) },
  'GET /v1/oauth2/test/app_as_user': { by: 'token' },
  'POST /v1/applications/{application}/subscriptions/{subscription}/replays': {
    body: () => ({ since: '0' }),
  },
  'PUT /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/cursor': {
    body: () => ({ since: '0' }),
  },
  'POST /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}/acknowledgements': {
    known: (known) => ({ events: known.message }),
    grows: 'looks at all events of a millisecond, which copies share',
  },
  'POST /v1/users/me/push_subscriptions': {
    body: () => ({ endpoint: 'http://127.0.0.1:9/another', keys: receiverKeys().public }),
  },
  'POST /v1/users/me/push_subscriptions/{subscription}/test': device,

  'DELETE /v1/users/me/push_subscriptions/{subscription}': { ...device, spends: true },
  'DELETE /v1/applications/{application}/subscriptions/{subscription}/consumers/{name}': { spends: true },
  'DELETE /v1/applications/{application}/subscriptions/{subscription}': { spends: true },
  'DELETE /v1/applications/{application}/objects/{object}': { spends: true },
  'DELETE /v1/messages/{message}/unfurls/{unfurl}': {
    known: (known) => ({ message: known.linked }),
    spends: true,
  },
  'DELETE /v1/messages/{message}/unfurls': { ...linked, spends: true },
  'DELETE /v1/messages/{message}': { spends: true },
  'DELETE /v1/emoji/{name}': { known: (known) => ({ name: known.custom_emoji }), spends: true },
  'POST /v1/teams/{team}/webhooks/{webhook}/address': { spends: true },
  'DELETE /v1/teams/{team}/webhooks/{webhook}': { spends: true },
  'DELETE /v1/teams/{team}/invitations/{invitation}': { spends: true },
  'DELETE /v1/teams/{team}/join_links/{link}': { spends: true },
  'DELETE /v1/teams/{team}/groups/{group}': { spends: true },
  'DELETE /v1/users/me/grants/{grant}': { spends: true },
  'DELETE /v1/sessions/{session}': { spends: true },
  'POST /v1/applications/{application}/secret': { spends: true },
  'PUT /v1/admin/applications/{application}/suspension': { spends: true },
  'DELETE /v1/teams/{team}/applications/{application}': { spends: true },
  'PUT /v1/admin/applications/{application}/owner': { spends: true, known: (known) => ({ user: known.own }) },
  'DELETE /v1/applications/{application}': { spends: true },
  'DELETE /v1/teams/{team}/users/{user}': { spends: true },
  'DELETE /v1/teams/{team}': { spends: true },
  'DELETE /v1/admin/users/{user}/sessions': { spends: true },
  'DELETE /v1/admin/users/{user}': { spends: true },
  'DELETE /v1/sessions/current': { spends: true },
};

/** A route, with what an ordinary request of it has. */
export interface Row extends DocumentedOperation, Exception {
  readonly name: string;
}

/** A row for every route of the server, in the order of exceptions. Those that the documents leave out take no input. */
export async function allRows(): Promise<Row[]> {
  const documented = new Map(documentedOperations().map((one) => [`${one.method} ${one.path}`, one]));
  const order = Object.keys(exceptions);
  const rows = (await allRoutes()).map(({ method, path: pattern }): Row => {
    const path = pattern.replaceAll(/:(\w+)/g, '{$1}').replace('*', 'page');
    const name = `${method} ${path}`;
    const operation = documented.get(name) ?? { method, path, parameters: [], responses: {}, security: [] };
    return { ...operation, ...exceptions[name], name, method, path };
  });
  return rows.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** @param spared whether what the stage has must be there afterwards */
export function ordinaryOf(row: Row, stage: Stage, spared = false): Ordinary {
  const known = { ...stage.known, ...row.known?.(stage.known) } as Known;
  const { body } = row;
  return {
    known: spared && row.spends ? without(known, row.path) : known,
    query: (row.query?.(known) ?? {}) as Known,
    ...(row.more && { more: row.more }),
    hasPages: row.pages === undefined,
    ...(body && { body: (field) => body(stage, field) }),
  };
}

/** Without the things that a path names. */
const without = (known: Known, path: string): Known => ({
  ...known,
  ...Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, exampleOf({ format: 'uuid' }, '', {})]),
  ),
});

export function callerOf({ by, security = [], path }: Row): Caller {
  if (by) return by;
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('session') || path.startsWith('/v1/admin/')) return 'ada';
  return schemes.includes('clientId') ? 'credentials' : 'nobody';
}
