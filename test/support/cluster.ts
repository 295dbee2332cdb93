import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import pg from 'pg';
import { Client } from './client.ts';
import { newFolder } from './folder.ts';
import { makeTeam, type Person } from './people.ts';
import { freePort, type Program, startPlatform } from './process.ts';

/** Several processes on one PostgreSQL, named node0, node1 and so on, with a user who has a team. */
export interface Cluster {
  readonly nodes: readonly Program[];
  readonly urls: readonly string[];
  readonly person: Person;
  readonly team: string;
  /** What another node is started with. */
  readonly environment: NodeJS.ProcessEnv;
  /** The person at one of the nodes. */
  at(node: number): Client;
  /** Stops a node, as an operator does by default, and starts another one at its address. @returns how the first one ended */
  replace(node: number, signal?: NodeJS.Signals): Promise<number | null>;
  stop(): Promise<void>;
}

export async function startCluster(
  count: number,
  databaseUrl: string,
  settings: NodeJS.ProcessEnv = {},
): Promise<Cluster> {
  const folder = newFolder();
  const environment = {
    DATA_DIR: folder,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    COOKIE_KEY: randomBytes(32).toString('base64'),
    ...settings,
  };
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const start = (node: number) =>
    startPlatform({
      ...environment,
      PORT: String(ports[node]),
      BASE_URL: urls[0],
      DATABASE_URL: `${databaseUrl}?application_name=node${node}`,
    });
  const nodes = await Promise.all(ports.map((_, node) => start(node)));
  const person = await signUpAt(urls[0] as string);
  const team = await makeTeam(person);
  return {
    nodes,
    urls,
    person,
    team,
    environment: { ...environment, DATABASE_URL: databaseUrl },
    at: (node) => person.client.at(urls[node] as string),
    replace: async (node, signal = 'SIGTERM') => {
      const code = await (nodes[node] as Program).end(signal);
      nodes[node] = await start(node);
      return code;
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.end('SIGKILL')));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function signUpAt(url: string): Promise<Person> {
  const client = new Client(url);
  const email = 'ada@example.org';
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}

/** One statement on a connection of its own. */
export async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
