import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, runBinary, startPlatform } from '../support/process.ts';

/* Starts that must fail: each says in one line what is wrong and what to do. */

const sqlite = process.env.TEST_DATABASE === 'sqlite';
let folder: string;
let data: string;
beforeEach(() => {
  folder = newFolder();
  data = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function refusedStart(settings: NodeJS.ProcessEnv = {}): Promise<string> {
  const environment = { DATA_DIR: data, PORT: '0', LOG_LEVEL: 'silent', ...settings };
  const { code, output } = await runBinary(['start'], { cwd: folder, environment });
  expect([code, output]).toEqual([1, expect.stringMatching(/^[^\n]+[.?]\n$/)]);
  expect(output).not.toContain('secret');
  return output;
}

it.runIf(sqlite)(
  'several processes are refused on the embedded database (claim: processes-refused)',
  async () => {
    expect(await refusedStart({ PROCESSES: '2' })).toContain(
      'the embedded database is written by one process',
    );
  },
);

describe.runIf(sqlite)('the data folder of a server (claim: start-refused)', () => {
  let made: string;
  beforeAll(async () => {
    made = join(newFolder(), 'made');
    const platform = await startPlatform({ DATA_DIR: made, PORT: String(await freePort()) });
    await platform.end('SIGTERM');
  });
  afterAll(() => rmSync(made, { recursive: true, force: true }));

  const database = () => join(data, 'parley.db');
  const copy = () => {
    cpSync(made, data, { recursive: true });
    chmodSync(data, 0o700);
  };
  const change = (sql: string) => {
    const db = new DatabaseSync(database());
    db.exec(sql);
    db.close();
  };
  const folderAt = (name: string) => {
    rmSync(join(data, name), { force: true });
    mkdirSync(join(data, name));
  };

  it.each<[string, () => void, string]>([
    ['a database cut short', () => truncateSync(database(), 20_000), 'put a backup in its place with'],
    ['a folder as the database', () => folderAt('parley.db'), 'Is it a database of Parley'],
    [
      'a newer database',
      () => change("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, '0999-later', 1)"),
      'Start the newer program',
    ],
    [
      'a database of another build',
      () => change("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1"),
      'Start the program that made it',
    ],
    ['no key', () => unlinkSync(join(data, 'encryption.key')), 'Put back encryption.key in DATA_DIR'],
    ['a short key', () => writeFileSync(join(data, 'cookie.key'), 'x'), 'restore it from a backup'],
    ['a folder as a key', () => folderAt('cookie.key'), 'put the file back from a backup'],
    [
      'a key that leads nowhere',
      () => {
        unlinkSync(join(data, 'cookie.key'));
        symlinkSync(join(folder, 'nowhere'), join(data, 'cookie.key'));
      },
      'put the file back from a backup',
    ],
    ['a file as the uploads', () => writeFileSync(join(data, 'files'), ''), 'it is a file'],
  ])('%s', async (_what, damage, advice) => {
    copy();
    rmSync(join(data, 'files'), { recursive: true, force: true });
    damage();
    expect(await refusedStart()).toContain(advice);
  });

  it('the log of a database that was moved away, which stays as it was', async () => {
    copy();
    const log = Buffer.from('what was committed last');
    rmSync(database());
    writeFileSync(`${database()}-wal`, log);
    expect(await refusedStart()).toContain('put parley.db back beside it');
    for (const command of [['migrate'], ['user', 'list']]) {
      const { code, output } = await runCommand(command, { cwd: folder, environment: { DATA_DIR: data } });
      expect([code, output]).toEqual([1, expect.stringContaining('put parley.db back beside it')]);
    }
    expect([existsSync(database()), readFileSync(`${database()}-wal`)]).toEqual([false, log]);
  });

  it('a database that another program holds', async () => {
    copy();
    const holder = new DatabaseSync(database());
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    try {
      expect(await refusedStart()).toContain('Another program holds it');
    } finally {
      holder.close();
    }
  });

  it('a database of another program, which stays as it was', async () => {
    mkdirSync(data, { mode: 0o700 });
    change('CREATE TABLE users (name text)');
    expect(await refusedStart()).toContain('Give Parley a database of its own');
    const db = new DatabaseSync(database());
    expect(db.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'users' }]);
    db.close();
  });

  it('a port that is taken, and an address of another machine', async () => {
    const platform = await startPlatform({ DATA_DIR: made, PORT: String(await freePort()) });
    const { port } = new URL(platform.found);
    // It has one of the addresses of localhost.
    for (const HOST of ['127.0.0.1', 'localhost'])
      expect(await refusedStart({ HOST, PORT: port })).toContain(
        'Another program uses this port, perhaps a Parley that still runs',
      );
    const elsewhere = { HOST: '192.0.2.1', BASE_URL: 'http://192.0.2.1' };
    expect(await refusedStart(elsewhere)).toContain('an address of this machine');
    await platform.end('SIGTERM');
  });
});

describe.skipIf(sqlite)('PostgreSQL', () => {
  let url: URL;
  const ask = async (sql: string, at = url) => {
    const client = new pg.Client(at.href);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const other = (change: (url: URL) => void): string => {
    const changed = new URL(url);
    change(changed);
    return changed.href;
  };
  const name = () => url.pathname.slice(1);
  beforeEach(async () => {
    url = new URL(await createDatabase(inject('postgresUrl')));
  });

  it('without such a database', async () => {
    const DATABASE_URL = other((one) => (one.pathname = `${name()}_not`));
    expect(await refusedStart({ DATABASE_URL })).toContain('Make this database');
  });

  it('that nobody serves', async () => {
    const port = String(await freePort());
    const DATABASE_URL = other((one) => (one.port = port));
    expect(await refusedStart({ DATABASE_URL })).toContain('that PostgreSQL runs there');
  });

  it('without such a user, and with one who may not make tables', async () => {
    const DATABASE_URL = other((one) => (one.username = `${name()}_user`));
    expect(await refusedStart({ DATABASE_URL })).toContain('Check its user and password.');
    await ask(`CREATE ROLE "${name()}_user" LOGIN`);
    await ask('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    expect(await refusedStart({ DATABASE_URL })).toContain('GRANT CREATE ON SCHEMA public');
  });

  it('that takes no connections of this user', async () => {
    await ask(`CREATE ROLE "${name()}_user" LOGIN CONNECTION LIMIT 0`);
    const DATABASE_URL = other((one) => (one.username = `${name()}_user`));
    expect(await refusedStart({ DATABASE_URL })).toContain('lower DATABASE_CONNECTIONS');
  });

  it('that can only be read', async () => {
    await ask(`ALTER DATABASE "${name()}" SET default_transaction_read_only = on`);
    expect(await refusedStart({ DATABASE_URL: url.href })).toContain('must lead to the primary');
  });

  it.each(['options=-c%20foo%3Dbar', 'statement_timeout=abc', 'options=-c%20search_path%3Dnope'])(
    'whose address has %s',
    async (query) => {
      const DATABASE_URL = other((one) => (one.search = query));
      expect(await refusedStart({ DATABASE_URL })).toContain('Correct what follows the ? in the address');
    },
  );

  it('that does not encrypt', async () => {
    for (const mode of ['verify-full', 'require']) {
      const DATABASE_URL = other((one) => one.searchParams.set('sslmode', mode));
      const said = await refusedStart({ DATABASE_URL });
      expect(said).toContain('Check sslmode');
      expect(said).not.toMatch(/warning/i);
    }
  });

  it('in another encoding', async () => {
    const latin = `${name()}_latin`;
    await ask(`CREATE DATABASE "${latin}" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`);
    const DATABASE_URL = other((one) => (one.pathname = latin));
    expect(await refusedStart({ DATABASE_URL })).toContain("ENCODING 'UTF8' TEMPLATE template0");
  });

  it('that has no accounts, beside a file that has some (claim: accounts-elsewhere)', async () => {
    const environment = { DATA_DIR: data };
    const command = (args: string[], input = '', more: NodeJS.ProcessEnv = {}) =>
      runCommand(args, { cwd: folder, environment: { ...environment, ...more }, input });
    await command(['migrate']);
    const file = join(data, 'parley.db');
    const start = async () => {
      const platform = await startPlatform({ ...environment, DATABASE_URL: url.href, PORT: '0' });
      return platform.end('SIGTERM');
    };
    const password = 'a long password';
    expect((await command(['user', 'create', 'ada@example.org'], password)).code).toBe(0);
    const said = await refusedStart({ DATABASE_URL: url.href });
    expect(said).toContain(`${file} has 1 account:`);
    expect(said).toContain('"parley move --to"');
    expect(said).toContain('take that file out of DATA_DIR, and with it the parley.db-wal');
    await expect(ask('SELECT 1 FROM schema_migrations')).rejects.toThrow('does not exist');
    const doctor = await command(['doctor'], '', { DATABASE_URL: url.href });
    expect([doctor.code, doctor.output]).toEqual([1, expect.stringContaining(said.trim())]);

    await command(['migrate'], '', { DATABASE_URL: url.href });
    expect(await refusedStart({ DATABASE_URL: url.href })).toContain('has 1 account:');
    renameSync(file, join(folder, 'elsewhere.db'));
    expect(await start()).toBe(0);
    // A backup that was put back lies there again.
    writeFileSync(file, 'no database '.repeat(1000));
    expect(await refusedStart({ DATABASE_URL: url.href })).toContain(`${file} cannot be read (`);
    renameSync(join(folder, 'elsewhere.db'), file);
    const there = await command(['user', 'create', 'bo@example.org'], password, { DATABASE_URL: url.href });
    expect(there.code).toBe(0);
    expect(await start()).toBe(0);
  });

  it('with tables of another program, which stay as they were', async () => {
    await ask('CREATE TABLE users (name text)');
    expect(await refusedStart({ DATABASE_URL: url.href })).toContain('Give Parley a database of its own');
    await expect(ask('SELECT 1 FROM schema_migrations')).rejects.toThrow('does not exist');
    await ask('SELECT name FROM users');
  });
});
