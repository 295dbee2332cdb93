import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { pino } from 'pino';
import { inject } from 'vitest';
import { type RunningServer, type StartOptions, startServer } from '../../src/app/start.ts';
import { readConfig } from '../../src/process/config.ts';
import { databaseFile, openDatabase } from '../../src/process/database.ts';
import { Client } from './client.ts';
import { newFolder } from './folder.ts';
import { leadHere } from './names.ts';
import { createDatabase } from './postgres.ts';

/** Argon2id’s minimum: signing up takes one millisecond of a processor instead of fifty. */
const CHEAP = { memoryCost: 8, timeCost: 1 };

/** A migrated, empty database of SQLite, as bytes: copying it costs less than running the migrations. */
let migrated: Promise<Buffer> | undefined;

async function migratedFile(): Promise<Buffer> {
  const DATA_DIR = newFolder();
  const config = readConfig({ DATA_DIR }, '');
  const { db } = await openDatabase(config, () => undefined, Date.now());
  await db.close();
  const bytes = readFileSync(databaseFile(config));
  rmSync(DATA_DIR, { recursive: true });
  return bytes;
}

/** A clock that a test moves by hand; it starts at the real time. */
export class TestClock {
  #offset = 0;
  #heldAt: number | undefined;
  readonly now = (): number => (this.#heldAt ?? Date.now()) + this.#offset;

  /** Moves the time forward. */
  advance(seconds: number): void {
    this.#offset += seconds * 1000;
  }

  /** Stops the time, which then passes only by `advance`: a slow machine takes its time. @returns a function that ends it */
  hold(): () => void {
    this.#heldAt = Date.now();
    return () => {
      this.#heldAt = undefined;
    };
  }

  /** Moves the clock to the start of the next minute, when all rate limits reset. */
  toNextMinute(): void {
    this.#offset += 60_000 - (this.now() % 60_000);
  }
}

export interface TestServer {
  readonly url: string;
  readonly clock: TestClock;
  readonly running: RunningServer;
  /** The settings it was started with, to start another one on the same database. */
  readonly environment: NodeJS.ProcessEnv;
  /** A caller without a session. */
  anonymous(): Client;
  stop(): Promise<void>;
}

/**
 * A real server on a free port, with an empty database of the kind that this run of the suite tests
 * (`TEST_DATABASE`). Rate limits are off and everybody may sign up, unless `environment` says otherwise.
 */
export async function startTestServer(
  environment: NodeJS.ProcessEnv = {},
  options: StartOptions = {},
): Promise<TestServer> {
  const folder = newFolder();
  const settings: NodeJS.ProcessEnv = {
    PORT: '0',
    HOST: '127.0.0.1',
    // The applications of the tests run on this machine, and their answers are inspected.
    ALLOW_LOOPBACK_APPS: 'yes',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
    ADMIN_BACKUP: 'on',
    REGISTRATION: 'open',
    // What tests link to is not there.
    LINK_PREVIEWS: 'off',
    // Tests move the clock by hours, and would have to show the password again.
    CONFIRMATION_LIFETIME: '86400',
    ...(process.env.TEST_DATABASE === 'postgres' && {
      DATABASE_URL: await createDatabase(inject('postgresUrl'), inject('postgresTemplate')),
      // Each is a process, which takes ten milliseconds of a processor to start. Several nodes have the default.
      DATABASE_CONNECTIONS: '4',
    }),
    ...environment,
  };
  const config = readConfig(settings, '');
  if (config.DATA_DIR === folder && config.DATABASE_URL === undefined) {
    migrated ??= migratedFile();
    writeFileSync(databaseFile(config), await migrated, { mode: 0o600 });
  }
  const clock = new TestClock();
  const running = await startServer(config, {
    clock: clock.now,
    workerIntervalMs: 100,
    // No competing writers to give way to.
    workerRest: 0,
    passwordCost: CHEAP,
    // What was posted is found, however slow the machine is.
    searchPatienceMs: 5000,
    logger: pino({ level: 'silent' }),
    ...options,
  });
  const name = config.BASE_URL && new URL(config.BASE_URL).hostname;
  const forget = name === undefined ? undefined : leadHere(name);
  // Under its public name, and at the port where it listens: give one with BASE_URL.
  const url =
    name === undefined ? running.url.replace('localhost', '127.0.0.1') : `http://${name}:${config.PORT}`;
  return {
    url,
    clock,
    running,
    environment: settings,
    anonymous: () => new Client(url),
    stop: async () => {
      forget?.();
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
