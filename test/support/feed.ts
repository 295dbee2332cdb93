import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Client } from './client.ts';
import { closed, problemIn } from './openapi.ts';
import type { RegisteredApplication } from './people.ts';
import type { TestServer } from './server.ts';
import { ServerSent } from './server-sent.ts';

/** An event as an application gets it. */
export interface Heard {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of every kind
  readonly data: any;
}

interface Described {
  readonly name: string;
  readonly payload: { readonly $ref: string };
}

/** The committed description of the events. */
export const asyncapi = JSON.parse(readFileSync(new URL('../../asyncapi.json', import.meta.url), 'utf8')) as {
  readonly components: { readonly messages: Readonly<Record<string, Described>> };
};
const exactly = closed(asyncapi);
const payloads = new Map(
  Object.values(asyncapi.components.messages).map(({ name, payload }) => [name, payload.$ref]),
);

/** Throws when an event is not one that asyncapi.json describes, or has a field that is not described. */
export function expectDescribed(event: { readonly type: string }): void {
  const payload = payloads.get(event.type);
  const problem = payload ? problemIn('asyncapi.json', exactly, payload, event) : 'it has no such kind';
  if (problem !== undefined) throw new Error(`${event.type} differs from asyncapi.json: ${problem}`);
}

/** The address of a subscription. */
export const pathOf = (application: RegisteredApplication, subscription: string) =>
  `/v1/applications/${application.id}/subscriptions/${subscription}`;

/** Subscribes with the application's credentials. @returns the subscription */
export async function subscribe(application: RegisteredApplication, fields: object = {}) {
  const answer = await application.credentials.post(`/v1/applications/${application.id}/subscriptions`, {
    kinds: ['message.posted'],
    ...fields,
  });
  if (answer.status !== 200) throw new Error(`subscribing failed: ${answer.text}`);
  return answer.data[0] as { id: string; key?: string };
}

/** Waits until all that was committed is in the log: PostgreSQL gives places a moment later. */
export async function allPlaced({ running: { db } }: TestServer): Promise<void> {
  const waiting = () => db.all('SELECT kind FROM events WHERE place IS NULL', []);
  await expect.poll(waiting).toEqual([]);
}

/** Every event after a cursor, page by page. */
export async function pullAll(
  client: Client,
  path: string,
  query = 'limit=3',
): Promise<{ events: Heard[]; cursor: string }> {
  const events: Heard[] = [];
  let cursor: string | undefined;
  for (;;) {
    const after = cursor === undefined ? '' : `&after=${cursor}`;
    const answer = await client.get(`${path}/events?${query}${after}`);
    if (answer.status !== 200) throw new Error(`pulling failed: ${answer.text}`);
    answer.data.forEach(expectDescribed);
    events.push(...(answer.data as Heard[]));
    cursor = answer.body.meta.next_cursor as string;
    if (!answer.body.meta.more) return { events, cursor };
  }
}

/** A stream of an application. */
export class Feed extends ServerSent<Heard> {
  /** The data as they came. */
  readonly lines: string[] = [];
  begin: string | undefined;
  /** Called with each event, before the next one is looked at. */
  onEvent: ((event: Heard) => Promise<unknown>) | undefined;

  static async open(
    client: Client,
    path: string,
    {
      consumer = 'default',
      lastId,
      onEvent,
    }: {
      consumer?: string;
      lastId?: string;
      onEvent?: (event: Heard) => Promise<unknown>;
    } = {},
  ): Promise<Feed> {
    const abort = new AbortController();
    const headers = { ...client.credentials(), ...(lastId !== undefined && { 'Last-Event-ID': lastId }) };
    const response = await fetch(`${client.url}${path}/stream?consumer=${consumer}`, {
      headers,
      signal: abort.signal,
    });
    const feed = new Feed(response.status, abort);
    feed.onEvent = onEvent;
    if (feed.read(response)) await feed.until(() => feed.begin !== undefined);
    return feed;
  }

  protected async take(field: (name: string) => string | undefined): Promise<void> {
    const kind = field('event');
    if (kind === undefined) return;
    if (field('id') === undefined) this.begin = kind;
    else {
      const line = field('data') ?? '';
      const event = JSON.parse(line) as Heard;
      this.lines.push(line);
      this.events.push(event);
      await this.onEvent?.(event);
    }
  }
}
