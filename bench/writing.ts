/** Writes beside those to one hot team, on PostgreSQL beside SQLite in the same run. Each is audited afterwards. */
import { join } from 'node:path';
import { SqliteDatabase } from '#platform/db/index.ts';
import { createDatabase } from '../test/support/postgres.ts';
import { audit, noting, type Written } from './acknowledged.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { compare, type Target } from './load.ts';
import { seedPerson } from './many-teams.ts';
import { SERVER, startSubject } from './process.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const COOKIE_KEY = Buffer.alloc(32, 2);
const TARGET = 0.6;

/** A server, and the requests that are compared. */
interface Writer {
  readonly written: Written;
  readonly targets: Readonly<Record<(typeof KINDS)[number], Target>>;
}

const KINDS = ['POST to 200 teams evenly', 'POST replies to one message', 'POST direct messages'] as const;

export function benchWriting(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  const { seconds, rounds } = options;
  const settings = { ...options.settings, COOKIE_KEY: COOKIE_KEY.toString('base64') };
  return withDatabases(async (folder, postgres) => {
    const DATABASE_URL = await createDatabase(postgres.url);
    const subject = await start(() => openPostgres(DATABASE_URL), {
      ...settings,
      DATA_DIR: join(folder, 'postgres'),
      DATABASE_URL,
    });
    const openSqlite = async () => new SqliteDatabase(join(folder, 'parley.db'));
    const reference = await start(openSqlite, { ...settings, DATA_DIR: folder });
    const lines: Line[] = [];
    for (const name of KINDS) {
      const both = await compare(subject.targets[name], reference.targets[name], seconds, rounds);
      lines.push(lineOf(both, { name, database: 'PostgreSQL', reference: 'SQLite', target: TARGET }));
    }
    const value = (await audit(subject.written)) + (await audit(reference.written));
    return { lines, figures: [{ name: 'other writes audited', value, unit: '', below: undefined }] };
  });
}

async function start(open: Written['open'], environment: NodeJS.ProcessEnv): Promise<Writer> {
  const db = await open();
  const { teams, author, headers: session } = await seedPerson(db, COOKIE_KEY);
  await db.close();
  const server = await startSubject(SERVER, environment);
  const headers = { ...session, Origin: server.url, 'Content-Type': 'application/json' };
  const written: Written = { server, headers, open, acknowledged: new Map() };
  const text = 'Message [<id>] of many.';
  const post = (path: string, bodies: object[]): Target =>
    noting(written, {
      url: `${server.url}/v1/messages${path}`,
      method: 'POST',
      headers,
      bodies: bodies.map((body) => JSON.stringify({ text, ...body })),
    });
  const toTeams = teams.map((id) => ({ addressed_teams: [id] }));
  const answer = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ text: 'What do you think?', ...toTeams[0] }),
  });
  const [root] = ((await answer.json()) as { data: { id: string }[] }).data;
  const targets = {
    'POST to 200 teams evenly': post('', toTeams),
    'POST replies to one message': post(`/${root?.id}/replies`, [{}]),
    'POST direct messages': post('', [{ addressed_users: [author] }]),
  };
  return { written, targets };
}
