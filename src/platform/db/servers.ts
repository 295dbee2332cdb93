import pg from 'pg';
import { startRounds } from '../jobs/rounds.ts';
import { hostOf, serversOf } from './addresses.ts';
import { DatabaseUnavailable } from './database.ts';

/** How long a server has to say whether it is the primary. */
const PROBE_MS = 2000;
/** How often all servers are asked, also while the primary answers: another one may have been promoted beside it. */
export const LOOK_EVERY_MS = 2000;

/** A promoted server begins another timeline. A standby has none of its own. */
export const TIMELINE = `CASE WHEN pg_is_in_recovery() THEN NULL
  ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END AS timeline`;

/** A connection that is of no use on a server that is not the primary any more. */
interface Follower {
  abandon(reason: Error): void;
}

/** The state of a server, or why it could not be asked. */
interface Found {
  readonly url: string;
  readonly timeline?: string;
  readonly reason: string;
}

/**
 * The servers of one address, as libpq writes several (`postgres://user@one:5432,two:5432/name`): a primary and its
 * standbys. New connections lead to {@link url}, the primary. When another server was promoted, the connections to the
 * one before are ended.
 *
 * **A former primary that comes back** still takes writes, and nobody else would see them. A promotion begins another
 * timeline with a higher number, so a server with a lower one than was seen before is never used, even if no other
 * answers. That holds for one address as well, where finding the primary is the business of a name or of a proxy: each
 * connection says on which timeline it is, and those of an earlier one are ended.
 */
export class Servers {
  readonly #urls: readonly string[];
  /** With the timeline of each, once it is known. */
  readonly #connections = new Map<Follower, string>();
  #rounds: { wake(): void; stop(): Promise<void> } | undefined;
  readonly #onMove: (to: string) => void;
  #url: string;
  #timeline = '';

  private constructor(urls: readonly string[], primary: Found | undefined, onMove: (to: string) => void) {
    this.#urls = urls;
    this.#url = primary?.url ?? (urls[0] as string);
    this.#timeline = primary?.timeline ?? '';
    this.#onMove = onMove;
  }

  /** The only server of an address, primary or not. */
  static only(url: string): Servers {
    return new Servers([url], undefined, ignore);
  }

  /**
   * @param onMove told of the host and port of another primary
   * @throws DatabaseUnavailable with what each server says, if none of several is the primary
   */
  static async find(address: string, onMove: (to: string) => void): Promise<Servers> {
    const urls = serversOf(address);
    if (urls.length === 1) return new Servers(urls, undefined, onMove);
    const found = await Promise.all(urls.map(probe));
    const primary = newest(found);
    if (primary) return new Servers(urls, primary, onMove);
    const reasons = found.map(({ url, reason }) => `${hostOf(url)}: ${reason}`);
    throw new DatabaseUnavailable(`none of its servers is the primary (${reasons.join('; ')})`);
  }

  /** Where a new connection leads. */
  get url(): string {
    return this.#url;
  }

  /** Ends a connection when another server becomes the primary, or has while it was made. @param url where it leads */
  follow(connection: Follower, url: string): void {
    if (url !== this.#url) connection.abandon(moved());
    else this.#connections.set(connection, '');
  }

  /**
   * A connection leads to a primary of this timeline. Ends those of earlier ones.
   * @throws DatabaseUnavailable if another server was the primary after it
   */
  accept(connection: Follower, timeline: string): void {
    if (timeline < this.#timeline) throw new DatabaseUnavailable('the server is a former primary');
    this.#timeline = timeline;
    if (this.#connections.has(connection)) this.#connections.set(connection, timeline);
    for (const [other, its] of this.#connections) if (its !== '' && its < timeline) other.abandon(moved());
  }

  /** A connection has ended, or could not be made: its server may be gone. */
  leave(connection: Follower): void {
    this.#connections.delete(connection);
    this.#rounds?.wake();
  }

  /** Begins to look for another primary, where there is a choice. */
  watch(): void {
    if (this.#urls.length === 1) return;
    this.#rounds = startRounds({ work: () => this.#look(), intervalMs: LOOK_EVERY_MS, onError: ignore });
  }

  async close(): Promise<void> {
    await this.#rounds?.stop();
  }

  async #look(): Promise<void> {
    const found = await Promise.all(this.#urls.map(probe));
    const known = found.filter(({ timeline }) => timeline !== undefined && timeline >= this.#timeline);
    const primary = newest(known, this.#url);
    if (!primary) return;
    this.#timeline = primary.timeline ?? this.#timeline;
    if (primary.url === this.#url) return;
    this.#url = primary.url;
    this.#onMove(hostOf(primary.url));
    for (const connection of this.#connections.keys()) connection.abandon(moved());
  }
}

/** The server on the highest timeline. On a tie, as with two poolers of one server, the current one. */
function newest(found: readonly Found[], present?: string): Found | undefined {
  const timelineOf = ({ timeline = '' }: Found) => timeline;
  return found
    .filter(({ timeline }) => timeline !== undefined)
    .sort((a, b) => {
      if (timelineOf(a) !== timelineOf(b)) return timelineOf(a) < timelineOf(b) ? 1 : -1;
      return Number(b.url === present) - Number(a.url === present);
    })[0];
}

async function probe(url: string): Promise<Found> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_MS,
    query_timeout: PROBE_MS,
    application_name: 'parley',
  });
  // A server may end at any time. Its error is that of the statement.
  client.on('error', ignore);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(`SELECT ${TIMELINE}`);
    const timeline = rows[0]?.timeline ?? undefined;
    return timeline === undefined
      ? { url, reason: 'it is a standby' }
      : { url, timeline, reason: 'it is the primary' };
  } catch (error) {
    const { message, code, errors } = error as AggregateError & { code?: string };
    return { url, reason: message || errors?.map((one: Error) => one.message).join(', ') || String(code) };
  } finally {
    client.end(ignore);
  }
}

const moved = () => new DatabaseUnavailable('another server is the primary now');
const ignore = () => undefined;
