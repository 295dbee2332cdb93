// Lists are read from a replica, which lags: replaying its log is paused. Bob was removed from the team, Cyn was signed out
// by her administrator, Dan's account was closed. On the replica all three are still members with sessions, and they
// hope to read on there. Sessions and tokens are looked up on the primary, and a replica that has not replayed a removal
// is not asked for lists.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../support/cluster.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { createDatabase, type PostgresServer, startPostgres, startReplica } from '../support/postgres.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';

let primary: PostgresServer;
let replica: PostgresServer;
let server: TestServer;
let replicaUrl: string;

/** SQLite has no replicas. */
describe.runIf(process.env.TEST_DATABASE === 'postgres')('on a replica that lags', () => {
  beforeAll(async () => {
    primary = await startPostgres();
    replica = await startReplica(primary);
    const database = await createDatabase(primary.url);
    replicaUrl = new URL(new URL(database).pathname, replica.url).href;
    server = await startTestServer({ DATABASE_URL: database, DATABASE_REPLICA_URL: replicaUrl });
  });
  afterAll(async () => {
    await server.stop();
    await replica.stop();
    await primary.stop();
  });

  it('nobody reads on who was removed, signed out or shut out', async () => {
    const [ann, bob, cyn, dan] = [
      await signUp(server, 'Ann'),
      await signUp(server, 'Bob'),
      await signUp(server, 'Cyn'),
      await signUp(server, 'Dan'),
    ] as const;
    const team = await makeTeam(ann, [bob, cyn, dan]);
    const { id } = (await ann.client.post('/v1/messages', { text: 'A secret', addressed_teams: [team] }))
      .data[0];
    const paths = [
      `/v1/messages?team=${team}`,
      '/v1/messages',
      '/v1/messages?q=secret',
      `/v1/messages/${id}/replies`,
      `/v1/teams/${team}/users`,
    ];
    const look = (person: Person) => Promise.all(paths.map((path) => person.client.get(path)));
    await until(async () => !(await server.anonymous().get('/readyz')).text.includes('replica'));
    for (const person of [bob, cyn, dan]) {
      const answers = await look(person);
      expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
    }

    await ask(replicaUrl, 'SELECT pg_wal_replay_pause()');
    try {
      await ann.client.delete(`/v1/teams/${team}/users/${bob.id}`);
      await ann.client.delete(`/v1/admin/users/${cyn.id}/sessions`);
      await ann.client.patch(`/v1/admin/users/${dan.id}`, { active: false });
      const ofBob = await look(bob);
      expect(ofBob.map(({ status }) => status)).toEqual([404, 200, 200, 404, 404]);
      for (const { text } of ofBob) expect(text).not.toContain('A secret');
      for (const person of [cyn, dan]) {
        const answers = await look(person);
        expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 401));
      }
      const stillThere = await ask(replicaUrl, `SELECT FROM memberships WHERE user_id = '${bob.id}'`);
      expect(stillThere).toHaveLength(1);
    } finally {
      await ask(replicaUrl, 'SELECT pg_wal_replay_resume()');
    }
  });
});
