import { expect, it } from 'vitest';
import { asking, press } from '../../../../test/support/clicks.ts';
import { makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { runSql } from '../../../../test/support/tables.ts';

const { server, host, dev, ada, bob } = scene({
  people: ['Dev', 'Ada', 'Bob'],
  options: { housekeepingMs: 50 },
  each: true,
});

const rows = () => runSql<{ id: string }>(server.running.db, 'SELECT id FROM interactions');

it('the row of a click goes with its message, and by itself after a day (claim: clicks-erased)', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  const [first, second] = [await of.post(), await of.post()];
  await press(bob, first);
  const [{ id }] = (await press(bob, second)).data;
  await (await of.itself()).delete(`/v1/messages/${first}`);
  expect(await rows()).toEqual([{ id }]);
  server.clock.advance(86_401);
  await expect.poll(rows).toEqual([]);
});

it('the row of a click goes with its team (claim: clicks-erased)', async () => {
  const team = await makeTeam(ada, [bob]);
  const of = await asking(server, { owner: dev, admin: ada, host, team });
  await press(bob, await of.post());
  expect((await ada.client.delete(`/v1/teams/${team}`)).status).toBe(200);
  expect(await rows()).toHaveLength(1);
  server.clock.advance(40 * 86_400);
  await expect.poll(rows, { timeout: 10_000 }).toEqual([]);
});
