import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer, Client } from './client.ts';
import { ask } from './cluster.ts';
import type { EventStream } from './event-stream.ts';

/** Members who post continuously and record the answers. */
export interface Load {
  /** The ids of acknowledged messages. */
  readonly posted: string[];
  /** Answers that say "later". */
  readonly refused: Answer[];
  /** Unexpected answers, and connections that ended without one. */
  readonly wrong: unknown[];
  /** Resolves when so many more were acknowledged. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Each post has a key, so that one that was refused, or whose answer was lost, is repeated until it is stored once.
 * @param options.roams whether a post goes on at the next client where nobody answers, as behind a proxy
 */
export function startLoad(clients: readonly Client[], team: string, options: { roams?: boolean } = {}): Load {
  const load = randomUUID();
  const posted: string[] = [];
  const refused: Answer[] = [];
  const wrong: unknown[] = [];
  const waiting = new Set<() => void>();
  let running = true;

  async function post(writer: number, text: string): Promise<void> {
    const headers = { 'Idempotency-Key': text };
    for (let turn = writer; ; ) {
      const client = clients[turn % clients.length] as Client;
      const sent = client.post('/v1/messages', { text, addressed_teams: [team] }, headers);
      const answer = await (options.roams ? sent.catch(() => undefined) : sent);
      if (!answer) {
        turn++;
        continue;
      }
      if (answer.status === 200) return void posted.push(answer.data[0].id);
      if (answer.code === 5030 && answer.headers.has('retry-after')) refused.push(answer);
      else throw new Error(`${answer.status}: ${answer.text}`);
      await pause(20);
    }
  }

  async function write(writer: number): Promise<void> {
    for (let n = 0; running; n++) {
      try {
        await post(writer, `${load}, writer ${writer}, post ${n}`);
        for (const look of waiting) look();
      } catch (error) {
        wrong.push(error);
        for (const look of waiting) look();
        return;
      }
    }
  }

  const writers = clients.map((_, writer) => write(writer));
  return {
    posted,
    refused,
    wrong,
    more: (count) => {
      const wanted = posted.length + count;
      return new Promise((resolve, reject) => {
        const look = () => {
          if (wrong.length === 0 && posted.length < wanted) return;
          waiting.delete(look);
          if (wrong.length > 0) reject(wrong[0]);
          else resolve();
        };
        waiting.add(look);
        look();
      });
    },
    stop: async () => {
      running = false;
      await Promise.all(writers);
    },
  };
}

/** Waits until a stream has brought all of some messages. @returns the ids it brought, in their order */
export async function broughtBy(stream: EventStream, ids: readonly string[]): Promise<string[]> {
  const brought = () => stream.of('message.created').map(({ data }) => data.message.id as string);
  await stream.until(() => {
    const found = new Set(brought());
    return ids.every((id) => found.has(id));
  });
  return brought();
}

/** After a fault, each acknowledged message must be stored once, with gapless sequence numbers. */
export async function expectNothingLost(databaseUrl: string, posted: readonly string[]): Promise<void> {
  const rows = await ask<{ id: string; seq: string }>(
    databaseUrl,
    'SELECT id, seq FROM messages ORDER BY seq',
  );
  expect(new Set(posted).size).toBe(posted.length);
  expect(rows.map(({ id }) => id).sort()).toEqual([...posted].sort());
  expect(rows.map(({ seq }) => Number(seq))).toEqual(rows.map((_, index) => index + 1));
}
