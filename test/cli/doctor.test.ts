import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { proofOf } from '../../src/stewardship/operations/index.ts';
import { Client } from '../support/client.ts';
import { ask } from '../support/cluster.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { Mailbox } from '../support/mailbox.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, startPlatform } from '../support/process.ts';
import { TestS3 } from '../support/s3.ts';
import { until } from '../support/until.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
let folder: string;
let data: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  environment = {
    DATA_DIR: data,
    PORT: String(await freePort()),
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')) }),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @returns the exit code, and each finding as "result: text" by its check */
async function examine(more: NodeJS.ProcessEnv = {}) {
  const { code, output } = await runCommand(['doctor', '--json'], {
    cwd: folder,
    environment: { ...environment, ...more },
  });
  expect(output).not.toContain('    at ');
  const { healthy, checks } = JSON.parse(output);
  expect(healthy).toBe(code === 0);
  const found: Record<string, string> = {};
  for (const { check, result, text } of checks) found[check] = `${found[check] ?? ''}${result}: ${text}`;
  return { code, found, output };
}

describe('beside a running server', () => {
  it('all is well, and the address leads to this very server', async () => {
    const platform = await startPlatform(environment);
    const before = readdirSync(data);
    const { code, found } = await examine();
    expect(code).toBe(0);
    expect(found).toMatchObject({
      settings: 'ok: They fit together.',
      database: expect.stringMatching(/^ok: .* answers, version \d/),
      schema: expect.stringMatching(/^ok: The newest migration is \d{4}-/),
      folder: expect.stringMatching(/^ok: /),
      disk: expect.stringMatching(/ MB are free /),
      mail: expect.stringMatching(/^ok: There is no SMTP_URL/),
      uploads: expect.stringMatching(/^ok: /),
      queues: 'ok: No queue is behind.',
      address: expect.stringMatching(/^ok: .* leads to this server\.$/),
      proxy: 'ok: None stands in front, and none is trusted.',
    });
    expect(found.backup).toMatch(/^warning: None is known\. Make one: /);
    if (!sqlite) expect(found.clock).toMatch(/^ok: .* ms /);
    if (!sqlite) expect(found.collation).toMatch(/^ok: /);
    expect(readdirSync(data)).toEqual(before);

    const other = await examine({ COOKIE_KEY: Buffer.alloc(32, 7).toString('base64') });
    expect([other.code, other.found.address]).toEqual([
      0,
      expect.stringMatching(/^warning: .*another COOKIE_KEY/),
    ]);
    const proxied = await examine({ TRUST_PROXY: 'yes' });
    expect(proxied.found.proxy).toMatch(/^warning: .*without X-Forwarded-For/);

    const proven = async (query: string) =>
      Object.keys((await (await fetch(`${platform.found}/healthz?${query}`)).json()) as object);
    expect(await proven(`challenge=${'a'.repeat(32)}`)).toEqual(['status', 'proof', 'forwarded']);
    for (const query of ['challenge=', `challenge=${'a'.repeat(5000)}`, 'challenge=%00', 'other=1'])
      expect(await proven(query)).toEqual(['status']);

    const lines = await runCommand(['doctor'], { cwd: folder, environment });
    expect(lines.output).toMatch(/^ok {7}settings {2}They fit together\.\nok {7}database {2}/);
    await platform.end('SIGTERM');
  });

  it('a queue that is behind is named, and why (claim: queues-behind)', async () => {
    const platform = await startPlatform(environment);
    await platform.end('SIGTERM');
    const late = `INSERT INTO mails (id, kind, recipient, subject, body_ciphertext, message_id, status, num_attempts,
      num_failures, next_attempt_at, lease_until, created_at, updated_at)
      VALUES ('00000000-0000-7000-8000-000000000001', 'security', '', '', '', '', 'pending', 3, 3, 1, 0, 0, 0)`;
    if (sqlite) {
      const file = new DatabaseSync(join(data, 'parley.db'));
      file.exec(late);
      file.close();
    } else await ask(environment.DATABASE_URL as string, late);
    const { code, found } = await examine();
    expect(code).toBe(0);
    expect(found.queues).toMatch(
      /^warning: The queue mails is behind: 1 piece of work waits, .*: its last attempt failed\./,
    );
  });

  it('a backup is known', async () => {
    const platform = await startPlatform(environment);
    await runCommand(['backup', 'backup.db'], { cwd: folder, environment });
    expect((await examine()).found.backup).toBe('ok: The last one was made 0 days ago.');
    await platform.end('SIGTERM');
  });

  it('a backup that is too old, or of which nothing is known because others make it', async () => {
    const platform = await startPlatform(environment);
    await runCommand(['backup', 'backup.db'], { cwd: folder, environment });
    await platform.end('SIGTERM');
    // A period of a second is over at once: twice of it when the command has started.
    const old = await until(async () => {
      const { found } = await examine({ BACKUP_EVERY: '1' });
      return found.backup?.startsWith('warning') && found.backup;
    });
    expect(old).toMatch(/^warning: The last one was made 0 days ago\. Make one: /);
    expect((await examine({ BACKUP_EVERY: '0' })).found.backup).toMatch(/^ok: They are made elsewhere/);
  });

  it('a folder of backups that cannot be used', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, found } = await examine({ BACKUP_DIR: join(file, 'backups') });
    expect([code, found.backups]).toEqual([
      1,
      expect.stringMatching(/^failed: BACKUP_DIR .+ cannot be used: /),
    ]);
    const absent = await examine({ BACKUP_DIR: join(folder, 'disk', 'backups') });
    expect([absent.code, absent.found.backups]).toEqual([
      0,
      expect.stringMatching(/^warning: .+ is not there: .+ on the disk of .+, mount that first\.$/),
    ]);
    expect(absent.found.backups).toContain(`on the disk of ${folder}.`);
    const fine = await examine({ BACKUP_DIR: folder });
    expect(fine.found.backups).toMatch(/^ok: .+ can be written, on the disk of DATA_DIR\./);
    const both = await examine({ BACKUP_DIR: folder, BACKUP_EVERY: '0' });
    expect([both.code, both.found.settings]).toEqual([
      1,
      expect.stringContaining('BACKUP_EVERY=0 makes no backups'),
    ]);
  });
});

describe('before the first start', () => {
  it('nothing is made', async () => {
    if (!sqlite) environment.DATABASE_URL = await createDatabase(inject('postgresUrl'));
    const { code, found } = await examine();
    expect(code).toBe(0);
    expect(found.address).toMatch(/^warning: .*ECONNREFUSED/);
    expect(found.folder).toMatch(/is made at the first start\.$/);
    expect(sqlite ? found.database : found.schema).toMatch(/first start/);
    expect(existsSync(data)).toBe(false);
  });

  it('keys that cannot be used are a failure', async () => {
    mkdirSync(data, { mode: 0o700 });
    expect((await examine()).found.keys).toMatch(/^ok: They can be read, or are made/);
    mkdirSync(join(data, 'cookie.key'));
    const folders = await examine();
    expect([folders.code, folders.found.keys]).toEqual([
      1,
      expect.stringMatching(/^failed: .+cannot be read/),
    ]);
    writeFileSync(join(data, 'encryption.key'), 'short');
    expect((await examine()).found.keys).toMatch(/^failed: .+restore it from a backup/);
  });

  it('all settings that cannot be used are named at once, and all that contradict one another', async () => {
    const lines = async (settings: NodeJS.ProcessEnv) =>
      JSON.parse((await examine(settings)).output).checks.map(({ text }: { text: string }) => text);
    expect(
      await lines({ PORT: 'abc', LOG_LEVEL: 'loud', COOKIE_KEY: 'short', BASE_URL: 'https://x.example/y' }),
    ).toEqual([
      expect.stringMatching(/^PORT "abc" must be .+\.$/),
      expect.stringMatching(/^COOKIE_KEY must be 32 bytes/),
      expect.stringMatching(/^LOG_LEVEL "loud" must be .+ The rest was not checked\.$/),
    ]);
    const contrary = { BASE_URL: 'https://x.example/y', S3_BUCKET: 'files', SMTP_URL: 'smtp://127.0.0.1:1' };
    expect(await lines(contrary)).toEqual([
      expect.stringMatching(/^BASE_URL /),
      expect.stringMatching(/^SMTP_URL needs MAIL_FROM/),
      expect.stringMatching(/^S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY must be set too.+not checked\.$/),
    ]);
  });

  it('settings are refused, doubted and recognised', async () => {
    const refused = await examine({ PORT: 'abc' });
    expect([refused.code, refused.found]).toEqual([
      1,
      { settings: expect.stringMatching(/^failed: PORT "abc" /) },
    ]);
    const contrary = await examine({ SMTP_URL: 'smtp://a:hidden-word@mail.example.org' });
    expect(contrary.found.settings).toMatch(/^failed: SMTP_URL needs MAIL_FROM/);
    expect(contrary.output).not.toContain('hidden-word');
    const doubted = await examine({ PARLEY_PORT: '1', BASE_URI: 'x', PATHS: 'x' });
    expect(doubted.found.settings).toMatch(
      /^warning: PARLEY_PORT .*Is PORT meant\?warning: BASE_URI .*Is BASE_URL meant\?$/,
    );
  });

  it('a folder that is a file, and one that is open to others', async () => {
    expect((await examine({ DATA_DIR: '/dev/null' })).found.folder).toMatch(/^failed: .* is a file/);
    mkdirSync(data);
    chmodSync(data, 0o755);
    expect((await examine()).found.folder).toMatch(/^warning: .*chmod 700/);
    chmodSync(data, 0o700);
    writeFileSync(join(data, 'cookie.key'), 'half', { mode: 0o644 });
    expect((await examine()).found.folder).toMatch(/^warning: Others can read .*cookie\.key/);
  });

  it('uploads that a start would refuse', async () => {
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'files'), '');
    const { code, found } = await examine();
    expect([code, found.uploads]).toEqual([
      1,
      expect.stringMatching(/^failed: The folder of uploads .*it is a file/),
    ]);
  });

  it('an address that is slow', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await examine({ BASE_URL })).found.address).toMatch(
      /^warning: .*\(timed out after \d+ seconds\)/,
    );
    server.close();
  });

  it('an address that leads elsewhere', async () => {
    const server = createServer((_request, response) => response.writeHead(302, { Location: '/' }).end('{'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, found } = await examine({ BASE_URL });
    expect([code, found.address]).toEqual([1, expect.stringContaining('/healthz answered 302')]);
    server.close();
  });

  it('a proxy that does not pass the name on', async () => {
    const key = randomBytes(32);
    const server = createServer(({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://here');
      const proof = proofOf(key, searchParams.get('challenge') ?? '');
      if (pathname !== '/healthz') response.statusCode = 421;
      response.end(JSON.stringify({ status: 'alive', proof, forwarded: false }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const BASE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, found } = await examine({ BASE_URL, COOKIE_KEY: key.toString('base64') });
    expect([code, found.address]).toEqual([1, expect.stringContaining('pass the header Host on')]);
    server.close();
  });
});

describe('what others run', () => {
  it.runIf(!sqlite)('an upgrade of the system that sorts in another way is found', async () => {
    const server = inject('postgresUrl');
    const name = `sorted_${randomBytes(4).toString('hex')}`;
    await ask(
      server,
      `CREATE DATABASE ${name} LOCALE_PROVIDER icu ICU_LOCALE 'en' ENCODING 'UTF8' TEMPLATE template0`,
    );
    const url = new URL(server);
    url.pathname = `/${name}`;
    const DATABASE_URL = url.href;
    expect((await examine({ DATABASE_URL })).found.collation).toMatch(/^ok: /);
    await ask(server, `UPDATE pg_database SET datcollversion = '1.1' WHERE datname = '${name}'`);
    const { code, found } = await examine({ DATABASE_URL });
    expect([code, found.collation]).toEqual([1, expect.stringContaining(`REINDEX DATABASE "${name}"`)]);
    await ask(server, `DROP DATABASE ${name} WITH (FORCE)`);
  });

  it('a mail server is asked, and sent nothing', async () => {
    const mailbox = await new Mailbox().start();
    const settings = { SMTP_URL: mailbox.url, MAIL_FROM: 'parley@example.org' };
    expect((await examine(settings)).found.mail).toMatch(/^ok: 127\.0\.0\.1:\d+ lets this server in/);
    expect(mailbox.offered).toEqual([]);
    await mailbox.stop();
    const { code, found } = await examine(settings);
    expect([code, found.mail]).toEqual([1, expect.stringMatching(/^failed: .*ECONNREFUSED/)]);
  });

  it('uploads that the database names and the folder lacks are missed, also at a start', async () => {
    const platform = await startPlatform(environment);
    const person = new Client(platform.found);
    await person.post('/v1/users', {
      email: 'ada@example.org',
      password: 'a password of length',
      first_name: 'Ada',
      last_name: '',
    });
    for (const name of ['one.txt', 'two.txt']) {
      const form = new FormData();
      form.append('file', new Blob([name]), name);
      const headers = { cookie: person.cookie, origin: platform.found };
      const sent = await fetch(`${platform.found}/v1/attachments`, { method: 'POST', headers, body: form });
      expect(sent.status).toBe(200);
    }
    expect((await examine()).found.uploads).toMatch(/^ok: /);
    await platform.end('SIGTERM');
    const files = join(data, 'files');
    const [stored] = readdirSync(files, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    rmSync(join(stored?.parentPath ?? '', stored?.name ?? ''));
    const { code, found } = await examine();
    expect([code, found.uploads]).toEqual([
      1,
      expect.stringMatching(/failed: Of 2 uploads .* 1 cannot be found/),
    ]);
    const again = await startPlatform({ ...environment, LOG_LEVEL: 'warn' });
    await again.written(/Of 2 uploads that the database names, 1 cannot be found/);
    await again.end('SIGTERM');
  });

  it('a bucket takes an object, and keeps none', async () => {
    const s3 = await new TestS3().start();
    expect((await examine(s3.environment)).found.uploads).toMatch(/^ok: The bucket /);
    expect(s3.log).toEqual(['PUT 200', 'GET 200', 'DELETE 204']);
    expect(s3.objects.size).toBe(0);
    const { code, found, output } = await examine({ ...s3.environment, S3_SECRET_KEY: 'hidden-word' });
    expect([code, found.uploads]).toEqual([1, expect.stringContaining('SignatureDoesNotMatch')]);
    expect(output).not.toContain('hidden-word');
    await s3.stop();
  });

  it.runIf(!sqlite)(
    'a database that is gone, or refuses the password, is told without the password',
    async () => {
      const gone = await examine({ DATABASE_URL: 'postgres://parley:hidden-word@127.0.0.1:1/z' });
      expect([gone.code, gone.found.database]).toEqual([1, expect.stringMatching(/^failed: .*ECONNREFUSED/)]);
      const url = new URL(environment.DATABASE_URL as string);
      url.username = 'nobody-here';
      url.password = 'hidden-word';
      const refused = await examine({ DATABASE_URL: url.href });
      expect([refused.code, refused.found.database]).toEqual([1, expect.stringMatching(/^failed: /)]);
      expect(gone.output + refused.output).not.toContain('hidden-word');
    },
  );
});

describe('what a start refuses fails here too, with the same advice', () => {
  const sentenceOf = async (...words: string[]) =>
    (await runCommand(words, { cwd: folder, environment: { ...environment, LOG_LEVEL: 'silent' } })).output;
  const change = async (sql: string) => {
    if (!sqlite) return void (await ask(environment.DATABASE_URL as string, sql));
    const file = new DatabaseSync(join(data, 'parley.db'));
    file.exec(sql);
    file.close();
  };

  it('an encryption key that is missing, or is another one', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    const own = await examine();
    expect([own.code, own.found.keys]).toEqual([0, expect.stringMatching(/^ok: /)]);
    rmSync(join(data, 'encryption.key'));
    for (const ENCRYPTION_KEY of ['', randomBytes(32).toString('base64')]) {
      environment.ENCRYPTION_KEY = ENCRYPTION_KEY;
      const { code, found } = await examine();
      expect([code, `${found.keys?.replace('failed: ', '')}\n`]).toEqual([1, await sentenceOf('start')]);
    }
    expect(existsSync(join(data, 'encryption.key'))).toBe(false);
  });

  it('a replacement of the key in the settings that was interrupted: the new one alone would not do', async () => {
    environment.ENCRYPTION_KEY = randomBytes(32).toString('base64');
    await (await startPlatform(environment)).end('SIGTERM');
    await change("INSERT INTO server_state (name, value) VALUES ('former_encryption_check', 'x')");
    writeFileSync(join(data, 'encryption.key.next'), randomBytes(32).toString('base64'), { mode: 0o600 });
    const { code, found } = await examine();
    expect([code, found.keys]).toEqual([1, expect.stringContaining('run "parley keys rotate" again')]);
    expect(`${found.keys?.replace('failed: ', '')}\n`).toBe(await sentenceOf('start'));
  });

  it('the unfinished target of a move or a restore', async () => {
    await runCommand(['migrate'], { cwd: folder, environment });
    await change('UPDATE schema_migrations SET version = 999999 WHERE version = 1');
    const { code, found } = await examine();
    expect([code, found.schema]).toEqual([1, expect.stringContaining('Run that again')]);
    expect(`${found.schema?.replace('failed: ', '')}\n`).toBe(await sentenceOf('start'));
  });
});

describe.runIf(!sqlite)('a cookie key', () => {
  it('that is not the one of the other servers, or would be made, is warned of', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    expect((await examine()).found.keys).toMatch(/^ok: /);
    const other = await examine({ COOKIE_KEY: randomBytes(32).toString('base64') });
    expect([other.code, other.found.keys]).toEqual([
      0,
      expect.stringMatching(/^warning: .+ Give all servers the same/),
    ]);
    rmSync(join(data, 'cookie.key'));
    expect((await examine()).found.keys).toMatch(/^warning: There is no cookie\.key, /);
    expect(existsSync(join(data, 'cookie.key'))).toBe(false);
  });
});

describe.runIf(!sqlite)('a rolling migration', () => {
  it('that was interrupted is not taken for done', async () => {
    const run = (...words: string[]) => runCommand(words, { cwd: folder, environment });
    await run('migrate');
    expect((await examine()).found.schema).toMatch(/^ok: /);
    const last = '(SELECT max(version) FROM schema_migrations)';
    const sql = `UPDATE schema_migrations SET done = 1 WHERE version = ${last} RETURNING name`;
    const [{ name } = {}] = await ask<{ name: string }>(environment.DATABASE_URL as string, sql);
    const { code, found } = await examine();
    expect(code).toBe(0);
    expect(found.schema).toMatch(new RegExp(`^warning: Migration ${name} is under way, or was interrupted`));
  });
});

describe.runIf(sqlite)('the embedded database', () => {
  it('damaged after its beginning: also the start and a command say so in one sentence', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    const file = join(data, 'parley.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill('damage', 8192));
    const sentence = /^The database \S+parley\.db cannot be used: [^\n]+parley restore FILE"\.$/;
    const { code, found } = await examine();
    expect([code, found.database?.replace('failed: ', '')]).toEqual([1, expect.stringMatching(sentence)]);
    for (const command of [['start'], ['user', 'list']]) {
      const { code, output } = await runCommand(command, {
        cwd: folder,
        environment: { ...environment, LOG_LEVEL: 'silent' },
      });
      expect([code, output.trimEnd()]).toEqual([1, expect.stringMatching(sentence)]);
    }
  });

  // Nothing is closed to root.
  it.skipIf(process.getuid?.() === 0)('of which a file cannot be written', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    writeFileSync(join(data, 'parley.db-shm'), '');
    chmodSync(join(data, 'parley.db-shm'), 0o400);
    const sentence =
      /^(?:failed: )?The database cannot be used: EACCES.+ and write \S+parley\.db-shm, as its owner/;
    expect((await examine()).found.database).toMatch(sentence);
    expect((await runCommand(['start'], { cwd: folder, environment })).output).toMatch(sentence);
  });

  it('that another program holds', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    const holder = new DatabaseSync(join(data, 'parley.db'));
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect((await examine()).found.database).toMatch(/^failed: .*Another program holds it/);
    holder.close();
  });

  it('that a restore has not finished, or whose log alone is there', async () => {
    mkdirSync(data, { mode: 0o700 });
    for (const name of ['parley.db.arriving', 'parley.db-wal']) {
      writeFileSync(join(data, name), 'something');
      const { code, found } = await examine();
      const { output } = await runCommand(['start'], {
        cwd: folder,
        environment: { ...environment, LOG_LEVEL: 'silent' },
      });
      expect([code, `${found.database?.replace('failed: ', '')}\n`]).toEqual([1, output]);
      rmSync(join(data, name));
    }
  });

  it('in a folder that cannot be looked into: nobody says that it is not there', async () => {
    symlinkSync(data, data);
    const { code, found } = await examine();
    expect([code, found.database, found.keys]).toEqual([
      1,
      expect.stringMatching(/^failed: DATA_DIR .+ cannot be used: ELOOP/),
      expect.stringMatching(/^failed: .+encryption\.key cannot be read: ELOOP/),
    ]);
    for (const command of [
      ['user', 'list'],
      ['move', '--to', join(folder, 'there')],
    ]) {
      const { code, output } = await runCommand(command, { cwd: folder, environment });
      expect([code, output]).toEqual([1, expect.stringMatching(/^DATA_DIR .+ cannot be used: ELOOP/)]);
    }
  });

  it('of a newer version, of another program, and no database at all', async () => {
    await (await startPlatform(environment)).end('SIGTERM');
    const file = join(data, 'parley.db');
    const change = (sql: string) => {
      const db = new DatabaseSync(file);
      db.exec(sql);
      db.close();
    };
    change("INSERT INTO schema_migrations (version, name, applied_at) VALUES (999, '0999-later', 1)");
    const newer = await examine();
    expect([newer.code, newer.found.schema]).toEqual([1, expect.stringMatching(/^failed: .*at version 999/)]);
    change('DELETE FROM schema_migrations WHERE version = 999');
    change("UPDATE schema_migrations SET checksum = 'other' WHERE version = 1");
    expect((await examine()).found.schema).toMatch(/^failed: Other migrations/);
    writeFileSync(file, 'no database'.repeat(1000));
    const broken = await examine();
    expect([broken.code, broken.found.database]).toEqual([
      1,
      expect.stringContaining('Is it a database of Parley'),
    ]);
  });
});
