import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { type HotPath, OWNERS, UNNAMED } from '../../src/schema/owners.ts';
import { isOfTeams, keysAcross, readCatalog } from '../support/catalog.ts';
import { ask } from '../support/cluster.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer } from '../support/server.ts';

const ownership = (table: string) => OWNERS[table as keyof typeof OWNERS];
const spreadOf = (table: string) => ownership(table).spread;
const newDatabase = () => createDatabase(inject('postgresUrl'), inject('postgresTemplate'));

/** Databases that are spread over machines speak PostgreSQL. */
describe('a database spread over machines by team', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('has rows of teams with their team, with each exception listed (claim: spread-schema)', async () => {
    const catalog = await readCatalog(await newDatabase());
    // SQLite keeps the words of messages in a table of its own.
    expect([...catalog.tables, 'message_words'].sort()).toEqual(Object.keys(OWNERS).sort());
    const isListed = (table: string) => !['home', 'everywhere'].includes(spreadOf(table) as string);
    // The order of events, which no key says, is the one of all teams.
    const ofTeams = (table: string) => isOfTeams(catalog, table) || table === 'events';
    expect(catalog.tables.filter((table) => ofTeams(table) !== isListed(table))).toEqual([]);
  });

  it('has keys within a team or to copies, with each exception listed (claim: spread-schema)', async () => {
    const catalog = await readCatalog(await newDatabase());
    for (const table of catalog.tables) {
      const listed = Object.keys(ownership(table).across ?? {}).sort();
      const found = spreadOf(table) === 'team' ? keysAcross(catalog, table, spreadOf).sort() : [];
      expect({ table, keys: found }).toEqual({ table, keys: listed });
    }
    for (const { table, other } of catalog.foreign) {
      if (spreadOf(table) === 'everywhere') expect([table, spreadOf(other)]).toEqual([table, 'everywhere']);
      if (spreadOf(table) === 'home') expect(['home', 'everywhere']).toContain(spreadOf(other));
    }
  });

  it('is refused a table whose keys leave the team', async () => {
    const database = await newDatabase();
    const spread = (table: string) => (table === 'lists' ? 'team' : spreadOf(table));
    await ask(
      database,
      `CREATE TABLE lists (id uuid PRIMARY KEY, team_id uuid REFERENCES teams, user_id uuid REFERENCES users,
        message_id uuid REFERENCES messages, place bigint, UNIQUE (team_id, place))`,
    );
    const catalog = await readCatalog(database);
    expect(keysAcross(catalog, 'lists', spread).sort()).toEqual([
      'lists_message_id_fkey',
      'lists_pkey',
      'team_id',
    ]);
    expect(isOfTeams(catalog, 'lists')).toBe(true);
  });

  it('is told the team by the statements of what is done most (claim: spread-statements)', async () => {
    const server = await startTestServer();
    const statements = recordStatements();
    const [ada, bob] = [await signUp(server, 'Ada'), await signUp(server, 'Bob')];
    const team = await makeTeam(ada, [bob]);
    const during = (path: HotPath, ...[person, method, url, payload]: Parameters<typeof request>) =>
      statements.of(path, () => request(person, method, url, payload));
    const post = await during('post', ada, 'POST', '/v1/messages', {
      text: 'hello',
      addressed_teams: [team],
    });
    const [{ id }] = JSON.parse(post).data;
    await during('reply', bob, 'POST', `/v1/messages/${id}/replies`, { text: 'good day' });
    await during('list', bob, 'GET', `/v1/messages?team=${team}`);
    await during('read', bob, 'PUT', `/v1/messages/${id}/read`);

    for (const path of Object.keys(UNNAMED) as HotPath[]) {
      const found = statements.made.filter((one) => one.path === path);
      expect(found.flatMap(({ tables }) => tables)).toContain('messages');
      const ofTeams = found.filter(({ tables }) => tables.some((table) => spreadOf(table) === 'team'));
      const unnamed = new Set(ofTeams.filter(({ values }) => !values.includes(team)).map(({ does }) => does));
      expect({ path, unnamed: [...unnamed].sort() }).toEqual({
        path,
        unnamed: Object.keys(UNNAMED[path]).sort(),
      });
    }
    await server.stop();

    async function request(person: Person, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
      const headers = { ...person.client.credentials(), 'Sec-Fetch-Site': 'same-origin' };
      const answer = await server.running.inject({ method, url, headers, ...(payload && { payload }) });
      expect(answer.statusCode).toBe(200);
      return answer.payload;
    }
  });
});

interface Made {
  readonly path: HotPath;
  /** As `update messages`: the first verb and the first table. */
  readonly does: string;
  readonly tables: readonly string[];
  /** As JSON. */
  readonly values: string;
}

/** Records the statements that are made on behalf of a request, and not those of work in the background. */
function recordStatements() {
  const made: Made[] = [];
  const underWay = new AsyncLocalStorage<HotPath>();
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const path = underWay.getStore();
    const { text, values } = given[0] as { text?: string; values?: unknown[] };
    const tables = tablesIn(text ?? '');
    const does = `${/\w+/.exec(text ?? '')?.[0].toLowerCase()} ${tablesIn(outermost(text ?? ''))[0] ?? tables[0]}`;
    if (path) made.push({ path, does, tables, values: JSON.stringify(values ?? []) });
    return Reflect.apply(query, this, given);
  } as typeof query);
  return { made, of: <T>(path: HotPath, work: () => Promise<T>) => underWay.run(path, work) };
}

/** A statement without what stands in parentheses: subqueries, lists. */
function outermost(sql: string): string {
  const less = sql.replaceAll(/\([^()]*\)/g, '');
  return less === sql ? sql : outermost(less);
}

const tablesIn = (sql: string) =>
  [...sql.matchAll(/\b(?:from|join|into|update)\s+"?(\w+)/gi)]
    .map(([, name]) => name as string)
    .filter((name) => name in OWNERS);
