import { mkdirSync, rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { readConfig } from '../../src/process/config.ts';
import { openDatabase } from '../../src/process/database.ts';
import { createDatabase, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** The name of a database that is migrated and empty: a copy of it is there sooner than a new one. */
    postgresTemplate: string;
  }
}

/** Brings the PostgreSQL of a whole run; each test file makes databases of its own in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { STATEMENTS_FOLDER = '' } = project.config.env;
  mkdirSync(STATEMENTS_FOLDER, { recursive: true });
  const server = await startPostgres();
  const template = await createDatabase(server.url);
  const { db } = await openDatabase(readConfig({ DATABASE_URL: template }, ''), () => undefined, Date.now());
  await db.close();
  project.provide('postgresUrl', server.url);
  project.provide('postgresTemplate', new URL(template).pathname.slice(1));
  return async () => {
    rmSync(STATEMENTS_FOLDER, { recursive: true });
    await server.stop();
  };
}
