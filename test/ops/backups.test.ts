import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { makeTeam } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { compiled, freePort, main, type Program, startPlatform } from '../support/process.ts';
import { until } from '../support/until.ts';

/* From a backup to what is restored: exactly what was there, from either database to either. */

const sqlite = process.env.TEST_DATABASE === 'sqlite';
const FIELDS = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
type Environment = Record<string, string>;

async function newPlace(): Promise<Environment> {
  const place = { DATA_DIR: join(newFolder(), 'data') };
  return sqlite ? place : { ...place, DATABASE_URL: await createDatabase(inject('postgresUrl')) };
}

const parley = (args: string[], environment: Environment) =>
  runCommand(args, { cwd: newFolder(), environment });

async function serve(environment: Environment) {
  const platform = await startPlatform({ ...environment, PORT: String(await freePort()) });
  return { platform, client: new Client(platform.found.replace('localhost', '127.0.0.1')) };
}

/** The same keys at another place. */
function withKeys(from: Environment, to: Environment): Environment {
  mkdirSync(to.DATA_DIR as string, { recursive: true, mode: 0o700 });
  for (const key of ['encryption.key', 'cookie.key'])
    writeFileSync(join(to.DATA_DIR as string, key), readFileSync(join(from.DATA_DIR as string, key)));
  return to;
}

async function upload(client: Client, content: string): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([content]), 'a.txt');
  return (await client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

describe('what is restored', () => {
  let place: Environment;
  let platform: Program;
  let client: Client;
  let team: string;
  let zip: string;
  let uploaded: string;

  const post = (text: string, files: string[] = []) =>
    client.post('/v1/messages', {
      text,
      addressed_teams: [team],
      ...(files[0] && { attachments: { files } }),
    });
  const textsOf = async (of: Client) =>
    (await of.get(`/v1/messages?team=${team}&limit=200`)).data.map(({ text }: { text: string }) => text);

  beforeAll(async () => {
    place = await newPlace();
    ({ platform, client } = await serve(place));
    const { data } = await client.post('/v1/users', FIELDS);
    team = await makeTeam({ id: data[0].id, email: FIELDS.email, client });
    uploaded = await upload(client, 'what was uploaded');
    await post('Marmalade', [uploaded]);
    zip = join(newFolder(), 'backup.zip');
    const made = await parley(['backup', zip], place);
    expect([made.code, made.output]).toEqual([0, expect.stringContaining('1 file of uploads')]);
    await post('after the backup');
  });
  afterAll(() => platform.end('SIGTERM'));

  /** Serves what the archive brings to a new place. */
  async function restored(to: Environment): Promise<{ client: Client; end: () => Promise<unknown> }> {
    withKeys(place, to);
    const { code, output } = await parley(['restore', zip], to);
    expect([code, output]).toEqual([0, expect.stringContaining('Put 1 file')]);
    expect(readdirSync(to.DATA_DIR as string)).not.toContain('restoring');
    const other = await serve(to);
    await other.client.post('/v1/sessions', FIELDS);
    return { client: other.client, end: () => other.platform.end('SIGTERM') };
  }

  it('is what was there when the backup was made, with the uploads and the search (claim: backup-restores)', async () => {
    const other = await restored(await newPlace());
    expect(await textsOf(other.client)).toEqual(['Marmalade']);
    expect((await other.client.get(`/v1/attachments/${uploaded}`)).text).toBe('what was uploaded');
    await until(async () => (await other.client.get('/v1/messages?q=Marmalade')).data.length === 1);
    // It goes on from there: places, sequences and events fit what was restored.
    const posted = await other.client.post('/v1/messages', { text: 'here', addressed_teams: [team] });
    expect(posted.status).toBe(200);
    expect((await textsOf(other.client)).sort()).toEqual(['Marmalade', 'here']);
    await other.end();
    expect(await textsOf(client)).toContain('after the backup');
  });

  it.runIf(process.getuid?.() === 0)(
    'belongs to who restores it, and the owner of the folder is named (claim: restore-owner)',
    async () => {
      const to = withKeys(place, await newPlace());
      const folder = to.DATA_DIR as string;
      chownSync(folder, 1234, 2345);
      const { code, output } = await parley(['restore', zip], to);
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/Warning: .+ belongs to user 1234, .+ chown -R 1234:2345 \S+\n/),
      ]);
      chownSync(folder, 0, 0);
      expect((await parley(['restore', zip], withKeys(place, await newPlace()))).output).not.toContain(
        'chown',
      );
    },
  );

  it.skipIf(sqlite)('can be a database of the other kind (claim: backup-both)', async () => {
    const file = await restored({ DATA_DIR: join(newFolder(), 'data') });
    expect(await textsOf(file.client)).toEqual(['Marmalade']);
    await file.end();
  });

  it('is one state of what is written meanwhile, and every file that it names', async () => {
    let over = false;
    let count = 0;
    const writing = (async () => {
      while (!over) {
        const { status } = await post(`message ${count++}`, [await upload(client, `content ${count}`)]);
        expect(status).toBe(200);
      }
    })();
    await until(async () => count > 3);
    const file = join(newFolder(), 'busy.zip');
    const before = count;
    const made = await parley(['backup', file], place);
    over = true;
    await writing;
    expect([made.code, count > before]).toEqual([0, true]);
    const checked = await parley(['restore', '--check', file], {});
    expect([checked.code, checked.output]).toEqual([
      0,
      expect.stringContaining('all that the database names'),
    ]);
    const copy = join(newFolder(), 'copy.db');
    writeFileSync(copy, unzipSync(readFileSync(file))['parley.db'] as Uint8Array);
    const db = new DatabaseSync(copy, { readOnly: true });
    const found = db
      .prepare(
        'SELECT (SELECT count(*) FROM messages) AS rows, (SELECT message_seq FROM teams) AS newest, (SELECT count(*) FROM events WHERE place IS NULL) AS lost',
      )
      .get() as { rows: number; newest: number; lost: number };
    db.close();
    expect([found.rows, found.lost]).toEqual([found.newest, 0]);
  });

  describe('is proven beforehand', () => {
    const check = async (file: string) => parley(['restore', '--check', file], {});
    const changed = (change: (files: Record<string, Uint8Array>) => void) => {
      const files = unzipSync(readFileSync(zip));
      change(files);
      const file = join(newFolder(), 'changed.zip');
      writeFileSync(file, zipSync(files, { level: 0 }));
      return file;
    };
    const inDatabase = (change: string | ((db: DatabaseSync) => void)) =>
      changed((files) => {
        const copy = join(newFolder(), 'copy.db');
        writeFileSync(copy, files['parley.db'] as Uint8Array);
        const db = new DatabaseSync(copy, { enableForeignKeyConstraints: false });
        if (typeof change === 'string') db.exec(change);
        else change(db);
        db.close();
        files['parley.db'] = readFileSync(copy);
      });
    /** Makes a table once more, with its text changed. */
    const remade = (change: (sql: string) => string) => (db: DatabaseSync) => {
      const parts = db
        .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = 'presence' AND sql <> ''")
        .all();
      db.exec('DROP TABLE presence');
      for (const [at, { sql }] of parts.entries()) db.exec(at === 0 ? change(String(sql)) : String(sql));
    };
    const nameOfUpload = (files: object) =>
      Object.keys(files).find((name) => name.startsWith('files/')) as string;

    it('and needs no settings, no database and no folder (claim: backup-check)', async () => {
      const { code, output } = await check(zip);
      expect(code).toBe(0);
      expect(output).toMatch(/Made at 20.+ by Parley \d/);
      expect(output).toMatch(/of version \d+/);
      expect(output).toContain('It has 1 account, 1 team and 1 message.');
      expect(output).toContain('1 file of uploads, 17 bytes');
      expect(output).toContain('can be restored');
    });

    it('of a file of the database alone as well', async () => {
      const file = join(newFolder(), 'backup.db');
      expect((await parley(['backup', file], place)).code).toBe(0);
      const { code, output } = await check(file);
      expect([code, output]).toEqual([0, expect.stringContaining('the uploads are not checked')]);
      expect(output).toContain('can be restored');
    });

    it.each<readonly [string, () => string | Buffer, RegExp]>([
      ['nothing', () => join(newFolder(), 'nothing.zip'), /There is no file/],
      ['cut short', () => readFileSync(zip).subarray(0, -1000), /damaged or not a backup/],
      ['cut at half', () => readFileSync(zip).subarray(0, statSync(zip).size / 2), /damaged or not a backup/],
      ['empty', () => Buffer.alloc(0), /damaged or not a database/],
      ['another format', () => Buffer.from('PGDMP'.repeat(1000)), /damaged or not a database/],
      [
        'an archive of something else',
        () => Buffer.from(zipSync({ 'a.txt': strToU8('a') })),
        /there is no parley\.db/,
      ],
      [
        'a manifest of a later format',
        () => changed((files) => Object.assign(files, { 'manifest.json': strToU8('{"format":2}') })),
        /of another format: use the program that made it/,
      ],
      [
        'another file in it',
        () => changed((files) => Object.assign(files, { 'files/../../x': strToU8('x') })),
        /does not belong in it/,
      ],
      [
        'an upload missing',
        () => changed((files) => delete files[nameOfUpload(files)]),
        /lacks files of its list/,
      ],
      [
        'an upload of another size',
        () => changed((files) => Object.assign(files, { [nameOfUpload(files)]: strToU8('short') })),
        /lacks 1 file of uploads that its database names.+make another backup/,
      ],
      [
        'a newer schema',
        () =>
          inDatabase("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, 'newer', 0)"),
        /newer version of Parley: use that one/,
      ],
      [
        'another migration',
        () => inDatabase("UPDATE schema_migrations SET checksum = 'x' WHERE version = 1"),
        /migration .+ this program does not have: use the program that made it/,
      ],
      [
        'a row that lost another',
        () => inDatabase('DELETE FROM teams'),
        /refers to a row of teams that is not there/,
      ],
      ['no schema', () => inDatabase('DROP TABLE schema_migrations'), /damaged or not a database of Parley/],
      [
        'a trigger that somebody added',
        () => inDatabase('CREATE TRIGGER evil AFTER INSERT ON messages BEGIN DELETE FROM sessions; END'),
        /another schema .+ as in evil/,
      ],
      [
        'an index missing',
        () => inDatabase('DROP INDEX sessions_by_user'),
        /another schema .+sessions_by_user/,
      ],
      [
        'a view in place of a table',
        () =>
          inDatabase(
            'ALTER TABLE user_images RENAME TO other; CREATE VIEW user_images AS SELECT * FROM other',
          ),
        /another schema/,
      ],
      [
        'a migration that was taken out',
        () => inDatabase('UPDATE schema_migrations SET version = 0 WHERE version = 1'),
        /another schema .+schema_migrations/,
      ],
      [
        'a column that somebody added',
        () => inDatabase('ALTER TABLE teams ADD COLUMN extra text'),
        /another schema .+ as in teams/,
      ],
      [
        'a default that somebody added',
        () => inDatabase(remade((sql) => sql.replace('NOT NULL', 'NOT NULL DEFAULT 1'))),
        /another schema .+ as in presence/,
      ],
      [
        'a condition that somebody added',
        () => inDatabase(remade((sql) => sql.replace('NOT NULL', 'NOT NULL CHECK (user_id <> 1)'))),
        /another schema .+ as in presence/,
      ],
    ])('%s is refused with what to do', async (_, make, sentence) => {
      const made = make();
      const file = typeof made === 'string' ? made : join(newFolder(), 'some.zip');
      if (typeof made !== 'string') writeFileSync(file, made);
      const { code, output } = await check(file);
      expect([code, output]).toEqual([1, expect.stringMatching(sentence)]);
      expect(output.trim().split('\n')).toHaveLength(1);
      const to = { DATA_DIR: join(newFolder(), 'data') };
      // What only concerns uploads is restored without them.
      if (/uploads that its database/.test(output)) return;
      const restored = await parley(['restore', file], to);
      expect([restored.code, restored.output]).toEqual([1, output]);
      expect(readdirSync(to.DATA_DIR)).toEqual(['restore.lock']);
    });

    it('a database from before the migrations became one passes', async () => {
      const file = join(newFolder(), 'old.db');
      const packed = readFileSync(new URL('../fixtures/before-0001.db.gz', import.meta.url));
      writeFileSync(file, gunzipSync(packed));
      expect(await check(file)).toMatchObject({ code: 0 });
      const to = { DATA_DIR: join(newFolder(), 'data') };
      expect(await parley(['restore', file], to)).toMatchObject({ code: 0 });
      // As a server has upgraded it.
      expect(await check(join(to.DATA_DIR, 'parley.db'))).toMatchObject({ code: 0 });
    });

    it('byte by byte: one that flips is seen, wherever it is', async () => {
      const good = readFileSync(zip);
      const at = ['README.txt', 'what was uploaded', 'manifest.json'].map((text) => good.indexOf(text) + 60);
      const middle = good.indexOf('parley.db') + 5000;
      for (const place of [...at, middle]) {
        const bad = Buffer.from(good);
        bad[place] = (bad[place] as number) ^ 0x10;
        const file = join(newFolder(), 'flipped.zip');
        writeFileSync(file, bad);
        const { code, output } = await check(file);
        expect([place, code, output]).toEqual([place, 1, expect.stringContaining('nothing was changed')]);
      }
    });

    it('a file that was deleted while it was made is no fault, and one that was lost is', async () => {
      const folder = join(place.DATA_DIR as string, 'files');
      const name = nameOfUpload(unzipSync(readFileSync(zip))).slice('files/'.length);
      const content = readFileSync(join(folder, name));
      rmSync(join(folder, name));
      const file = join(newFolder(), 'lost.zip');
      const made = await parley(['backup', file], place);
      writeFileSync(join(folder, name), content, { mode: 0o600 });
      expect([made.code, made.output]).toEqual([0, expect.stringContaining('Warning: 1 file')]);
      const { code, output } = await check(file);
      expect([code, output]).toEqual([1, expect.stringContaining(`as ${name}`)]);
      const forgiven = changed((files) => {
        const manifest = JSON.parse(strFromU8(files['manifest.json'] as Uint8Array));
        delete files[`files/${name}`];
        files['manifest.json'] = strToU8(JSON.stringify({ ...manifest, files: 0, deleted: [name] }));
      });
      const fine = await check(forgiven);
      expect([fine.code, fine.output]).toEqual([
        0,
        expect.stringContaining('1 were deleted while it was made'),
      ]);
    });
  });
});

describe('a command that is killed', () => {
  let place: Environment;
  beforeEach(async () => {
    place = await newPlace();
    expect((await parley(['migrate'], place)).code).toBe(0);
  });

  /** Rows that take a while to copy. */
  async function fill(): Promise<void> {
    if (sqlite) {
      const db = new DatabaseSync(join(place.DATA_DIR as string, 'parley.db'));
      db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)
        INSERT INTO server_state (name, value) SELECT 'filler ' || i, hex(randomblob(100)) FROM n`);
      db.close();
    } else
      await ask(
        place.DATABASE_URL as string,
        `INSERT INTO server_state (name, value) SELECT 'filler ' || i, repeat(md5(i::text), 6) FROM generate_series(1, 60000) AS i`,
      );
  }

  async function killWhen(
    args: string[],
    environment: Environment,
    isTime: () => Promise<boolean> | boolean,
  ) {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
      cwd: newFolder(),
      env: { PATH: process.env.PATH, ...compiled, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)));
    // A restore that begins would be refused beside our own look at its target.
    if (args[0] === 'restore') await once(child.stdout, 'data');
    child.stdout.resume();
    await until(async () => isTime());
    child.kill('SIGKILL');
    return ended;
  }

  it('leaves no file that looks like a backup, and does not hinder the next one', async () => {
    await fill();
    const folder = newFolder();
    for (const name of ['backup.db', 'backup.zip']) {
      const begun = () => readdirSync(folder).some((one) => one.startsWith(`.${name}`));
      expect(await killWhen(['backup', join(folder, name)], place, begun)).toBe('SIGKILL');
      expect(readdirSync(folder)).not.toContain(name);
      expect((await parley(['backup', join(folder, name)], place)).code).toBe(0);
      expect((await parley(['restore', '--check', join(folder, name)], {})).code).toBe(0);
    }
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'backup.zip']);
  });

  it.skipIf(sqlite)(
    'leaves no half of a database on which a server starts; the same restore goes on (claim: restore-killed)',
    async () => {
      await fill();
      const zip = join(newFolder(), 'backup.zip');
      expect((await parley(['backup', zip], place)).code).toBe(0);
      const target = await newPlace();
      const url = target.DATABASE_URL as string;
      const some = "SELECT 1 AS one FROM server_state WHERE name LIKE 'filler %' LIMIT 1";
      await killWhen(['restore', zip], target, async () => (await ask(url, some).catch(() => [])).length > 0);
      const left =
        "SELECT 1 AS one FROM pg_stat_activity WHERE application_name = 'parley-move' AND datname = current_database()";
      await until(async () => (await ask(url, left)).length === 0);
      const refused = await parley(['migrate'], target);
      expect([refused.code, refused.output]).toEqual([
        1,
        expect.stringContaining('"parley restore". Run that again'),
      ]);
      const another = join(newFolder(), 'another.zip');
      expect((await parley(['backup', another], place)).code).toBe(0);
      const mixed = await parley(['restore', another], target);
      expect([mixed.code, mixed.output]).toEqual([1, expect.stringContaining('another move or restore')]);
      const again = await parley(['restore', zip], target);
      expect([again.code, again.output]).toEqual([0, expect.stringContaining('was copied before')]);
      const count = async (of: string) =>
        (await ask<{ n: string }>(of, "SELECT count(*) AS n FROM server_state WHERE name LIKE 'filler %'"))[0]
          ?.n;
      expect(await count(url)).toBe(await count(place.DATABASE_URL as string));
    },
  );

  it.runIf(sqlite)(
    'and a restore that is only stopped keeps others out, until it is killed: the next one goes well (claim: restore-alone)',
    async () => {
      await fill();
      const zip = join(newFolder(), 'backup.zip');
      expect((await parley(['backup', zip], place)).code).toBe(0);
      const target = await newPlace();
      mkdirSync(target.DATA_DIR as string, { recursive: true, mode: 0o700 });
      const there = () => readdirSync(target.DATA_DIR as string);
      const arrives = () => there().some((name) => name.startsWith('parley.db.restoring'));
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'restore', zip], {
        cwd: newFolder(),
        env: { PATH: process.env.PATH, ...compiled, ...target },
      });
      const ended = once(child, 'exit');
      await until(async () => arrives());
      child.kill('SIGSTOP');
      const other = await parley(['restore', zip], target);
      expect([other.code, other.output]).toEqual([
        1,
        expect.stringMatching(/^Another restore .+ is under way: .+\n$/),
      ]);
      child.kill('SIGKILL');
      await ended;
      expect(arrives()).toBe(true);
      expect((await parley(['restore', zip], target)).code).toBe(0);
      expect(there().sort()).toEqual(['parley.db', 'restore.lock']);
    },
  );

  it('takes .ZIP as .zip, and does not replace a link that leads nowhere', async () => {
    const zip = join(newFolder(), 'BACKUP.ZIP');
    expect((await parley(['backup', zip], place)).code).toBe(0);
    expect(Object.keys(unzipSync(readFileSync(zip)))).toContain('manifest.json');
    const link = join(newFolder(), 'backup.zip');
    symlinkSync('nowhere', link);
    const { code, output } = await parley(['backup', link], place);
    expect([code, output]).toEqual([1, expect.stringMatching(/^.+ is a link that leads nowhere; .+\n$/)]);
  });

  it('is not in the way of another backup to the same name while it lives: one of both has it', async () => {
    await fill();
    const folder = newFolder();
    for (const name of ['backup.db', 'backup.zip']) {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', main, 'backup', join(folder, name)],
        { cwd: newFolder(), env: { PATH: process.env.PATH, ...compiled, ...place } },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      const closed = once(child, 'close');
      await until(async () => readdirSync(folder).some((one) => one.startsWith(`.${name}`)));
      child.kill('SIGSTOP');
      const other = await parley(['backup', join(folder, name)], place);
      expect([other.code, other.output]).toEqual([0, expect.stringContaining('Backed up')]);
      const made = readFileSync(join(folder, name));
      child.kill('SIGCONT');
      const [code] = await closed;
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^[^\n]+ was made by somebody else [^\n]+\n$/),
      ]);
      expect(readFileSync(join(folder, name)).equals(made)).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual(['backup.db', 'backup.zip']);
  });

  it.runIf(sqlite)('and one that fails leaves no copy of the database', async () => {
    const zip = join(newFolder(), 'backup.zip');
    expect((await parley(['backup', zip], place)).code).toBe(0);
    const content = zipSync({
      ...unzipSync(readFileSync(zip)),
      [`files/00/${'0'.repeat(40)}`]: strToU8('upload'),
      'manifest.json': strToU8(
        JSON.stringify({
          ...JSON.parse(strFromU8(unzipSync(readFileSync(zip))['manifest.json'] as Uint8Array)),
          files: 1,
        }),
      ),
    });
    writeFileSync(zip, content);
    const target = await newPlace();
    mkdirSync(target.DATA_DIR as string, { mode: 0o700, recursive: true });
    // No folder of uploads can be made here.
    writeFileSync(join(target.DATA_DIR as string, 'files'), 'no folder');
    expect((await parley(['restore', zip], target)).code).not.toBe(0);
    expect(readdirSync(target.DATA_DIR as string).sort()).toEqual(['files', 'restore.lock']);
  });

  it.skipIf(sqlite)(
    'a database that goes away fails the backup with a sentence, and nothing is left',
    async () => {
      await fill();
      const folder = newFolder();
      const made = parley(['backup', join(folder, 'backup.zip')], place);
      const url = place.DATABASE_URL as string;
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
      AND xact_start IS NOT NULL AND query LIKE '%FROM server_state%' AND pid <> pg_backend_pid()`;
      await until(async () => (await ask(url, end)).length > 0);
      const { code, output } = await made;
      expect([code, output]).toEqual([1, expect.stringMatching(/^The database does not answer: .+\n$/)]);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  /** A limit on the size of files stands for the disk. */
  async function withoutRoom(words: readonly string[], environment: Environment) {
    const command = `ulimit -f 1000; exec "$0" --disable-warning=ExperimentalWarning ${main} ${words.join(' ')}`;
    const child = spawn('sh', ['-c', command, process.execPath], {
      cwd: newFolder(),
      env: { PATH: process.env.PATH, ...compiled, ...environment },
    });
    let output = '';
    child.stderr.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.once('close', resolve));
    return [code, output];
  }

  it('a disk without room fails the backup with a sentence, and nothing is left', async () => {
    await fill();
    const folder = newFolder();
    expect(await withoutRoom(['backup', join(folder, 'backup.zip')], place)).toEqual([
      1,
      expect.stringMatching(/^The backup failed: [^\n]+room[^\n]+\n$/),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['backup.zip', 'backup.db'])(
    'a disk without room fails the restore of %s, or its check, with the name of the folder',
    async (name) => {
      await fill();
      const file = join(newFolder(), name);
      expect((await parley(['backup', file], place)).code).toBe(0);
      const target = await newPlace();
      const DATA_DIR = target.DATA_DIR as string;
      const [code, output] = await withoutRoom(['restore', file], target);
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/^(?:There is no room in|It broke off:) [^\n]+\n$/),
      ]);
      expect(output).toContain(DATA_DIR);
      expect(readdirSync(DATA_DIR)).toEqual(['restore.lock']);
      if (name === 'backup.db') return;
      const TMPDIR = newFolder();
      expect(await withoutRoom(['restore', '--check', file], { TMPDIR })).toEqual([
        1,
        expect.stringContaining(`There is no room in ${TMPDIR}`),
      ]);
      expect(readdirSync(TMPDIR)).toEqual([]);
    },
  );
});
