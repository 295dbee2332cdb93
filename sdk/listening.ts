import { setTimeout as pause } from 'node:timers/promises';
import type { Credentials } from './credentials.ts';
import { type ErrorItem, isRefusal, ParleyError } from './errors.ts';
import type { Handlers } from './handlers.ts';
import { HandlingOrder } from './handling-order.ts';
import { throwNamed } from './http.ts';
import { type Entry, Ledger } from './ledger.ts';
import type { Listening, ListenOptions } from './listen-options.ts';
import { tellDone } from './respond.ts';
import { type ServerEvent, serverEvents } from './server-events.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { EventFilter, EventKind, ParleyEvent, Subscription } from './types.ts';

/** The server sends a comment at least every 25 seconds. Without a byte for this long the connection is dead. */
const SILENCE_MS = 60_000;
/** Until the next connection, when the server did not say how long. */
const RETRY_MS = 2000;
/** The longest pause between connections that fail. */
const LONGEST_RETRY_MS = 30_000;
/** Before further attempts at an event whose handler throws; all of them within the minute that the server waits. */
const RETRY_AFTER_MS = [200, 1000, 5000, 15_000];
/** In one request. */
const MOST_ACKNOWLEDGED = 500;
const NOT_FOUND = 4040;

interface Parts {
  readonly credentials: Credentials;
  readonly subscriptions: Subscriptions;
  readonly handlers: Handlers;
}

/** Opens the stream. @throws ParleyError when the platform refuses it */
export async function listen(parts: Parts, options: ListenOptions): Promise<Listening> {
  if (parts.handlers.kinds.length === 0)
    throw new TypeError('There is nothing to hear: call app.on() before app.listen()');
  const listener = new Listener(parts, options);
  await listener.start();
  return { stop: () => listener.stop() };
}

class Listener {
  readonly #parts: Parts;
  readonly #group: string;
  readonly #options: ListenOptions;
  readonly #onError: (error: unknown, event?: ParleyEvent) => void;
  readonly #stopping = new AbortController();
  readonly #order = new HandlingOrder();
  #connection = new AbortController();
  #subscription: string | undefined;
  #retryMs = RETRY_MS;
  #isOpen: (() => void) | undefined;
  #done: string[] = [];
  #acknowledging: Promise<void> | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(parts: Parts, options: ListenOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#group = options.group ?? 'default';
    this.#subscription = options.subscription;
    this.#onError = options.onError ?? ((error) => console.error(error));
  }

  /** Resolves when the stream is open. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#isOpen = resolve;
      this.#ended = this.#run(reject);
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#order.ended();
    while (this.#acknowledging) await this.#acknowledging;
    this.#connection.abort();
    await this.#ended;
  }

  async #run(refuse: (error: unknown) => void): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted; ) {
      try {
        await this.#connect(() => {
          failures = 0;
        });
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        if (this.#isOpen && isRefusal(error)) return refuse(error);
        this.#forgetSubscription(error);
        failures += 1;
        this.#onError(error);
      }
      const waitMs = Math.min(this.#retryMs * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  /** One that was deleted is made again, unless the caller named it. */
  #forgetSubscription(error: unknown): void {
    if (error instanceof ParleyError && error.code === NOT_FOUND)
      this.#subscription = this.#options.subscription;
  }

  /** Reads one connection to its end. What it brought and is not begun is left to the next one. */
  async #connect(onOpen: () => void): Promise<void> {
    this.#subscription ??= await findOrMake(this.#parts, this.#options.filter ?? {});
    const connection = new AbortController();
    this.#connection = connection;
    if (this.#stopping.signal.aborted) return;
    const ledger = new Ledger();
    const silence = setTimeout(() => connection.abort(new Error('The stream is silent')), SILENCE_MS);
    try {
      const response = await this.#request(connection.signal);
      for await (const event of serverEvents(response, () => silence.refresh())) {
        if (event.event === 'ready' || event.event === 'reset') onOpen();
        this.#take(event, ledger, connection.signal);
      }
    } finally {
      clearTimeout(silence);
      connection.abort();
    }
  }

  async #request(signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
    const { credentials } = this.#parts;
    const path = credentials.pathOf(`subscriptions/${this.#subscription}/stream?consumer=${this.#group}`);
    const headers = { Authorization: credentials.authorization };
    const url = credentials.baseUrl + path;
    const response = await fetch(url, { headers, signal }).catch((error: unknown) => throwNamed(url, error));
    if (response.status === 200 && response.body) return response.body as AsyncIterable<Uint8Array>;
    const body = (await response.json().catch(() => undefined)) as { errors?: ErrorItem[] } | undefined;
    throw credentials.refusal(response.status, body?.errors ?? []);
  }

  #take({ event, id, data, retry }: ServerEvent, ledger: Ledger, connection: AbortSignal): void {
    if (retry !== undefined) this.#retryMs = retry;
    if (event === 'reset') (this.#options.onMissed ?? printMissed)();
    if (event === 'ready' || event === 'reset') {
      this.#isOpen?.();
      this.#isOpen = undefined;
    }
    if (id === undefined) return;
    const heard = JSON.parse(data) as ParleyEvent;
    const entry = ledger.enter(heard);
    this.#order.add(heard, () => this.#handle(entry, ledger, connection));
  }

  async #handle(entry: Entry, ledger: Ledger, connection: AbortSignal): Promise<void> {
    const { handlers } = this.#parts;
    const { event } = entry;
    const report = (error: unknown) => this.#onError(error, event);
    const isLeft = () => connection.aborted || (this.#stopping.signal.aborted && !ledger.isPassed(entry));
    for (const waitMs of [...(this.#options.retryAfterMs ?? RETRY_AFTER_MS), undefined]) {
      // The server sends it again, to the next connection or to another program of the group.
      if (isLeft()) return;
      entry.begun = true;
      try {
        await this.#order.run(event, () => handlers.run(event, report));
        break;
      } catch (error) {
        report(error);
        if (waitMs === undefined || isRefusal(error)) {
          await handlers.giveUp(event, report);
          break;
        }
      }
      await pause(waitMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    const through = ledger.finish(entry);
    if (through.length === 0) return tellDone(event, report);
    this.#done.push(...through);
    this.#flush();
  }

  #flush(): void {
    this.#acknowledging ??= this.#acknowledge().finally(() => {
      this.#acknowledging = undefined;
      if (this.#done.length > 0) this.#flush();
    });
  }

  /** One request at a time acknowledges all that is done by then. */
  async #acknowledge(): Promise<void> {
    while (this.#done.length > 0) {
      const events = this.#done.splice(0, MOST_ACKNOWLEDGED);
      const { subscriptions } = this.#parts;
      // An event that was not acknowledged comes again, and is known by then.
      await subscriptions.acknowledge(this.#subscription ?? '', this.#group, events).catch(this.#onError);
    }
  }
}

const printMissed = () =>
  console.error('Events were missed: this group was away for longer than they are kept.');

/** The oldest subscription without a webhook that has this filter, with the kinds of the handlers; or a new one. */
async function findOrMake({ subscriptions, handlers }: Parts, filter: EventFilter): Promise<string> {
  const { kinds } = handlers;
  const found = await find(subscriptions, filter);
  if (found) return widen(subscriptions, found, kinds);
  const made = await subscriptions.create({ kinds, ...filter });
  // Of programs that begin at the same moment, all go on with the same one.
  const first = (await find(subscriptions, filter)) ?? made;
  if (first.id !== made.id) await subscriptions.delete(made.id);
  return widen(subscriptions, first, kinds);
}

async function find(subscriptions: Subscriptions, filter: EventFilter): Promise<Subscription | undefined> {
  const fits = (await subscriptions.list()).filter(
    ({ own, webhook, teams, mentions_only, object_type }) =>
      // Its kinds cannot be changed.
      own !== true &&
      webhook === null &&
      mentions_only === (filter.mentions_only ?? false) &&
      object_type === (filter.object_type ?? null) &&
      JSON.stringify(teams?.toSorted() ?? null) === JSON.stringify(filter.teams?.toSorted() ?? null),
  );
  return fits.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1))[0];
}

/** Adds kinds. None is taken away: another program may hear them by the same subscription. */
async function widen(subscriptions: Subscriptions, { id, kinds: asked }: Subscription, kinds: EventKind[]) {
  const missing = kinds.filter((kind) => !asked.includes(kind));
  if (missing.length > 0) await subscriptions.change(id, { kinds: [...(asked as EventKind[]), ...missing] });
  return id;
}
