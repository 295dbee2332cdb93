import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../support/client.ts';
import { subscribe } from '../support/feed.ts';
import { documentedOperations } from '../support/openapi.ts';
import {
  authorize,
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { propertyRuns } from '../support/property.ts';
import { scene } from '../support/scene.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly query: string[];
  readonly security: string;
}

/** Signing out and suspending would end what all others need, and streams of events never end; they take no input. */
const operations: Operation[] = documentedOperations()
  .map(({ method, path, parameters, security = [] }) => ({
    method,
    path,
    query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    security: Object.keys(security[0] ?? {})[0] ?? 'none',
  }))
  .filter(({ path }) => !['/v1/sessions/current', '/v1/events'].includes(path))
  .filter(({ path }) => !/\/(?:stream|suspension)$/.test(path));

// Fewer on PostgreSQL: most bodies are refused before they reach a database.
const RUNS = propertyRuns(process.env.TEST_DATABASE === 'postgres' ? 4 : 12);

const { server, host } = scene({ environment: { CALLBACK_TIMEOUT: '1' } });
let root: Person;
let person: Person;
let victim: Person;
let team: string;
let application: RegisteredApplication;
let subscription: string;
let token: Client;

beforeAll(async () => {
  // The administrator is allowed to see the victim.
  root = await signUp(server, 'Root');
  person = await signUp(server, 'Person');
  victim = await signUp(server, 'Victim', { last_name: 'Secretsurname' });
  await makeTeam(victim, [], 'Secretteam');
  team = await makeTeam(person);
  application = await register(person, host, { scopes: ['messages:read'] });
  await install(person, team, application);
  subscription = (await subscribe(application)).id;
  token = server.anonymous().withToken((await authorize(person, team, application)).access_token);
});

const hostile = [
  '',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff tail',
  '𝒳😀\u202e',
  '__proto__',
  'constructor',
  'toString',
  "' OR 1=1 --",
  '%',
  '../../etc/passwd',
  '{0}',
  'null',
];

const text = fc.oneof(
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
);

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.double(),
    fc.maxSafeInteger(),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** Names that some route takes, so that the arbitrary values reach its rules. */
const field = fc.constantFrom(
  ...[
    'text',
    'addressed_teams',
    'addressed_users',
    'mentions',
    'attachments',
    'name',
    'team',
    'type',
    'url',
    'email',
  ],
  ...[
    'password',
    'first_name',
    'last_name',
    'emails',
    'membership_type',
    'application',
    'redirect_uris',
    'prefs',
  ],
  ...[
    'base_url',
    'preinstall_url',
    'scopes',
    'overlap_seconds',
    'is_muted',
    'color',
    'icon',
    'username',
    'current',
  ],
);
const body = fc.oneof(json, fc.dictionary(field, json, { minKeys: 1, maxKeys: 8, noNullPrototype: true }));

const isAdministration = ({ path }: Operation) => path.startsWith('/v1/admin/');

function client(operation: Operation): Client {
  const { security } = operation;
  if (isAdministration(operation)) return root.client.copy();
  if (security === 'clientId') return application.credentials;
  return security === 'token' ? token : person.client.copy();
}

/** Fills in ids that exist or are nonsense; never the victim's. */
function fill(path: string, id: string): string {
  const own: Record<string, string> = {
    team,
    application: application.id,
    user: person.id,
    subscription,
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(id || own[name] || 'nothing'));
}

function expectHandled(answer: Answer, operation?: Operation): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  if (answer.status >= 400 && answer.body?.error === undefined) {
    expect(answer.body.errors.length).toBeGreaterThan(0);
  }
  if (operation && isAdministration(operation)) return;
  expect(answer.text).not.toContain('Secretsurname');
  expect(answer.text).not.toContain('Secretteam');
}

describe.each(operations)('$method $path', (operation) => {
  it('survives any body', async () => {
    if (operation.method === 'GET')
      return expectHandled(await client(operation).get(fill(operation.path, '')), operation);
    await fc.assert(
      fc.asyncProperty(body, async (given) => {
        // A team that is closed or left would be of no use to the runs after this one.
        const id = operation.method === 'DELETE' ? 'nothing' : '';
        const raw = JSON.stringify(given) ?? 'null';
        expectHandled(
          await client(operation).ask(operation.method, fill(operation.path, id), {
            raw,
            headers: { 'Content-Type': 'application/json' },
          }),
          operation,
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('survives any id and any query', async () => {
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.tuple(text, text), { maxLength: 4 }), async (id, pairs) => {
        const named = operation.query.flatMap((name) => pairs.map(([, value]) => [name, value] as const));
        const query = [...pairs, ...named]
          .map((pair) => pair.map((part) => safeEncode(part)).join('='))
          .join('&');
        const path = `${fill(operation.path, safe(id) || 'x')}?${query}`;
        const asked = operation.method === 'GET' ? {} : { json: {} };
        expectHandled(await client(operation).ask(operation.method, path, asked), operation);
      }),
      { numRuns: RUNS },
    );
  });
});

/** `fetch` itself refuses half a surrogate pair in an address, and resolves dots. */
const safe = (value: string) => value.toWellFormed().replaceAll(/^\.+$/g, 'x');
const safeEncode = (value: string) => encodeURIComponent(safe(value));

describe('whole requests', () => {
  const post = (raw: string | Uint8Array, type = 'application/json') =>
    token.ask('POST', '/v1/messages', { raw, headers: { 'Content-Type': type } });
  const valid = (extra: string) => `{"text":"x","addressed_teams":["${team}"],${extra}}`;

  it.each([
    ['broken JSON', '{"text":', 400, 4000],
    ['no object', '[]', 400, 4000],
    ['a text', '"text"', 400, 4000],
    ['nothing', '', 400, 4000],
    ['deep arrays', `${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400, 4000],
    ['a number too large', '{"text":1e400}', 400, 4002],
    ['U+0000 in a text', '{"text":"a\\u0000b","addressed_teams":[]}', 400, 4002],
  ])('%s', async (_, raw, status, code) => {
    const answer = await post(raw);
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  it('deep attachments, prototype names and duplicate fields', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    expect((await post(valid(`"attachments":${deep}`))).code).toBe(4002);
    expect((await post(valid('"__proto__":{"admin":true},"constructor":{"prototype":{}}'))).status).toBe(200);
    expect((await post(valid('"text":"the last one counts"'))).data[0].text).toBe('the last one counts');
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('half a surrogate pair becomes U+FFFD, here and in the database', async () => {
    const posted = await post(`{"text":"a\\ud800b","addressed_teams":["${team}"]}`);
    expect(posted.data[0].text).toBe('a\ufffdb');
    // Random requests before may have taken the scope of the token.
    const stored = await person.client.get(`/v1/messages/${posted.data[0].id}`);
    expect(stored.data[0].text).toBe('a\ufffdb');
  });

  it('too large, of another type, by another method', async () => {
    const large = await post(JSON.stringify({ text: 'x'.repeat(300_000) }));
    expect(large.body.errors?.[0]).toEqual({
      code: 4130,
      message: 'At most 262144 bytes are accepted here (MAX_BODY_BYTES)',
    });
    expect((await post('text=x', 'application/x-www-form-urlencoded')).code).toBe(4150);
    expect((await post(valid('"x":1'), 'application/json; charset=utf-8')).status).toBe(200);
    const other = await token.put('/v1/messages');
    expect([other.status, other.code, other.headers.get('allow')]).toEqual([405, 4050, 'POST, GET, HEAD']);
  });

  it.each(['%zz', '%00', '%c0%af', '%', 'x'.repeat(3000), '..%2f..', '%F0%9F%98%80'])(
    'an address with %s',
    async (part) => {
      for (const path of [
        `/v1/users/${part}`,
        `/v1/teams/${part}/users`,
        `/v1/users/me/connections?query=${part}`,
      ]) {
        expectHandled(await token.get(path));
      }
    },
  );

  it('an unknown address is 4040 in the envelope', async () => {
    const answer = await server.anonymous().get('/v1/nothing/here');
    expect([answer.status, answer.body]).toEqual([404, { errors: [{ message: 'Not found', code: 4040 }] }]);
  });
});
