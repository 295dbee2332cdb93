/*
 * An attacker sees how long encrypted answers are, and has texts shown in them, each a guess at a secret beside it.
 * In a compressed answer a right guess is shorter (BREACH). Lists are compressed that show no secret; no other answer is.
 */
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { document, documentedOperations, resolve } from '../support/openapi.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, ada } = scene({ people: ['Ada'] });
const ID = '019a0000-0000-7000-8000-000000000000';
const LONG = 'A text of ordinary length. '.repeat(100);
/** Names of what lets somebody in, or speaks for somebody. */
const SECRETS = /secret|token|password|credential|webhook|key|signature|code/i;
const COMPRESSED = [
  'GET /v1/messages',
  'GET /v1/messages/{message}/replies',
  'GET /v1/sidebars/{sidebar}/messages',
  'GET /v1/teams/{team}/pins',
  'GET /v1/teams/{team}/users',
  'GET /v1/users/me/connections',
  'GET /v1/users/me/conversations',
  'GET /v1/users/me/inbox',
  'GET /v1/users/me/saved',
  'GET /v1/users/me/teams',
];
let team: string;

beforeAll(async () => {
  team = await makeTeam(ada);
  for (let number = 0; number < 5; number++)
    await ada.client.post('/v1/messages', { text: `${number} ${LONG}`, addressed_teams: [team] });
});

/** The bytes as they are sent: `fetch` would decompress them. */
async function ask(accepted: string | undefined, path: string) {
  const headers = {
    ...ada.client.credentials(),
    ...(accepted !== undefined && { 'Accept-Encoding': accepted }),
  };
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((done, fail) => {
    const asked = request(server.url + path, { headers }, async (answer) => {
      done({ headers: answer.headers, body: Buffer.concat(await answer.toArray()) });
    });
    asked.on('error', fail).end();
  });
}

it('lists are compressed for clients that take it, and are the same', async () => {
  const path = `/v1/messages?team=${team}`;
  const plain = await ask(undefined, path);
  expect(plain.headers).toMatchObject({
    vary: 'Accept-Encoding',
    'content-length': String(plain.body.length),
  });
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const accepted of ['gzip', 'br;q=1.0, gzip;q=0.5', '*', 'GZIP, deflate']) {
    const { headers, body } = await ask(accepted, path);
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
      'content-length': String(body.length),
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(body.length).toBeLessThan(plain.body.length / 5);
    expect(JSON.parse(gunzipSync(body).toString()).data).toEqual(JSON.parse(plain.body.toString()).data);
  }
  for (const accepted of ['identity', 'br', 'gzip;q=0', 'gzip;q=0, *', '']) {
    const { headers } = await ask(accepted, path);
    expect(headers['content-encoding']).toBeUndefined();
  }
});

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

it('no other answer is compressed', async () => {
  const anybody = server.anonymous();
  const varying: string[] = [];
  for (const operation of documentedOperations()) {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, ID);
    const answer = await fetch(anybody.url + path, { method: operation.method, redirect: 'manual' });
    await answer.arrayBuffer();
    if (answer.headers.get('vary')?.includes('Accept-Encoding')) varying.push(nameOf(operation));
  }
  expect(varying.sort()).toEqual(COMPRESSED);
});

/** The names of all fields of a schema, whatever it refers to. */
function fieldsOf(schema: object, seen = new Set<object>()): Set<string> {
  const fields = new Set<string>();
  const look = (part: unknown): void => {
    if (part === null || typeof part !== 'object' || seen.has(part)) return;
    seen.add(part);
    for (const [name, value] of Object.entries(part)) {
      if (name === '$ref') look(resolve(document, value as string));
      else if (name !== 'example') look(value);
      if (name === 'properties') for (const field of Object.keys(value as object)) fields.add(field);
    }
  };
  look(schema);
  return fields;
}

it('a response with a secret is never compressed', async () => {
  const operations = documentedOperations();
  const secretsOf = (operation: (typeof operations)[number]) =>
    [...fieldsOf(operation.responses['200'] ?? {})].filter((field) => SECRETS.test(field));
  const [compressed, others] = [true, false].map((is) =>
    operations.filter((operation) => COMPRESSED.includes(nameOf(operation)) === is),
  );
  expect(compressed?.flatMap(secretsOf)).toEqual([]);
  const fields = new Set(others?.flatMap(secretsOf));
  for (const shown of ['access_token', 'client_secret', 'interaction_key', 'token'])
    expect(fields).toContain(shown);

  // The texts of an application, by those who register it, stand beside its secret. `fetch` asks for gzip by itself.
  const { headers } = await ada.client.get(`/v1/messages?team=${team}`);
  expect(headers.get('content-encoding')).toBe('gzip');
  const made = await ada.client.post('/v1/applications', {
    name: 'Long',
    description: LONG.slice(0, 2000),
    base_url: host.url,
    preinstall_url: `${host.url}/install`,
    redirect_uris: [`${host.url}/redirect`],
  });
  expect(made.data[0].client_secret).toEqual(expect.any(String));
  expect(made.text.length).toBeGreaterThan(2048);
  expect(made.headers.get('content-encoding')).toBeNull();
});
