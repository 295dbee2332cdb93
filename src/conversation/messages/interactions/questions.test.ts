import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Asking, asking, plain } from '../../../../test/support/clicks.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { allPlaced, pathOf, pullAll } from '../../../../test/support/feed.ts';
import { makeTeam } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { server, host, dev, ada, bob, zoe } = scene({
  people: ['Dev', 'Ada', 'Bob', 'Zoe'],
  options: { housekeepingMs: 50, workerIntervalMs: 20 },
});
let team: string;
let of: Asking;
let message: string;

const option = (value: string) => ({ text: plain(value.toUpperCase()), value });
const FIND = {
  type: 'actions',
  block_id: 'find',
  elements: [
    { type: 'external_select', action_id: 'task', min_query_length: 1, initial_option: option('t0') },
    { type: 'multi_external_select', action_id: 'tasks', max_selected_items: 2 },
    { type: 'static_select', action_id: 'day', options: [option('mon')] },
  ],
};

beforeEach(async () => {
  team = await makeTeam(ada, [bob, zoe]);
  of = await asking(server, { owner: dev, admin: ada, host, team });
  message = await of.post({ blocks: [FIND] });
});

const ask = (value: string, { by = bob, action_id = 'task', id = message } = {}) =>
  by.client.post(`/v1/messages/${id}/options`, { block_id: 'find', action_id, value });
const choose = (fields: object, by = bob) =>
  by.client.post(`/v1/messages/${message}/interactions`, {
    ...{ block_id: 'find', action_id: 'task', click: randomUUID() },
    ...fields,
  });
const addressOf = async (id: string) =>
  new URL((await of.heard()).find((data) => data.id === id).response_url).pathname;
async function offer(id: string, answer: object = { options: [option('t1'), option('t2')] }) {
  return server.anonymous().post(await addressOf(id), answer);
}

/** The end of a question, as its person is told. Those of earlier tests end as well. */
async function endOf(stream: EventStream, id: string) {
  const found = () => stream.of('interaction').find(({ data }) => data.id === id)?.data;
  await stream.until(() => found() !== undefined);
  return found();
}

describe('a question for options (claim: options-asked)', () => {
  it('is asked of the application with what was typed, and answered to the person', async () => {
    const stream = await EventStream.open(bob.client);
    const [asked] = (await ask('pai')).data;
    expect(asked).toEqual({ id: expect.any(String), status: 'pending' });
    const [heard] = await of.heard();
    expect(heard).toEqual({
      ...{ kind: 'options', id: asked.id, team, user: bob.id, message: { id: message } },
      ...{ block_id: 'find', action_id: 'task', value: 'pai', state: {}, response_url: expect.any(String) },
    });
    const answered = await offer(asked.id);
    expect(answered.data).toEqual([{ id: asked.id, status: 'done', uses_left: 4 }]);
    expect(await endOf(stream, asked.id)).toEqual({ id: asked.id, status: 'done' });
    stream.close();
    expect((await ask('pai')).data).toEqual([
      { id: asked.id, status: 'done', options: [option('t1'), option('t2')] },
    ]);
  });

  it('is asked once in five minutes, for each person and text', async () => {
    const ids = async () =>
      (await Promise.all([ask('pai'), ask('pai'), ask('pain'), ask('pai', { by: zoe })])).map(
        ({ data }) => data[0].id,
      );
    const first = await ids();
    expect(new Set(first).size).toBe(3);
    for (const id of new Set(first)) await offer(id);
    expect(await ids()).toEqual(first);
    expect(await of.heard()).toHaveLength(3);
    server.clock.advance(301);
    expect((await ask('pai')).data[0].id).not.toBe(first[0]);
  });

  it('fails after three seconds without options, however its event was acknowledged, and is asked again', async () => {
    const stream = await EventStream.open(bob.client);
    const [{ id }] = (await ask('pai')).data;
    await allPlaced(server);
    const path = pathOf(of.app, of.subscription);
    const { cursor } = await pullAll(of.app.credentials, path);
    expect((await of.app.credentials.put(`${path}/consumers/pages/cursor`, { cursor })).status).toBe(200);
    expect((await ask('pai')).data[0]).toEqual({ id, status: 'pending' });
    server.clock.advance(3);
    expect(await endOf(stream, id)).toEqual({ id, status: 'failed', reason: 'no_answer' });
    stream.close();
    const late = await offer(id);
    expect([late.status, late.body.errors[0].message]).toEqual([
      404,
      'Options are waited for 3 seconds, and once',
    ]);
    expect((await ask('pai')).data[0].id).not.toBe(id);
  });

  it('takes groups, and no options at all', async () => {
    const grouped = { option_groups: [{ label: plain('Indoors'), options: [option('t1')] }] };
    const [one, two] = [(await ask('a')).data[0], (await ask('b')).data[0]];
    await offer(one.id, grouped);
    await offer(two.id, { options: [] });
    expect((await ask('a')).data[0]).toEqual({ id: one.id, status: 'done', ...grouped });
    expect((await ask('b')).data[0]).toEqual({ id: two.id, status: 'done', options: [] });
  });

  it('is refused by its place, and can be answered right after a wrong answer', async () => {
    const [{ id }] = (await ask('pai')).data;
    const refusals = [
      [{}, 'options'],
      [{ options: [{ value: 'x' }] }, 'options[0].text'],
      [{ options: Array.from({ length: 101 }, (_, at) => option(`t${at}`)) }, 'options'],
      [{ options: [option('a')], option_groups: [{ label: plain('A'), options: [option('b')] }] }, 'options'],
      [{ option_groups: [{ label: plain('A'), options: [] }] }, 'option_groups[0].options'],
      [{ ephemeral: true, text: 'x' }, 'ephemeral'],
    ] as const;
    for (const [answer, reason] of refusals) {
      const { code, body } = await offer(id, answer);
      expect([answer, code, body.errors[0].reason]).toEqual([answer, 4002, reason]);
    }
    expect((await offer(id)).status).toBe(200);
    const click = (await choose({ action_id: 'day', value: 'mon' })).data[0];
    expect((await offer(click.id)).body.errors[0].reason).toBe('options');
  });

  it('is refused for too few characters, other elements, and who does not see the message', async () => {
    const short = await ask('pa', { action_id: 'tasks' });
    expect(short.body.errors).toMatchObject([
      { reason: 'value', message: 'must have at least 3 characters' },
    ]);
    expect((await ask('', {})).body.errors[0].reason).toBe('value');
    expect((await ask('mon', { action_id: 'day' })).body.errors[0].reason).toBe('action_id');
    expect((await ask('pai', { by: dev })).status).toBe(404);
    await of.app.credentials.delete(`/v1/applications/${of.app.id}/subscriptions/${of.subscription}`);
    expect((await ask('pai')).body.errors[0].reason).toBe('no_listener');
  });
});

describe('a choice among what was offered', () => {
  it('is one of the options that this person was offered, or the initial one', async () => {
    const [{ id }] = (await ask('pai')).data;
    expect((await choose({ value: 't1' })).body.errors[0].reason).toBe('value');
    await offer(id);
    expect((await choose({ value: 't1' })).data[0].status).toBe('pending');
    expect((await choose({ value: 't0' })).data[0].status).toBe('pending');
    expect((await choose({ value: 't3' })).body.errors[0].reason).toBe('value');
    expect((await choose({ value: 't1' }, zoe)).body.errors[0].reason).toBe('value');
    expect((await choose({ action_id: 'tasks', values: ['t1'] })).body.errors[0].reason).toBe('values');
    const clicks = (await of.heard()).filter(({ kind }) => kind === 'action');
    expect(clicks.map(({ value }) => value)).toEqual(['t1', 't0']);
  });

  it('is told as part of the state; what was not offered is left out', async () => {
    const [{ id }] = (await ask('pain', { action_id: 'tasks' })).data;
    await offer(id);
    const state = (tasks: string[]) => ({ find: { tasks } });
    await choose({ action_id: 'day', value: 'mon', state: state(['t1', 't2']) });
    await choose({ action_id: 'task', value: 't0', state: state(['t9']) });
    const clicks = (await of.heard()).filter(({ kind }) => kind === 'action');
    expect(clicks.map((data) => data.state)).toEqual([state(['t1', 't2']), {}]);
  });
});
