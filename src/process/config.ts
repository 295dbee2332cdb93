import { Resolver } from 'node:dns';
import { readSender, readSmtpUrl, type SmtpServer } from '#platform/mail/index.ts';
import {
  allowsLoopbackApps,
  contradictions,
  doubts,
  isReachable,
  misspelledNames,
  type S3_SETTINGS,
  unknownNames,
} from './config-checks.ts';
import { ConfigError } from './config-error.ts';
import { readSettingsFile } from './settings-file.ts';

export { ConfigError };

import { isNetwork } from '#platform/network.ts';

interface Setting<T> {
  /** The default in its written form; undefined without one. */
  readonly default: string | undefined;
  readonly help: string;
  readonly secret?: boolean;
  parse(text: string): T;
}

const text = (fallback: string | undefined, help: string, secret = false): Setting<string> => ({
  default: fallback,
  help,
  secret,
  parse: (value) => value,
});

const integer = (fallback: number, min: number, max: number, help: string): Setting<number> => ({
  default: String(fallback),
  help: `${help} (${min} to ${max})`,
  parse: (value) => {
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    throw new Error(`must be a whole number from ${min} to ${max}`);
  },
});

const oneOf = <const Option extends string>(
  options: readonly Option[],
  fallback: Option,
  help: string,
): Setting<Option> => ({
  default: fallback,
  help: `${help} (${options.join(', ')})`,
  parse: (value) => {
    const found = options.find((option) => option === value);
    if (found) return found;
    throw new Error(`must be one of ${options.join(', ')}`);
  },
});

const key = (help: string): Setting<Buffer> => ({
  default: undefined,
  help,
  secret: true,
  parse: (value) => {
    const bytes = Buffer.from(value, 'base64');
    if (bytes.length === 32) return bytes;
    throw new Error('must be 32 bytes in base64, as "openssl rand -base64 32" makes them');
  },
});

const smtpServer = (help: string): Setting<SmtpServer> => ({
  default: undefined,
  help,
  secret: true,
  parse: (value) => {
    const server = readSmtpUrl(value);
    if (server) return server;
    throw new Error('must be like smtp://user:password@mail.example.org:587, or smtps://…');
  },
});

const sender = (help: string): Setting<string> => ({
  default: undefined,
  help,
  parse: (value) => {
    if (readSender(value)) return value;
    throw new Error('must be like parley@example.org, or Parley <parley@example.org>');
  },
});

const contact = (help: string): Setting<string> => ({
  default: undefined,
  help,
  parse: (value) => {
    if (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value) && URL.canParse(value)) return value;
    throw new Error('must be like mailto:security@example.org or https://example.org/security');
  },
});

/** What a header can carry. @param example where a value comes from */
const headerSecret = (help: string, example = ''): Setting<string> => ({
  default: undefined,
  help,
  secret: true,
  parse: (value) => {
    if (/^[!-~]+$/.test(value)) return value;
    throw new Error(`must be of ASCII letters, digits and signs without blanks${example}`);
  },
});

const MOST_PROXIES = 10;
/** Names that the reader of forwarding headers knows. */
const NAMED_NETWORKS = new Set(['loopback', 'linklocal', 'uniquelocal']);

const proxies = (help: string): Setting<'no' | number | readonly string[]> => ({
  default: 'no',
  help,
  parse: (value) => {
    if (value === 'no' || value === '0') return 'no';
    if (value === 'yes') return 1;
    if (/^\d+$/.test(value) && Number(value) <= MOST_PROXIES) return Number(value);
    const list = value.split(',').map((entry) => entry.trim());
    if (list.every((entry) => NAMED_NETWORKS.has(entry) || isNetwork(entry))) return list;
    throw new Error(
      `must be no, yes, the number of proxies (1 to ${MOST_PROXIES}), or their addresses and networks, as 10.0.0.0/8`,
    );
  },
});

const MOST_SET_PROCESSES = 32;

const processes = (help: string): Setting<'auto' | number> => ({
  default: 'auto',
  help: `${help} (auto, 1 to ${MOST_SET_PROCESSES})`,
  parse: (value) => {
    if (value === 'auto') return value;
    if (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_SET_PROCESSES)
      return Number(value);
    throw new Error(`must be auto, or a whole number from 1 to ${MOST_SET_PROCESSES}`);
  },
});

const nameServers = (help: string): Setting<readonly string[]> => ({
  default: undefined,
  help,
  parse: (value) => {
    const list = value.split(',').map((entry) => entry.trim());
    try {
      new Resolver().setServers(list);
      return list;
    } catch {
      throw new Error(
        'must be addresses with commas between them, as 10.0.0.53, 10.0.0.54:5353, [fd00::53]:53',
      );
    }
  },
});

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
type Unit = keyof typeof SECONDS;

/** A plain number is in the setting's unit; one with a suffix is converted. */
const duration = (
  unit: 's' | 'd',
  fallback: number,
  min: number,
  max: number,
  help: string,
): Setting<number> => ({
  default: String(fallback),
  help: `${help} (${min} to ${max}; or with a unit, as ${unit === 's' ? '90s, 15m, 12h, 30d' : '48h, 30d, 2w'})`,
  parse: (value) => {
    const [, digits, suffix = unit] = /^(\d+)([smhdw])?$/.exec(value) ?? [];
    const number = (Number(digits) * SECONDS[suffix as Unit]) / SECONDS[unit];
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    const name = unit === 's' ? 'seconds' : 'days';
    const examples = unit === 's' ? '90s, 12h or 30d' : '48h, 30d or 2w';
    throw new Error(`must be ${min} to ${max} ${name}, as a number, or with a unit, as ${examples}`);
  },
});

const DAY_S = 86_400;

/** Every setting there is. `.env.example` is made from this. */
const settings = {
  PORT: integer(3000, 0, 65_535, 'port to listen on; 0 takes a free one'),
  HOST: text('localhost', 'name or address to listen on; 0.0.0.0 for every interface'),
  BASE_URL: text(undefined, 'address under which people reach the server; default: http://localhost:PORT'),
  DATA_DIR: text('data', 'folder of the embedded database, of uploads and of generated keys'),
  S3_ENDPOINT: text(
    undefined,
    'https://… of an S3-compatible store for uploads; default: a folder in DATA_DIR. The next three belong to it',
  ),
  S3_BUCKET: text(undefined, 'bucket for uploads, of this server alone'),
  S3_ACCESS_KEY: headerSecret('access key of the S3-compatible store'),
  S3_SECRET_KEY: text(undefined, 'secret key of the S3-compatible store', true),
  S3_REGION: text('us-east-1', 'region of the bucket; stores without regions take any'),
  S3_ADDRESSING: oneOf(['path', 'host'], 'path', 'where the bucket’s name stands in an address'),
  COPY_TO: text(
    undefined,
    'folder, or s3://bucket/prefix, to which the embedded database and its uploads are copied all the time; default: none',
  ),
  COPY_SECONDS: duration('s', 1, 1, 3600, 'seconds between two looks at what was committed'),
  COPY_RETENTION: duration(
    's',
    7 * DAY_S,
    2,
    3650 * DAY_S,
    'seconds for which each moment can be restored from the copy',
  ),
  COPY_LOG_BYTES: integer(
    1_073_741_824,
    1_048_576,
    1e12,
    'bytes to which the log of the embedded database may grow while COPY_TO cannot be reached; then the copy starts over',
  ),
  COPY_S3_ENDPOINT: text(undefined, 'https://… of the S3-compatible store of COPY_TO; default: S3_ENDPOINT'),
  COPY_S3_ACCESS_KEY: headerSecret('access key for COPY_TO; default: S3_ACCESS_KEY'),
  COPY_S3_SECRET_KEY: text(undefined, 'secret key for COPY_TO; default: S3_SECRET_KEY', true),
  COPY_S3_REGION: text(undefined, 'region of the bucket of COPY_TO; default: S3_REGION'),
  PROCESSES: processes(
    'processes that share the port, with PostgreSQL alone; auto: one less than processors, at most four, and at most one for each GiB of memory; one with PORT=0 and where it is not Linux',
  ),
  DATABASE_URL: text(
    undefined,
    'postgres://… to use PostgreSQL instead of the embedded database; hosts separated by commas are its primary and standbys',
    true,
  ),
  DATABASE_LISTEN_URL: text(
    undefined,
    'postgres://… of the same database without a pooler in transaction mode, for the one connection that listens; default: DATABASE_URL',
    true,
  ),
  DATABASE_REPLICA_URL: text(
    undefined,
    'postgres://… of one streaming replica, from which lists are read and searched while it keeps up; default: none',
    true,
  ),
  DATABASE_CONNECTIONS: integer(
    20,
    2,
    1000,
    'PostgreSQL connections of this server, at most, shared out to its processes, and one more that listens for each; a quarter of them is kept for reading',
  ),
  DATABASE_CONNECT_TIMEOUT: duration(
    's',
    10,
    1,
    600,
    'seconds to wait for PostgreSQL to accept a connection, or for a free one',
  ),
  DATABASE_STATEMENT_TIMEOUT: duration('s', 15, 1, 3600, 'seconds that one statement may take on PostgreSQL'),
  // A frozen server may still acquire one more row lock, if it was already waiting for it. These two settings bound
  // how long it then blocks the others: at most five seconds.
  DATABASE_LOCK_TIMEOUT: duration(
    's',
    3,
    1,
    3600,
    'seconds to wait on PostgreSQL for what another transaction holds; below DATABASE_STATEMENT_TIMEOUT',
  ),
  DATABASE_IDLE_TIMEOUT: duration(
    's',
    2,
    1,
    3600,
    'seconds after which PostgreSQL ends the transaction of a server that is frozen or cut off, so that the others go on',
  ),
  ENCRYPTION_KEY: key(
    'encrypts client secrets in the database; 32 bytes in base64; default: made in DATA_DIR',
  ),
  COOKIE_KEY: key(
    'signs cookies, picture addresses, response addresses and the unsubscribe links of mails; 32 bytes in base64; default: made in DATA_DIR',
  ),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'], 'info', 'least level of log lines'),
  LOG_FORMAT: oneOf(
    ['auto', 'text', 'json'],
    'auto',
    'log lines for people or for programs; auto: text in a terminal, else json',
  ),
  REGISTRATION: oneOf(
    ['open', 'invite', 'closed'],
    'invite',
    'who may sign up after the first account, which is always accepted; `invite`: with an invitation, a join link or an address in a domain that is let in',
  ),
  PROFILE_VISIBILITY: oneOf(
    ['everyone', 'connections'],
    'everyone',
    'whose profile a signed-in user may read: of everyone, or of members of a common team',
  ),
  CUSTOM_EMOJI: oneOf(
    ['members', 'admins', 'off'],
    'members',
    'who may add emoji: everybody with an account, administrators of the server, or nobody',
  ),
  APPLICATION_POSTING: oneOf(
    ['user', 'team'],
    'user',
    'where an application posts and whose teams and members it lists for a user: all that the user reaches, or the team ' +
      'from which it was opened',
  ),
  ALLOW_LOOPBACK_APPS: oneOf(
    ['auto', 'yes', 'no'],
    'auto',
    'may applications live on this machine, over plain HTTP; auto: while HOST is a loopback address, so is BASE_URL if it is set, and TRUST_PROXY is not set',
  ),
  TRUST_PROXY: proxies(
    'the proxies in front, of which the client’s address is taken (X-Forwarded-For): how many there are, or their ' +
      'addresses and networks (10.0.0.0/8, loopback), with commas; yes: one; no: headers of proxies are ignored',
  ),
  RATE_LIMIT: oneOf(['on', 'off'], 'on', 'rate limits'),
  RATE_LIMIT_TOKEN: integer(3000, 1, 1e9, 'requests a minute for one user, or one user by one application'),
  RATE_LIMIT_APPLICATION: integer(
    6000,
    1,
    1e9,
    'requests a minute with one application’s credentials or its own tokens',
  ),
  RATE_LIMIT_CONVERSATIONS: integer(
    30,
    1,
    1e9,
    'direct conversations a minute that one application begins with people',
  ),
  RATE_LIMIT_ADDRESS: integer(12_000, 1, 1e9, 'requests a minute from one network address'),
  RATE_LIMIT_STRICT: integer(300, 1, 1e9, 'tokens, invitations and mailed links a minute from one address'),
  RATE_LIMIT_SIGN_IN: integer(30, 1, 1e9, 'sign-ins and sign-ups a minute from one address'),
  RATE_LIMIT_ACCOUNT: integer(
    20,
    1,
    1e9,
    'wrong passwords in a row for one account, from one network or from a browser that has signed in before; then ' +
      'they are slowed down (docs/security.md)',
  ),
  RATE_LIMIT_UNKNOWN_BROWSERS: integer(
    50,
    1,
    1e9,
    'wrong passwords in a row for one account from all browsers that never signed in to it; then they are slowed down',
  ),
  RATE_LIMIT_MAIL: integer(
    3,
    1,
    1e9,
    'mails to reset a password or prove an address, a minute for one account',
  ),
  INVITATION_MAILS_PERSON: integer(200, 0, 1e9, 'mails with invitations a day that one person causes'),
  INVITATION_MAILS_TEAM: integer(500, 0, 1e9, 'mails with invitations to one team a day'),
  INVITATION_MAILS_NEW_ACCOUNT: integer(
    20,
    0,
    1e9,
    'mails with invitations that an account causes on its first day; administrators are excepted',
  ),
  MAX_BODY_BYTES: integer(262_144, 1024, 16_777_216, 'largest JSON body, in bytes'),
  WEBHOOK_MAX_BODY_BYTES: integer(
    1_048_576,
    1024,
    33_554_432,
    'largest body of a call to an incoming webhook, in bytes, also once it is unpacked',
  ),
  MAX_UPLOAD_BYTES: integer(26_214_400, 1024, 1_073_741_824, 'largest upload, in bytes'),
  UPLOAD_QUOTA_BYTES: integer(
    5_368_709_120,
    0,
    1e15,
    'bytes of uploads that one user may have; 0 for no limit',
  ),
  ORPHAN_LIFETIME: duration(
    's',
    DAY_S,
    60,
    365 * DAY_S,
    'seconds an upload is kept that no message takes up',
  ),
  MAX_TEXT_LENGTH: integer(16_000, 1, 100_000, 'longest message text, in characters'),
  SESSION_LIFETIME: duration('s', 30 * DAY_S, 60, 3650 * DAY_S, 'seconds a sign-in lasts without use'),
  SESSION_MAX_LIFETIME: duration(
    's',
    90 * DAY_S,
    60,
    3650 * DAY_S,
    'seconds a sign-in lasts however much it is used; then the password is asked for again',
  ),
  CONFIRMATION_LIFETIME: duration(
    's',
    600,
    60,
    DAY_S,
    'seconds after signing in, or showing the password again, in which sensitive acts need no password',
  ),
  CODE_LIFETIME: duration('s', 120, 1, 600, 'seconds an authorization code lives'),
  ACCESS_TOKEN_LIFETIME: duration('s', 3600, 1, DAY_S, 'seconds an access token lives'),
  REFRESH_TOKEN_LIFETIME: duration(
    's',
    60 * DAY_S,
    60,
    3650 * DAY_S,
    'seconds a refresh token lives without use',
  ),
  REFRESH_GRACE: duration('s', 10, 0, 600, 'seconds a rotated refresh token stays good'),
  INTERACTION_EXPIRY: duration(
    's',
    900,
    10,
    DAY_S,
    'seconds after which a click in a message has failed that its application has not answered',
  ),
  SCHEDULED_DAYS: integer(120, 1, 3650, 'days ahead for which a message or a reminder may be scheduled'),
  SCHEDULED_AT_ONCE: integer(
    30,
    1,
    500,
    'scheduled messages of one person to one conversation in five minutes',
  ),
  INVITATION_LIFETIME: duration('s', 14 * DAY_S, 60, 365 * DAY_S, 'seconds an invitation can be accepted'),
  PASSWORD_RESET_LIFETIME: duration('s', 3600, 60, DAY_S, 'seconds a link to reset the password works'),
  EMAIL_VERIFICATION_LIFETIME: duration(
    's',
    7 * DAY_S,
    60,
    365 * DAY_S,
    'seconds a link that proves an address works',
  ),
  SMTP_URL: smtpServer(
    'mail server, smtp://user:password@host:587 or smtps://…; without one, mails are kept for an administrator to read',
  ),
  MAIL_FROM: sender('whom mails come from, Parley <parley@example.org>; needed with SMTP_URL'),
  MAIL_NOTIFICATIONS: oneOf(
    ['on', 'off'],
    'on',
    'mails about messages and memberships; off: only invitations and those about one’s own account',
  ),
  MAIL_BATCH_SECONDS: duration('s', 60, 0, 3600, 'seconds for which messages are collected into one mail'),
  MAIL_RETENTION: duration(
    's',
    30 * DAY_S,
    3600,
    3650 * DAY_S,
    'seconds a mail stays listed for administrators',
  ),
  LINK_PREVIEWS: oneOf(
    ['on', 'off'],
    'on',
    'previews of foreign pages that messages link to, which this server then asks for; off: it asks for none',
  ),
  PUSH: oneOf(['on', 'off'], 'on', 'notifications to browsers and phones, by their push services'),
  PUSH_CONTACT: contact(
    'where push services reach the operator, mailto:… or https://…; default: SECURITY_CONTACT, or BASE_URL',
  ),
  DNS_SERVERS: nameServers(
    'name servers for the addresses of applications and push services, with commas; default: those of the system',
  ),
  CALLBACK_TIMEOUT: duration('s', 10, 1, 60, 'seconds an application has to answer a callback'),
  EVENTS_KEPT: duration(
    'd',
    7,
    1,
    90,
    'days that events are kept for clients that come back and for applications that read them',
  ),
  DELIVERY_RETENTION: duration(
    'd',
    30,
    0,
    36_500,
    'days that calls to applications, and requests of theirs for tokens that failed, are listed for their developers; 0 for ever',
  ),
  AUDIT_RETENTION: duration('d', 365, 0, 36_500, 'days that the audit log is kept; 0 for ever'),
  TEAM_RETENTION: duration('d', 30, 2, 3650, 'days that a deleted team can be restored, before it is erased'),
  ADMIN_BACKUP: oneOf(
    ['on', 'off'],
    'off',
    'may administrators download a backup, which holds everything that anybody wrote',
  ),
  BACKUP_DIR: text(
    undefined,
    'folder in which a server makes backups by itself, of the database and the uploads; default: none are made',
  ),
  BACKUP_EVERY: duration(
    's',
    DAY_S,
    0,
    31 * DAY_S,
    'seconds from one backup to the next, in BACKUP_DIR or by your own means: administrators are reminded when the last is twice as old; 0: never',
  ),
  BACKUP_KEEP: integer(7, 1, 1000, 'backups that stay in BACKUP_DIR; older ones are deleted'),
  METRICS_TOKEN: headerSecret(
    'bearer token for /metrics; default: none, and /metrics refuses every request',
    ', as "openssl rand -hex 32" makes them',
  ),
  CORS: oneOf(['on', 'off'], 'on', 'may pages of other sites call the interface with an access token'),
  REQUEST_TIMEOUT: duration(
    's',
    60,
    1,
    600,
    'seconds a request may take to arrive; uploads longer, by their size',
  ),
  ANSWER_TIMEOUT: duration(
    's',
    20,
    1,
    600,
    'seconds after which an answer ends whose reader takes nothing of it; slow readers may take longer',
  ),
  MAX_CONNECTIONS: integer(20_000, 10, 1_000_000, 'connections of this server at once'),
  MAX_CONNECTIONS_PER_NETWORK: integer(
    1000,
    10,
    1_000_000,
    'connections at once from one network address, unless TRUST_PROXY is set',
  ),
  SECURITY_CONTACT: contact(
    'where weaknesses are reported, mailto:… or https://…; shown in /.well-known/security.txt',
  ),
} satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;
type Name = keyof Settings;
type WithoutDefault =
  | 'BASE_URL'
  | 'COPY_TO'
  | 'COPY_S3_ENDPOINT'
  | 'COPY_S3_ACCESS_KEY'
  | 'COPY_S3_SECRET_KEY'
  | 'COPY_S3_REGION'
  | 'BACKUP_DIR'
  | 'DATABASE_URL'
  | 'DATABASE_LISTEN_URL'
  | 'DATABASE_REPLICA_URL'
  | 'ENCRYPTION_KEY'
  | 'COOKIE_KEY'
  | 'SMTP_URL'
  | 'MAIL_FROM'
  | 'METRICS_TOKEN'
  | 'SECURITY_CONTACT'
  | 'DNS_SERVERS'
  | 'PUSH_CONTACT'
  | (typeof S3_SETTINGS)[number];
type Value<N extends Name> = Settings[N] extends Setting<infer T> ? T : never;

/** The settings in force, typed and checked. */
export type Config = {
  readonly [N in Exclude<Name, WithoutDefault>]: Value<N>;
} & { readonly [N in WithoutDefault]: Value<N> | undefined } & {
  /** Whether applications may use loopback addresses, over plain HTTP. */
  readonly loopbackApps: boolean;
  /** Whether other machines can reach the server, judging by the settings. */
  readonly reachable: boolean;
  /** Sentences about settings that can be used, but are hardly meant. */
  readonly warnings: readonly string[];
};

/** The settings as they were given or by default. */
export type Given = Omit<Config, 'loopbackApps' | 'reachable' | 'warnings'>;

/**
 * Reads the settings: the environment first, then the file, then the defaults.
 * @throws ConfigError naming the setting and what to change.
 */
export function readConfig(environment: NodeJS.ProcessEnv, file: string | undefined = '.env'): Config {
  const { inFile, config, faults } = readGiven(environment, file);
  if (faults[0] !== undefined) throw new ConfigError(faults[0]);
  const unknown = unknownNames(Object.keys(inFile), Object.keys(settings));
  return {
    ...config,
    loopbackApps: allowsLoopbackApps(config),
    reachable: isReachable(config),
    warnings: [...unknown, ...doubts(config)],
  };
}

/** @returns a sentence for each fault that keeps a server from starting with these settings */
export function faultsOf(environment: NodeJS.ProcessEnv, file: string | undefined = '.env'): string[] {
  try {
    return readGiven(environment, file).faults;
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

/** Contradictions are looked for once each setting can be read. */
function readGiven(environment: NodeJS.ProcessEnv, file: string | undefined) {
  const inFile = file ? readSettingsFile(file) : {};
  const given = { ...inFile, ...environment };
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    try {
      values[name] = readSetting(name, setting, given[name]);
    } catch (error) {
      faults.push((error as ConfigError).message);
    }
  }
  const config = values as Given;
  return { inFile, config, faults: faults.length > 0 ? faults : contradictions(config) };
}

function readSetting(name: string, setting: Setting<unknown>, given = ''): unknown {
  // A secret that comes from a file often brings the line feed at its end.
  const value = given.trim() || setting.default;
  if (value === undefined) return undefined;
  try {
    refuseUnread(value);
    return setting.parse(value);
  } catch (error) {
    const shown = setting.secret ? '' : ` "${value}"`;
    throw new ConfigError(`${name}${shown} ${(error as Error).message}.`);
  }
}

/** A quote at each end belongs to the file that it was copied from; no setting has several lines. */
function refuseUnread(value: string): void {
  if (/\p{Cc}/u.test(value)) throw new Error('must be one line without control characters');
  if (/^(["'`]).*\1$/.test(value)) throw new Error('is in quotes, which count here: leave them out');
}

/** Sentences about names in the environment that look like a setting and are none. */
export function doubtfulNames(environment: NodeJS.ProcessEnv): string[] {
  return misspelledNames(Object.keys(environment), Object.keys(settings));
}

const HEAD = `# Every setting with its default. Made by "parley settings": do not edit by hand.
#
# A file .env is read in UTF-8. Each line is empty, a comment that begins with #, or NAME=value. A value with a # or with
# blanks at its ends stands in quotes: "…", '…' or \`…\`; in "…" \\n is a line feed. A # after white space begins a comment.
# Any other line stops the start.
`;

/** The whole of `.env.example`. */
export function environmentExample(): string {
  const entries = Object.entries<Setting<unknown>>(settings).map(
    ([name, { help, default: value }]) => `# ${name}: ${help}\n#${name}=${value ?? ''}\n`,
  );
  return [HEAD, ...entries].join('\n');
}

/** Each setting with its current value, secrets masked: for administrators. */
export function listSettings(config: Config) {
  const shown = describeConfig(config);
  return Object.entries<Setting<unknown>>(settings).map(([name, setting]) => ({
    name,
    value: shown[name] as string,
    secret: setting.secret ?? false,
    default: isDefault(setting, config[name as Name]),
    help: setting.help,
  }));
}

function isDefault({ default: text, parse }: Setting<unknown>, value: unknown): boolean {
  return text === undefined ? value === undefined : String(parse(text)) === String(value);
}

/** The current settings as text, secrets masked: for the log at start and for the operator. */
export function describeConfig(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries<Setting<unknown>>(settings).map(([name, { secret }]) => {
      const value = config[name as Name];
      return [name, value === undefined ? '' : secret ? '(set)' : String(value)];
    }),
  );
}
