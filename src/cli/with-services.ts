import { pino } from 'pino';
import type { Database } from '#platform/db/index.ts';
import type { MailTransport } from '#platform/mail/index.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import { type App, createApp } from '../app/app.ts';
import { guidesFolder, webFolder } from '../app/start.ts';
import { baseUrlOf } from '../process/base-url.ts';
import type { Config } from '../process/config.ts';
import { openFileStore, openSpool } from '../process/files.ts';
import { loadKeys } from '../process/keys.ts';
import { version } from '../process/version.ts';
import { withDatabase } from '../process/with-database.ts';

const notHere = () => Promise.reject(new Error('the command line sends nothing'));

const noCalls: Outbound = { post: notHere, get: notHere, close: async () => undefined };
/** Mails are written as where there is a mail server; the servers send them. */
const sentByServers: MailTransport = { send: notHere, check: notHere, close: () => undefined };

/**
 * The services of the product on the database of the settings. They are stopped before they are used: they write, and
 * the running servers, or the next start, call applications, send mails and erase.
 */
export function withServices<T>(
  work: (services: App['services'], db: Database, config: Config) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db, config) => {
    const keys = await loadKeys(config, db);
    const files = await openFileStore(config);
    try {
      const app = await createApp({
        config,
        keys,
        db,
        clock: Date.now,
        clockDeviation: () => 0,
        outbound: noCalls,
        pages: noCalls,
        mailTransport: config.SMTP_URL && sentByServers,
        files,
        spool: openSpool(config),
        logger: pino({ level: 'silent' }),
        version,
        webFolder,
        guidesFolder,
        baseUrl: () => baseUrlOf(config),
      });
      await app.stop();
      return await work(app.services, db, config);
    } finally {
      await files.close();
    }
  });
}
