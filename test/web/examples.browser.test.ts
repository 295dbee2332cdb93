import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { makeTeam, type Person, signUp } from '../support/people.ts';
import { freePort, type Program, root, startProgram } from '../support/process.ts';
import { inspect, startWeb, type Visitor, type Web } from '../support/web.ts';

let web: Web;
let ada: Person;
let ben: Person;
const folder = newFolder();
const programs: Program[] = [];

beforeAll(async () => {
  web = await startWeb();
  ada = await signUp(web.server, 'Ada');
  ben = await signUp(web.server, 'Ben');
});

afterAll(async () => {
  for (const program of programs) await program.end('SIGTERM');
  await web?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A team of two with an example in it, which runs. @returns the team */
async function place(name: string, example: string, icon: string): Promise<string> {
  const team = await makeTeam(ada, [ben], `${name}s`);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const install = example === 'task-tracker' ? '/parley/install' : '/install';
  const registered = await ada.client.post('/v1/applications', {
    ...{ name, icon, base_url: url, preinstall_url: url + install, redirect_uris: [`${url}/redirect`] },
    scopes: ['messages:read', 'messages:write', 'members:read'],
  });
  const { id, client_secret: secret } = registered.data[0];
  const environment = {
    ...{
      PORT: String(port),
      BASE_URL: url,
      PARLEY_URL: web.server.url,
      DATA_FILE: join(folder, randomUUID()),
    },
    ...{ PARLEY_CLIENT_ID: id, PARLEY_CLIENT_SECRET: secret },
  };
  const main = join(root, `examples/${example}/main.ts`);
  programs.push(await startProgram([main], environment, /listening to/));
  expect((await ada.client.post(`/v1/teams/${team}/applications`, { application: id })).status).toBe(200);
  return team;
}

const visit = (person: Person, path: string): Promise<Visitor> =>
  web.visit(path, { cookie: person.client.cookie });
const post = async (person: Person, team: string, text: string): Promise<string> =>
  (await person.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;

it('an approval is asked for, refused to one, given by another, and everybody sees it', async () => {
  const team = await place('Approval', 'approval', '⚖️');
  const { username } = (await ada.client.get('/v1/users/me')).data[0];
  const [asking, deciding] = [await visit(ben, `/teams/${team}`), await visit(ada, `/teams/${team}`)];
  await post(ben, team, `@approval @${username} A boat for the *whole* team, https://boats.example/7`);
  const blocks = ({ page }: Visitor) => page.getByRole('group', { name: 'From Approval' }).last();
  await blocks(asking).getByRole('button', { name: 'Approve' }).click();
  await asking.page.getByText('Done', { exact: true }).waitFor();
  await inspect(asking.page, 'example-approval-open');
  await blocks(deciding).getByRole('button', { name: 'Refuse' }).click();
  await inspect(deciding.page, 'example-approval-question', 'light');
  await deciding.page.getByRole('button', { name: 'Not yet' }).click();
  await blocks(deciding).getByRole('button', { name: 'Approve' }).click();
  for (const visitor of [asking, deciding]) {
    await blocks(visitor).getByText('Approved').waitFor();
    await blocks(visitor).getByText('By @Ada Test').waitFor();
    expect(visitor.problems).toEqual([]);
  }
  await inspect(asking.page, 'example-approval-done');
});

it('a poll counts what two people press, and is closed by the one who asked', async () => {
  const team = await place('Poll', 'poll', '📊');
  const [first, second] = [await visit(ben, `/teams/${team}`), await visit(ada, `/teams/${team}`)];
  await post(ben, team, '@poll Where do we eat? | Pizza with @team | Sushi & more | At home');
  const blocks = ({ page }: Visitor) => page.getByRole('group', { name: 'From Poll' }).last();
  await blocks(first).getByRole('button', { name: 'Vote for Pizza with @team' }).click();
  await blocks(second).getByText('1 vote, one for each person').waitFor();
  await blocks(second).getByRole('button', { name: 'Vote for Sushi & more' }).click();
  await blocks(first).getByText('2 votes, one for each person').waitFor();
  await inspect(first.page, 'example-poll-open');
  await blocks(first).getByRole('button', { name: 'Close the poll' }).click();
  await first.page.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
  await blocks(second).getByText('Closed.').waitFor();
  await inspect(second.page, 'example-poll-closed');
  for (const { problems } of [first, second]) expect(problems).toEqual([]);
});

it('a task of the tracker is taken and done by buttons in its message', async () => {
  const team = await place('Task tracker', 'task-tracker', '✅');
  const asked = await post(ben, team, '@tasktracker Oil the engine');
  await expect.poll(async () => (await ada.client.get(`/v1/messages/${asked}/replies`)).data.length).toBe(1);
  const { page, problems } = await visit(ada, `/messages/${asked}`);
  const blocks = page.getByRole('group', { name: 'From Task tracker' }).last();
  await blocks.getByRole('button', { name: 'Take it' }).click();
  await blocks.getByText('Taken by @Ada Test').waitFor();
  await inspect(page, 'example-task-taken');
  await blocks.getByRole('button', { name: 'Done' }).click();
  await blocks.getByText('Done. Taken by').waitFor();
  await inspect(page, 'example-task-done', 'light');
  expect(problems).toEqual([]);
});
