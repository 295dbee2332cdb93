import { createHash } from 'node:crypto';
import pg from 'pg';
import { translate } from './postgres-errors.ts';

/** The address of PostgreSQL and the timeouts. All times are in milliseconds. */
export interface PostgresSettings {
  readonly url: string;
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

/** A frozen machine or a cut network sends no answer: this process then gives up, later than PostgreSQL would. */
export const STATEMENT_GRACE_MS = 2000;
const KEEP_ALIVE_MS = 10_000;

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
  #lost: Error | undefined;

  constructor(options?: pg.ClientConfig) {
    super(options);
    this.on('error', (error) => {
      this.#lost ??= error;
    });
  }

  /** Why the connection is unusable. */
  get lost(): Error | undefined {
    return this.#lost;
  }
}

export function connectionOptions({ url, connectMs }: PostgresSettings) {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'parley',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types,
  };
}

/**
 * PostgreSQL's own limits for a session, in one statement. They are set here and not in the startup message, which a
 * connection pooler refuses. The last ones free the session of a machine that is gone.
 */
export async function limitSession(client: pg.ClientBase, settings: PostgresSettings): Promise<void> {
  const limits = {
    statement_timeout: settings.statementMs,
    lock_timeout: settings.lockMs,
    idle_in_transaction_session_timeout: settings.idleMs,
    tcp_user_timeout: 3 * KEEP_ALIVE_MS,
    tcp_keepalives_idle: KEEP_ALIVE_MS / 1000,
    tcp_keepalives_interval: KEEP_ALIVE_MS / 2000,
    tcp_keepalives_count: 4,
  };
  const calls = Object.entries(limits).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  await ask(client, `SELECT ${calls.join(', ')}`, [], settings.connectMs);
}

/** How long to wait for the answer to a statement. */
export const answerMs = ({ statementMs }: PostgresSettings) => statementMs + STATEMENT_GRACE_MS;

const names = new Map<string, string>();

/**
 * A named statement is parsed and planned once per connection. The name is derived from the text, so that it means
 * the same in all processes, even on a shared session.
 */
function nameOf(sql: string): string | undefined {
  let name = names.get(sql);
  if (!name && names.size < 1000) {
    name = `p${createHash('sha256').update(sql).digest('base64url').slice(0, 32)}`;
    names.set(sql, name);
  }
  return name;
}

/**
 * Runs one statement. @param waitMs for its answer; undefined waits without limit @throws the error as {@link
 * translate} maps it
 */
export async function ask<Row>(
  on: pg.Pool | pg.ClientBase,
  sql: string,
  parameters: readonly unknown[],
  waitMs: number | undefined,
): Promise<Row[]> {
  const name = nameOf(sql);
  const query = {
    ...(name && { name }),
    text: sql,
    values: [...parameters],
    ...(waitMs !== undefined && { query_timeout: waitMs }),
  };
  try {
    return (await on.query(query)).rows as Row[];
  } catch (error) {
    throw translate(error as Error);
  }
}

/** BEGIN, COMMIT and ROLLBACK. @returns which of them PostgreSQL carried out */
export async function control(
  client: pg.ClientBase,
  command: string,
  waitMs: number | undefined,
): Promise<string> {
  const query = { text: command, ...(waitMs !== undefined && { query_timeout: waitMs }) };
  try {
    return (await client.query(query)).command;
  } catch (error) {
    throw translate(error as Error);
  }
}
