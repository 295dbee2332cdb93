import { beforeAll, expect, it } from 'vitest';
import { queueStates } from '../../src/app/queues.ts';
import { newId } from '../../src/platform/ids.ts';
import { insertMember } from '../support/members.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';
import { until } from '../support/until.ts';

/*
 * A queue that does less than its producers make falls behind without end, whatever else the server could do. What is done
 * in a second while nobody is connected is compared with what four times a day of 600 people makes in a second (bench/day.ts).
 */

const DAYS = 4;
/** Of 600 people in a second: replies, direct messages and sidebars, high fives, and posts that mention somebody. */
const NAMED = DAYS * (9 + 2 + 6 + 2);
/** Each message, edits included. */
const INDEXED = DAYS * (19 + 9 + 2 + 2);
/** Each of the people at most once in the time of a batch. */
const MAILED = (DAYS * 600) / 60;

/** Queues whose pace is that of others, who are called, or that are filled by rare acts of a few people. */
const BOUND_BY_OTHERS = [
  'callbacks',
  'webhooks',
  'icons',
  'previews',
  'pushes',
  'mail_jobs',
  'scheduled',
  'erasures',
];

const { server, mailbox, ada, bob } = scene({ people: ['Ada', 'Bob'], mail: true });
let team: string;
const messages: string[] = [];

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  for (let fifty = 0; fifty < 6; fifty++) {
    const posted = await Promise.all(
      Array.from({ length: 50 }, () =>
        ada.client.post('/v1/messages', { text: 'some words', addressed_teams: [team] }),
      ),
    );
    messages.push(...posted.map(({ data }) => data[0].id as string));
  }
});

const left = async (table: string) =>
  (await runSql<{ n: number }>(server.running.db, `SELECT count(*) AS n FROM ${table}`))[0]?.n ?? 0;

/** @returns how many pieces of work are done in a second */
async function paceOf(count: number, isDone: () => Promise<boolean>): Promise<number> {
  const begun = performance.now();
  await until(isDone);
  return (count / (performance.now() - begun)) * 1000;
}

it('each queue is compared with its producers, or has the pace of those it calls', () => {
  const measured = ['notices', 'team_notices', 'mail_streams', 'mails'];
  expect(Object.keys(queueStates).sort()).toEqual([...measured, ...BOUND_BY_OTHERS].sort());
});

it.each([
  ['notices', 0],
  ['team_notices', 1],
])('%s are found faster than messages are written', async (_queue, lane) => {
  const replies = await Promise.all(
    messages.slice(0, 50).map((id) => bob.client.post(`/v1/messages/${id}/replies`, { text: 'yes' })),
  );
  const ids = replies.map(({ data }) => data[0].id as string);
  await until(async () => (await left('notice_jobs')) === 0);
  const rows = Array.from(
    { length: 2000 },
    (_, n) => `('${newId()}', 'message', '${ids[n % 50]}', ${lane}, '${bob.id}', '', 0, 0, 0)`,
  );
  await runSql(
    server.running.db,
    `INSERT INTO notice_jobs (id, kind, message_id, lane, source, cursor, num_failures, next_attempt_at, created_at)
      VALUES ${rows.join(', ')}`,
  );
  const pace = await paceOf(2000, async () => (await left('notice_jobs')) === 0);
  expect(pace).toBeGreaterThan(NAMED);
});

it('messages are indexed faster than they are written', async () => {
  await until(async () => (await left('message_index_queue')) === 0);
  await runSql(
    server.running.db,
    `INSERT INTO message_index_queue (message_id) SELECT id FROM messages WHERE team_id = ? AND seq IS NOT NULL`,
    [team],
  );
  const pace = await paceOf(messages.length, async () => (await left('message_index_queue')) === 0);
  expect(pace).toBeGreaterThan(INDEXED);
});

it('the members of a team are mailed faster than messages come for them', async () => {
  const members = 300;
  const large = await makeTeam(ada, [bob], 'Large');
  const now = server.clock.now();
  await server.running.db.write(async (tx) => {
    for (let n = 0; n < members; n++) {
      const member = {
        team: large,
        email: `member${n}@example.org`,
        first_name: `M${n}`,
        last_name: '',
        now,
      };
      await insertMember(tx, member);
    }
  });
  await ada.client.post('/v1/messages', { text: 'to all', addressed_teams: [large] });
  mailbox.clear();
  server.clock.advance(61);
  const pace = await paceOf(members, async () => mailbox.received.length >= members);
  expect(pace).toBeGreaterThan(MAILED);
});
