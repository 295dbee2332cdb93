import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Cluster, startCluster } from '../support/cluster.ts';
import { newFolder } from '../support/folder.ts';
import { expectNothingLost, startLoad } from '../support/load.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, runBinary, startPlatform, startProgram } from '../support/process.ts';

/** Set, Linux hands what waits at a port that a process closes to another one. */
const HANDS_OVER = '/proc/sys/net/ipv4/tcp_migrate_req';
let database: string;
let platform: Program;
let settings: NodeJS.ProcessEnv;

beforeEach(async () => {
  asked = 0;
  database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  settings = {
    DATABASE_URL: database,
    DATA_DIR: newFolder(),
    PORT: String(await freePort()),
    PROCESSES: '2',
    LOG_LEVEL: 'info',
    METRICS_TOKEN: 'let-me-see',
  };
});
afterEach(() => platform?.end('SIGKILL'));

interface LogLine {
  readonly msg: string;
  readonly pid: number;
  readonly process?: number;
  readonly route?: string;
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

/** A request on a connection of its own. */
async function send(path: string, headers: Record<string, string> = {}) {
  const request = get(`${platform.found}${path}`, { agent: false, headers });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, text: await text(answer) };
}

/** How many such requests there were. */
let asked: number;
async function ask() {
  asked += 1;
  return (await send('/v1/server')).status;
}

const readMetrics = async () => (await send('/metrics', { Authorization: 'Bearer let-me-see' })).text;

/** How many requests each process has answered, by metrics that one of them has given. */
const answered = (metrics: string) =>
  [1, 2].map((number) => {
    const series = `parley_http_request_seconds_count{process="${number}",method="GET",route="/v1/server",status="200"} `;
    return Number(metrics.split(series)[1]?.split('\n')[0]);
  });

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

it('end in order with the program that has started their supervisor, be that killed (claim: ends-with-parent)', async () => {
  platform = await startProgram(
    ['bootstrap.cjs', 'start'],
    { ...settings, HOST: '127.0.0.1' },
    /ready at (http:[^ ]+)/,
  );
  const both = await bothServe();
  await platform.end('SIGKILL');
  expect(both.map(isAlive)).toEqual([false, false]);
});

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

  it('give the same metrics whoever is asked: those of each process, and once those of all (claim: process-metrics)', async () => {
    const both = await bothServe();
    await untilAnsweredBy(both);
    const scrapes: string[] = [];
    // Each request is a connection, which either of them gets.
    await expect
      .poll(async () => {
        scrapes.push(await readMetrics());
        return new Set(log().flatMap(({ route, pid }) => (route === '/metrics' ? [pid] : [])));
      })
      .toEqual(new Set(both));
    for (const scrape of scrapes) {
      const [one = 0, other = 0] = answered(scrape);
      expect([one > 0, other > 0, one + other]).toEqual([true, true, asked]);
      expect(scrape.match(/^process_resident_memory_bytes\{process="[12]"\}/gm)).toHaveLength(2);
      expect(scrape.match(/^parley_database_up .*$/gm)).toEqual(['parley_database_up 1']);
      const types = scrape.match(/^# TYPE \S+/gm) ?? [];
      expect(new Set(types).size).toBe(types.length);
      expect(scrape).not.toMatch(/\n\n\n|undefined/);
    }
  });

  it('tell metrics without one that is frozen, or whose supervisor is, and say so (claim: metrics-not-held-up)', async () => {
    const [, other] = await bothServe();
    const silent = (text: string) => /^parley_processes_silent (\d)$/m.exec(text)?.[1];
    const shown = (text: string) => text.match(/^process_resident_memory_bytes\{process="[12]"\}/gm)?.length;
    // On a busy machine one may be late.
    await expect.poll(async () => silent(await readMetrics())).toBe('0');
    for (const frozen of [platform.child.pid as number, other]) {
      process.kill(frozen, 'SIGSTOP');
      try {
        // Connections that the frozen process gets are not answered.
        const texts = Array.from({ length: 24 }, readMetrics);
        const text = await Promise.any(texts);
        expect([silent(text), shown(text)]).toEqual(['1', 1]);
      } finally {
        process.kill(frozen, 'SIGCONT');
      }
    }
    await expect.poll(async () => silent(await readMetrics())).toBe('0');
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

  it('are replaced one after the other, and every request is answered, at its second try at the latest (claim: rolling-restart)', async () => {
    const before = await bothServe();
    const answers = new Set<unknown>();
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      // The system resets what it gave to a process that closes its port in that moment.
      while (!isOver) answers.add(await ask().catch(ask).catch(String));
    });
    platform.child.kill('SIGHUP');
    await expect.poll(() => [1, 2].map((number) => pids(number).length)).toEqual([2, 2]);
    await untilAnsweredBy([1, 2].map((number) => pids(number).at(-1) as number));
    isOver = true;
    await Promise.all(asking);
    expect([...answers]).toEqual([200]);
    expect(before.filter(isAlive)).toEqual([]);
  });

  it('are replaced after one that is just starting, so that one serves in each moment (claim: rolling-restart)', async () => {
    const [first, second] = await bothServe();
    const answers = new Set<unknown>();
    let isOver = false;
    const asking = Array.from({ length: 4 }, async () => {
      while (!isOver) answers.add(await ask().catch(ask).catch(String));
    });
    process.kill(second, 'SIGKILL');
    await platform.written(/a process ended, and is started again/);
    platform.child.kill('SIGHUP');
    await expect.poll(() => pids(1).length).toBe(2);
    await untilAnsweredBy([1, 2].map((number) => pids(number).at(-1) as number));
    isOver = true;
    await Promise.all(asking);
    expect([...answers]).toEqual([200]);
    expect([first, second].filter(isAlive)).toEqual([]);
  });

  it('end when their command is killed, so that the next start finds its port free (claim: processes)', async () => {
    const both = await bothServe();
    await platform.end('SIGKILL');
    await expect.poll(() => both.filter(isAlive)).toEqual([]);
  });
});

it('two processes share out how many connections one address may have (claim: process-shares)', async () => {
  platform = await startPlatform({ ...settings, MAX_CONNECTIONS_PER_NETWORK: '40' });
  await bothServe();
  const { hostname, port } = new URL(platform.found);
  let closed = 0;
  const sockets = Array.from({ length: 120 }, () =>
    connect(Number(port), hostname)
      .on('error', () => undefined)
      .on('close', () => closed++),
  );
  // A quarter more for each than its half.
  await expect.poll(() => sockets.length - closed).toBe(50);
  for (const socket of sockets) socket.destroy();
  await expect.poll(ask).toBe(200);
});

it('"doctor" says whether connections are reset while they are replaced (claim: restart-resets)', async () => {
  const isHandedOver = existsSync(HANDS_OVER) && readFileSync(HANDS_OVER, 'latin1') === '1\n';
  const { output } = await runBinary(['doctor', '--json'], { cwd: newFolder(), environment: settings });
  const { checks } = JSON.parse(output) as { checks: { check: string; result: string; text: string }[] };
  const said = isHandedOver
    ? { result: 'ok', text: '2 share the port, and are replaced without a reset.' }
    : { result: 'warning', text: expect.stringContaining('run "sysctl -w net.ipv4.tcp_migrate_req=1"') };
  expect(checks.filter(({ check }) => check === 'restarts')).toEqual([{ check: 'restarts', ...said }]);
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
