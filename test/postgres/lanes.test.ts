import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '#platform/db/index.ts';
import { makeTeam, signUp } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const LANES = Array.from({ length: 20 }, (_, n) => `lane ${n}`);
/** A group that waits for a row longer than this must not happen here: the row is held until the test lets it go. */
const LONG = { DATABASE_LOCK_TIMEOUT: '600', DATABASE_STATEMENT_TIMEOUT: '900' };

let server: TestServer;
const write = <T>(lane: string, work: (tx: Tx) => Promise<T>, at = server) =>
  at.running.db.write(work, { lane, shared: true });
const put = (tx: Tx, name: string) =>
  tx.all(`INSERT INTO server_state (name, value) VALUES ('${name}', '')`, []);
const names = async () => {
  const sql = `SELECT name FROM server_state WHERE name LIKE 'lane %' OR name LIKE 'more %' ORDER BY name`;
  return (await server.running.db.all<{ name: string }>(sql, [])).map(({ name }) => name);
};
const transaction = async (tx: Tx) =>
  (await tx.all<{ id: string }>('SELECT txid_current() AS id', []))[0]?.id;

/** On SQLite all writes share a transaction. */
describe('writes of several lanes', () => {
  beforeEach(async () => {
    server = await startTestServer(LONG);
  });
  afterEach(() => server.stop());

  it('that come at once share a transaction', async () => {
    const ids = await Promise.all(
      LANES.map((lane) =>
        write(lane, async (tx) => {
          await put(tx, lane);
          return transaction(tx);
        }),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await names()).toEqual(LANES.toSorted());
  });

  it('are each carried out once, in the order of their lane, when one of them fails', async () => {
    const done: string[] = [];
    const settled = await Promise.allSettled(
      LANES.flatMap((lane) => [lane, lane.replace('lane', 'more')]).map((name) =>
        write(name.replace('more', 'lane'), async (tx) => {
          await put(tx, name);
          if (name === 'lane 7') throw new Error('refused after it wrote');
          tx.afterCommit(() => done.push(name));
        }),
      ),
    );
    const kept = LANES.flatMap((lane) => [lane, lane.replace('lane', 'more')]).filter(
      (name) => name !== 'lane 7',
    );
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([
      { status: 'rejected', reason: new Error('refused after it wrote') },
    ]);
    expect(await names()).toEqual(kept.toSorted());
    expect(done.toSorted()).toEqual(kept.toSorted());
    for (const lane of LANES)
      if (lane !== 'lane 7')
        expect(done.indexOf(lane)).toBeLessThan(done.indexOf(lane.replace('lane', 'more')));
  });

  it('leave out a lane that another server serves, which goes on after it', async () => {
    const other = await startTestServer(server.environment);
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const order: string[] = [];
    const theirs = write(
      'lane 3',
      async () => {
        begun.resolve();
        await end.promise;
        order.push('theirs');
      },
      other,
    );
    await begun.promise;
    const ours = new Map(LANES.map((lane) => [lane, write(lane, async (tx) => put(tx, lane))]));
    const held = ours.get('lane 3')?.then(() => order.push('ours'));
    ours.delete('lane 3');
    await Promise.all(ours.values());
    expect(order).toEqual([]);
    end.resolve();
    await Promise.all([theirs, held]);
    expect(order).toEqual(['theirs', 'ours']);
    expect(await names()).toEqual(LANES.toSorted());
    await other.stop();
  });

  it('are not refused for the one that takes too long', async () => {
    const brief = await startTestServer({
      ...server.environment,
      DATABASE_LOCK_TIMEOUT: '1',
      DATABASE_STATEMENT_TIMEOUT: '3',
    });
    const settled = await Promise.allSettled(
      LANES.map((lane) =>
        write(lane, (tx) => (lane === 'lane 3' ? tx.all('SELECT pg_sleep(600)', []) : put(tx, lane)), brief),
      ),
    );
    expect(settled.map(({ status }) => status)).toEqual(
      LANES.map((lane) => (lane === 'lane 3' ? 'rejected' : 'fulfilled')),
    );
    expect(await names()).toEqual(LANES.filter((lane) => lane !== 'lane 3').toSorted());
    await brief.stop();
  });

  it('wait for no row that one of them needs', async () => {
    const ada = await signUp(server);
    const teams = await Promise.all(LANES.map(() => makeTeam(ada)));
    const operator = new pg.Client(server.environment.DATABASE_URL);
    await operator.connect();
    for (const mode of ['FOR UPDATE', 'FOR NO KEY UPDATE']) {
      await operator.query('BEGIN');
      await operator.query(`SELECT FROM teams WHERE id = '${teams[3]}' ${mode}`);
      const posts = teams.map((team) =>
        ada.client.post('/v1/messages', { text: 'Bread', addressed_teams: [team] }),
      );
      const [held] = posts.splice(3, 1);
      for (const answer of await Promise.all(posts)) expect(answer.status).toBe(200);
      await operator.query('ROLLBACK');
      expect((await held)?.status).toBe(200);
    }
    await operator.end();
    const counts = await server.running.db.all(
      'SELECT team_id, count(*) AS count, max(seq) AS last FROM messages GROUP BY team_id ORDER BY team_id',
      [],
    );
    expect(counts).toEqual(teams.toSorted().map((team_id) => ({ team_id, count: 2, last: 2 })));
  });
});
