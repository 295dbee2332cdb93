import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Comparison, compare } from './load.ts';
import { type Subject, startSubject } from './process.ts';

/**
 * Fetches what a browser fetched for its first page, many times at once, beside a server that has the same answers ready.
 * @param paths the stream of events is none of them, since it does not end
 */
export async function fetchAll(
  url: string,
  paths: readonly string[],
  cookie: string,
  { folder, seconds, rounds }: { folder: string; seconds: number; rounds: number },
): Promise<Comparison> {
  const headers = headersOf(cookie);
  const reference = await startReady({ url, paths, cookie }, folder);
  try {
    return await compare({ url, paths, headers }, { url: reference.url, paths, headers }, seconds, rounds);
  } finally {
    await reference.stop();
  }
}

const headersOf = (cookie: string) => ({
  ...(cookie !== '' && { Cookie: cookie }),
  Accept: 'text/html, */*',
  'Accept-Encoding': 'gzip, deflate, br',
});

/** Starts a bare server that has ready what another one answers now. @param of an empty cookie is of nobody */
export async function startReady(
  { url, paths, cookie }: { url: string; paths: readonly string[]; cookie: string },
  folder: string,
): Promise<Subject> {
  const headers = headersOf(cookie);
  const kept = await Promise.all(paths.map(async (path) => [path, ...(await answerTo(url + path, headers))]));
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(kept));
  return startSubject(['bench/bare.ts'], { ANSWERS_FILE: file });
}

/** The headers by which a browser works. */
const KEPT = ['content-type', 'content-encoding', 'cache-control', 'link'] as const;

/** As it is sent: compressed. */
function answerTo(
  url: string,
  headers: Record<string, string>,
): Promise<[status: number, headers: object, base64: string]> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (answer) => {
      const body = await buffer(answer);
      const kept = Object.fromEntries(KEPT.map((name) => [name, answer.headers[name]]));
      resolve([answer.statusCode ?? 0, { ...kept, 'content-length': body.length }, body.toString('base64')]);
    }).once('error', reject);
  });
}
