import { beforeAll, describe, expect, it } from 'vitest';
import { MOST_ITEMS, MOST_PROBLEMS } from '../../src/api/index.ts';
import type { Client } from '../support/client.ts';
import { subscribe } from '../support/feed.ts';
import { documentedOperations, inBlocks, listsOf } from '../support/openapi.ts';
import {
  install,
  makeTeam,
  type Person,
  type RegisteredApplication,
  register,
  signUp,
} from '../support/people.ts';
import { scene } from '../support/scene.ts';

/** As much as a body may hold. */
const BODY_BYTES = 262_000;
/** As much as an address may hold. */
const ADDRESS_BYTES = 15_000;
const SMALL_ANSWER = 20_000;

const { server, host } = scene();
let root: Person;
let person: Person;
let team: string;
let application: RegisteredApplication;
let subscription: string;
let hook: string;

beforeAll(async () => {
  root = await signUp(server, 'Root');
  person = await signUp(server, 'Person');
  team = await makeTeam(person);
  application = await register(person, host);
  await install(person, team, application);
  subscription = (await subscribe(application)).id;
  const { data } = await person.client.post(`/v1/teams/${team}/webhooks`, { name: 'Grafana' });
  hook = new URL(data[0].url).pathname.split('/').at(-1) as string;
});

const operations = documentedOperations();
const inAllBodies = operations.flatMap((operation) => {
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  return schema ? listsOf(schema).map((list) => ({ ...operation, ...list })) : [];
});
/** Hundreds of lists are in blocks, which all routes check by the same code: each is tried at the first of the routes. */
const inBodies = [
  ...new Map(
    inAllBodies.toReversed().map((list) => {
      const inside = inBlocks(list.at);
      const key = inside ? inside.join('.') : `${list.method} ${list.path} ${list.at.join('.')}`;
      return [key, list] as const;
    }),
  ).values(),
];
const inQueries = operations.flatMap(({ parameters, ...operation }) =>
  parameters
    .filter(({ in: where, schema }) => where === 'query' && schema?.type === 'array')
    .map(({ name, schema }) => ({ ...operation, name, maxItems: schema.maxItems as number | undefined })),
);

function client({ path, security = [] }: Pick<(typeof operations)[number], 'path' | 'security'>): Client {
  if (path.startsWith('/v1/admin/')) return root.client;
  return 'clientId' in (security[0] ?? {}) ? application.credentials : person.client;
}

function fill(path: string): string {
  const own: Record<string, string> = {
    team,
    application: application.id,
    subscription,
    secret: hook,
    name: 'group',
  };
  const unknown = '0190cafe-0000-7000-8000-000000000000';
  return path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => own[name] ?? unknown);
}

/** Lists of as many items as a body can hold, of every kind. */
const items: Record<string, (index: number) => unknown> = {
  numbers: () => 0,
  texts: (index) => String(index),
  objects: (index) => ({ a: index }),
  lists: () => [[0]],
};

function greatest(item: (index: number) => unknown): unknown[] {
  const list: unknown[] = [];
  for (let bytes = 0; bytes < BODY_BYTES; bytes += JSON.stringify(list.at(-1)).length + 1)
    list.push(item(list.length));
  return list.slice(0, -1);
}

describe('claim: lists-bounded', () => {
  it('there are lists to try, and each declares how many items it may hold', () => {
    const ofBlocks = inBodies.filter(({ at }) => inBlocks(at));
    expect(new Set(ofBlocks.map(({ path }) => path))).toEqual(new Set(['/v1/blocks/check']));
    expect(inBodies.map(({ path, at }) => `${path} ${at.join('.')}`)).toEqual(
      expect.arrayContaining([
        '/v1/applications scopes',
        '/v1/messages addressed_users.ids',
        '/v1/messages/{message}/unfurls unfurls.0.fields',
      ]),
    );
    expect(inQueries.length).toBeGreaterThan(2);
    const open = [...inAllBodies, ...inQueries].filter(({ maxItems }) => maxItems === undefined);
    expect(open).toEqual([]);
    for (const { maxItems = 0 } of [...inAllBodies, ...inQueries])
      expect(maxItems).toBeLessThanOrEqual(MOST_ITEMS);
  });

  it.each(inBodies.map((list) => [`${list.method} ${list.path}`, list.at.join('.'), list] as const))(
    '%s refuses the longest lists in %s with a short answer',
    async (_, __, list) => {
      for (const [kind, item] of Object.entries(items)) {
        const raw = JSON.stringify(list.build(greatest(item)));
        const headers = { 'Content-Type': 'application/json' };
        const answer = await client(list).ask(list.method, fill(list.path), { raw, headers });
        const problems = answer.body.errors;
        expect([kind, Math.floor(answer.status / 100)]).toEqual([kind, 4]);
        expect(problems.length).toBeGreaterThan(0);
        expect(problems.length).toBeLessThanOrEqual(MOST_PROBLEMS);
        expect(JSON.stringify(problems).length).toBeLessThan(SMALL_ANSWER);
      }
    },
  );

  it.each(inQueries.map((list) => [`${list.method} ${list.path}`, list.name, list] as const))(
    '%s refuses the longest lists in the parameter %s with a short answer',
    async (_, __, list) => {
      for (const spelling of [list.name, `${list.name}[]`, `${list.name}[0]`, '']) {
        const pair = `${encodeURIComponent(spelling || list.name)}=a&`;
        const query = pair.repeat(Math.floor(ADDRESS_BYTES / pair.length));
        const answer = await client(list).ask(list.method, `${fill(list.path)}?${query}`, {});
        expect(answer.code).toBe(4002);
        expect(answer.body.errors.length).toBeLessThanOrEqual(MOST_PROBLEMS);
      }
    },
  );

  it('a message to people who cannot be reached names some of them', async () => {
    const addressed_users = Array.from(
      { length: 400 },
      (_, index) => `0190cafe-0000-7000-8000-${String(index).padStart(12, '0')}`,
    );
    const answer = await person.client.post('/v1/messages', { text: 'hi', addressed_users });
    expect(answer.body.errors.map(({ code }: { code: number }) => code)).toEqual(
      Array(MOST_PROBLEMS).fill(4008),
    );
  });
});
