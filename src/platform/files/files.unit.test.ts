import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { expectedSignature, TestS3 } from '../../../test/support/s3.ts';
import { type FileStore, FileStoreUnavailable, FolderStore, newFileName, Spool } from './index.ts';
import { objectUrl, S3Store } from './s3-store.ts';

let folder: string;
let spool: Spool;
let s3: TestS3;
let stores: FileStore[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
  spool = new Spool(join(folder, 'incoming'));
  s3 = await new TestS3().start();
  stores = [];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await s3.stop();
  rmSync(folder, { recursive: true, force: true });
});

function open(kind: 'folder' | 's3', options: object = {}): FileStore {
  const { endpoint, bucket, keys } = s3;
  const store =
    kind === 'folder'
      ? new FolderStore(folder)
      : new S3Store({ endpoint, bucket, ...keys, addressing: 'path', retryDelayMs: 0, ...options });
  stores.push(store);
  return store;
}

const spooled = (content: string) => spool.receive(Readable.from([Buffer.from(content)]));
const read = async (content: Promise<Readable | undefined>) => {
  const stream = await content;
  return stream && (await buffer(stream)).toString();
};
const waiting = () => readdirSync(join(folder, 'incoming'));

describe.each(['folder', 's3'] as const)('a store: %s', (kind) => {
  it('keeps a file, gives it whole or in part, and deletes it', async () => {
    const store = open(kind);
    const name = newFileName();
    await store.put(name, await spooled('0123456789'));
    expect(waiting()).toEqual([]);
    expect(await read(store.get(name))).toBe('0123456789');
    expect(await read(store.get(name, { first: 0, last: 0 }))).toBe('0');
    expect(await read(store.get(name, { first: 3, last: 5 }))).toBe('345');
    await store.delete(name);
    await store.delete(name);
    expect(await store.get(name)).toBeUndefined();
  });

  it('keeps an empty file, and one of several pieces', async () => {
    const store = open(kind);
    const [empty, large] = [newFileName(), newFileName()];
    await store.put(empty, await spooled(''));
    await store.put(
      large,
      await spool.receive(Readable.from([Buffer.alloc(70_000, 1), Buffer.alloc(70_000, 2)])),
    );
    expect(await read(store.get(empty))).toBe('');
    const content = await buffer((await store.get(large)) as Readable);
    expect([content.length, content[69_999], content[70_000]]).toEqual([140_000, 1, 2]);
  });

  it.each(['../../etc/passwd', 'ab/../../../x', '/etc/passwd', 'x', ''])(
    'takes no name of others: %j',
    async (name) => {
      const store = open(kind);
      await expect(async () => store.get(name)).rejects.toThrow('No name of a file');
      await expect(async () => store.delete(name)).rejects.toThrow('No name of a file');
      await expect(async () => store.put(name, await spooled('x'))).rejects.toThrow('No name of a file');
    },
  );
});

it('names are random, and spread over folders', () => {
  const names = Array.from({ length: 100 }, newFileName);
  expect(new Set(names).size).toBe(100);
  expect(new Set(names.map((name) => name.slice(0, 2))).size).toBeGreaterThan(20);
  for (const name of names) expect(name).toMatch(/^([0-9a-f]{2})\/\1[0-9a-f]{38}$/);
});

it('the folder is private to its owner', async () => {
  const name = newFileName();
  await open('folder').put(name, await spooled('x'));
  expect(statSync(join(folder, name)).mode & 0o077).toBe(0);
  expect(statSync(join(folder, name.slice(0, 2))).mode & 0o077).toBe(0);
});

describe('the spool', () => {
  it('returns size and digest', async () => {
    const file = await spooled('abc');
    expect(file).toMatchObject({
      size: 3,
      sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    });
    await file.discard();
    expect(waiting()).toEqual([]);
  });

  it('leaves nothing of an interrupted upload', async () => {
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('broke off');
    };
    await expect(spool.receive(broken())).rejects.toThrow('broke off');
    expect(waiting()).toEqual([]);
  });

  describe('of what is left over', () => {
    const HOUR = 3600_000;

    /** A file of another process, last written so long ago. */
    function written(name: string, ago: number): string {
      const path = join(folder, 'incoming', name);
      writeFileSync(path, 'half');
      const then = (Date.now() - ago) / 1000;
      utimesSync(path, then, then);
      return path;
    }

    it('removes what a crash left, and not what another process receives', async () => {
      await spool.removeLeftovers(HOUR);
      await (await spooled('makes the folder')).discard();
      const [old, young] = [written('old', 2 * HOUR), written('young', HOUR / 2)];
      await spool.removeLeftovers(HOUR);
      expect([existsSync(old), existsSync(young), waiting()]).toEqual([false, true, ['young']]);
    });

    it('keeps what this process uses, however old it seems', async () => {
      let goOn: () => void = () => undefined;
      const rest = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const slow = spool.receive(
        (async function* () {
          yield Buffer.from('half, ');
          await rest;
          yield Buffer.from('whole');
        })(),
      );
      const arrived = await spooled('whole');
      const reserved = await spool.reserve();
      writeFileSync(reserved.path, 'a copy');
      await vi.waitUntil(() => waiting().length === 3);
      for (const name of waiting()) written(name, 100 * HOUR);
      await spool.removeLeftovers(HOUR);
      goOn();
      const whole = await slow;
      expect([whole, arrived, reserved].map(({ path }) => existsSync(path))).toEqual([true, true, true]);
      for (const { discard } of [whole, arrived, reserved]) await discard();
      expect(waiting()).toEqual([]);
    });

    it('goes by the clock of the file system, and not by the one of this machine', async () => {
      await (await spooled('makes the folder')).discard();
      const [old, young] = [written('old', 2 * HOUR), written('young', HOUR / 2)];
      vi.useFakeTimers({ now: Date.now() + 100 * HOUR, toFake: ['Date'] });
      try {
        await spool.removeLeftovers(HOUR);
      } finally {
        vi.useRealTimers();
      }
      expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
    });
  });
});

describe('S3', () => {
  it('is signed as in the example that Amazon publishes', () => {
    const request = {
      method: 'GET',
      url: '/test.txt',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        'x-amz-date': '20130524T000000Z',
      },
    };
    const keys = {
      region: 'us-east-1',
      accessKey: 'AKIAIOSFODNN7EXAMPLE',
      secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    };
    expect(expectedSignature(request, keys, Object.keys(request.headers).sort())).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  it('is asked again when it fails for a moment', async () => {
    const store = open('s3');
    const name = newFileName();
    s3.faults.push(500, 503);
    await store.put(name, await spooled('kept'));
    expect(s3.log).toEqual(['PUT 500', 'PUT 503', 'PUT 200']);
    expect(await read(store.get(name))).toBe('kept');
  });

  it.each([
    ['it keeps failing', {}, [500, 500, 500], 'The file store answered 500 InternalError'],
    ['the secret is wrong', { secretKey: 'guessed' }, [], '403 SignatureDoesNotMatch'],
    ['the access key is wrong', { accessKey: 'guessed' }, [], '403 InvalidAccessKeyId'],
    ['the region is wrong', { region: 'elsewhere' }, [], '403 AuthorizationHeaderMalformed'],
    ['the bucket is not there', { bucket: 'missing' }, [], '404 NoSuchBucket'],
    ['no server answers', { endpoint: 'http://127.0.0.1:1' }, [], 'ECONNREFUSED'],
  ])('says so when %s', async (_, options, faults, message) => {
    const store = open('s3', options);
    const name = newFileName();
    const file = await spooled('x');
    for (const work of [() => store.put(name, file), () => store.get(name), () => store.delete(name)]) {
      s3.faults.push(...faults);
      const error = await work().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(FileStoreUnavailable);
      expect((error as Error).message).toContain(message);
    }
    expect(waiting()).toHaveLength(1);
  });

  it('never passes other bytes for a part', async () => {
    const store = open('s3');
    const name = newFileName();
    await store.put(name, await spooled('0123456789'));
    s3.ignoresRanges = true;
    await expect(store.get(name, { first: 3, last: 5 })).rejects.toThrow(FileStoreUnavailable);
  });

  it('never passes a part for another one', async () => {
    const store = open('s3');
    s3.instead = (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 0-2/10' }).end('012');
    await expect(store.get(newFileName(), { first: 3, last: 5 })).rejects.toThrow(FileStoreUnavailable);
    s3.instead = (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 3-5/10' }).end('345');
    expect(await read(store.get(newFileName(), { first: 3, last: 5 }))).toBe('345');
  });

  it.each([400, 500, 404, 301])('reads the beginning of an error that has no end: %i', async (status) => {
    const store = open('s3');
    let sent = 0;
    s3.instead = (_, response) => {
      response.writeHead(status, { Location: 'http://127.0.0.1:1/' });
      const piece = Buffer.alloc(64 * 1024, '<Code>Endless</Code>');
      const go = () => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
        response.once('drain', go);
      };
      go();
    };
    const error = await store.put(newFileName(), await spooled('x')).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toBe(`The file store answered ${status} Endless`);
    expect(sent).toBeLessThan(100_000_000);
  });

  it('takes a fault for one whose description breaks off', async () => {
    const store = open('s3');
    s3.instead = (_, response) => {
      response.writeHead(403, { 'Content-Length': 1000 });
      response.write('<Error><Code>AccessDenied</Code>', () => response.destroy());
    };
    await expect(store.get(newFileName())).rejects.toThrow('The file store answered 403 AccessDenied');
    await expect(store.get(newFileName())).rejects.toThrow(FileStoreUnavailable);
  });

  it('may have the bucket in front of the host', () => {
    const name = newFileName();
    const where = { endpoint: 'https://s3.example.org:9000', bucket: 'uploads' };
    expect(objectUrl({ ...where, addressing: 'host' }, name)).toBe(
      `https://uploads.s3.example.org:9000/${name}`,
    );
    expect(objectUrl({ ...where, addressing: 'path' }, name)).toBe(
      `https://s3.example.org:9000/uploads/${name}`,
    );
  });
});
