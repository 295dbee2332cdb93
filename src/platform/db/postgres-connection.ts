import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import pg from 'pg';
import { DatabaseUnavailable } from './database.ts';
import { isPlanStale, translate } from './postgres-errors.ts';
import { type Servers, TIMELINE } from './servers.ts';

/** The addresses of PostgreSQL and the timeouts. All times are in milliseconds. */
export interface PostgresSettings {
  readonly servers: Servers;
  /** Where notifications are heard; `servers` without it. */
  readonly listeningServers?: Servers | undefined;
  /** A pooler in between that lends a session for one transaction; undefined if each connection has its own. */
  readonly pooler?: Pooler | undefined;
  /** The most connections of this process, without the one that listens. */
  readonly connections: number;
  /** For a free connection, or for PostgreSQL to accept a new one. */
  readonly connectMs: number;
  /** For one statement. */
  readonly statementMs: number;
  /** For a lock of another transaction. */
  readonly lockMs: number;
  /** Idle time within a transaction after which PostgreSQL ends the session. */
  readonly idleMs: number;
}

export interface Pooler {
  /** Whether a statement that was prepared in one session can be run in another one. */
  readonly keepsStatements: boolean;
}

/** A frozen machine or a cut network sends no answer: this process then gives up, later than PostgreSQL would. */
export const STATEMENT_GRACE_MS = 2000;
const KEEP_ALIVE_MS = 10_000;

/** The class of SQLSTATE codes that begin a warning. */
const WARNING = '01';

/** Numbers, not strings, for bigint: our times and counters stay below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8
      ? (Number as (text: string) => number)
      : pg.types.getTypeParser(oid, format as 'text'),
};

/**
 * A connection that survives being ended by PostgreSQL at any time: while connecting, in use or idle. Each case emits
 * `error`, which would end the process without a listener. Pending queries fail by themselves, and the pool discards
 * the connection when it is returned.
 */
export class Connection extends pg.Client {
  /** Whether statements stay prepared on it. */
  readonly keepsStatements: boolean;
  #lost: Error | undefined;
  #warning: string | undefined;

  /** Leads to the server that is the primary when it is made. */
  constructor({ servers, keepsStatements, ...options }: ConnectionOptions) {
    const { url } = servers;
    super({ ...options, connectionString: url });
    this.keepsStatements = keepsStatements;
    this.on('connect', () => servers.follow(this, url));
    this.on('error', (error) => {
      this.#lost ??= error;
    });
    this.on('end', () => servers.leave(this));
    this.on('notice', ({ code, message }) => {
      if (code?.startsWith(WARNING)) this.#warning = message;
    });
  }

  /** Ends it at once, with what is under way: its server is not the primary any more, and may not answer. */
  abandon(reason: Error): void {
    socketOf(this).destroy(reason);
  }

  /** The number of its session at PostgreSQL, once it is connected. The driver has it, and its types do not. */
  get session(): number {
    return (this as unknown as { processID: number }).processID;
  }

  /** Why the connection is unusable. */
  get lost(): Error | undefined {
    return this.#lost;
  }

  /** What PostgreSQL has warned of since this was asked last. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }
}

/** The settings of the connection on which notifications are heard. */
export const listening = (settings: PostgresSettings): PostgresSettings => ({
  ...settings,
  servers: settings.listeningServers ?? settings.servers,
});

interface ConnectionOptions extends pg.ClientConfig {
  readonly servers: Servers;
  readonly keepsStatements: boolean;
}

export function connectionOptions({ servers, connectMs, pooler }: PostgresSettings) {
  return {
    servers,
    keepsStatements: pooler?.keepsStatements ?? true,
    connectionTimeoutMillis: connectMs,
    application_name: 'parley',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  };
}

/**
 * PostgreSQL's defaults expect a disk with moving parts and long reports. With them it reads the whole of a table of some
 * hundred rows for each message, and goes on so with a plan that it keeps while the table grows.
 */
const PLANNING = { random_page_cost: 1.1, jit: 'off' };

/**
 * A session's limits and planning, in one statement. They are set here and not in the startup message, which a connection
 * pooler refuses. The last ones free the session of a machine that is gone. A session that belongs to a pooler is left as
 * it is: there, each transaction has its {@link transactionLimits}.
 */
export async function setUpSession(client: pg.ClientBase, settings: PostgresSettings): Promise<void> {
  if (settings.pooler) return;
  const values = {
    ...limitsOf(settings),
    ...PLANNING,
    tcp_user_timeout: 3 * KEEP_ALIVE_MS,
    tcp_keepalives_idle: KEEP_ALIVE_MS / 1000,
    tcp_keepalives_interval: KEEP_ALIVE_MS / 2000,
    tcp_keepalives_count: 4,
  };
  await ask(client, setting(values, 'session'), [], settings.connectMs);
}

/**
 * Prepares a session at the primary.
 * @throws DatabaseUnavailable on a standby, which would refuse each write, and on a former primary, which would take it
 */
export async function beginSession(client: pg.ClientBase, settings: PostgresSettings): Promise<void> {
  await setUpSession(client, settings);
  const timeline = await timelineOf(client, settings);
  if (timeline === null) throw new DatabaseUnavailable('the server is a standby');
  // Every client is a connection.
  if (timeline !== undefined) settings.servers.accept(client as Connection, timeline);
}

const STANDBY = 'SELECT pg_is_in_recovery() AS standby';

/** Null on a standby, undefined on a primary that speaks PostgreSQL and has no timelines. */
async function timelineOf(client: pg.ClientBase, { connectMs }: PostgresSettings) {
  try {
    const found = await ask<{ timeline: string | null }>(client, `SELECT ${TIMELINE}`, [], connectMs);
    return found[0]?.timeline;
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const [row] = await ask<{ standby: boolean }>(client, STANDBY, [], connectMs);
    return row?.standby ? null : undefined;
  }
}

/** The statement that limits the transaction in which it runs, where the session is a pooler's. */
export function transactionLimits(settings: PostgresSettings): string | undefined {
  return settings.pooler && setting(limitsOf(settings), 'transaction');
}

const limitsOf = ({ statementMs, lockMs, idleMs }: PostgresSettings) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleMs,
});

function setting(values: Record<string, number | string>, scope: 'session' | 'transaction'): string {
  const isLocal = scope === 'transaction';
  const calls = Object.entries(values).map(
    ([name, value]) => `set_config('${name}', '${value}', ${isLocal})`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** How long to wait for the answer to a statement. */
export const answerMs = ({ statementMs }: PostgresSettings) => statementMs + STATEMENT_GRACE_MS;

const held = new WeakSet<Socket>();

const socketOf = (on: pg.ClientBase) =>
  (on as unknown as { connection: { stream: Socket } }).connection.stream;

/** Keeps what is sent on a connection until `later` calls back: it then leaves in one system call. */
export function sendTogether(connection: pg.ClientBase, later: (send: () => void) => unknown): void {
  const stream = socketOf(connection);
  if (held.has(stream)) return;
  held.add(stream);
  stream.cork();
  later(() => {
    held.delete(stream);
    stream.uncork();
  });
}

/**
 * Begins a statement whose best plan depends on its values: it is planned with them each time. PostgreSQL would plan any
 * other one without them after a few times.
 */
export const PLANNED_EACH_TIME = '/* planned each time */';

const names = new Map<string, string>();

/** How often a newer release has changed tables under statements that this process has prepared. */
let schemaChanges = 0;

/** Another text is prepared separately, also by a pooler, which knows statements by their text. */
const textOf = (sql: string) => (schemaChanges === 0 ? sql : `${sql} /* ${schemaChanges} */`);

/**
 * A named statement is parsed and planned once per connection. The name is derived from the text, so that it means
 * the same in all processes, even on a shared session.
 */
function nameOf(sql: string, on: pg.ClientBase): string | undefined {
  if (!(on as Connection).keepsStatements || sql.startsWith(PLANNED_EACH_TIME)) return undefined;
  let name = names.get(sql);
  if (!name && names.size < 1000) {
    name = `p${createHash('sha256').update(sql).digest('base64url').slice(0, 32)}`;
    names.set(sql, name);
  }
  return name;
}

/**
 * Runs one statement. After a change of the schema it may fail once; tried again, it is prepared again.
 * @param waitMs for its answer; undefined waits without limit
 * @throws the error as {@link translate} maps it
 */
export async function ask<Row>(
  on: pg.ClientBase,
  sql: string,
  parameters: readonly unknown[],
  waitMs: number | undefined,
): Promise<Row[]> {
  const changes = schemaChanges;
  const text = textOf(sql);
  const name = nameOf(text, on);
  const query = {
    ...(name && { name }),
    text,
    values: [...parameters],
    ...(waitMs !== undefined && { query_timeout: waitMs }),
  };
  try {
    return (await on.query(query)).rows as Row[];
  } catch (error) {
    if (isPlanStale(error) && changes === schemaChanges) schemaChanges++;
    throw translate(error as Error);
  }
}

/** BEGIN, COMMIT and ROLLBACK, and what is sent with them. @returns the last one's result */
export async function control(
  client: pg.ClientBase,
  command: string,
  waitMs: number | undefined,
): Promise<pg.QueryResult> {
  const query = { text: command, ...(waitMs !== undefined && { query_timeout: waitMs }) };
  try {
    // The driver gives one result for each of several statements.
    const done = (await client.query(query)) as pg.QueryResult | pg.QueryResult[];
    return Array.isArray(done) ? (done.at(-1) as pg.QueryResult) : done;
  } catch (error) {
    throw translate(error as Error);
  }
}
