import { expect, it } from 'vitest';
import { timeOf } from '#platform/ids.ts';
import { makeTeam } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { until } from '../../../test/support/until.ts';

const { ada, ben } = scene({ people: ['Ada', 'Ben'] });

it('a list begins at a time, with pages on both sides', async () => {
  const [team, other] = [await makeTeam(ada, [ben]), await makeTeam(ada)];
  const ids: string[] = [];
  const times: number[] = [];
  for (let posted = 0; posted < 6; posted++) {
    // Each in a millisecond of its own: ids have their time from the clock of the machine.
    const before = Date.now();
    await until(() => Date.now() > before + 2);
    const said = await ada.client.post('/v1/messages', { text: `${posted}`, addressed_teams: [team] });
    ids.push(said.data[0].id);
    times.push(timeOf(said.data[0].id) / 1000);
    await ada.client.post('/v1/messages', { text: 'elsewhere', addressed_teams: [other] });
  }
  const list = `/v1/messages?team=${team}&limit=3`;
  const pageAt = async (at: number | string) => {
    const { data, body } = await ben.client.get(`${list}&at=${at}`);
    return { ids: data.map(({ id }) => id), meta: body.meta };
  };
  const third = times[2] as number;
  // The moment itself, and any after the message before it.
  for (const at of [third, third - 0.001, (times[1] as number) + 0.001]) {
    const page = await pageAt(at);
    expect(page.ids).toEqual([ids[3], ids[2], ids[1]]);
    const newer = await ben.client.get(`${list}&cursor=${page.meta.previous_cursor}`);
    expect(newer.data.map(({ id }) => id)).toEqual([ids[5], ids[4]]);
    const older = await ben.client.get(`${list}&cursor=${page.meta.next_cursor}`);
    expect(older.data.map(({ id }) => id)).toEqual([ids[0]]);
  }
  expect((await pageAt(0)).ids).toEqual([ids[1], ids[0]]);
  // Nothing was said since then.
  expect((await pageAt((times[5] as number) + 1)).ids).toEqual([ids[5], ids[4], ids[3]]);
  const oldest = await ben.client.get(`${list}&order=oldest&at=${third}`);
  expect(oldest.data.map(({ id }) => id)).toEqual([ids[1], ids[2], ids[3]]);
  const inbox = await ben.client.get(`/v1/messages?tag=_inbox&limit=1&at=${third}`);
  expect(inbox.data.map(({ id }) => id)).toEqual([ids[2]]);
  expect((await ben.client.get(`/v1/messages?team=${other}&at=${third}`)).code).toBe(4040);

  const { next_cursor } = (await pageAt(third)).meta;
  for (const wrong of [
    `at=${third}&around=${ids[0]}`,
    `at=${third}&cursor=${next_cursor}`,
    `at=${third}&q=x`,
  ])
    expect((await ben.client.get(`/v1/messages?team=${team}&${wrong}`)).body.errors[0].reason).toBe('at');
  for (const at of ['-1', 'yesterday', '1e20', '999999999999'])
    expect((await ben.client.get(`${list}&at=${at}`)).status).toBe(400);
  expect((await ben.client.get(`${list}&at=253402300799`)).status).toBe(200);
});
