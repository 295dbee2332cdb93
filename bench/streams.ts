/**
 * The other end of many streams of live events, in a process of its own: opens COUNT of them at URL with the cookies in
 * COOKIES_FILE (one a line), and prints for each round of posts, as JSON, when each stream had it.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

const url = new URL(process.env.URL as string);
const cookies = readFileSync(process.env.COOKIES_FILE as string, 'utf8')
  .trim()
  .split('\n');
const MARK = 'event: message.created';

let heard: number[] = [];

function open(cookie: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.write(`GET /v1/events HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`);
    socket.on('data', (text: unknown) => {
      const chunk = text as string;
      if (chunk.includes('event: ready')) resolve(socket);
      if (chunk.includes(MARK)) heard.push(performance.timeOrigin + performance.now());
    });
  });
}

const AT_ONCE = 200;
for (let from = 0; from < cookies.length; from += AT_ONCE) {
  await Promise.all(cookies.slice(from, from + AT_ONCE).map(open));
}
console.log('listening on http://streams');
process.on('SIGUSR2', () => {
  console.log(`heard ${JSON.stringify(heard)}`);
  heard = [];
});
process.on('SIGTERM', () => process.exit(0));
