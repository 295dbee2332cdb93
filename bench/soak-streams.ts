/**
 * The other end of many streams of live events, in a process of its own: opens one for each cookie in COOKIES_FILE (one a
 * line), at URLS in turns, and goes on at the next address when one ends. Asked by SIGUSR2, it writes what each has heard to
 * HEARD_FILE: a line with the number of messages and {@link chained} over their ids.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { chained } from './soak-audit.ts';

const urls = (process.env.URLS as string).split(',');
const cookies = readFileSync(process.env.COOKIES_FILE as string, 'utf8')
  .trim()
  .split('\n');
const HEARD_FILE = process.env.HEARD_FILE as string;
const AT_ONCE = 200;
const LONGEST_PAUSE_MS = 500;
const READY = /^event: ready$/m;
const MESSAGE = /^event: message\.created$/m;

interface Heard {
  count: number;
  chain: string;
  lastId: string | undefined;
}

let reconnected = 0;
const all: Heard[] = cookies.map(() => ({ count: 0, chain: '', lastId: undefined }));

/** One connection. @returns when it has ended */
function listen(url: string, cookie: string, heard: Heard, onReady: () => void): Promise<void> {
  return new Promise((resolve) => {
    const headers = { Cookie: cookie, ...(heard.lastId !== undefined && { 'Last-Event-ID': heard.lastId }) };
    const request = get(`${url}/v1/events`, { headers, agent: false }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const events = (rest + chunk).split('\n\n');
        rest = events.pop() ?? '';
        for (const event of events) {
          take(event, heard);
          if (READY.test(event)) onReady();
        }
      });
      response.on('close', resolve).on('error', resolve);
    });
    request.on('error', () => resolve());
  });
}

function take(event: string, heard: Heard): void {
  heard.lastId = /^id: (.*)$/m.exec(event)?.[1] ?? heard.lastId;
  if (!MESSAGE.test(event)) return;
  const { message } = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '') as { message: { id: string } };
  heard.count++;
  heard.chain = chained(heard.chain, message.id);
}

/** Resolves when the stream is open for the first time. It then goes on for ever. */
function follow(index: number): Promise<void> {
  return new Promise((resolve) => {
    const keep = async () => {
      for (let turn = index; ; turn++) {
        const url = urls[turn % urls.length] as string;
        await listen(url, cookies[index] as string, all[index] as Heard, resolve);
        reconnected++;
        await pause(Math.random() * LONGEST_PAUSE_MS);
      }
    };
    void keep();
  });
}

for (let from = 0; from < cookies.length; from += AT_ONCE) {
  await Promise.all(cookies.slice(from, from + AT_ONCE).map((_, index) => follow(from + index)));
}
console.log('listening on http://streams');
process.on('SIGUSR2', () => {
  const lines = all.map(({ count, chain }) => `${count} ${chain}`);
  writeFileSync(`${HEARD_FILE}.part`, [reconnected, ...lines].join('\n'));
  renameSync(`${HEARD_FILE}.part`, HEARD_FILE);
  console.log(`written ${reconnected}.`);
});
process.on('SIGTERM', () => process.exit(0));
