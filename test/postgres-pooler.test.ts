import { describe, expect, inject, it } from 'vitest';
import { signUp } from './support/people.ts';
import { startPooler } from './support/pooler.ts';
import { createDatabase } from './support/postgres.ts';
import { startTestServer } from './support/server.ts';

/** SQLite is a file: it has no pooler. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('a connection pooler', () => {
  async function through(mode: 'transaction' | 'session') {
    const database = new URL(await createDatabase(inject('postgresUrl'), inject('postgresTemplate')));
    const pooler = await startPooler(Number(database.port), mode);
    database.port = String(pooler.port);
    return { url: database.href, stop: pooler.stop };
  }

  it('that shares sessions between clients is refused with a sentence (claim: pooler-refused)', async () => {
    const pooler = await through('transaction');
    await expect(startTestServer({ DATABASE_URL: pooler.url })).rejects.toThrow(/session mode/);
    pooler.stop();
  });

  it('that gives each client a session of its own works', async () => {
    const pooler = await through('session');
    const server = await startTestServer({ DATABASE_URL: pooler.url });
    const ada = await signUp(server);
    expect((await ada.client.get('/v1/users/me')).data[0].id).toBe(ada.id);
    await server.stop();
    pooler.stop();
  });
});
