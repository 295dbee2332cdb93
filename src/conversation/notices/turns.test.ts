import { expect, it } from 'vitest';
import { newId } from '#platform/ids.ts';
import { makeTeam, signUp } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { runSql } from '../../../test/support/tables.ts';
import { until } from '../../../test/support/until.ts';
import { deleteJob, noticeQueue } from './job.store.ts';

const { server } = scene({ people: ['First'] });

/** Not worked on by the server. */
const LANE = 7;

async function insertJobs(source: string, count: number, message: string, lane = LANE): Promise<void> {
  const values = Array.from(
    { length: count },
    (_, n) => `('${newId()}', 'message', '${message}', ${lane}, '${source}', '', 0, ${n}, 0)`,
  );
  await runSql(
    server.running.db,
    `INSERT INTO notice_jobs (id, kind, message_id, lane, source, cursor, num_failures, next_attempt_at, created_at) VALUES ${values.join(', ')}`,
  );
}

/** Carries out the first jobs of a round, all by default. @returns the sources of the round's jobs, in order */
const roundsOf =
  (lane: ReturnType<typeof noticeQueue.track>) =>
  (limit: number, done = limit): Promise<string> =>
    server.running.db.write(async (tx) => {
      const jobs = await lane.lockDue.all(tx, { now: 1000, limit });
      for (const job of jobs.slice(0, done)) {
        lane.onCarriedOut(job);
        await deleteJob.run(tx, job);
      }
      return jobs.map(({ source }) => source).join('');
    });

it('authors take turns: one with many jobs delays the others by one of each round', async () => {
  const ada = await signUp(server, 'Ada');
  const team = await makeTeam(ada, []);
  const { data } = await ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] });
  await insertJobs('a', 300, data[0].id);
  await insertJobs('b', 1, data[0].id);
  await insertJobs('c', 2, data[0].id);
  const round = roundsOf(noticeQueue.track(LANE));
  expect(await round(9, 0)).toBe('abcaca');
  // A round that ends early goes on with the author whose turn it is.
  expect(await round(9, 1)).toMatch(/^abc/);
  expect(await round(9, 2)).toMatch(/^bc/);
  expect(await round(9, 9)).toMatch(/^aca+$/);
});

it('a round that has room serves the authors on both sides of the one that was served last', async () => {
  const ada = await signUp(server, 'Ada');
  const team = await makeTeam(ada, []);
  const { data } = await ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] });
  const round = roundsOf(noticeQueue.track(LANE + 1));
  await insertJobs('b', 1, data[0].id, LANE + 1);
  expect(await round(9)).toBe('b');
  for (const source of ['a', 'c']) await insertJobs(source, 1, data[0].id, LANE + 1);
  expect(await round(9)).toBe('ca');
});

it('a mention is noticed while thousands of other notices of its author and of others wait', async () => {
  const [ada, bob] = [await signUp(server, 'Ada'), await signUp(server, 'Bob')];
  const team = await makeTeam(ada, [bob]);
  const { data } = await ada.client.post('/v1/messages', { text: 'x', addressed_teams: [team] });
  await insertJobs(ada.id, 5000, data[0].id, 0);
  await insertJobs(bob.id, 3000, data[0].id, 1);
  const me = (await ada.client.get('/v1/users/me')).data[0].username;
  await bob.client.post('/v1/messages', { text: `@${me} hello`, addressed_teams: [team] });
  await until(async () => (await ada.client.get('/v1/users/me/inbox')).data.length === 1);
  const [left] = await runSql<{ jobs: number }>(
    server.running.db,
    'SELECT count(*) AS jobs FROM notice_jobs WHERE lane = 0',
  );
  expect(left?.jobs).toBeGreaterThan(0);
});
