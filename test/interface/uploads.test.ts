import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Program, startPlatform } from '../support/process.ts';

const MEBIBYTE = 1_048_576;
const SIZE = 192 * MEBIBYTE;

let folder: string;
let environment: NodeJS.ProcessEnv;
let platform: Program;
let cookie: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'));
  environment = {
    PORT: '0',
    DATA_DIR: folder,
    METRICS_TOKEN: 'a-token',
    MAX_UPLOAD_BYTES: String(SIZE),
  };
  platform = await startPlatform(environment);
  const answer = await fetch(`${address()}/v1/users`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      email: 'ada@example.org',
      password: 'a password of length',
      first_name: 'Ada',
      last_name: '',
    }),
  });
  cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
});

afterEach(async () => {
  await platform.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const address = () => platform.found.replace('localhost', '127.0.0.1');

const memory = async () => {
  const text = await (
    await fetch(`${address()}/metrics`, { headers: { Authorization: 'Bearer a-token' } })
  ).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
};

/** An upload that the test writes piece by piece. */
function startUpload() {
  const upload = request(`${address()}/v1/attachments`, {
    method: 'POST',
    headers: { Cookie: cookie, Origin: address(), 'Content-Type': 'multipart/form-data; boundary=b' },
  });
  // biome-ignore lint/suspicious/noExplicitAny: the test inspects the answer
  const answer = new Promise<any>((resolve, reject) => {
    upload.on('response', (response) => resolve(json(response))).on('error', reject);
  });
  answer.catch(() => undefined);
  upload.write('--b\r\nContent-Disposition: form-data; name="file"; filename="large"\r\n\r\n');
  const write = (bytes: Buffer) => new Promise<void>((resolve) => upload.write(bytes, () => resolve()));
  return { write, answer, end: () => upload.end('\r\n--b--\r\n') };
}

it('a large file goes through a server that holds only a piece of it', async () => {
  const before = await memory();
  const upload = startUpload();
  const piece = Buffer.alloc(MEBIBYTE, 1);
  let most = 0;
  for (let sent = 0; sent < SIZE; sent += MEBIBYTE) {
    await upload.write(piece);
    if (sent % (32 * MEBIBYTE) === 0) most = Math.max(most, await memory());
  }
  upload.end();
  const { data } = await upload.answer;
  most = Math.max(most, await memory());
  expect(data[0].size).toBe(SIZE);
  const down = await fetch(`${address()}/v1/attachments/${data[0].id}`, { headers: { Cookie: cookie } });
  let received = 0;
  for await (const chunk of down.body as ReadableStream<Uint8Array>) received += chunk.length;
  expect(received).toBe(SIZE);
  expect(Math.max(most, await memory()) - before).toBeLessThan(SIZE / 2);
});

it('killed while a file arrives, it starts again, and shows nothing half', async () => {
  const upload = startUpload();
  await upload.write(Buffer.alloc(MEBIBYTE));
  const incoming = join(folder, 'files', 'incoming');
  while (!existsSync(incoming) || readdirSync(incoming).length === 0) await upload.write(Buffer.alloc(1));
  await platform.end('SIGKILL');
  await expect(upload.answer).rejects.toThrow();
  platform = await startPlatform(environment);
  const again = startUpload();
  await again.write(Buffer.from('whole'));
  again.end();
  const { data } = await again.answer;
  const down = await fetch(`${address()}/v1/attachments/${data[0].id}`, { headers: { Cookie: cookie } });
  expect(await down.text()).toBe('whole');
  expect(readdirSync(join(folder, 'files'))).toHaveLength(2);
});
