import { type ClientRequest, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Colleague } from './day-people.ts';

/** The kinds whose every event is compared with the log. */
export const AUDITED = ['message.created', 'message.updated', 'inbox'];

/** What one person's stream has brought, however often it was opened. */
export interface Heard {
  readonly person: Colleague;
  /** The place at which it began. */
  from: number;
  readonly places: number[];
}

/** Streams of live events that go on where they were cut off. */
export class DayStreams {
  readonly heard: readonly Heard[];
  resumed = 0;
  /** Times that a stream was told to read everything again. */
  resets = 0;
  readonly #url: string;
  readonly #onInbox: (userId: string, conversation: string) => void;
  readonly #requests = new Map<Heard, ClientRequest>();
  #running = true;

  constructor(
    url: string,
    people: readonly Colleague[],
    onInbox: (userId: string, conversation: string) => void,
  ) {
    this.#url = url;
    this.#onInbox = onInbox;
    this.heard = people.map((person) => ({ person, from: -1, places: [] }));
  }

  /** Resolves when all are open. */
  async open(): Promise<void> {
    await Promise.all(this.heard.map((one) => new Promise<void>((ready) => void this.#follow(one, ready))));
  }

  /** Cuts some off. @param chance gives numbers below 1 */
  drop(part: number, chance: () => number): void {
    for (const request of [...this.#requests.values()]) if (chance() < part) request.destroy();
  }

  close(): void {
    this.#running = false;
    for (const request of this.#requests.values()) request.destroy();
  }

  async #follow(one: Heard, ready: () => void): Promise<void> {
    while (this.#running) {
      await this.#listen(one, ready);
      if (this.#running) this.resumed += 1;
      await pause(Math.random() * 300);
    }
  }

  /** One connection. @returns when it has ended */
  #listen(one: Heard, ready: () => void): Promise<void> {
    const last = one.places.at(-1) ?? one.from;
    const headers = { Cookie: one.person.cookie, ...(last >= 0 && { 'Last-Event-ID': String(last) }) };
    return new Promise((resolve) => {
      const request = get(`${this.#url}/v1/events`, { headers, agent: false }, (response) => {
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const events = (rest + chunk).split('\n\n');
          rest = events.pop() ?? '';
          for (const event of events) this.#take(event, one, ready);
        });
        response.on('close', resolve).on('error', () => resolve());
      });
      this.#requests.set(one, request);
      request.on('error', () => resolve());
    });
  }

  #take(event: string, one: Heard, ready: () => void): void {
    const kind = /^event: (.*)$/m.exec(event)?.[1];
    const place = Number(/^id: (\d+)$/m.exec(event)?.[1] ?? Number.NaN);
    if (kind === 'reset') this.resets += 1;
    if (kind === 'ready') {
      if (one.from < 0) one.from = Number.isNaN(place) ? 0 : place;
      ready();
    }
    if (kind === undefined || !AUDITED.includes(kind)) return;
    one.places.push(place);
    if (kind === 'inbox') {
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '{}') as { conversation?: string };
      if (data.conversation) this.#onInbox(one.person.id, data.conversation);
    }
  }
}
