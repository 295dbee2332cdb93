import { beforeAll, expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { recordStatements, rowsRead } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

/* A thread with thousands of answers by one person, on PostgreSQL: the rows that statements about others of it go through. */

const { server, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'] });
const ANSWERS = 10_000;
const MOST = 1000;
let team: string;
let root: string;

const post = async (text: string) =>
  (await ada.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id as string;
const answer = async (id: string, by = bob, text = 'So do I') =>
  (await by.client.post(`/v1/messages/${id}/replies`, { text })).data[0].id as string;

beforeAll(async () => {
  const { db } = server.running;
  team = await makeTeam(ada, [bob, cleo]);
  root = await post('Who has 10,000 answers?');
  await answer(root, cleo);
  const reply = await answer(root);
  const columns = await runSql<{ name: string }>(
    db,
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'messages' AND is_generated = 'NEVER'",
  );
  const changed: Record<string, string> = { id: 'gen_random_uuid()', reply_seq: 'reply_seq + n' };
  await runSql(
    db,
    `INSERT INTO messages (${columns.map(({ name }) => name).join(', ')})
       SELECT ${columns.map(({ name }) => changed[name] ?? name).join(', ')}
       FROM messages, generate_series(1, ${ANSWERS}) AS n WHERE id = ?`,
    [reply],
  );
  await runSql(db, `UPDATE messages SET num_replies = ${ANSWERS + 2} WHERE id = ?`, [root]);
  for (let n = 0; n < 4; n++) await answer(await post(`Thread ${n}`));
  await runSql(db, 'ANALYZE messages');
  await told();
});

const told = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs LIMIT 1')).length === 0);

/** @returns the statements of some work that went through too much */
async function tooMuch(work: () => Promise<unknown>): Promise<string[]> {
  const stop = recordStatements(server.running.db);
  await work();
  const found: string[] = [];
  for (const one of stop()) {
    // What was inserted already cannot be inserted again.
    if (/\binsert into\b/i.test(one.sql)) continue;
    const read = await rowsRead(server.running.db, one);
    if (read > MOST) found.push(`${read} rows: ${one.sql}`);
  }
  return found;
}

it('a page of threads is read by its threads, where one other has most of the replies', async () => {
  let shown = 0;
  const found = await tooMuch(async () => {
    shown = (await ada.client.get(`/v1/messages?team=${team}&limit=20`)).data.length;
  });
  expect(found).toEqual([]);
  expect(shown).toBeGreaterThanOrEqual(5);
});

it('a further reply is stored and told without going through the others of its thread', async () => {
  const found = await tooMuch(async () => {
    await answer(root, bob, 'Me too');
    await told();
  });
  expect(found).toEqual([]);
});
