import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { makeTeam } from '../support/people.ts';
import { freePort, type Program, root, startProgram } from '../support/process.ts';
import { scene } from '../support/scene.ts';

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });
const folder = newFolder();
let program: Program | undefined;
afterAll(async () => {
  await program?.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('the task tracker has a page inside Parley, and a form that adds a task', async () => {
  const team = await makeTeam(ada, [bob]);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const registered = await ada.client.post('/v1/applications', {
    ...{ name: 'Task tracker', base_url: url, preinstall_url: `${url}/parley/install` },
    redirect_uris: [`${url}/parley/redirect`],
    scopes: ['messages:read', 'messages:write'],
    ...{ has_home: true, commands: [{ name: 'task', description: 'Add a task' }] },
  });
  const { id, client_secret: secret } = registered.data[0];
  const settings = {
    PARLEY_CLIENT_ID: id,
    PARLEY_CLIENT_SECRET: secret,
    DATA_FILE: join(folder, 'tasks.db'),
  };
  const main = join(root, 'examples/task-tracker/main.ts');
  program = await startProgram(
    [main],
    { PORT: String(port), PARLEY_URL: server.url, ...settings },
    /listening to/,
  );
  expect((await ada.client.post(`/v1/teams/${team}/applications`, { application: id })).status).toBe(200);

  const home = `/v1/applications/${id}/home`;
  const shown = async () => JSON.stringify((await bob.client.get(`${home}?team=${team}`)).data[0].blocks);
  await bob.client.post(`${home}/openings?team=${team}`, { click: randomUUID() });
  await expect.poll(shown).toContain('0 open tasks');

  const act = (fields: object, click: string = randomUUID()) =>
    bob.client.post(`${home}/interactions?team=${team}`, { ...fields, click });
  const click = randomUUID();
  const form = async () =>
    (await act({ block_id: 'new', action_id: 'home-new' }, click)).data[0].form as string;
  await expect.poll(form).toBeDefined();
  const path = `/v1/forms/${await form()}`;
  const [{ hash }] = (await bob.client.get(path)).data;
  await bob.client.post(`${path}/submission`, { hash, state: { title: { text: 'Oil the engine' } } });
  await expect.poll(shown).toContain('Oil the engine');
  expect(await shown()).toContain('1 open task');
  // The application acknowledges the submission after it has shown the page.
  await expect.poll(async () => (await bob.client.get(path)).code).toBe(4040);

  await act({ block_id: 'task-1', action_id: 'home-done' });
  await expect.poll(shown).toContain('0 open tasks');
});
