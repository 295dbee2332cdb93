import { randomUUID } from 'node:crypto';
import { withQuery } from './envelope.ts';
import type {
  EventsPage,
  NewSubscription,
  NewWebhookKey,
  ParleyEvent,
  PullQuery,
  Subscription,
  SubscriptionChange,
  SubscriptionWithKey,
} from './types.ts';

interface Asked {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  readonly key?: string;
  readonly repeatable?: boolean;
}

/** Asks as the application. */
interface Asker {
  pathOf(part: string): string;
  all<T>(asked: Asked): Promise<T[]>;
  one<T>(asked: Asked): Promise<T>;
  page<T>(asked: Asked): Promise<{ readonly data: T[]; readonly meta: object }>;
}

/** The application's subscriptions, and reading by pages. */
export class Subscriptions {
  readonly #credentials: Asker;

  constructor(credentials: Asker) {
    this.#credentials = credentials;
  }

  /** @returns with a webhook also its `key`, which no other answer shows */
  create(subscription: NewSubscription): Promise<SubscriptionWithKey> {
    const path = this.#credentials.pathOf('subscriptions');
    return this.#credentials.one({ method: 'POST', path, json: subscription, key: randomUUID() });
  }

  list(): Promise<Subscription[]> {
    return this.#credentials.all({ method: 'GET', path: this.#credentials.pathOf('subscriptions') });
  }

  get(id: string): Promise<Subscription> {
    return this.#credentials.one({ method: 'GET', path: this.#path(id) });
  }

  change(id: string, change: SubscriptionChange): Promise<SubscriptionWithKey> {
    return this.#credentials.one({ method: 'PATCH', path: this.#path(id), json: change });
  }

  async delete(id: string): Promise<void> {
    await this.#credentials.all({ method: 'DELETE', path: this.#path(id) });
  }

  /** Another key for the webhook. The one before is good for the overlap. */
  newKey(id: string, overlap: { overlap_seconds?: number } = {}): Promise<NewWebhookKey> {
    return this.#credentials.one({ method: 'POST', path: `${this.#path(id)}/key`, json: overlap });
  }

  /** Sends a range of events to the webhook once more. `since` and `until`: times in seconds, or ids of events. */
  async replay(id: string, range: { since: string; until?: string }): Promise<void> {
    await this.#credentials.all({ method: 'POST', path: `${this.#path(id)}/replays`, json: range });
  }

  /** One page of events, the oldest first. `cursor` goes on after it, also after an empty one. */
  async pull(id: string, query: PullQuery = {}): Promise<EventsPage> {
    const path = withQuery(`${this.#path(id)}/events`, query);
    const { data, meta } = await this.#credentials.page<ParleyEvent>({ method: 'GET', path });
    const {
      next_cursor: cursor = '',
      more = false,
      missed = false,
    } = meta as {
      next_cursor?: string;
      more?: boolean;
      missed?: boolean;
    };
    return { events: data, cursor, more, missed };
  }

  /** The events that there are, page by page, and then the end. */
  async *events(id: string, query: PullQuery = {}): AsyncGenerator<ParleyEvent, void, undefined> {
    let page = await this.pull(id, query);
    yield* page.events;
    while (page.more) {
      const { since: _, ...rest } = query;
      page = await this.pull(id, { ...rest, after: page.cursor });
      yield* page.events;
    }
  }

  /** Sets where a group goes on. `cursor` is that of a page; `since` a time in seconds or the id of an event. */
  async moveGroup(id: string, group: string, to: { cursor: string } | { since: string }): Promise<void> {
    const path = `${this.#path(id)}/consumers/${encodeURIComponent(group)}/cursor`;
    await this.#credentials.all({ method: 'PUT', path, json: to });
  }

  /** Each of these events, and what came before it in its team, is done. */
  async acknowledge(id: string, group: string, events: readonly string[]): Promise<void> {
    const path = `${this.#path(id)}/consumers/${encodeURIComponent(group)}/acknowledgements`;
    await this.#credentials.all({ method: 'POST', path, json: { events }, repeatable: true });
  }

  #path(id: string): string {
    return this.#credentials.pathOf(`subscriptions/${encodeURIComponent(id)}`);
  }
}
