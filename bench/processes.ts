/** On PostgreSQL alone: what a read costs the server when two processes share a port, beside one. */
import { existsSync, readFileSync } from 'node:fs';
import { createDatabase } from '../test/support/postgres.ts';
import { freePort } from '../test/support/process.ts';
import { type Comparing, openPostgres, withDatabases } from './databases.ts';
import { compare, measure, median, type Target } from './load.ts';
import { seedPerson } from './many-teams.ts';
import { SERVER, type Subject, startSubject } from './process.ts';
import { type Figure, type Line, lineOf } from './table.ts';

const COOKIE_KEY = Buffer.alloc(32, 2);
const NAME = 'GET 50 newest, two processes';
/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

export function benchProcesses(options: Comparing): Promise<{ lines: Line[]; figures: Figure[] }> {
  const { seconds, rounds } = options;
  return withDatabases(async (folder, postgres) => {
    const url = await createDatabase(postgres.url);
    const db = await openPostgres(url);
    const { teams, headers } = await seedPerson(db, COOKIE_KEY);
    await db.close();
    const settings = {
      ...options.settings,
      COOKIE_KEY: COOKIE_KEY.toString('base64'),
      DATABASE_URL: url,
      DATA_DIR: folder,
    };
    const start = async (count: number) =>
      startSubject(SERVER, { ...settings, PORT: String(await freePort()), PROCESSES: String(count) });
    const one = await start(1);
    const two = await start(2);
    const reading = ({ url: base }: Subject): Target => ({
      url: `${base}/v1/messages?team=${teams[0]}&limit=50`,
      headers,
    });
    const rates = await compare(reading(two), reading(one), seconds, rounds);
    const shares: number[] = [];
    for (let round = 0; round < rounds; round++)
      shares.push((await costOf(one, reading(one), seconds)) / (await costOf(two, reading(two), seconds)));
    await Promise.all([one.stop(), two.stop()]);
    return {
      lines: [lineOf(rates, { name: NAME, database: 'PostgreSQL', reference: 'one', target: undefined })],
      figures: [
        { name: `${NAME}: one's processor time ÷ theirs`, value: median(shares), unit: '', below: undefined },
      ],
    };
  });
}

/** The processor time of a server for each request, in milliseconds. */
async function costOf(server: Subject, target: Target, seconds: number): Promise<number> {
  const before = processorMs(server.pid);
  const { rate } = await measure(target, seconds);
  return (processorMs(server.pid) - before) / (rate * seconds);
}

/** Of a process and its children. Linux only. */
function processorMs(pid: number): number {
  const children = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(children)) return Number.NaN;
  // Its name, in parentheses, may hold spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const [user, system] = [fields[11], fields[12]];
  const ids = readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number);
  return ids.reduce((sum, id) => sum + processorMs(id), (Number(user) + Number(system)) * TICK_MS);
}
