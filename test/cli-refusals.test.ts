import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from './support/client.ts';
import { newFolder } from './support/folder.ts';
import { createDatabase } from './support/postgres.ts';
import { compiled, freePort, root, startPlatform } from './support/process.ts';

const sqlite = process.env.TEST_DATABASE === 'sqlite';
const MAIN = join(root, 'src/cli/main.ts');
let folder: string;
let data: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = newFolder();
  data = join(folder, 'data');
  environment = {
    DATA_DIR: data,
    ...(!sqlite && { DATABASE_URL: await createDatabase(inject('postgresUrl')) }),
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs one command. `closeAfter` closes its output after the first chunk, as "head" does. */
function parley(
  args: string[],
  options: { input?: string; more?: NodeJS.ProcessEnv; closeAfter?: boolean } = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, ...compiled, ...environment, ...options.more };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', MAIN, ...args], {
      cwd: folder,
      env,
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (options.closeAfter) child.stdout.destroy();
    });
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
    child.stdin.end(options.input ?? '');
  });
}

async function serve(more: NodeJS.ProcessEnv = {}) {
  const platform = await startPlatform({ ...environment, ...more, PORT: String(await freePort()) });
  return { platform, client: new Client(platform.found.replace('localhost', '127.0.0.1')) };
}

describe('what cannot work is told in one sentence', () => {
  it.each([
    [{ DATA_DIR: '/proc/parley/data', PORT: '0' }, 'DATA_DIR "/proc/parley/data" cannot be used'],
    [{ HOST: 'no-such-host.invalid', PORT: '0' }, 'HOST must be a name or an address of this machine'],
    [{ HOST: '192.0.2.1', PORT: '0' }, 'HOST must be a name or an address of this machine'],
    [
      { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' },
      'The database of DATABASE_URL cannot be used: connect',
    ],
    [{ DATABASE_URL: 'postgres://x:y@no-such-host.invalid/z' }, 'Check its address, user and password'],
  ])('%j', async (wrong, sentence) => {
    const { code, output } = await parley(['start'], { more: { LOG_LEVEL: 'silent', ...wrong } });
    expect([code, output.includes(sentence), output]).toEqual([1, true, output]);
    expect(output).not.toContain('    at ');
  });

  it('a mail server that is away is warned of, and the server starts', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'parley@example.org' };
    const { platform } = await serve({ ...mail, LOG_LEVEL: 'warn' });
    await expect.poll(() => platform.output()).toContain('The mail server of SMTP_URL cannot be used');
    expect(await platform.end('SIGTERM')).toBe(0);
  });

  it('a data folder that is a file, a database that is none', async () => {
    writeFileSync(data, 'not a folder');
    const file = await parley(['start'], { more: { DATABASE_URL: '', LOG_LEVEL: 'silent' } });
    expect([file.code, file.output]).toEqual([
      1,
      expect.stringContaining('cannot be used as the data folder'),
    ]);
    rmSync(data);
    mkdirSync(data);
    writeFileSync(join(data, 'parley.db'), 'not a database'.repeat(1000));
    const database = await parley(['start'], { more: { DATABASE_URL: '', LOG_LEVEL: 'silent' } });
    expect([database.code, database.output]).toEqual([
      1,
      expect.stringContaining('Is it a database of Parley'),
    ]);
    for (const { output } of [file, database]) expect(output).not.toContain('    at ');
  });

  it('an unknown command, and an address before a password', async () => {
    expect(await parley(['nonsense'])).toEqual({
      code: 1,
      output: expect.stringMatching(/^Unknown command: nonsense\. There are: start, /),
    });
    const bad = await parley(['user', 'create', 'bad'], { input: 'short' });
    expect([bad.code, bad.output]).toEqual([1, expect.stringMatching(/^bad: .*\n$/)]);
    expect(bad.output).not.toContain('A password has');
    expect((await parley(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('a reader that has read enough is no failure', async () => {
    for (let n = 0; n < 3; n++)
      await parley(['user', 'create', `a${n}@example.org`], { input: 'a long password' });
    expect(await parley(['audit'], { closeAfter: true })).toMatchObject({
      code: 0,
      output: expect.not.stringContaining('EPIPE'),
    });
  });
});

describe('a lost encryption key', () => {
  it('is told of; no new one is made in its place, and the server goes on without it (claim: keys-reset)', async () => {
    const { platform, client } = await serve();
    const person = { email: 'a@example.org', password: 'a long password', first_name: 'A', last_name: '' };
    await client.post('/v1/users', person);
    const made = await client.post('/v1/applications', {
      name: 'Tracker',
      base_url: 'https://tracker.example',
      preinstall_url: 'https://tracker.example/install',
      redirect_uris: ['https://tracker.example/cb'],
    });
    const { id, client_secret: old } = made.data[0];
    await platform.end('SIGTERM');
    rmSync(join(data, 'encryption.key'));

    const refused = await parley(['start'], { more: { LOG_LEVEL: 'silent' } });
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining('"parley keys reset" gives up'),
    ]);
    expect(existsSync(join(data, 'encryption.key'))).toBe(false);

    expect((await parley(['keys', 'reset'])).output).toContain('New client secrets: 1.');
    expect((await parley(['keys', 'reset'])).output).toContain('there is nothing to reset');
    const again = await serve();
    expect((await again.client.post('/v1/sessions', person)).status).toBe(200);
    const objects = (secret: string) =>
      again.client.withCredentials(id, secret).get(`/v1/applications/${id}/objects`);
    expect((await objects(old)).status).toBe(401);
    const rotated = await again.client.post(`/v1/applications/${id}/secret`, { overlap_seconds: 0 });
    expect([rotated.status, rotated.text]).toEqual([200, rotated.text]);
    expect((await objects(rotated.data[0].client_secret)).status).toBe(200);
    await again.platform.end('SIGTERM');
  });
});

it.runIf(sqlite)(
  'a restore numbers what it replaces, and tells of a missing key (claim: restore-keeps)',
  async () => {
    await parley(['user', 'create', 'a@example.org'], { input: 'a long password' });
    const file = join(folder, 'backup.db');
    await parley(['backup', file]);
    for (let n = 0; n < 3; n++) {
      const { code, output } = await parley(['restore', file]);
      expect([code, output]).toEqual([0, expect.stringContaining('Warning: there is no encryption.key')]);
    }
    const kept = readdirSync(data).filter((name) => name.includes('before'));
    expect(kept.sort()).toEqual(['parley.db.before', 'parley.db.before.2', 'parley.db.before.3']);
  },
);
