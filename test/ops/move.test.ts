import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import {
  demo,
  freePair,
  freePort,
  main,
  type Program,
  runBinary,
  startPlatform,
  startProgram,
} from '../support/process.ts';
import { until } from '../support/until.ts';

/** What a move does not copy. */
const APART = /^(?:sqlite_|message_index|message_words|schema_migrations)/;

let folder: string;
let database: string;
let running: Program | undefined;

const move = (to: string, environment: NodeJS.ProcessEnv, run = runCommand) =>
  run(['move', '--to', to], { cwd: newFolder(), environment });

/** All rows of an embedded database. */
function contentOf(data: string): Record<string, unknown[]> {
  const db = new DatabaseSync(join(data, 'parley.db'), { readOnly: true });
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all();
  const content = (tables as { name: string }[])
    .filter(({ name }) => !APART.test(name))
    .map(({ name }) => [name, db.prepare(`SELECT * FROM ${name} ORDER BY 1, 2`).all()] as const);
  db.close();
  return Object.fromEntries(content);
}

async function start(environment: NodeJS.ProcessEnv): Promise<Client> {
  running = await startPlatform({ PORT: String(await freePort()), ...environment });
  return new Client(running.found, { Origin: running.found });
}

async function stop(): Promise<void> {
  await running?.end('SIGTERM');
  running = undefined;
}

describe.runIf(process.env.TEST_DATABASE === 'postgres')('moving', () => {
  beforeEach(async () => {
    folder = join(newFolder(), 'data');
    database = await createDatabase(inject('postgresUrl'));
  });
  afterEach(stop);

  /** The believable team of the demo, in an embedded database. */
  async function withDemo(): Promise<void> {
    const running = await startProgram(
      [demo],
      { DATA_DIR: folder, PORT: String(await freePair()), RATE_LIMIT: 'off' },
      /mara@demo\.example/,
    );
    await running.end('SIGTERM');
    folder += '-demo';
  }

  it('to PostgreSQL and back keeps every row, and leaves the old database as it was (claim: move)', async () => {
    await withDemo();
    const before = contentOf(folder);
    expect(before.messages?.length).toBeGreaterThan(10);
    const there = await move(database, { DATA_DIR: folder });
    expect([there.code, there.output]).toEqual([0, expect.stringContaining('rows in')]);
    expect(contentOf(folder)).toEqual(before);
    const known = await ask<{ tablename: string }>(database, 'SELECT DISTINCT tablename FROM pg_stats');
    const filled = Object.entries(before).filter(([, rows]) => rows.length > 0);
    expect(known.map(({ tablename }) => tablename)).toEqual(
      expect.arrayContaining(filled.map(([table]) => table)),
    );

    const back = newFolder();
    const here = await move(join(back, 'new'), { DATA_DIR: folder, DATABASE_URL: database });
    expect([here.code, here.output]).toEqual([0, expect.stringContaining('the same in both')]);
    expect(contentOf(join(back, 'new'))).toEqual(before);
    // In the order in which it is done: a server that starts before makes another cookie key, or is refused.
    expect(here.output).toMatch(
      /\nCopy encryption\.key, cookie\.key, the folder files from \S+-demo to \S+\/new\.\nThen remove DATABASE_URL, .+ start/,
    );

    const client = await start({ DATA_DIR: folder, DATABASE_URL: database });
    const signedIn = await client.post('/v1/sessions', {
      email: 'mara@demo.example',
      password: 'bread and butter',
    });
    expect(signedIn.status).toBe(200);
    const [membership] = (await client.get('/v1/users/me/teams')).data;
    const posted = await client.post('/v1/messages', {
      text: 'Marmalade',
      addressed_teams: [membership.team.id],
    });
    expect(posted.status).toBe(200);
    // Search is made again, and knows what was there before.
    const words = (before.messages as { text: string }[])
      .map(({ text }) => /\b[a-z]{6,}\b/.exec(text)?.[0])
      .find(Boolean);
    for (const word of [words, 'Marmalade'])
      await until(async () => (await client.get(`/v1/messages?q=${word}`)).data.length > 0);
  });

  it('goes on after it was killed, and no server starts on half of it (claim: move-killed)', async () => {
    await withDemo();
    fill(folder, 60_000);
    const before = contentOf(folder);
    await killedMidway();
    const copied = async () =>
      Number((await ask<{ n: string }>(database, 'SELECT count(*) AS n FROM server_state'))[0]?.n);
    const half = await copied();
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(60_000);
    const refused = await runCommand(['migrate'], {
      cwd: newFolder(),
      environment: { DATA_DIR: folder, DATABASE_URL: database },
    });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('unfinished target of "parley move"'),
    ]);
    const other = await move(database, { DATA_DIR: await anotherFolder() });
    expect([other.code, other.output]).toEqual([
      1,
      expect.stringContaining('unfinished target of another move'),
    ]);
    const again = await move(database, { DATA_DIR: folder });
    expect([again.code, again.output]).toEqual([0, expect.stringContaining('was copied before')]);
    const back = join(newFolder(), 'new');
    expect((await move(back, { DATA_DIR: folder, DATABASE_URL: database })).code).toBe(0);
    expect(contentOf(back)).toEqual(before);
  });

  it('goes on in a target that has its schema already, and nothing in it', async () => {
    folder = await anotherFolder();
    const before = contentOf(folder);
    const data = join(newFolder(), 'new');
    for (const to of [data, database]) {
      expect((await move(to, { DATA_DIR: folder })).code).toBe(0);
    }
    const clear = new DatabaseSync(join(data, 'parley.db'));
    clear.exec('DELETE FROM audit_log');
    clear.exec('DELETE FROM message_index_queue');
    clear.close();
    await ask(database, 'DELETE FROM audit_log');
    for (const to of [data, database]) {
      const copied = await move(to, { DATA_DIR: folder });
      expect([copied.code, copied.output]).toEqual([0, expect.stringContaining('the same in both')]);
    }
    expect(contentOf(data)).toEqual(before);
  });

  it('of a database that is copied all the time goes to PostgreSQL, and says that COPY_TO has to go', async () => {
    folder = await anotherFolder();
    const { code, output } = await move(database, { DATA_DIR: folder, COPY_TO: newFolder() });
    expect([code, output]).toEqual([
      0,
      expect.stringContaining('Set DATABASE_URL to it, remove COPY_TO, and'),
    ]);
  });

  it('of two at once, at most one goes on, and the other says why not', async () => {
    folder = await anotherFolder();
    fill(folder, 20_000);
    const before = contentOf(folder);
    const copy = join(newFolder(), 'new');
    for (const to of [copy, database]) {
      const both = await Promise.all([1, 2].map(() => move(to, { DATA_DIR: folder }, runBinary)));
      const refused = both.filter(({ code }) => code !== 0);
      expect(refused.length).toBeGreaterThan(0);
      for (const { code, output } of refused) {
        expect([code, output]).toEqual([1, expect.stringMatching(/is in use|is not empty|of another move/)]);
        expect(output).not.toContain('    at ');
      }
      // Both, when each has seen the other: it is begun again then.
      if (refused.length === 2) {
        const again = await move(to, { DATA_DIR: folder });
        expect([again.code, again.output]).toEqual([0, expect.stringContaining('the same in both')]);
      }
    }
    expect(contentOf(copy)).toEqual(before);
    const back = join(newFolder(), 'new');
    expect((await move(back, { DATA_DIR: folder, DATABASE_URL: database })).code).toBe(0);
    expect(contentOf(back)).toEqual(before);
  });

  /** A move that stands still after its first table, until it is told to go on. */
  async function standing(to: string, environment: NodeJS.ProcessEnv) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, 'move', '--to', to],
      { cwd: newFolder(), env: { PATH: process.env.PATH, ...environment } },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    await once(child.stdout, 'data');
    child.kill('SIGSTOP');
    return {
      goOn: async () => {
        child.kill('SIGCONT');
        return { code: await ended, output };
      },
    };
  }

  it('lets nobody write to an embedded database meanwhile, and leaves its log as it was (claim: move-alone)', async () => {
    folder = await anotherFolder();
    fill(folder, 20_000);
    // A server that was killed leaves its log.
    const server = await startPlatform({ DATA_DIR: folder, PORT: String(await freePort()) });
    await server.end('SIGKILL');
    const log = readFileSync(join(folder, 'parley.db-wal'));
    expect(log.length).toBeGreaterThan(0);
    const moving = await standing(database, { DATA_DIR: folder });
    const writing = await runCommand(['migrate'], { cwd: newFolder(), environment: { DATA_DIR: folder } });
    expect([writing.code, writing.output]).toEqual([1, expect.stringContaining('Another program holds it')]);
    const moved = await moving.goOn();
    expect([moved.code, moved.output]).toEqual([0, expect.stringContaining('the same in both')]);
    expect(readFileSync(join(folder, 'parley.db-wal'))).toEqual(log);
  });

  it('lets nobody write to PostgreSQL meanwhile, and is refused when somebody waits for that (claim: move-alone)', async () => {
    folder = await anotherFolder();
    fill(folder, 20_000);
    expect((await move(database, { DATA_DIR: folder })).code).toBe(0);
    const there = join(newFolder(), 'new');
    const moving = await standing(there, { DATA_DIR: folder, DATABASE_URL: database });
    const writer = ask(database, "INSERT INTO server_state (name, value) VALUES ('late', '')");
    await until(
      async () => (await ask(database, 'SELECT 1 AS one FROM pg_locks WHERE NOT granted')).length > 0,
    );
    const moved = await moving.goOn();
    expect([moved.code, moved.output]).toEqual([1, expect.stringContaining('is in use')]);
    await writer;
    const refused = await runCommand(['migrate'], { cwd: newFolder(), environment: { DATA_DIR: there } });
    expect(refused.output).toContain('unfinished target of "parley move"');
  });

  it('sees the sessions of other roles, and says in one sentence what PostgreSQL refuses', async () => {
    const role = `mover_${database.slice(-12)}`;
    const own = new URL(database);
    own.username = role;
    await ask(database, `CREATE ROLE ${role} LOGIN`);
    const other = new pg.Client(database);
    try {
      await ask(database, `GRANT ALL ON SCHEMA public TO ${role}`);
      folder = await anotherFolder();
      await other.connect();
      const used = await move(own.href, { DATA_DIR: folder });
      expect([used.code, used.output]).toEqual([1, expect.stringContaining('is in use')]);
      await other.end();
      expect((await move(own.href, { DATA_DIR: folder })).code).toBe(0);
      for (const [sql, reason] of [
        [`ALTER TABLE server_state OWNER TO postgres`, 'run it as the user who owns the tables'],
        [
          'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE theirs (id int)',
          'no database of Parley in',
        ],
      ] as const) {
        await ask(database, sql);
        const from = await move(join(newFolder(), 'new'), { DATA_DIR: folder, DATABASE_URL: own.href });
        expect([from.code, from.output]).toEqual([1, expect.stringContaining(reason)]);
        expect(from.output).not.toContain('    at ');
      }
    } finally {
      await ask(database, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });

  it('says in one sentence that a trigger refuses what it does', async () => {
    folder = await anotherFolder();
    await ask(
      database,
      `CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no tables here'; END $$;
      CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION refuse()`,
    );
    const { code, output } = await move(database, { DATA_DIR: folder });
    expect([code, output]).toEqual([1, expect.stringContaining('refuses it: no tables here.')]);
    expect(output).not.toContain('    at ');
  });

  it('takes a schema whose name needs quotation marks', async () => {
    await ask(database, 'CREATE SCHEMA "We ird"');
    const name = new URL(database).pathname.slice(1);
    await ask(database, `ALTER DATABASE ${name} SET search_path TO "We ird"`);
    folder = await anotherFolder();
    const before = contentOf(folder);
    const there = await move(database, { DATA_DIR: folder });
    expect([there.code, there.output]).toEqual([0, expect.stringContaining('the same in both')]);
    const back = join(newFolder(), 'new');
    expect((await move(back, { DATA_DIR: folder, DATABASE_URL: database })).code).toBe(0);
    expect(contentOf(back)).toEqual(before);
  });

  it('says in one sentence why a file cannot be moved, or moved to', async () => {
    const [garbage, empty, foreign, directory] = [newFolder(), newFolder(), newFolder(), newFolder()];
    writeFileSync(join(garbage, 'parley.db'), 'no database '.repeat(1000));
    writeFileSync(join(empty, 'parley.db'), '');
    const theirs = new DatabaseSync(join(foreign, 'parley.db'));
    theirs.exec('CREATE TABLE theirs (id)');
    theirs.close();
    mkdirSync(join(directory, 'parley.db'));
    for (const [data, reason] of [
      [garbage, 'file is not a database'],
      [empty, 'There is no database of Parley in'],
      [foreign, 'There is no database of Parley in'],
      [directory, 'is a folder'],
    ] as const) {
      const from = await move(database, { DATA_DIR: data });
      expect([from.code, from.output]).toEqual([1, expect.stringContaining(reason)]);
      expect(from.output).not.toContain('    at ');
    }
    const source = await anotherFolder();
    for (const [data, reason] of [
      [garbage, 'file is not a database'],
      [foreign, 'is not empty'],
      [directory, 'is a folder'],
    ] as const) {
      const to = await move(data, { DATA_DIR: source });
      expect([to.code, to.output]).toEqual([1, expect.stringContaining(reason)]);
      expect(to.output).not.toContain('    at ');
    }
  });

  function fill(data: string, rows: number): void {
    const db = new DatabaseSync(join(data, 'parley.db'));
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO server_state (name, value) SELECT 'filler ' || i, hex(randomblob(100)) FROM n`);
    db.close();
  }

  /** Kills a move while it copies the many rows. */
  async function killedMidway(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, 'move', '--to', database],
      {
        cwd: newFolder(),
        env: { PATH: process.env.PATH, DATA_DIR: folder },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    const ended = new Promise((resolve) => child.once('exit', resolve));
    // A move that begins would be refused beside our own look at its target.
    await once(child.stdout, 'data');
    child.stdout.resume();
    const some = "SELECT 1 AS one FROM server_state WHERE name LIKE 'filler %' LIMIT 1";
    await until(async () => (await ask(database, some).catch(() => [])).length > 0);
    child.kill('SIGKILL');
    await ended;
    await until(async () => {
      const left =
        "SELECT 1 AS one FROM pg_stat_activity WHERE application_name LIKE 'parley-move%' AND datname = current_database()";
      return (await ask(database, left)).length === 0;
    });
  }

  async function anotherFolder(): Promise<string> {
    const other = newFolder();
    await runCommand(['migrate'], { cwd: newFolder(), environment: { DATA_DIR: other } });
    return other;
  }

  it('is refused while a server runs, into what is not empty, and from what is not there', async () => {
    const other = await anotherFolder();
    const nowhere = newFolder();
    const missing = await move(database, { DATA_DIR: nowhere });
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining('There is no database')]);
    expect(existsSync(join(nowhere, 'parley.db'))).toBe(false);

    await start({ DATA_DIR: folder });
    const served = await move(database, { DATA_DIR: folder });
    expect([served.code, served.output]).toEqual([1, expect.stringContaining('is in use')]);
    expect(await ask(database, "SELECT 1 AS one FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    await stop();

    await ask(database, 'CREATE TABLE theirs (id int)');
    const full = await move(database, { DATA_DIR: folder });
    expect([full.code, full.output]).toEqual([1, expect.stringContaining('is not empty')]);
    await ask(database, 'DROP TABLE theirs');
    expect((await move(database, { DATA_DIR: folder })).code).toBe(0);

    await start({ DATA_DIR: folder, DATABASE_URL: database });
    const used = await move(join(nowhere, 'new'), { DATA_DIR: folder, DATABASE_URL: database });
    expect([used.code, used.output]).toEqual([1, expect.stringMatching(/is in use \(parley\)/)]);
    expect(existsSync(join(nowhere, 'new'))).toBe(false);
    await stop();

    for (const [to, reason] of [
      [other, 'is not empty'],
      ['mysql://x', 'takes postgres://'],
      ['postgres:x', 'takes postgres://'],
      ['postgres://x:hidden-word@127.0.0.1:1/z', 'The database of --to cannot be used'],
      ['postgres://x:hidden-word/y@127.0.0.1/z', '--to is not a valid address'],
      ['postgres://h/z?target_session_attrs=any', 'target_session_attrs of --to must be'],
    ] as const) {
      const { code, output } = await move(to, { DATA_DIR: folder });
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
      expect(output).not.toContain('hidden-word');
      expect(output).not.toContain('    at ');
    }
    expect(readFileSync(join(other, 'parley.db')).length).toBeGreaterThan(0);
  });
});
