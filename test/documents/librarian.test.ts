import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeTeam, type Person } from '../support/people.ts';
import { freePort, type Program, root, startProgram } from '../support/process.ts';
import { scene } from '../support/scene.ts';

const { server, ada, bob, eve } = scene({ people: ['Ada', 'Bob', 'Eve'] });
let program: Program | undefined;
afterAll(() => program?.end('SIGTERM'));

it('the librarian answers from the files of the team alone, by quotation, and to nobody else', async () => {
  const [team, other] = [await makeTeam(ada, [bob]), await makeTeam(eve, [bob])];
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const registered = await ada.client.post('/v1/applications', {
    ...{ name: 'Librarian', base_url: url, preinstall_url: `${url}/install` },
    redirect_uris: [`${url}/redirect`],
    scopes: ['messages:read', 'files:read', 'direct:app'],
  });
  const { id, client_secret: secret } = registered.data[0];
  program = await startProgram(
    [join(root, 'examples/librarian/main.ts')],
    { PORT: String(port), PARLEY_URL: server.url, PARLEY_CLIENT_ID: id, PARLEY_CLIENT_SECRET: secret },
    /listening to/,
  );
  expect((await ada.client.post(`/v1/teams/${team}/applications`, { application: id })).status).toBe(200);
  const share = async (by: Person, of: string, name: string, text: string): Promise<string> => {
    const form = new FormData();
    form.append('file', new Blob([text]), name);
    const file = (await by.client.ask('POST', '/v1/attachments', { raw: form })).data[0].id;
    const given = { text: 'a file', attachments: { files: [file] }, addressed_teams: [of] };
    return (await by.client.post('/v1/messages', given)).data[0].id;
  };
  const house = await share(ada, team, 'house.txt', 'Heating is on.\n\nThe keys hang\nbehind the *oven*.\n');
  await share(eve, other, 'secret.txt', 'The keys of the safe are under the mat.');
  const ask = async (text: string): Promise<{ text: string; blocks?: object[] }> => {
    const talk = `/v1/messages?application=${id}&team=${team}`;
    const before = (await bob.client.get(talk)).data.length;
    await bob.client.post('/v1/messages', { text, addressed_application: id, team });
    await expect.poll(async () => (await bob.client.get(talk)).data.length).toBe(before + 2);
    return (await bob.client.get(talk)).data[0];
  };
  const found = await ask('Where are the keys of the house?');
  expect(found.blocks).toMatchObject([
    { text: { text: `*house.txt*, <${server.url}/messages/${house}|as it was posted>` } },
    { text: { type: 'plain_text', text: 'The keys hang\nbehind the *oven*.' } },
  ]);
  expect(found.blocks).toHaveLength(2);
  expect((await ask('Who is the captain?')).text).toBe('No file of this team says anything about that.');
  expect((await ask('Where is it?')).text).toContain('Ask me where something stands');
  expect((await ada.client.get(`/v1/messages?application=${id}&team=${team}`)).data).toEqual([]);
});
