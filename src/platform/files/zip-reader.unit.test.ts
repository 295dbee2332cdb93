import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { BadArchive, type ZipEntry, ZipReader } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'archive.zip');

const contents = { packed: 'again and '.repeat(9), 'as it is': 'once' };

/** @param forceZip64Format as archives beyond 4 GB are */
function make(forceZip64Format: boolean): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(contents)) {
    zip.addBuffer(Buffer.from(content), name, { compress: name === 'packed', forceZip64Format });
  }
  zip.end({ forceZip64Format, comment: '' });
  return buffer(zip.outputStream);
}

/** @returns the entries, or undefined for a refused archive */
async function read(bytes: Uint8Array): Promise<Record<string, string> | undefined> {
  writeFileSync(file, bytes);
  let zip: ZipReader | undefined;
  try {
    zip = await ZipReader.open(file);
    const found: Record<string, string> = {};
    for (const entry of zip.entries) found[entry.name] = `${await buffer(zip.content(entry))}`;
    return found;
  } catch (error) {
    if (!(error instanceof BadArchive)) throw error;
    return undefined;
  } finally {
    await zip?.close();
  }
}

describe.each([
  ['small', false],
  ['large', true],
])('an archive in the form of %s ones', (_, forceZip64Format) => {
  it('returns the packed content', async () => {
    expect(await read(await make(forceZip64Format))).toEqual(contents);
  });

  it('is refused wherever it ends too early', async () => {
    const whole = await make(forceZip64Format);
    for (let length = 0; length < whole.length; length++) {
      expect([length, await read(whole.subarray(0, length))]).toEqual([length, undefined]);
    }
  });

  it('never gives other contents, whichever byte is damaged', async () => {
    const whole = await make(forceZip64Format);
    const sound: string[] = Object.values(contents);
    for (let at = 0; at < whole.length; at++) {
      for (const value of [0xff, (whole[at] as number) ^ 1]) {
        const damaged = Buffer.from(whole);
        damaged[at] = value;
        const found = Object.values((await read(damaged)) ?? {});
        expect([at, value, found.filter((content) => !sound.includes(content))]).toEqual([at, value, []]);
      }
    }
  });
});

it('gives no more of an entry than the size that it declares', async () => {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.alloc(1_000_000), 'packed', { compress: true });
  zip.end();
  writeFileSync(file, await buffer(zip.outputStream));
  const reader = await ZipReader.open(file);
  const [entry] = reader.entries;
  let given = 0;
  const reading = async () => {
    for await (const chunk of reader.content({ ...entry, size: 1000 } as ZipEntry)) given += chunk.length;
  };
  await expect(reading()).rejects.toThrow(BadArchive);
  expect(given).toBeLessThanOrEqual(1000);
  await reader.close();
});
