/**
 * The references: a bare `node:http` server. Answers with BODY_FILE unchanged; with SERIALISE=1 it is parsed once and
 * serialised for each answer. With ANSWERS_FILE it has an answer for each path.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer as bench/first-page.ts keeps it. */
type Kept = [path: string, status: number, headers: Record<string, string>, base64: string];

function ready(file: string): RequestListener {
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept[];
  const answers = new Map(
    kept.map(([path, status, headers, base64]) => [
      path,
      { status, headers, body: Buffer.from(base64, 'base64') },
    ]),
  );
  return (request, response) => {
    const answer = answers.get(request.url ?? '');
    response.writeHead(answer?.status ?? 404, answer?.headers).end(answer?.body);
  };
}

function always(file: string): RequestListener {
  const text = readFileSync(file, 'utf8');
  const object: unknown = JSON.parse(text);
  const serialise = process.env.SERIALISE === '1';
  const fixed = Buffer.from(text);
  return (_request, response) => {
    const body = serialise ? Buffer.from(JSON.stringify(object)) : fixed;
    response.writeHead(200, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
    });
    response.end(body);
  };
}

const { ANSWERS_FILE, BODY_FILE } = process.env;
const server = createServer(ANSWERS_FILE === undefined ? always(BODY_FILE as string) : ready(ANSWERS_FILE));
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
