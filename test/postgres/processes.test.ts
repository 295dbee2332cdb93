import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, runBinary, startPlatform } from '../support/process.ts';

let database: string;
let platform: Program;
let settings: NodeJS.ProcessEnv;

beforeEach(async () => {
  database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  settings = {
    DATABASE_URL: database,
    DATA_DIR: newFolder(),
    PORT: String(await freePort()),
    PROCESSES: '2',
    LOG_LEVEL: 'info',
  };
});
afterEach(() => platform?.end('SIGKILL'));

interface LogLine {
  readonly msg: string;
  readonly pid: number;
  readonly process?: number;
}

/** The whole lines of the log so far. */
const log = (): LogLine[] =>
  platform
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The ids of the processes that have begun with a number, the first one first. */
const pids = (number: number) =>
  log().flatMap((line) => (line.process === number && line.msg === 'starting' ? [line.pid] : []));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** A request on a connection of its own. @returns its status */
async function ask(path = '/v1/server'): Promise<number> {
  const [answer] = (await once(get(`${platform.found}${path}`, { agent: false }), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

/** Asks until each of these processes has answered. */
async function untilAnsweredBy(wanted: readonly number[]): Promise<void> {
  const { length } = log();
  await expect
    .poll(async () => {
      expect(await ask()).toBe(200);
      const by = log()
        .slice(length)
        .flatMap(({ msg, pid }) => (msg === 'answered' ? [pid] : []));
      return wanted.every((pid) => by.includes(pid));
    })
    .toBe(true);
}

const bothServe = async () => {
  await platform.written(/"process":2,[^\n]*Server listening/);
  return [1, 2].map((number) => pids(number).at(-1) as number) as [number, number];
};

describe('two processes on one port', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await startCluster(1, database, settings);
    platform = cluster.nodes[0] as Program;
  });

  it('both answer, say once where they are, and end in order with their command (claim: processes)', async () => {
    const both = await bothServe();
    await untilAnsweredBy(both);
    expect(log().filter(({ msg }) => msg.startsWith('Parley is ready at'))).toHaveLength(1);
    expect(log().filter(({ msg }) => msg.startsWith('This server is new'))).toHaveLength(1);
    const { more, stop, posted, wrong } = startLoad([cluster.at(0), cluster.at(0)], cluster.team, {
      roams: true,
    });
    await more(40);
    expect(await platform.end('SIGTERM')).toBe(0);
    expect(both.filter(isAlive)).toEqual([]);
    platform = await startPlatform({ ...cluster.environment, PORT: new URL(platform.found).port });
    await more(1);
    await stop();
    expect(wrong).toEqual([]);
    await expectNothingLost(database, posted);
  });

  it('go on when one is killed, and it comes back (claim: process-killed)', async () => {
    const [one, other] = await bothServe();
    const clients = Array.from({ length: 4 }, () => cluster.at(0));
    const { more, stop, posted, wrong } = startLoad(clients, cluster.team, { roams: true });
    await more(20);
    process.kill(one, 'SIGKILL');
    await expect.poll(() => isAlive(one)).toBe(false);
    for (let times = 0; times < 20; times++) expect(await ask()).toBe(200);
    await expect.poll(() => pids(1)).toHaveLength(2);
    await untilAnsweredBy([other, pids(1).at(-1) as number]);
    await stop();
    expect(wrong).toEqual([]);
    await expectNothingLost(database, posted);
  });

  it('are replaced one after the other, and no connection is refused (claim: rolling-restart)', async () => {
    const before = await bothServe();
    const answers = new Set<unknown>();
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) answers.add(await ask().catch(String));
    });
    platform.child.kill('SIGHUP');
    await expect.poll(() => [1, 2].map((number) => pids(number).length)).toEqual([2, 2]);
    await untilAnsweredBy([1, 2].map((number) => pids(number).at(-1) as number));
    isOver = true;
    await Promise.all(asking);
    expect([...answers]).toEqual([200]);
    expect(before.filter(isAlive)).toEqual([]);
  });

  it('end when their command is killed, so that the next start finds its port free (claim: processes)', async () => {
    const both = await bothServe();
    await platform.end('SIGKILL');
    await expect.poll(() => both.filter(isAlive)).toEqual([]);
  });
});

it('a start that cannot succeed says why in one line, and ends (claim: processes)', async () => {
  const taken = createServer().listen(Number(settings.PORT), '127.0.0.1');
  await once(taken, 'listening');
  const environment = { ...settings, HOST: '127.0.0.1' };
  const { code, output } = await runBinary(['start'], { cwd: newFolder(), environment });
  taken.close();
  expect(code).toBe(1);
  const said = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect(said).toEqual([expect.stringContaining('Another program uses this port')]);
});
