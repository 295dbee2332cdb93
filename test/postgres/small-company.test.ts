import { expect, it } from 'vitest';
import { makeTeam } from '../support/people.ts';
import { readingMore, recordStatements, skew } from '../support/plans.ts';
import { scene } from '../support/scene.ts';
import { runSql } from '../support/tables.ts';

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });

const PEOPLE = 700;
const MESSAGES = 600;
/** Of the page, and of one step of a statement for it. */
const [PAGE, MOST] = [20, 100];

it('a page of messages is read by indexes, also where a table has some hundred rows', async () => {
  const { db } = server.running;
  const team = await makeTeam(ada, [bob]);
  for (let n = 0; n < PAGE; n++)
    await ada.client.post('/v1/messages', { text: `Message ${n}`, addressed_teams: [team] });
  await skew(db, 'users', PEOPLE);
  await skew(db, 'messages', MESSAGES);
  await runSql(db, 'ANALYZE');
  const stop = recordStatements(db);
  const { data } = await bob.client.get(`/v1/messages?team=${team}&limit=${PAGE}`);
  await bob.client.get(`/v1/messages/${data[0].id}`);
  expect(data).toHaveLength(PAGE);
  expect(await readingMore(db, stop(), MOST)).toEqual([]);
});
