import type { Database } from '#platform/db/index.ts';
import { findPooler, hears, NoTransactions } from '#platform/db/pooler.ts';
import { PostgresDatabase } from '#platform/db/postgres.ts';
import type { PostgresSettings } from '#platform/db/postgres-connection.ts';
import type { Proof } from '#platform/db/replica.ts';
import { Servers } from '#platform/db/servers.ts';
import { statement } from '#schema';
import type { Config } from './config.ts';
import { ConfigError } from './config-error.ts';

const DIRECT =
  'the address of PostgreSQL itself, or of a pool in session mode (PgBouncer: pool_mode = session)';

const STATEMENT_MODE =
  'DATABASE_URL leads to a connection pooler in statement mode, in which there are no transactions. Use its transaction ' +
  'mode (PgBouncer: pool_mode = transaction) or its session mode, or connect to PostgreSQL itself.';

const LISTENS_NOWHERE =
  'DATABASE_URL leads to a connection pooler in transaction mode, through which notifications do not arrive: set ' +
  `DATABASE_LISTEN_URL to ${DIRECT}.`;

const HEARS_NOTHING =
  'A notification of DATABASE_URL did not arrive at DATABASE_LISTEN_URL: set it to the same database as DATABASE_URL, ' +
  `by ${DIRECT}.`;

const ABSENT =
  'Check its address, user and password, and that PostgreSQL runs there and lets this machine in.';

/**
 * @param onError told of connections that break while idle
 * @param onPrimary told of the host and port of another primary, after a fail-over
 * @throws ConfigError for addresses that cannot be used
 */
export async function connectPostgres(
  config: Config,
  url: string,
  onError: (error: Error) => void,
  onPrimary: (host: string) => void = () => undefined,
): Promise<Database> {
  const { DATABASE_LISTEN_URL: listenUrl, DATABASE_REPLICA_URL: replicaUrl } = config;
  const settings: PostgresSettings = {
    servers: await Servers.find(url, onPrimary),
    listeningServers: listenUrl === undefined ? undefined : await listeningAt(listenUrl),
    connections: config.DATABASE_CONNECTIONS,
    connectMs: config.DATABASE_CONNECT_TIMEOUT * 1000,
    statementMs: config.DATABASE_STATEMENT_TIMEOUT * 1000,
    lockMs: config.DATABASE_LOCK_TIMEOUT * 1000,
    idleMs: config.DATABASE_IDLE_TIMEOUT * 1000,
  };
  const pooler = await findPooler(settings).catch((error: unknown) => {
    throw error instanceof NoTransactions ? new ConfigError(STATEMENT_MODE) : error;
  });
  await refuseDeafness(settings, pooler !== undefined);
  const replica = replicaUrl === undefined ? undefined : { url: replicaUrl, proof };
  const db = new PostgresDatabase({ ...settings, pooler }, onError, replica);
  await refuseOtherEncoding(db).catch(async (error: unknown) => {
    await db.close();
    throw error;
  });
  return db;
}

/** Any text may be written later: better refused at the start than at the first letter that the encoding lacks. */
async function refuseOtherEncoding(db: Database): Promise<void> {
  const [found] = await db.all<{ encoding: string }>(
    "SELECT current_setting('server_encoding') AS encoding",
    [],
  );
  if (found?.encoding !== 'UTF8')
    throw new ConfigError(`The database of DATABASE_URL cannot be used. ${ENCODING}`);
}

const writeMark = statement<{ mark: string }>()((q, p) =>
  q
    .insertInto('server_state')
    .values({ name: 'replica_mark', value: p.mark })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: p.mark })),
);

const findMark = statement<object>()((q) =>
  q.selectFrom('server_state').select('value').where('name', '=', 'replica_mark'),
);

const proof: Proof = {
  write: (tx, mark) => writeMark.run(tx, { mark }),
  read: async (reader) => (await findMark.first(reader, {}))?.value,
};

async function refuseDeafness(settings: PostgresSettings, isPooled: boolean): Promise<void> {
  if (settings.listeningServers === undefined) {
    if (isPooled) throw new ConfigError(LISTENS_NOWHERE);
    return;
  }
  if (!(await hears(settings).catch(refuseListening))) throw new ConfigError(HEARS_NOTHING);
}

const listeningAt = (url: string) => Servers.find(url, () => undefined).catch(refuseListening);

function refuseListening(error: Error): never {
  throw new ConfigError(`DATABASE_LISTEN_URL cannot be used: ${error.message}. ${ABSENT}`);
}

const LOCKED_OUT = 'Check its user and password.';
const UNTRUSTED = 'Check sslmode and sslrootcert in the address, and the certificate of the server.';

/** Advice by SQLSTATE or Node error code; the first match counts. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^28/, LOCKED_OUT],
  [/^3D000$/, 'Make this database (CREATE DATABASE), or correct its name in the address.'],
  [
    /^42501$/,
    'Let its user make tables: make it the owner of the database, or GRANT CREATE ON SCHEMA public to it.',
  ],
  [
    /^(42704|22023|3F000)$/,
    'Correct what follows the ? in the address: its options, limits and search_path.',
  ],
  [/^25006$/, 'It can only be read, as a standby: DATABASE_URL must lead to the primary.'],
  [/^53300$/, 'It takes no more connections: raise its limit, or lower DATABASE_CONNECTIONS.'],
  [/^53/, 'Give it more room, and start again.'],
  [/CERT|^ERR_TLS/, UNTRUSTED],
  [/^(ECONN|EACCES|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_|57P)/, ABSENT],
];

/** Errors of the driver, which have no code. */
const BY_MESSAGE: readonly (readonly [RegExp, string])[] = [
  [/SSL|certificate/i, UNTRUSTED],
  [/^SASL|password/, LOCKED_OUT],
];

const ENCODING =
  "Its encoding is not UTF8: make a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.";

/** The error of a PostgreSQL that cannot be used, with what to do. */
export function ofServer(error: unknown): unknown {
  const { code, message, name, errors, cause } = error as AggregateError & { code?: string };
  const found = code ?? (cause as { code?: string } | undefined)?.code ?? '';
  const reason = message || errors?.map((one: Error) => one.message).join('; ') || found;
  const advice = adviceOn(name, found, reason);
  if (error instanceof ConfigError || advice === undefined) return error;
  return new ConfigError(`The database of DATABASE_URL cannot be used: ${reason}. ${advice}`);
}

function adviceOn(name: string, code: string, reason: string): string | undefined {
  if (name === 'UnstorableText') return ENCODING;
  const known =
    ADVICE.find(([pattern]) => pattern.test(code)) ??
    (code === '' ? BY_MESSAGE.find(([pattern]) => pattern.test(reason)) : undefined);
  return known?.[1] ?? (/^Database(Unavailable|Full)$/.test(name) ? ABSENT : undefined);
}
