import { pino } from 'pino';
import type { Database } from '#platform/db/index.ts';
import type { FileStore, Spool } from '#platform/files/index.ts';
import type { Outbound } from '#platform/outbound/index.ts';
import { type App, createApp } from '../src/app/app.ts';
import { guidesFolder, webFolder } from '../src/app/start.ts';
import { readConfig } from '../src/process/config.ts';
import { version } from '../src/process/version.ts';

/** Routes need no database to be described, so this one is never asked. */
const noDatabase = {
  listen: () => () => Promise.resolve(),
  watch: () => undefined,
} as Partial<Database> as Database;
const noFiles = {} as FileStore;
const noSpool = {} as Spool;

const notHere = () => Promise.reject(new Error('not here'));
const noCalls: Outbound = { post: notHere, get: notHere, close: async () => undefined };

/** The product as the documents describe it. It serves nothing. */
export async function describedApp(): Promise<App> {
  const key = Buffer.alloc(32);
  const app = await createApp({
    config: readConfig({}, ''),
    keys: { encryption: key, cookie: key },
    db: noDatabase,
    clock: Date.now,
    clockDeviation: () => 0,
    outbound: noCalls,
    pages: noCalls,
    mailTransport: undefined,
    files: noFiles,
    spool: noSpool,
    logger: pino({ level: 'silent' }),
    version,
    webFolder,
    guidesFolder,
    baseUrl: () => '',
  });
  await app.server.ready();
  return app;
}
