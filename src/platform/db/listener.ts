import {
  beginSession,
  Connection,
  connectionOptions,
  listening,
  type PostgresSettings,
} from './postgres-connection.ts';

const RECONNECT_MS = 1000;

/**
 * Listens on its own connection and reconnects when it breaks. It tells what was said and by which session, and nothing by
 * none when it is connected.
 */
export class Listener {
  readonly #settings: PostgresSettings;
  readonly #channel: string;
  readonly #heard: (said: string, session: number | undefined) => void;
  readonly #onError: (error: Error) => void;
  #client: Connection | undefined;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(
    settings: PostgresSettings,
    channel: string,
    heard: (said: string, session: number | undefined) => void,
    onError: (error: Error) => void,
  ) {
    this.#settings = settings;
    this.#channel = channel;
    this.#heard = heard;
    this.#onError = onError;
    this.#connect();
  }

  /** Does not wait for PostgreSQL, which may be unreachable. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#client?.end(() => undefined);
  }

  #connect(): void {
    const settings = listening(this.#settings);
    const client = new Connection(connectionOptions(settings));
    this.#client = client;
    let isOver = false;
    const over = (error: Error) => {
      if (isOver || this.#stopped) return;
      isOver = true;
      client.end(() => undefined);
      this.#onError(error);
      this.#retry = setTimeout(() => this.#connect(), RECONNECT_MS);
      this.#retry.unref();
    };
    client.on('notification', ({ payload = '', processId }) => this.#heard(payload, processId));
    client.on('error', over);
    client.on('end', () => over(new Error('the connection that listens has ended')));
    client
      .connect()
      // Elsewhere nobody notifies.
      .then(() => beginSession(client, settings))
      .then(() => client.query(`LISTEN ${this.#channel}`))
      // Catches up on notifications missed while disconnected.
      .then(() => this.#heard('', undefined))
      .catch(over);
  }
}
