/**
 * The references: a bare `node:http` server. Answers with BODY_FILE unchanged; with SERIALISE=1 it is parsed once and
 * serialised for each answer.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const text = readFileSync(process.env.BODY_FILE as string, 'utf8');
const object: unknown = JSON.parse(text);
const serialise = process.env.SERIALISE === '1';
const fixed = Buffer.from(text);

const server = createServer((_request, response) => {
  const body = serialise ? Buffer.from(JSON.stringify(object)) : fixed;
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
  });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
