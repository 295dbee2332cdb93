import { DatabaseFull, DatabaseUnavailable, UniqueViolation, UnstorableText } from './database.ts';

interface PostgresError extends Error {
  code?: string;
  /** The function of PostgreSQL that failed. */
  routine?: string;
  constraint?: string;
}

const DISK_FULL = '53100';
const LOCK_TIMEOUT = '55P03';
const UNIQUE = '23505';
const UNSTORABLE = new Set(['22021', '22P05']);
/** Serialization failure and deadlock: PostgreSQL asks to run the transaction again. */
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * SQLSTATE codes and classes of a server that cannot do the work now: no connection (08), no resources (53), stopped
 * or ended by an administrator (57P), a system fault (58), a time limit (55P03, 57014, 25P03, 25P04), a standby after
 * a fail-over (25006), and what {@link RETRYABLE} still is after several tries.
 */
const UNAVAILABLE = /^(08|53|57P|58|55P03$|57014$|25P03$|25P04$|25006$|40001$|40P01$)/;

/** Errors that end the session: there is nothing to roll back. */
const ENDS_SESSION = /^(08|57P|25P03$|25P04$)/;

/** Node's codes for network failures. */
const NETWORK =
  /^(ECONN|EPIPE$|ETIMEDOUT$|EHOST|ENET|ENOTFOUND$|EAI_AGAIN$|ERR_STREAM|ERR_SOCKET|EADDRNOTAVAIL$)/;

/** The driver gives no codes to its own errors. */
const DRIVER =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout e|Cannot use a pool after)/;

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error)) || isPlanStale(error);
}

/**
 * A prepared statement that selects all columns, after a migration has added one. PostgreSQL gives this no code of its
 * own, and translates the message.
 */
export function isPlanStale(error: unknown): boolean {
  return error instanceof Error && (error as PostgresError).routine === 'RevalidateCachedQuery';
}

/** Others hold what the statement needs, or wait for what its transaction holds. */
export function isContended(error: unknown): boolean {
  return [LOCK_TIMEOUT, ...RETRYABLE].includes(codeOf(error));
}

/** The statement was not prepared in this session after all: its preparation was cancelled. */
export function isStatementGone(error: unknown): boolean {
  return codeOf(error) === '26000';
}

/** Whether the connection is unusable after this error. */
export function endsSession(error: unknown): boolean {
  const code = codeOf(error);
  return ENDS_SESSION.test(code) || NETWORK.test(code) || DRIVER.test(messageOf(error));
}

/** Whether PostgreSQL has said, in its last words of a session, that it ended it. */
export function wasEnded(error: unknown): boolean {
  return /^(57P|25P0[34])/.test(codeOf(error));
}

/** The error that the rest of the program knows, with the database's own as its cause. */
export function translate(error: PostgresError): Error {
  const { code = '', message } = error;
  if (code === UNIQUE) return new UniqueViolation(error.constraint ?? '', error);
  if (UNSTORABLE.has(code)) return new UnstorableText(message, { cause: error });
  if (code === DISK_FULL) return new DatabaseFull(message, { cause: error });
  const isUnavailable = UNAVAILABLE.test(code) || NETWORK.test(code) || DRIVER.test(message);
  return isUnavailable ? new DatabaseUnavailable(message || code, { cause: error }) : error;
}

/** An error of connecting: whatever its cause, there is no connection at present. */
export function unreachable(error: unknown): DatabaseUnavailable {
  const known = translate(error as Error);
  return known instanceof DatabaseUnavailable
    ? known
    : new DatabaseUnavailable(known.message, { cause: error });
}

/** PostgreSQL ended this one statement: after its time limit, or since a replica had to go on with the log. */
export function isCancelled(error: unknown): boolean {
  return ['57014', '40001'].includes(codeOf(error));
}

/** Whether the statement timed out: a retry would take as long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && /^(Query read timeout|timeout e)/.test(error.message);
}

/** Its own code, or that of the error that caused it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return (error as PostgresError).code ?? codeOf(error.cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
