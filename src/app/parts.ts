import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { KeepLease } from '#platform/jobs/index.ts';
import type { MailTransport } from '#platform/mail/index.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import type { PasswordCost } from '../people/accounts/index.ts';
import type { Config } from '../process/config.ts';

/** What the application is made of, and cannot make itself. */
export interface AppParts {
  readonly config: Config;
  readonly keys: { readonly encryption: Buffer; readonly cookie: Buffer };
  readonly db: Database;
  readonly clock: Clock;
  /** How far the machine's own clock is ahead of `clock`, in milliseconds. */
  readonly clockDeviation: () => number;
  readonly outbound: Outbound;
  /** Undefined where there is no mail server: then mails are kept. */
  readonly mailTransport: MailTransport | undefined;
  readonly files: FileStore;
  readonly spool: Spool;
  readonly logger: FastifyBaseLogger;
  readonly version: string;
  /** Where the build of the web application is. */
  readonly webFolder: string;
  /** Under which address people reach the server; known once it listens. */
  readonly baseUrl: () => string;
  /** How often the callback worker looks for what is due, in milliseconds. */
  readonly workerIntervalMs?: number;
  /** How many times as long as a round of heavy work took is left to those who write, before the next one. */
  readonly workerRest?: number;
  /** How often a lease is renewed while its work goes on, in milliseconds. */
  readonly leaseRenewalMs?: number;
  /** How often what no request asks for is done, in milliseconds. */
  readonly housekeepingMs?: number;
  /** What hashing a password costs. */
  readonly passwordCost?: PasswordCost;
  /** How often the nodes exchange their counts of requests, in milliseconds. */
  readonly rateExchangeMs?: number;
}

/** How work that no request asks for goes on. */
export interface Background {
  /** How often to look for what is due. */
  readonly intervalMs: number;
  /** How many times as long as a round of heavy work took to leave to others before the next, while there is more. */
  readonly rest: number;
  readonly keepLease: KeepLease;
  readonly onError: (error: unknown) => void;
}

/** Settings are in seconds or days; everything inside is in milliseconds. */
export const seconds = (value: number) => value * 1000;
export const days = (value: number) => seconds(value * 86_400);
