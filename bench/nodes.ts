/** On PostgreSQL alone: two servers beside one, and commits that take a millisecond more, as on a cloud's disk. Audited. */
import { ask } from '../test/support/cluster.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { audit, noting, type Written } from './acknowledged.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { CONNECTIONS, compare, measure, type Target } from './load.ts';
import { seedPerson } from './many-teams.ts';
import { SERVER, startSubject } from './process.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const COOKIE_KEY = Buffer.alloc(32, 2);
const LATE_US = 1000;

interface Node {
  readonly written: Written;
  readonly toAll: Target;
  readonly toOne: Target;
}

export function benchNodes(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  const { seconds, rounds } = options;
  const settings = { ...options.settings, COOKIE_KEY: COOKIE_KEY.toString('base64') };
  const nodes: Node[] = [];
  return withDatabases(async (folder, postgres) => {
    const start = async (url: string, count: number) => {
      const started = await startNodes(url, count, { ...settings, DATA_DIR: folder });
      nodes.push(...started);
      return started as [Node, Node];
    };
    const [one, other] = await start(await createDatabase(postgres.url), 2);
    const late = await createDatabase(postgres.url);
    const name = new URL(late).pathname.slice(1);
    for (const setting of [`commit_delay = ${LATE_US}`, 'commit_siblings = 0'])
      await ask(late, `ALTER DATABASE ${name} SET ${setting}`);
    const [slow] = await start(late, 1);
    const both = await compare(() => together([one.toAll, other.toAll], seconds), one.toAll, seconds, rounds);
    const hot = await compare(slow.toOne, one.toOne, seconds, rounds);
    const database = 'PostgreSQL';
    const lines = [
      lineOf(both, { name: 'POST to 200 teams at two servers', database, reference: 'at one', target: 1.6 }),
      lineOf(hot, {
        name: 'POST to one hot team, a commit takes 1 ms more',
        database,
        reference: 'as usual',
        target: 0.5,
      }),
    ];
    let value = 0;
    for (const { written } of nodes) value += await audit(written);
    return {
      lines,
      figures: [{ name: 'posts at several servers audited', value, unit: '', below: undefined }],
    };
  });
}

/** As many connections as otherwise, in equal parts. */
async function together(targets: readonly Target[], seconds: number) {
  const all = await Promise.all(
    targets.map((target) => measure(target, seconds, CONNECTIONS / targets.length)),
  );
  return {
    rate: all.reduce((sum, { rate }) => sum + rate, 0),
    p50: Math.max(...all.map(({ p50 }) => p50)),
    p99: Math.max(...all.map(({ p99 }) => p99)),
  };
}

/** Servers on one database, in which a person is in many teams. */
async function startNodes(DATABASE_URL: string, count: number, settings: NodeJS.ProcessEnv): Promise<Node[]> {
  const open = () => openPostgres(DATABASE_URL);
  const db = await open();
  const { teams, headers: session } = await seedPerson(db, COOKIE_KEY);
  await db.close();
  const bodies = teams.map((id) =>
    JSON.stringify({ text: 'Message [<id>] of many.', addressed_teams: [id] }),
  );
  const nodes: Node[] = [];
  for (let node = 0; node < count; node++) {
    const server = await startSubject(SERVER, { ...settings, DATABASE_URL });
    const headers = { ...session, Origin: server.url, 'Content-Type': 'application/json' };
    const written: Written = { server, headers, open, acknowledged: new Map() };
    const post = (some: readonly string[]) =>
      noting(written, { url: `${server.url}/v1/messages`, method: 'POST', headers, bodies: some });
    nodes.push({ written, toAll: post(bodies), toOne: post(bodies.slice(0, 1)) });
  }
  return nodes;
}
