import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { runCommand } from '../support/command.ts';
import { newFolder } from '../support/folder.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, main, type Program, startPlatform } from '../support/process.ts';
import { TestS3 } from '../support/s3.ts';

const UPLOADS = 12;

let s3: TestS3;
let data: string;
let files: string;
let environment: NodeJS.ProcessEnv;
let uploads: { id: string; text: string }[];
let running: Program | undefined;
let client: Client;

const move = (args: string[], more: NodeJS.ProcessEnv = s3.environment) =>
  runCommand(['move', ...args], { cwd: newFolder(), environment: { ...environment, ...more } });

async function start(more: NodeJS.ProcessEnv = {}): Promise<void> {
  running = await startPlatform({ ...environment, ...more, PORT: String(await freePort()) });
  client = (client ?? new Client('')).at(running.found);
}

async function stop(): Promise<void> {
  await running?.end('SIGTERM');
  running = undefined;
}

async function upload(text: string): Promise<{ id: string; text: string }> {
  const raw = new FormData();
  raw.set('file', new Blob([text]), 'a file.txt');
  const { data: made } = await client.ask('POST', '/v1/attachments', { raw, headers: origin() });
  return { id: made[0].id, text };
}

const origin = () => ({ Origin: running?.found as string });

async function expectAllDownloads(): Promise<void> {
  for (const { id, text } of uploads) {
    const answer = await fetch(`${running?.found}/v1/attachments/${id}`, {
      headers: { Cookie: client.cookie },
    });
    expect([answer.status, await answer.text()]).toEqual([200, text]);
  }
}

/** The files of a store's folder by their names. */
function contentOf(folder: string): Map<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return new Map(
    names
      .filter((name) => /^[0-9a-f]{2}\/./.test(name))
      .map((name) => [name, readFileSync(join(folder, name))]),
  );
}

const inBucket = () => new Map([...s3.objects].sort(([a], [b]) => (a < b ? -1 : 1)));

beforeEach(async () => {
  s3 = await new TestS3().start();
  data = newFolder();
  files = join(data, 'files');
  environment = {
    DATA_DIR: data,
    RATE_LIMIT: 'off',
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl')),
    }),
  };
  client = new Client('');
  await start();
  await client.ask('POST', '/v1/users', {
    headers: origin(),
    json: { email: 'ada@example.org', password: 'a password of length', first_name: 'Ada', last_name: '' },
  });
  uploads = await Promise.all(
    Array.from({ length: UPLOADS }, (_, n) => upload(`upload ${n} ${'x'.repeat(n * 1000)}`)),
  );
});
afterEach(async () => {
  await stop();
  await s3.stop();
});

describe('moving uploads', () => {
  it('to a bucket and back keeps every byte, beside a server, and reads back what it wrote (claim: move-files)', async () => {
    const before = contentOf(files);
    expect(before.size).toBe(UPLOADS);
    const there = await move(['--files-from', files]);
    expect([there.code, there.output]).toEqual([0, expect.stringContaining(`copied now: ${UPLOADS}.`)]);
    expect(inBucket()).toEqual(before);
    expect(contentOf(files)).toEqual(before);
    // What a server has stored in the folder meanwhile comes with the next run, and nothing else is written again.
    uploads.push(await upload('meanwhile'));
    s3.log.length = 0;
    const again = await move(['--files-from', files]);
    expect(again.output).toContain(`${UPLOADS + 1} files (`);
    expect(again.output).toContain('copied now: 1.');
    expect(s3.log.filter((line) => line.startsWith('PUT'))).toEqual(['PUT 200']);
    await stop();

    await start(s3.environment);
    await expectAllDownloads();
    uploads.push(await upload('new in the bucket'));
    const only = await move(['--files-from', files]);
    expect([only.code, only.output]).toEqual([
      0,
      expect.stringContaining('In the bucket uploads alone: 1 file,'),
    ]);

    const back = join(newFolder(), 'files');
    const out = await move(['--files-to', back]);
    expect([out.code, out.output]).toEqual([0, expect.stringContaining(`make it ${files}`)]);
    expect(contentOf(back)).toEqual(inBucket());
    await stop();
    rmSync(files, { recursive: true });
    cpSync(back, files, { recursive: true });
    await start();
    await expectAllDownloads();
    const audit = (await client.get('/v1/admin/audit')).data;
    expect(audit.filter(({ action }) => action === 'operator.command')).toHaveLength(4);
  });

  it('goes on after it was killed, and after a store that fails', async () => {
    const before = contentOf(files);
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', main, 'move', '--files-from', files],
      {
        cwd: newFolder(),
        env: { PATH: process.env.PATH, ...environment, ...s3.environment },
        stdio: 'ignore',
      },
    );
    await expect.poll(() => s3.objects.size, { interval: 1 }).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await once(child, 'exit');
    s3.faults.push(...Array(40).fill(500));
    const failed = await move(['--files-from', files]);
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining('run it again')]);
    expect(failed.output).not.toContain('    at ');
    s3.faults.length = 0;
    expect((await move(['--files-from', files])).code).toBe(0);
    expect(inBucket()).toEqual(before);
  });

  it('replaces what differs, and believes no store that keeps something else', async () => {
    const before = contentOf(files);
    const [name] = [...before.keys()] as [string];
    s3.objects.set(name, Buffer.from('half'));
    expect((await move(['--files-from', files])).output).toContain(`copied now: ${UPLOADS}.`);
    expect(inBucket()).toEqual(before);
    s3.objects.clear();
    const keep = s3.objects.set.bind(s3.objects);
    s3.objects.set = (key, body) => keep(key, key === name ? body.subarray(1) : body);
    const refused = await move(['--files-from', files]);
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining(`${name} is not in the bucket`),
    ]);
  });

  it('replaces nothing that is whole by what is damaged, and names it', async () => {
    const before = contentOf(files);
    const [cut, empty] = [...before.keys()] as [string, string];
    expect((await move(['--files-from', files])).code).toBe(0);
    writeFileSync(join(files, cut), 'cut');
    writeFileSync(join(files, empty), '');
    s3.objects.delete(empty);
    const moved = await move(['--files-from', files]);
    expect([moved.code, moved.output]).toEqual([1, expect.stringContaining('2 files damaged')]);
    for (const name of [cut, empty]) expect(moved.output).toContain(name);
    before.delete(empty);
    expect(inBucket()).toEqual(before);
    // Nothing is left to compare with but what the database knows.
    s3.objects.set(cut, Buffer.from('cut'));
    rmSync(join(files, cut));
    rmSync(join(files, empty));
    const alone = await move(['--files-from', files]);
    expect([alone.code, alone.output]).toEqual([1, expect.stringContaining('1 file damaged')]);
    expect(alone.output).toContain(cut);
  });

  it('names files that were lost before, and copies all others (claim: move-files-lost)', async () => {
    const before = contentOf(files);
    const [name] = [...before.keys()] as [string];
    rmSync(join(files, name));
    const moved = await move(['--files-from', files]);
    expect([moved.code, moved.output]).toEqual([1, expect.stringContaining(`in neither place: ${name}.`)]);
    expect(moved.output).toContain('Start the servers with these settings');
    before.delete(name);
    expect(inBucket()).toEqual(before);
    const elsewhere = await move(['--files-from', newFolder()]);
    expect([elsewhere.code, elsewhere.output]).toEqual([1, expect.stringContaining('in neither place')]);
    s3.objects.clear();
    const wrong = await move(['--files-from', newFolder()]);
    expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('Is it the right place?')]);
  });

  it('is refused without a bucket, for what is no folder of uploads, and for two moves in one', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    const empty = join(newFolder(), 'data');
    mkdirSync(empty);
    writeFileSync(join(empty, 'encryption.key'), '');
    for (const [args, reason, more] of [
      [['--files-from', files], 'name no bucket', {}],
      [['--files-from', join(data, 'nowhere')], 'there is no folder', s3.environment],
      [['--files-from', file], 'is no folder', s3.environment],
      [['--files-to', file], 'is no folder', s3.environment],
      [['--files-to', empty], 'is a data folder', s3.environment],
      [['--files-to', files, '--files-from', files], 'Give one of', s3.environment],
      [['--files-to', files, '--to', data], 'Give one of', s3.environment],
      [[], 'Give one of', s3.environment],
      [['--to', ''], 'it is empty', s3.environment],
      [['--files-from', ''], 'it is empty', s3.environment],
      [['--files-to', ''], 'it is empty', s3.environment],
      [['--files-from', files], 'fails', { ...s3.environment, S3_SECRET_KEY: 'wrong' }],
    ] as const) {
      const { code, output } = await move([...args], more);
      expect([code, output]).toEqual([1, expect.stringContaining(reason)]);
      expect(output).not.toContain('    at ');
    }
    expect(s3.objects.size).toBe(0);
    expect(existsSync(join(data, 'nowhere'))).toBe(false);
  });
});
