import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { type Asking, asking, plain } from '../support/clicks.ts';
import { growth, MOST_GROWTH } from '../support/growth.ts';
import { makeTeam } from '../support/people.ts';
import { scene } from '../support/scene.ts';

const { server, host, dev, ada, bob } = scene({ people: ['Dev', 'Ada', 'Bob'] });

/** As many as a form may have. */
const BLOCKS = 100;
let team: string;
let app: Asking;

beforeAll(async () => {
  team = await makeTeam(ada, [bob]);
  app = await asking(server, { owner: dev, admin: ada, host, team });
  const commands = [{ name: 'ask', description: 'Ask' }];
  await dev.client.patch(`/v1/applications/${app.app.id}`, { commands });
});

const fields = (share: number) =>
  Array.from({ length: BLOCKS * share }, (_, at) => ({
    ...{ type: 'input', block_id: `b${at}`, label: plain('x'.repeat(150)) },
    element: { type: 'plain_text_input', action_id: 'a' },
  }));

it('a home takes no longer to publish and to read than it has blocks', async () => {
  await dev.client.patch(`/v1/applications/${app.app.id}`, { has_home: true });
  const { times } = await growth(async (share) => {
    const blocks = fields(share);
    const query = `?team=${team}`;
    const path = `/v1/applications/${app.app.id}`;
    const put = await app.app.credentials.put(`${path}/homes/${bob.id}${query}`, { blocks });
    expect(put.status).toBe(200);
    expect((await bob.client.get(`${path}/home${query}`)).data[0].blocks).toHaveLength(blocks.length);
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});

it('a form takes no longer to open, to read and to submit than it has fields', async () => {
  const { times } = await growth(async (share) => {
    const blocks = fields(share);
    const given = await bob.client.post(`/v1/teams/${team}/commands`, { text: '/ask', click: randomUUID() });
    const [command] = (await app.heard()).slice(-1);
    expect(command.id).toBe(given.data[0].id);
    const path = new URL(command.response_url).pathname;
    const { data } = await server.anonymous().post(path, { form: { title: 'Ask', submit: 'Send', blocks } });
    const [form] = (await bob.client.get(`/v1/forms/${data[0].form}`)).data;
    expect(form.blocks).toHaveLength(blocks.length);
    const state = Object.fromEntries(blocks.map(({ block_id }) => [block_id, { a: 'x'.repeat(500) }]));
    const sent = await bob.client.post(`/v1/forms/${form.id}/submission`, { hash: form.hash, state });
    expect(sent.data[0].status).toBe('pending');
  });
  expect(times).toBeLessThan(MOST_GROWTH);
});
