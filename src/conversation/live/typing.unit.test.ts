import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import type { Database } from '#platform/db/index.ts';
import { Stream } from './stream.ts';
import { passingTyping, type TypingToPass } from './typing.ts';

it('a reader who does not read is spared it, and stays connected', () => {
  const written: string[] = [];
  // Takes what comes and is never done with it.
  const response = new Writable({ highWaterMark: 100, write: (bytes) => written.push(String(bytes)) });
  const stream = new Stream('user', 'session', response as ServerResponse);
  stream.isLive = true;
  const typing = Buffer.from('event: typing\ndata: {}\n\n');
  for (let n = 0; n < 1000; n++) stream.pass(typing);
  expect(response.writableLength).toBeLessThan(200);
  expect(written).toEqual([String(typing)]);
  expect(stream.isClosed).toBe(false);
  // What is stored still comes.
  stream.send('x'.repeat(200), 1);
  expect(response.writableLength).toBeGreaterThan(200);
});

/** A node on PostgreSQL, as far as it matters here. */
function node(deps: { waitingWriters?: number; said?: string[]; now?: () => number }) {
  const { waitingWriters = 0, said = [], now = () => 0 } = deps;
  const passed: TypingToPass[] = [];
  const db = {
    dialect: 'postgres',
    waitingWriters,
    write: (work: (tx: object) => Promise<unknown>) => work({}),
  };
  const typing = passingTyping({
    db: db as unknown as Database,
    clock: now,
    pass: (one) => passed.push(one),
    notify: async (_, text) => said.push(text),
    onError: (error) => expect.unreachable(String(error)),
  });
  return { typing, passed, said };
}

const user = (n: number) => `0190c2a0-0000-7000-8000-${String(n).padStart(12, '0')}`;

it('a thousand people who type at once are told to other nodes in few notifications, none too long', async () => {
  const [one, other] = [node({}), node({})];
  for (let n = 0; n < 1000; n++) {
    const team = user(Math.floor(n / 10));
    one.typing.tell({ user: user(n), team }, { team });
  }
  // Three for each of the hundred places.
  expect(one.passed).toHaveLength(300);
  await expect.poll(() => one.said.length).toBeGreaterThan(0);
  await one.typing.stop();
  expect(one.said.length).toBeLessThan(20);
  expect(Math.max(...one.said.map((text) => Buffer.byteLength(text)))).toBeLessThan(8000);
  for (const text of one.said) other.typing.hear(text);
  expect(other.passed).toEqual(one.passed);
  // A node does not take its own word for that of another one.
  for (const text of one.said) one.typing.hear(text);
  expect(one.passed).toHaveLength(300);
});

it('says nothing to other nodes while writers wait', async () => {
  const busy = node({ waitingWriters: 1 });
  busy.typing.tell({ user: user(1), team: user(2) }, { team: user(2) });
  await busy.typing.stop();
  expect(busy.passed).toHaveLength(1);
  expect(busy.said).toEqual([]);
});

it('tells after a clock was set back, and of a place with more people than it may name', async () => {
  let now = 100_000;
  const { typing, passed, said } = node({ now: () => now });
  const users = Array.from({ length: 500 }, (_, n) => user(n));
  typing.tell({ user: user(1), conversation: user(2) }, { users });
  now -= 50_000;
  typing.tell({ user: user(1), conversation: user(2) }, { users });
  await typing.stop();
  expect([passed.length, said]).toEqual([2, []]);
});
