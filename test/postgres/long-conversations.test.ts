import { beforeAll, describe, expect, it } from 'vitest';
import { mailsGo, proveAddress } from '../support/mailbox.ts';
import { makeTeam } from '../support/people.ts';
import { readingMore, recordStatements } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

/*
 * Thousands of messages in one place, most of them by one person and not read by the others, on PostgreSQL: the rows that a
 * further message goes through there, until all whom it concerns have been told, by mail as well.
 */

const { server, mailbox, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'], mail: true });
const COPIES = 10_000;
const MOST = 1000;
let team: string;

const post = async (fields: object, by = ada) =>
  (await by.client.post('/v1/messages', { text: 'Who comes along?', addressed_teams: [team], ...fields }))
    .data[0];
const answer = async (id: string, by = bob) =>
  (await by.client.post(`/v1/messages/${id}/replies`, { text: 'So do I' })).data[0].id as string;

/** Ids of the same millisecond: further messages come after the newest, and it must not be of another age. */
const COPIED_ID = 'CAST(left(CAST(id AS text), 24) || left(md5(CAST(n AS text)), 12) AS uuid)';

/** Copies a message, with others of these columns. */
async function copy(id: string, changed: Record<string, string>): Promise<void> {
  const { db } = server.running;
  const columns = await runSql<{ name: string }>(
    db,
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'messages' AND is_generated = 'NEVER'",
  );
  const values: Record<string, string> = { id: COPIED_ID, ...changed };
  await runSql(
    db,
    `INSERT INTO messages (${columns.map(({ name }) => name).join(', ')})
       SELECT ${columns.map(({ name }) => values[name] ?? name).join(', ')}
       FROM messages, generate_series(1, ${COPIES}) AS n WHERE id = ?`,
    [id],
  );
  await runSql(db, 'ANALYZE messages');
}

const told = () =>
  until(async () => (await runSql(server.running.db, 'SELECT id FROM notice_jobs LIMIT 1')).length === 0);

/** @returns the statements of some work that go through too much */
async function tooMuch(work: () => Promise<unknown>) {
  const stop = recordStatements(server.running.db);
  await work();
  return readingMore(server.running.db, stop(), MOST);
}

beforeAll(async () => {
  for (const person of [ada, bob, cleo]) await proveAddress(mailbox, person);
});

describe('a thread', () => {
  let root: string;

  beforeAll(async () => {
    team = await makeTeam(ada, [bob, cleo]);
    root = (await post({})).id;
    await answer(root, cleo);
    await copy(await answer(root), { reply_seq: 'reply_seq + n' });
    await runSql(server.running.db, `UPDATE messages SET num_replies = ${COPIES + 2} WHERE id = ?`, [root]);
    for (let n = 0; n < 4; n++) await answer((await post({})).id);
    await told();
  });

  it('is beside others on a page that goes through none of its answers', async () => {
    let shown = 0;
    const found = await tooMuch(async () => {
      shown = (await ada.client.get(`/v1/messages?team=${team}&limit=20`)).data.length;
    });
    expect(found).toEqual([]);
    expect(shown).toBe(5);
  });

  it('takes a further answer, and has it told, without going through the others', async () => {
    const found = await tooMuch(async () => {
      await answer(root);
      await told();
      await mailsGo(server);
    });
    expect(found).toEqual([]);
    expect(mailbox.of(cleo.email)).not.toEqual([]);
  });
});

const places: Readonly<Record<string, () => Promise<{ first: string; further: () => Promise<unknown> }>>> = {
  'a team': async () => {
    const further = () => post({ text: `Come along, @${bob.email.split('@')[0]} and @everyone` });
    return { first: (await post({})).id, further };
  },
  'a subject': async () => {
    const further = () => post({ subject: 'Outings' });
    return { first: (await further()).id, further };
  },
  'a direct conversation': async () => {
    const further = () => post({ addressed_teams: undefined, addressed_users: [bob.id, cleo.id] });
    return { first: (await further()).id, further };
  },
  'a sidebar': async () => {
    const { id } = await post({});
    const begun = { text: 'Between us', users: [bob.id, cleo.id] };
    const { data } = await ada.client.post(`/v1/messages/${id}/sidebars`, begun);
    const path = `/v1/sidebars/${data[0].id}/messages`;
    const further = () => ada.client.post(path, { text: 'And so on' });
    return { first: (await further()).data[0].id, further };
  },
};

it.each(Object.entries(places))(
  '%s with thousands that nobody has read takes a further message, and has it told, for what that one costs',
  async (_, make) => {
    const { db } = server.running;
    team = await makeTeam(ada, [bob, cleo]);
    const { first, further } = await make();
    await mailsGo(server);
    await copy(first, { seq: 'seq + n', sidebar_seq: 'sidebar_seq + n' });
    await runSql(db, `UPDATE teams SET message_seq = message_seq + ${COPIES} WHERE id = ?`, [team]);
    await runSql(
      db,
      `INSERT INTO message_recipients SELECT (json_populate_record(message_recipients,
         json_build_object('message_id', messages.id))).*
       FROM message_recipients, messages WHERE message_id = ? AND conversation_id = (
         SELECT conversation_id FROM messages WHERE id = ?) ON CONFLICT DO NOTHING`,
      [first, first],
    );
    await runSql(db, 'ANALYZE');
    const found = await tooMuch(async () => {
      await further();
      await told();
      await mailsGo(server);
    });
    expect(found).toEqual([]);
  },
);
