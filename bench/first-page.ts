import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Comparison, compare } from './load.ts';
import { startSubject } from './process.ts';

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
  const headers = { Cookie: cookie, Accept: 'text/html, */*', 'Accept-Encoding': 'gzip, deflate, br' };
  const kept = await Promise.all(paths.map(async (path) => [path, ...(await answerTo(url + path, headers))]));
  const file = join(folder, 'answers.json');
  writeFileSync(file, JSON.stringify(kept));
  const reference = await startSubject(['bench/bare.ts'], { ANSWERS_FILE: file });
  try {
    return await compare({ url, paths, headers }, { url: reference.url, paths, headers }, seconds, rounds);
  } finally {
    await reference.stop();
  }
}

/** As it is sent: compressed. */
function answerTo(url: string, headers: Record<string, string>): Promise<[headers: object, base64: string]> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, async (answer) => {
      const body = await buffer(answer);
      const { 'content-type': type, 'content-encoding': encoding } = answer.headers;
      const kept = { 'Content-Type': type, 'Content-Encoding': encoding, 'Content-Length': body.length };
      if (answer.statusCode !== 200) reject(new Error(`${url} was answered with ${answer.statusCode}`));
      else resolve([kept, body.toString('base64')]);
    }).once('error', reject);
  });
}
