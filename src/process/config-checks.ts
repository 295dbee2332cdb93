import { join } from 'node:path';
import { NotThePrimary, serversOf } from '#platform/db/addresses.ts';
import { isWithin } from '#platform/files/within.ts';
import { isLoopbackHost } from '#platform/outbound/index.ts';
import { ConfigError } from './config-error.ts';

/** All of them, or none. */
export const S3_SETTINGS = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;

/** The settings that depend on one another. */
interface Given extends Readonly<Record<(typeof S3_SETTINGS)[number], string | undefined>> {
  readonly DATA_DIR: string;
  readonly COPY_TO: string | undefined;
  readonly COPY_S3_ENDPOINT: string | undefined;
  readonly COPY_S3_ACCESS_KEY: string | undefined;
  readonly COPY_S3_SECRET_KEY: string | undefined;
  readonly HOST: string;
  readonly PROCESSES: 'auto' | number;
  readonly BASE_URL: string | undefined;
  readonly DATABASE_URL: string | undefined;
  readonly DATABASE_LISTEN_URL: string | undefined;
  readonly DATABASE_REPLICA_URL: string | undefined;
  readonly ALLOW_LOOPBACK_APPS: 'auto' | 'yes' | 'no';
  readonly TRUST_PROXY: 'no' | number | readonly string[];
  readonly SMTP_URL: object | undefined;
  readonly MAIL_FROM: string | undefined;
  readonly DATABASE_STATEMENT_TIMEOUT: number;
  readonly DATABASE_LOCK_TIMEOUT: number;
  readonly BACKUP_DIR: string | undefined;
  readonly BACKUP_EVERY: number;
}

/** Sentences about settings that contradict one another, one for each part of the settings. */
export function contradictions(config: Given): string[] {
  const checks = [
    checkAddress,
    checkDatabase,
    checkProcesses,
    checkMail,
    checkTimeouts,
    checkS3,
    checkCopy,
    checkLoopback,
    checkBackups,
  ];
  return checks.flatMap((check) => {
    try {
      check(config);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return [error.message];
      throw error;
    }
  });
}

function checkAddress({ BASE_URL }: Given): void {
  if (BASE_URL !== undefined && !isOrigin(BASE_URL)) {
    throw new ConfigError(
      `BASE_URL${shown(BASE_URL)} must be like https://parley.example.org, without a path.`,
    );
  }
}

/** Elsewhere two processes cannot listen at one port, or the newer one gets all connections. */
export const MAY_SHARE = process.platform === 'linux';

function checkProcesses({ PROCESSES, DATABASE_URL }: Given): void {
  if (PROCESSES === 'auto' || PROCESSES === 1) return;
  if (DATABASE_URL === undefined)
    throw new ConfigError(
      `PROCESSES=${PROCESSES} needs PostgreSQL (DATABASE_URL): the embedded database is written by one process alone. ` +
        'Leave PROCESSES out, or set DATABASE_URL.',
    );
  if (!MAY_SHARE)
    throw new ConfigError(
      `PROCESSES=${PROCESSES} needs Linux, which shares a port out to several processes: leave PROCESSES out.`,
    );
}

function checkMail(config: Given): void {
  if (config.SMTP_URL !== undefined && config.MAIL_FROM === undefined) {
    throw new ConfigError('SMTP_URL needs MAIL_FROM: the address that mails come from.');
  }
}

function checkTimeouts(config: Given): void {
  if (config.DATABASE_LOCK_TIMEOUT >= config.DATABASE_STATEMENT_TIMEOUT) {
    throw new ConfigError(
      'DATABASE_LOCK_TIMEOUT must be below DATABASE_STATEMENT_TIMEOUT: a wait for a lock is a part of a statement.',
    );
  }
}

function checkBackups(config: Given): void {
  if (config.BACKUP_DIR !== undefined && config.BACKUP_EVERY === 0)
    throw new ConfigError(
      'BACKUP_EVERY=0 makes no backups in BACKUP_DIR: set how often, or remove BACKUP_DIR.',
    );
}

function checkLoopback(config: Given): void {
  if (config.ALLOW_LOOPBACK_APPS === 'yes' && !isLoopbackHost(config.HOST)) {
    throw new ConfigError(
      'ALLOW_LOOPBACK_APPS=yes lets any member’s application reach this machine’s own ports, which a server that ' +
        'others reach directly must not allow: set ALLOW_LOOPBACK_APPS=no, or listen on a loopback HOST.',
    );
  }
}

function checkDatabase({ DATABASE_URL, ...given }: Given): void {
  const { DATABASE_LISTEN_URL, DATABASE_REPLICA_URL } = given;
  const beside = { DATABASE_LISTEN_URL, DATABASE_REPLICA_URL };
  for (const [name, url] of Object.entries({ DATABASE_URL, ...beside })) {
    if (url !== undefined && !/^postgres(ql)?:\/\//.test(url)) {
      throw new ConfigError(
        `${name} must begin with postgres://; leave it out to use the embedded database.`,
      );
    }
    const servers = url === undefined ? [] : readServers(name, url);
    if (name === 'DATABASE_REPLICA_URL' && servers.length > 1)
      throw new ConfigError(`${name} must lead to one server: lists are read from one replica.`);
  }
  const [lonely] = Object.entries(beside).filter(
    ([, url]) => url !== undefined && DATABASE_URL === undefined,
  );
  if (lonely) throw new ConfigError(`${lonely[0]} needs DATABASE_URL: it belongs to PostgreSQL.`);
}

function readServers(name: string, url: string): string[] {
  try {
    return serversOf(url);
  } catch (error) {
    throw new ConfigError(
      error instanceof NotThePrimary
        ? `target_session_attrs of ${name} must be read-write, or be left out: the server that takes writes is used.`
        : `${name} is not a valid address. In a user name and a password @ is written as %40, / as %2F, # as %23, ? as %3F, % as %25. ` +
            'Several servers are separated by commas: postgres://user@one:5432,two:5432/name.',
    );
  }
}

function checkS3(config: Given): void {
  const lacking = S3_SETTINGS.filter((name) => config[name] === undefined);
  if (lacking.length > 0 && lacking.length < S3_SETTINGS.length) {
    throw new ConfigError(
      `${lacking.join(', ')} must be set too: uploads go to an S3-compatible store with ` +
        `${S3_SETTINGS.join(', ')} together, and to a folder in DATA_DIR with none of them.`,
    );
  }
  if (config.S3_ENDPOINT !== undefined && !isOrigin(config.S3_ENDPOINT)) {
    throw new ConfigError(
      `S3_ENDPOINT${shown(config.S3_ENDPOINT)} must be like https://s3.example.org, without a path; the bucket's name ` +
        'belongs to S3_BUCKET.',
    );
  }
  if (config.S3_BUCKET !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(config.S3_BUCKET)) {
    throw new ConfigError(`S3_BUCKET "${config.S3_BUCKET}" is not a valid bucket name.`);
  }
}

/** `s3://bucket`, or `s3://bucket/a/prefix`. */
export const COPY_BUCKET =
  /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/((?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/?)*))?$/;

function checkCopy(config: Given): void {
  const { COPY_TO, DATABASE_URL, COPY_S3_ENDPOINT } = config;
  if (COPY_S3_ENDPOINT !== undefined && !isOrigin(COPY_S3_ENDPOINT))
    throw new ConfigError(
      `COPY_S3_ENDPOINT${shown(COPY_S3_ENDPOINT)} must be like https://s3.example.org, without a path.`,
    );
  if (COPY_TO === undefined) return;
  if (DATABASE_URL !== undefined)
    throw new ConfigError(
      'COPY_TO copies the embedded database, and DATABASE_URL leads to PostgreSQL, which archives its log by itself: ' +
        'remove one of them.',
    );
  if (/^[a-z0-9]+:\/\//i.test(COPY_TO)) checkCopyBucket(COPY_TO, config);
  // In DATA_DIR itself the copy's folder of uploads would be that of the server.
  else if (isSame(COPY_TO, config.DATA_DIR) || isWithin(COPY_TO, join(config.DATA_DIR, 'files')))
    throw new ConfigError(
      `COPY_TO "${COPY_TO}" would be among the uploads: choose a folder on another disk.`,
    );
}

const isSame = (one: string, other: string) => isWithin(one, other) && isWithin(other, one);

function checkCopyBucket(to: string, config: Given): void {
  if (!COPY_BUCKET.test(to))
    throw new ConfigError(`COPY_TO "${to}" must be a folder, or like s3://bucket/prefix.`);
  for (const name of ['ENDPOINT', 'ACCESS_KEY', 'SECRET_KEY'] as const)
    if ((config[`COPY_S3_${name}`] ?? config[`S3_${name}`]) === undefined)
      throw new ConfigError(`COPY_S3_${name} must be set too: COPY_TO is in an S3-compatible store.`);
}

/** As it is written, since addresses are built from it: the parser of URLs passes over line feeds and an empty query. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+\/?$/i;

const isOrigin = (value: string) => ORIGIN.test(value) && URL.canParse(value);

/** An address that was refused, on one line; nothing of one that may have a password. */
const shown = (value: string) => (value.includes('@') ? '' : ` "${value.replaceAll(/\s/g, ' ')}"`);

/**
 * By default only on a server that other machines cannot reach. Listening on loopback does not prove that: a proxy
 * may forward to it.
 */
export function allowsLoopbackApps(config: Given): boolean {
  if (config.ALLOW_LOOPBACK_APPS !== 'auto') return config.ALLOW_LOOPBACK_APPS === 'yes';
  return !isReachable(config);
}

/** Whether other machines can reach the server, judging by the settings. */
export function isReachable({ HOST, BASE_URL, TRUST_PROXY }: Given): boolean {
  return !isLoopbackHost(HOST) || isPublic(BASE_URL) || TRUST_PROXY !== 'no';
}

const isPublic = (url: string | undefined) => url !== undefined && !isLoopbackHost(new URL(url).hostname);

/** Warnings about settings that work but are probably a mistake. */
export function doubts(config: Given): string[] {
  const { BASE_URL, HOST, COPY_TO } = config;
  return [
    COPY_TO !== undefined && !COPY_TO.startsWith('s3:') && isWithin(COPY_TO, config.DATA_DIR)
      ? 'COPY_TO is in DATA_DIR: what takes one takes the other. Choose a folder on another disk.'
      : undefined,
    config.MAIL_FROM !== undefined && config.SMTP_URL === undefined
      ? 'MAIL_FROM is set without SMTP_URL: no mail is sent. Set SMTP_URL, or remove MAIL_FROM.'
      : undefined,
    config.ALLOW_LOOPBACK_APPS === 'yes' && isPublic(BASE_URL)
      ? 'ALLOW_LOOPBACK_APPS=yes with a public BASE_URL: any member can register an application that calls the ports ' +
        'of this machine, and reads their answers. Set it to no unless every member may.'
      : undefined,
    BASE_URL === undefined && isReachable(config)
      ? 'Other machines reach this server, and BASE_URL is not set: links in invitations and mails begin with an address ' +
        'of this machine, which may not be the one that people use. Set BASE_URL, as http://192.0.2.10:3000.'
      : undefined,
    config.TRUST_PROXY === 'no' && isPublic(BASE_URL) && isLoopbackHost(HOST)
      ? 'BASE_URL is public and HOST is not, so a proxy stands in front, but TRUST_PROXY is not set: all callers count ' +
        'as one address. Set TRUST_PROXY=yes, or the addresses of the proxies.'
      : undefined,
  ].filter((sentence) => sentence !== undefined);
}

const PREFIX = 'PARLEY_';

/** Names in the environment that are hardly anything else than a misspelled setting. */
export function misspelledNames(given: readonly string[], known: readonly string[]): string[] {
  return given.flatMap((name) => {
    if (known.includes(name)) return [];
    const plain = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined;
    // Short names resemble those of other programs: PATH is like PORT.
    const long = known.filter((other) => other.length > SHORT);
    const meant =
      known.find((other) => other === plain) ?? long.find((other) => distance(name, other) <= LIKE);
    return meant ? [`${name} in the environment is no setting, and was ignored. Is ${meant} meant?`] : [];
  });
}

const SHORT = 6;

/** Unknown names in the settings file that resemble a setting. */
export function unknownNames(given: readonly string[], known: readonly string[]): string[] {
  return given.flatMap((name) => {
    if (known.includes(name)) return [];
    const meant = known.find((other) => distance(name.toUpperCase(), other) <= LIKE);
    return meant ? [`${name} in the settings file is no setting, and was ignored. Is ${meant} meant?`] : [];
  });
}

const LIKE = 2;

/** The Levenshtein distance of two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...one].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++) {
      const change = (row[j] ?? 0) + (letter === other[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
