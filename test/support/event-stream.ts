import type { Client } from './client.ts';
import { ServerSent } from './server-sent.ts';

/** A server-sent event as a client gets it. */
export interface ServerEvent {
  readonly id: number;
  readonly kind: string;
  // biome-ignore lint/suspicious/noExplicitAny: data of every kind
  readonly data: any;
}

/** The live events of a client. */
export class EventStream extends ServerSent<ServerEvent> {
  /** Begins once the server's first event is there. @param lastId as a browser that comes back sends it */
  static async open(client: Client, lastId?: number | string): Promise<EventStream> {
    const abort = new AbortController();
    const headers = {
      ...client.credentials(),
      ...(lastId !== undefined && { 'Last-Event-ID': String(lastId) }),
    };
    const response = await fetch(`${client.url}/v1/events`, { headers, signal: abort.signal });
    const stream = new EventStream(response.status, abort);
    if (stream.read(response)) await stream.until((events) => events.length > 0);
    return stream;
  }

  /** The id from which a client would resume. */
  get lastId(): number {
    return this.events.at(-1)?.id ?? 0;
  }

  of(kind: string): ServerEvent[] {
    return this.events.filter((event) => event.kind === kind);
  }

  protected take(field: (name: string) => string | undefined): void {
    const kind = field('event');
    if (kind === undefined) return;
    this.events.push({ id: Number(field('id')), kind, data: JSON.parse(field('data') ?? 'null') });
  }
}
