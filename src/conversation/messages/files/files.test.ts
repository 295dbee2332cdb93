import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { makeTeam, type Person } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';

const { ada, bob, cy } = scene({ people: ['Ada', 'Bob', 'Cy'] });
let team: string;

beforeEach(async () => {
  team = await makeTeam(ada, [bob, cy]);
});

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function upload(person: Person, name: string): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([name.endsWith('.png') ? PIXEL : name]), name);
  return (await person.client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

async function post(person: Person, path: string, names: readonly string[], fields: object): Promise<string> {
  const files = [];
  for (const name of names) files.push(await upload(person, name));
  const answer = await person.client.post(path, { text: 'Here', attachments: { files }, ...fields });
  return answer.data[0].id;
}

const say = (person: Person, ...names: string[]) =>
  post(person, '/v1/messages', names, { addressed_teams: [team] });
const namesOf = async (person: Person, path: string) =>
  (await person.client.get(path)).data.map(({ name }) => name);
const inTeam = (person: Person, query = '') => namesOf(person, `/v1/teams/${team}/files?${query}`);

it('lists the files of a team by name, kind and person, the newest first', async () => {
  const first = await say(ada, 'Pläne.txt', 'roof.png');
  await post(bob, `/v1/messages/${first}/replies`, ['answer.txt'], {});
  await say(bob, 'invoice.txt');
  expect(await inTeam(cy)).toEqual(['invoice.txt', 'answer.txt', 'roof.png', 'Pläne.txt']);
  expect(await inTeam(cy, 'q=PLAN')).toEqual(['Pläne.txt']);
  expect(await inTeam(cy, 'kind=picture')).toEqual(['roof.png']);
  expect(await inTeam(cy, 'kind=document&q=in')).toEqual(['invoice.txt']);
  expect(await inTeam(cy, `user=${bob.id}`)).toEqual(['invoice.txt', 'answer.txt']);
  const { data } = await cy.client.get(`/v1/teams/${team}/files?q=roof`);
  expect(data).toMatchObject([{ type: 'image/png', message: first, author: { id: ada.id }, width: 1 }]);
  expect((await cy.client.get(new URL(data[0].url).pathname)).status).toBe(200);
});

it('goes on page by page', async () => {
  for (let at = 1; at <= 5; at += 1) await say(ada, `${at}.txt`);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { data, body } = await bob.client.get(`/v1/teams/${team}/files?limit=2${cursor}`);
    seen.push(...data.map(({ name }) => name));
    cursor = body.meta.next_cursor === null ? '' : `&cursor=${body.meta.next_cursor}`;
  } while (cursor);
  expect(seen).toEqual(['5.txt', '4.txt', '3.txt', '2.txt', '1.txt']);
});

it('has the files of a sidebar for its people, and none of a deleted message (claim: files-as-seen)', async () => {
  const message = await say(ada, 'open.txt');
  const sidebar = await ada.client.post(`/v1/messages/${message}/sidebars`, { users: [bob.id], text: 'So' });
  await post(ada, `/v1/sidebars/${sidebar.data[0].id}/messages`, ['aside.txt'], {});
  expect(await inTeam(bob)).toEqual(['aside.txt', 'open.txt']);
  expect(await inTeam(cy)).toEqual(['open.txt']);
  await ada.client.delete(`/v1/messages/${message}`);
  expect(await inTeam(bob)).toEqual(['aside.txt']);
});

it('is closed to who is no member, or no member any more', async () => {
  await say(ada, 'open.txt');
  await ada.client.delete(`/v1/teams/${team}/users/${cy.id}`);
  expect((await cy.client.get(`/v1/teams/${team}/files`)).code).toBe(4040);
  expect((await ada.client.get(`/v1/teams/${randomUUID()}/files`)).code).toBe(4040);
  expect((await ada.client.get(`/v1/teams/${team}/files?user=x`)).body.errors[0].reason).toBe('user');
  expect((await ada.client.get(`/v1/teams/${team}/files?kind=x`)).code).toBe(4002);
});

it('lists the files of a direct conversation for the people in it', async () => {
  const first = await post(ada, '/v1/messages', ['ours.txt'], { addressed_users: [bob.id] });
  await post(bob, `/v1/messages/${first}/replies`, ['back.txt'], {});
  await post(ada, '/v1/messages', ['all.txt'], { addressed_users: [bob.id, cy.id] });
  const { data } = await ada.client.get(`/v1/users/me/conversations?with=${bob.id}`);
  const path = `/v1/users/me/conversations/${data[0].id}/files`;
  for (const person of [ada, bob]) expect(await namesOf(person, path)).toEqual(['back.txt', 'ours.txt']);
  expect((await cy.client.get(path)).code).toBe(4040);
  expect(await inTeam(ada)).toEqual([]);
});
