import { afterEach, expect, inject, it } from 'vitest';
import { ask } from '../support/cluster.ts';
import { createDatabase } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;

afterEach(() => server.stop());

it('a process knows its own notifications from those of others: it has handed out the events of these already', async () => {
  const database = await createDatabase(inject('postgresUrl'), inject('postgresTemplate'));
  server = await startTestServer({ DATABASE_URL: database });
  const { db } = server.running;
  const heard: [string, boolean][] = [];
  const stop = db.listen('a_test', (said, isOwn) => void heard.push([said, isOwn]));
  // The listener is connected when it hears nothing of nobody.
  await expect.poll(() => heard).toEqual([['', false]]);
  await db.write((tx) => tx.all("SELECT pg_notify('a_test', 'own')", []));
  await ask(database, "SELECT pg_notify('a_test', 'of others')");
  await expect
    .poll(() => heard.slice(1))
    .toEqual([
      ['own', true],
      ['of others', false],
    ]);
  stop();
});
