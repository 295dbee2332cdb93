import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import type { Clock } from '#platform/ids.ts';
import type { KeepLease, Rest } from '#platform/jobs/index.ts';
import type { MailTransport } from '#platform/mail/index.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import type { CopyStatus } from '../../ops/copy/copier.ts';
import type { PasswordCost } from '../people/accounts/index.ts';
import type { Config } from '../process/config.ts';
import type { Siblings } from '../stewardship/operations/index.ts';

/** The number of this process, and the way to the others that share its port. */
export interface OwnSiblings extends Siblings {
  readonly number: number;
}

/** The external dependencies of the application. */
export interface AppParts {
  readonly config: Config;
  readonly keys: { readonly encryption: Buffer; readonly cookie: Buffer };
  readonly db: Database;
  readonly clock: Clock;
  /** How far the machine's clock is ahead of `clock`, in milliseconds. */
  readonly clockDeviation: () => number;
  readonly outbound: Outbound;
  /** The way to pages that messages link to. */
  readonly pages: Outbound;
  /** Tests have pages on this machine. */
  readonly previewsOfLoopback?: boolean;
  /** Undefined without a mail server: mails are then kept. */
  readonly mailTransport: MailTransport | undefined;
  readonly files: FileStore;
  readonly spool: Spool;
  /** Undefined where the database is not copied by this server. */
  readonly copyStatus?: (() => CopyStatus) | undefined;
  readonly logger: FastifyBaseLogger;
  readonly version: string;
  /** The processes that share the port with this one, where there are several. */
  readonly siblings?: OwnSiblings | undefined;
  /** The folder of the built web application. */
  readonly webFolder: string;
  /** The folder of guides and clients (`deploy/guides.cjs`). */
  readonly guidesFolder: string;
  /** The server's public address; known once it listens. */
  readonly baseUrl: () => string;
  /** How often the callback worker polls, in milliseconds. */
  readonly workerIntervalMs?: number;
  /** How long background work gives way to requests at most: after a round of t, `workerRest` × t. */
  readonly workerRest?: number;
  /** How often a lease is renewed during its work, in milliseconds. */
  readonly leaseRenewalMs?: number;
  /** The interval of housekeeping, in milliseconds. */
  readonly housekeepingMs?: number;
  /** The cost of a password hash. */
  readonly passwordCost?: PasswordCost;
  /** How long a search waits for the index, in milliseconds. */
  readonly searchPatienceMs?: number;
  /** How long a search waits for its turn, in milliseconds. */
  readonly searchTurnMs?: number;
  /** How often the nodes exchange their request counts, in milliseconds. */
  readonly rateExchangeMs?: number;
}

/** The pace of background work. */
export interface Background {
  /** How often to poll. */
  readonly intervalMs: number;
  /** Gives way to requests between two rounds of heavy work. */
  readonly rest: Rest;
  readonly keepLease: KeepLease;
  readonly onError: (error: unknown) => void;
}

/** Settings are in seconds or days; everything inside is in milliseconds. */
export const seconds = (value: number) => value * 1000;
export const days = (value: number) => seconds(value * 86_400);
