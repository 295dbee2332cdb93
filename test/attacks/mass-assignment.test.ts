/**
 * The attacker adds fields that a route does not declare to an otherwise valid request: ids of other people's rows,
 * `superuser: 1`, `password_hash`, `active: 0`, each column of each table, at the top, nested, and in the query.
 * No such field has an effect. Other people's rows stay as they are, no new row refers to them, and the attacker
 * keeps the role, the password and the standing that they had.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '../support/client.ts';
import { pathOf as pathOfSubscription, subscribe } from '../support/feed.ts';
import { type Document, documentedOperations } from '../support/openapi.ts';
import {
  authorize,
  install,
  join,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { putPreview } from '../support/preview.ts';
import { receiverKeys } from '../support/push-service.ts';
import { scene } from '../support/scene.ts';
import { columnNames, dumpTables, runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

type Json = Record<string, unknown>;

interface Schema {
  readonly type?: string | string[];
  readonly properties?: Record<string, Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly schemes: readonly string[];
  readonly body: Schema | undefined;
}

/** They take a form and no JSON, end the session that all others need, or take a file. */
const ELSEWHERE = new Set([
  'POST /v1/oauth2/token',
  'POST /v1/oauth2/revoke',
  'POST /v1/oauth2/introspect',
  'DELETE /v1/sessions/current',
  'PUT /v1/users/me/image',
  'PUT /v1/teams/{team}/webhooks/{webhook}/image',
  'POST /v1/attachments',
  'POST /v1/emoji',
]);

/**
 * Routes that answer no caller of this test with success: it has no such link or preview, or would end an account it still needs. What
 * undoes a reading is signed for each reader: inbox-of-another has it.
 */
const REFUSED = new Set([
  'PUT /v1/password_resets/{token}',
  'PUT /v1/email_verifications/{token}',
  'DELETE /v1/email_verifications/{token}',
  'POST /v1/unsubscribe/{token}',
  'POST /v1/users/me/password',
  'POST /v1/users/me/deactivation',
  'DELETE /v1/users/me',
  'DELETE /v1/users/{user}',
  'DELETE /v1/admin/users/{user}',
  'DELETE /v1/sessions/{session}',
  'POST /v1/admin/domain_rules',
  'DELETE /v1/admin/domain_rules/{rule}',
  'DELETE /v1/teams/{team}/domain_rules/{rule}',
  'POST /v1/admin/teams/{team}/restore',
  'POST /v1/admin/mails/{mail}/resend',
  'DELETE /v1/users/me/grants/{grant}',
  'POST /v1/teams/{team}/read/undo',
  'DELETE /v1/messages/{message}/unfurls/{unfurl}',
  // Its caller is uninstalled before.
  'DELETE /v1/messages/{message}/unfurls',
  'DELETE /v1/emoji/{name}',
  // The message has no blocks.
  'POST /v1/messages/{message}/interactions',
  'POST /v1/messages/{message}/options',
  // Nobody has one open.
  'POST /v1/forms/{form}/submission',
  'DELETE /v1/forms/{form}',
  'POST /v1/forms/{form}/interactions',
  'POST /v1/forms/{form}/options',
  'PUT /v1/applications/{application}/homes/{user}',
  'POST /v1/applications/{application}/home/openings',
  'POST /v1/applications/{application}/home/interactions',
  'POST /v1/applications/{application}/home/options',
  // The team has none.
  'POST /v1/teams/{team}/commands',
  'PUT /v1/teams/{team}/commands/{command}',
  'POST /v1/teams/{team}/shortcuts',
  'POST /v1/interactions/{interaction}/{secret}',
  'DELETE /v1/users/me/ephemeral_answers/{answer}',
  // Nobody has scheduled any.
  'PATCH /v1/users/me/scheduled_messages/{scheduled}',
  'DELETE /v1/users/me/scheduled_messages/{scheduled}',
  'DELETE /v1/users/me/reminders/{scheduled}',
]);

const { server, host } = scene();
let operations: Operation[];
const people = {} as Record<'superuser' | 'stranger' | 'member' | 'admin' | 'owner' | 'other', Person>;
const callers = new Map<string, { readonly client: Client; readonly scheme: string }>();
let subject: Record<string, string>;
let application: RegisteredApplication;
/** Values by the name of the column: the victims’ own, and what would give power. */
let hostile: Map<string, unknown[]>;
/** Values that stand in rows of the victims and in no others: their ids and addresses. */
let marks: string[];
let numbers = 0;
/** Nothing listens there. */
const NO_PUSH_SERVICE = 'http://127.0.0.1:9';
const { public: keys } = receiverKeys();

beforeAll(async () => {
  for (const name of ['superuser', 'stranger', 'member', 'admin', 'owner', 'other'] as const) {
    people[name] = await signUp(server, name);
  }
  operations = await readOperations();
  await makeSubject();
  await makeCallers();
  await makeVictims();
});

async function readOperations(): Promise<Operation[]> {
  const { body } = await server.anonymous().get('/openapi.json');
  return documentedOperations(body as Document)
    .map(({ method, path, parameters, security = [], requestBody }) => ({
      name: `${method} ${path}`,
      method,
      path,
      query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
      schemes: security.flatMap((one) => Object.keys(one)),
      body: requestBody?.content?.['application/json']?.schema as Schema | undefined,
    }))
    .filter(({ method, name }) => method !== 'GET' && !ELSEWHERE.has(name));
}

/** The subjects that the paths name, all of them the callers' own. */
async function makeSubject(): Promise<void> {
  const { superuser, admin, member, owner, other } = people;
  const team = await makeTeam(admin, [member]);
  // An admin, so that what the routes do to them leaves them what they are.
  await join(admin, team, other, 1);
  application = await register(owner, host, { scopes: ['messages:read', 'messages:write'] });
  await install(admin, team, application);
  const world = await makeConversation(admin, team, [member.id]);
  const about = { text: 'hello', addressed_teams: [team], subject: 'Bread' };
  const matter = await admin.client.post('/v1/messages', about);
  const invited = await admin.client.post(`/v1/teams/${team}/invitations`, {
    emails: ['new@example.org', 'another@example.org'],
  });
  const object = await application.credentials.post(`/v1/applications/${application.id}/objects`, {
    name: 'O',
    team,
    type: 't',
    url: '/o',
  });
  const device = { endpoint: `${NO_PUSH_SERVICE}/other`, keys };
  const subscribed = await admin.client.post('/v1/users/me/push_subscriptions', device);
  const hearing = await subscribe(application, { webhook: { url: `${host.url}/events` } });
  await application.credentials.put(`${pathOfSubscription(application, hearing.id)}/consumers/bot/cursor`, {
    since: '0',
  });
  const direct = await admin.client.post('/v1/messages', { text: 'hello', addressed_users: [member.id] });
  // Admins make another address of the first one; the second one keeps its own.
  const [webhook, used] = [await makeWebhook(admin, team), await makeWebhook(admin, team)];
  const group = await admin.client.post(`/v1/teams/${team}/groups`, { name: 'Bakers' });
  const links = [];
  for (let made = 0; made < 2; made++)
    links.push((await admin.client.post(`/v1/teams/${team}/join_links`, {})).data[0]);
  subject = {
    kind: 'team',
    id: team,
    direct: direct.data[0].id,
    ...world,
    team,
    application: application.id,
    asleep: (await register(owner, host)).id,
    object: object.data[0].id,
    delivery: (await owner.client.get(`/v1/applications/${application.id}/deliveries`)).data[0].id,
    invitation: invited.data[1].id,
    accepted: await inviteStranger(),
    declined: await inviteStranger(),
    group: group.data[0].id,
    subject: matter.data[0].subject_id,
    link: links[0].id,
    join_link: links[1].token,
    token: invited.data[0].token,
    mail: (await superuser.client.get('/v1/admin/mails?limit=1')).data[0].id,
    user: other.id,
    conversation: world.sidebar,
    conversation_of_two: (await admin.client.get('/v1/users/me/conversations')).data[0].id,
    subscription: subscribed.data[0].id,
    hearing: hearing.id,
    webhook: webhook.id,
    secret: used.address.split('/').at(-1) as string,
    emoji: encodeURIComponent('👍'),
    name: 'bot',
    session: '00000000-0000-4000-8000-000000000000',
    unfurl: '00000000-0000-4000-8000-000000000000',
    reference: await putPreview(server, admin, world.message),
    grant: '00000000-0000-4000-8000-000000000000',
    interaction: '00000000-0000-4000-8000-000000000000',
    answer: '00000000-0000-4000-8000-000000000000',
    form: '00000000-0000-4000-8000-000000000000',
    command: 'unknown',
    scheduled: '00000000-0000-4000-8000-000000000000',
    rule: '00000000-0000-4000-8000-000000000000',
  };
}

/** @returns an invitation of a stranger to a team of its own */
async function inviteStranger(): Promise<string> {
  const { admin, stranger } = people;
  const path = `/v1/teams/${await makeTeam(admin)}/invitations`;
  return (await admin.client.post(path, { users: [stranger.id] })).data[0].id;
}

async function makeConversation(author: Person, team: string, users: string[]) {
  const posted = await author.client.post('/v1/messages', { text: 'hello', addressed_teams: [team] });
  const message = posted.data[0].id as string;
  const sidebar = await author.client.post(`/v1/messages/${message}/sidebars`, { users, text: 'between us' });
  await author.client.put(`/v1/messages/${message}/high_five`);
  return { message, sidebar: sidebar.data[0].id as string };
}

async function makeWebhook(admin: Person, team: string): Promise<{ id: string; address: string }> {
  const made = await admin.client.post(`/v1/teams/${team}/webhooks`, { name: 'Builds' });
  return { id: made.data[0].id, address: made.data[0].url };
}

async function makeCallers(): Promise<void> {
  const { admin, member, owner } = people;
  for (const [name, { client }] of Object.entries(people))
    if (name !== 'other') callers.set(name, { client, scheme: 'session' });
  const tokenOf = async (app: RegisteredApplication) =>
    server.anonymous().withToken((await authorize(member, subject.team as string, app)).access_token);
  const plain = await register(owner, host);
  await install(admin, subject.team as string, plain);
  callers.set('token', { client: await tokenOf(plain), scheme: 'token' });
  callers.set('scoped token', { client: await tokenOf(application), scheme: 'token' });
  const form = { grant_type: 'client_credentials', team: subject.team as string };
  const itself = (await application.credentials.ask('POST', '/v1/oauth2/token', { form })).body.access_token;
  callers.set('itself', { client: server.anonymous().withToken(itself), scheme: 'token' });
  callers.set('credentials', { client: application.credentials, scheme: 'clientId' });
  callers.set('nobody', { client: server.anonymous(), scheme: 'none' });
}

/** People with whom no caller shares anything, and a row of theirs in as many tables as can be. */
async function makeVictims(): Promise<void> {
  const before = new Set((await rows()).map(({ text }) => text));
  const victim = await signUp(server, 'Victim');
  const friend = await signUp(server, 'Friend');
  const team = await makeTeam(victim, [friend], 'Theirs');
  const app = await register(victim, host, { name: 'Theirs' });
  await install(victim, team, app);
  await authorize(friend, team, app);
  await makeConversation(victim, team, [friend.id]);
  await victim.client.post(`/v1/teams/${team}/invitations`, { emails: ['theirs@example.org'] });
  await makeWebhook(victim, team);
  await app.credentials.post(`/v1/applications/${app.id}/objects`, { name: 'O', team, type: 't', url: '/o' });
  // Inbox entries and their events are written after the message.
  await until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs')).length === 0);
  const theirs = (await rows()).filter(({ text }) => !before.has(text));
  hostile = new Map((await columnNames(server.running.db)).map((name) => [name, [1, 0, 'x', null]]));
  for (const { row } of theirs) {
    for (const [name, value] of Object.entries(row)) {
      const values = hostile.get(name) as unknown[];
      if (!values.includes(value)) values.unshift(value);
    }
  }
  const known = new Set((await rows()).filter(({ text }) => before.has(text)).flatMap(({ row }) => ids(row)));
  marks = [...new Set(theirs.flatMap(({ row }) => ids(row)))].filter((id) => !known.has(id));
  expect(marks.length).toBeGreaterThan(15);
}

const ids = (row: Json) =>
  Object.values(row).filter(
    (value): value is string =>
      typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f-]{27}$|@example\.org$/.test(value),
  );

type Rows = readonly { readonly table: string; readonly text: string; readonly row: Json }[];

async function rows(): Promise<Rows> {
  return [...(await dumpTables(server.running.db))].flatMap(([table, dump]) =>
    (JSON.parse(dump) as Json[]).map((row) => ({ table, text: `${table} ${JSON.stringify(row)}`, row })),
  );
}

/** Background work goes on with these rows. */
const QUEUES = new Set([
  'event_cursors',
  'mail_jobs',
  'message_index',
  'message_index_queue',
  'notice_jobs',
  'pushes',
]);

const isMarked = (text: string) => marks.some((mark) => text.includes(mark));

/** How far the caller has read is kept as the id of the newest message of the server; it is in no answer. */
const CURSOR = /"(?:all_)?read_up_to":"[^"]*"/g;

const ofVictims = (all: Rows) =>
  all
    .filter(({ table, text }) => !QUEUES.has(table) && isMarked(text.replace(CURSOR, '')))
    .map(({ text }) => text)
    .sort();

/** Elements that are in only one of the lists. */
const difference = (one: readonly string[], other: readonly string[]) => {
  const [left, right] = [new Set(one), new Set(other)];
  return [...left.symmetricDifference(right)];
};

/** Columns that no field of these requests may change in earlier rows. */
const KEPT: Record<string, readonly string[]> = {
  users: [
    'id',
    'username',
    'email',
    'email_verified',
    'password_hash',
    'superuser',
    'active',
    'deleted_at',
    'is_application',
  ],
  memberships: ['team_id', 'user_id', 'membership_type', 'inviter_id', 'created_at'],
  teams: ['id', 'active', 'created_at', 'erasing'],
  applications: ['id', 'owner_id', 'active', 'created_at'],
};

const standings = (all: Rows) =>
  all
    .filter(({ table }) => table in KEPT)
    .map(({ table, row }) => `${table} ${JSON.stringify(KEPT[table]?.map((name) => row[name]))}`)
    .sort();

/** Rounds in which the rows keep their ids, so that what they would be given is their own. */
const ROUNDS_WITHOUT_IDS = 4;

/** The values of round `round`: each column has another one of its values. */
function poison(round: number, declared: readonly string[]): Json {
  const values = [...hostile]
    .filter(([name]) => !declared.includes(name) && (round >= ROUNDS_WITHOUT_IDS || !/(^|_)id$/.test(name)))
    .map(([name, all]) => [name, all[round % all.length]] as const);
  return Object.fromEntries(values);
}

/** Valid values by the name of the field. A route with a new field that must be given needs one here. */
const valid = (): Json => ({
  email: `someone${++numbers}@example.org`,
  password: 'a password of length',
  current: 'wrong',
  first_name: 'N',
  last_name: '',
  title: 'T',
  name: `N${++numbers}`,
  text: 'hello',
  emails: [`invited${++numbers}@example.org`],
  membership_type: 1,
  max_uses: 1,
  domain: 'company.example',
  kinds: ['message.posted'],
  events: [subject.session],
  since: '0',
  is_muted: false,
  up_to: subject.message,
  undo: 'e30.unsigned',
  until: null,
  local: new Date(server.clock.now() + 24 * 3600 * 1000).toISOString().slice(0, 16),
  zone: 'Etc/UTC',
  users: [people.member.id],
  base_url: host.url,
  preinstall_url: `${host.url}/install`,
  redirect_uris: [application.redirectUri],
  application: subject.application,
  team: subject.team,
  user: people.owner.id,
  addressed_teams: [subject.team],
  overlap_seconds: 3600,
  type: 't',
  unfurls: [],
  blocks: [{ type: 'divider' }],
  block_id: 'b',
  action_id: 'a',
  click: randomUUID(),
  hash: randomUUID(),
  value: 'v',
  values: [],
  url: '/o',
  decision: 'allow',
  scopes: ['messages:read'],
  active: true,
  with: people.member.id,
  endpoint: `${NO_PUSH_SERVICE}/one`,
  ...keys,
  response_type: 'code',
  client_id: application.id,
  redirect_uri: application.redirectUri,
  code_challenge: 'A'.repeat(43),
  code_challenge_method: 'S256',
});

const OWN_PASSWORD = new Set(['POST /v1/users/me/deactivation', 'DELETE /v1/users/me']);

/** The subscriptions of applications, not those of devices. */
const isOfEvents = (name: string) => name.includes('/applications/{application}/subscriptions');

/** Applications send blocks. */
const OF_BLOCKS = new Set([
  'POST /v1/blocks/check',
  'PUT /v1/applications/{application}/homes/{user}',
  'POST /v1/interactions/{interaction}/{secret}',
]);

const TYPING_IN_PRIVATE = 'PUT /v1/users/me/conversations/{conversation}/typing';

/** The fields of a post. */
const POSTED = [
  ...['text', 'format', 'blocks', 'addressed_teams', 'subject', 'addressed_users'],
  ...['addressed_application', 'team', 'mentions', 'attachments', 'reply_to'],
];

/** A valid body with undeclared fields beside each declared one. */
function bodyOf({ name, body }: Operation, round: number): Json {
  const values = valid();
  if (OWN_PASSWORD.has(name)) values.password = 'wrong';
  if (name === 'POST /v1/teams/{team}/invitations') values.users = [people.stranger.id];
  if (name === 'PUT /v1/users/me/conversations/read') {
    values.up_to = subject.direct;
    // The conversation is named by its people.
    delete values.application;
  }
  if (name === TYPING_IN_PRIVATE) {
    // These are of a team.
    delete values.message;
    delete values.sidebar;
  }
  // People write text.
  if (!OF_BLOCKS.has(name)) delete values.blocks;
  if (isOfEvents(name)) {
    values.url = `${host.url}/events`;
    delete values.until;
  }
  if (name === 'POST /v1/sessions') values.email = people.other.email;
  const extra = poison(round, Object.keys(body?.properties ?? {}));
  // Every field of a webhook's payload is content, and is shown.
  if (name.includes('/v1/hooks/')) return { text: values.text };
  const known = body ? fill(name, body, values, round) : {};
  // Its message is read as that of a post, and its schema names no fields.
  if (name === 'POST /v1/users/me/scheduled_messages')
    known.message = {
      ...poison(round, POSTED),
      text: values.text,
      addressed_teams: values.addressed_teams,
    };
  return { ...extra, user_id: extra.user_id, row: extra, rows: [extra], ...known };
}

function fill(route: string, schema: Schema, values: Json, round: number): Json {
  const filled: Json = {};
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (part.properties)
      filled[name] = { ...poison(round, Object.keys(part.properties)), ...fill(route, part, values, round) };
    else if (name in values) filled[name] = values[name];
    else if (schema.required?.includes(name)) throw new Error(`${route}: this test has no value for ${name}`);
  }
  return filled;
}

/** What administrators do to an application puts it to sleep: the one that the other routes are about stays awake. */
const ASLEEP = '/v1/admin/applications/{application}/';

function pathOf({ name, method, path, query }: Operation, round: number): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => {
    if (path.startsWith('/v1/join_links/')) return subject.join_link as string;
    if (path.startsWith('/v1/users/me/invitations/'))
      return subject[method === 'DELETE' ? 'declined' : 'accepted'] as string;
    if (name === TYPING_IN_PRIVATE) return subject.conversation_of_two as string;
    const known =
      part === 'subscription' && isOfEvents(name) ? 'hearing' : path.startsWith(ASLEEP) ? 'asleep' : part;
    const id = name === 'DELETE /v1/admin/users/{user}' ? subject.session : subject[known];
    if (id === undefined) throw new Error(`${name}: this test has no value for {${part}}`);
    return id;
  });
  const extra = Object.entries(poison(round, [...query, 'client_id', 'client_secret'])).flatMap(
    ([key, value]) => [
      [key, String(value)],
      [`${key}[]`, String(value)],
    ],
  );
  return `${filled}?${new URLSearchParams(extra.slice(0, 100) as [string, string][])}`;
}

/** Signing in ends the session of the cookie that came along, and confirming the password replaces the cookie. */
function senderOf({ name }: Operation, client: Client): Client {
  if (name === 'POST /v1/users' || name === 'POST /v1/sessions') return server.anonymous();
  return name === 'POST /v1/sessions/current/confirmation' ? client : client.copy();
}

/** @returns whether anybody got through */
async function attack(operation: Operation): Promise<boolean> {
  const rounds = ROUNDS_WITHOUT_IDS + (hostile.get('id') as unknown[]).length;
  let passed = false;
  for (const { client, scheme } of callers.values()) {
    if (!(operation.schemes.length === 0 ? scheme === 'none' : operation.schemes.includes(scheme))) continue;
    // The ids are foreign to all callers alike: the first one who gets through tries all of them.
    const last = passed ? ROUNDS_WITHOUT_IDS + 1 : rounds;
    for (let round = 0; round < last; round++) {
      const asked = { json: bodyOf(operation, round) };
      const answer = await senderOf(operation, client).ask(operation.method, pathOf(operation, round), asked);
      expect(answer.status, `${operation.name}: ${answer.text}`).toBeLessThan(500);
      passed ||= answer.status === 200;
      // Another round reaches no further where this caller is refused, or what they asked for is done.
      if (answer.status !== 200 || operation.method === 'DELETE') break;
    }
  }
  return passed;
}

it('claim: undeclared-dropped — no field that a route does not declare has an effect', async () => {
  const all = await rows();
  const [theirs, before] = [ofVictims(all), standings(all)];
  const silent: string[] = [];
  for (const operation of operations.filter(({ method }) => method !== 'DELETE')) {
    if (!(await attack(operation))) silent.push(operation.name);
    const now = await rows();
    expect(difference(theirs, ofVictims(now)), operation.name).toEqual([]);
    const after = standings(now);
    expect(
      before.filter((text) => !after.includes(text)),
      operation.name,
    ).toEqual([]);
    const grown = after.filter((text) => text.startsWith('users ') && !before.includes(text));
    for (const text of grown) {
      const [, , , verified, , superuser, active, deleted, isApplication] = JSON.parse(
        text.slice(6),
      ) as unknown[];
      expect([verified, superuser], operation.name).toEqual([0, 0]);
      // An account, or the author of a webhook, as whom nobody can sign in.
      expect([active, deleted === null, isApplication], operation.name).toBeOneOf([
        [1, true, 0],
        [0, false, 1],
      ]);
    }
  }
  // Routes that end something come last, from the leaves to the root.
  const endings = operations.filter(({ method }) => method === 'DELETE');
  for (const operation of endings.sort((one, other) => other.path.length - one.path.length)) {
    if (!(await attack(operation))) silent.push(operation.name);
    expect(difference(theirs, ofVictims(await rows())), operation.name).toEqual([]);
  }
  expect(silent.filter((name) => !REFUSED.has(name))).toEqual([]);
}, 240_000);
