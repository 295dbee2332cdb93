import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../../../test/support/client.ts';
import { EventStream } from '../../../../test/support/event-stream.ts';
import { storedFiles } from '../../../../test/support/files.ts';
import { authorize, install, makeTeam, register } from '../../../../test/support/people.ts';
import { scene } from '../../../../test/support/scene.ts';
import { untilHolds } from '../../../../test/support/until.ts';

const { server, host, ada, bob } = scene({
  people: ['Ada', 'Bob'],
  environment: { UPLOAD_QUOTA_BYTES: '2000' },
  options: { housekeepingMs: 100 },
});
let team: string;

beforeEach(async () => {
  team = await makeTeam(ada, [bob]);
});

async function upload(client: Client, name: string, content = name): Promise<string> {
  const raw = new FormData();
  raw.set('file', new Blob([content]), name);
  return (await client.ask('POST', '/v1/attachments', { raw })).data[0].id;
}

const post = async (attachments: object, path = '/v1/messages', to: object = { addressed_teams: [team] }) =>
  (await ada.client.post(path, { text: 'Here', attachments, ...to })).data[0].id as string;
const edit = (id: string, body: object, by = ada.client) => by.patch(`/v1/messages/${id}`, body);
const namesOf = ({ attachments }: { attachments: { type: string; name: string; url: string }[] }) =>
  attachments.map(({ type, name, url }) => (type === 'file' ? name : url));
const listed = async (path: string) => (await bob.client.get(path)).data.map(({ name }) => name);

it('an edit adds and removes files, and everybody sees them at once', async () => {
  const [first, second] = [await upload(ada.client, 'first.txt'), await upload(ada.client, 'second.txt')];
  const id = await post({ files: [first] });
  const stream = await EventStream.open(bob.client);
  const { data } = await edit(id, { attachments: { files: [second, first, second] } });
  expect(data[0]).toMatchObject({ text: 'Here', events: [{ type: 'edited', user: ada.id }] });
  expect(namesOf(data[0])).toEqual(['second.txt', 'first.txt']);
  await stream.until((events) => events.some(({ kind }) => kind === 'message.updated'));
  expect(namesOf(stream.of('message.updated')[0]?.data.message)).toEqual(['second.txt', 'first.txt']);
  stream.close();
  expect((await bob.client.get(`/v1/attachments/${second}`)).text).toBe('second.txt');
  expect(await listed(`/v1/teams/${team}/files`)).toEqual(['second.txt', 'first.txt']);
  expect((await bob.client.get('/v1/messages?q=second&has=file')).data).toMatchObject([{ id }]);

  await edit(id, { text: 'There', attachments: { files: [second] } });
  expect((await bob.client.get(`/v1/attachments/${first}`)).code).toBe(4040);
  expect(await listed(`/v1/teams/${team}/files`)).toEqual(['second.txt']);
  expect((await bob.client.get('/v1/messages?q=first')).data).toEqual([]);
  expect((await bob.client.get(`/v1/messages/${id}/versions`)).data).toMatchObject([
    { text: 'Here' },
    { text: 'Here' },
  ]);
});

it('a removed file leaves the disk and the quota, unless another message holds it (claim: removed-is-gone)', async () => {
  const isStored = () => storedFiles(server).some((file) => statSync(file).size === 1500);
  const big = await upload(ada.client, 'big.txt', 'x'.repeat(1500));
  const small = await upload(ada.client, 'small.txt');
  const [id, other] = [await post({ files: [big, small] }), await post({ files: [small] })];
  expect(isStored()).toBe(true);
  await edit(id, { attachments: [] });
  await untilHolds(() => expect(isStored()).toBe(false));
  expect(await upload(ada.client, 'next.txt', 'x'.repeat(1500))).toEqual(expect.any(String));
  expect(namesOf((await bob.client.get(`/v1/messages/${other}`)).data[0])).toEqual(['small.txt']);
  expect((await bob.client.get(`/v1/attachments/${small}`)).text).toBe('small.txt');
});

it('what an edit does not name stays, and a list replaces all', async () => {
  const file = await upload(ada.client, 'plan.txt');
  const links = [{ url: 'https://example.org/a' }];
  const id = await post({ files: [file], links });
  const after = async (body: object) => namesOf((await edit(id, body)).data[0]);
  for (const body of [{ text: 'New' }, { text: 'Newer', attachments: null }, { attachments: {} }])
    expect(await after(body)).toEqual(['plan.txt', 'https://example.org/a']);
  expect(await after({ attachments: { links: [{ url: 'https://example.org/b' }] } })).toEqual([
    'plan.txt',
    'https://example.org/b',
  ]);
  expect(await after({ attachments: { files: [] } })).toEqual(['https://example.org/b']);
  const [fresh] = [await upload(ada.client, 'fresh.txt')];
  await edit(id, { attachments: { files: [fresh] } });
  expect(await after({ attachments: [{ type: 'link', url: 'https://example.org/c' }] })).toEqual([
    'https://example.org/c',
  ]);
  expect(await after({ attachments: [] })).toEqual([]);
});

it('an edit takes no foreign, unknown, gone or too many files, and none from a deleted message', async () => {
  const own = await upload(ada.client, 'own.txt');
  const id = await post({ files: [own] });
  const reasonOf = async (body: object) => (await edit(id, body)).body.errors?.[0]?.reason;
  const foreign = await upload(bob.client, 'foreign.txt');
  expect(await reasonOf({ attachments: { files: [own, foreign] } })).toBe('attachments.files.1');
  expect(await reasonOf({ attachments: { files: [randomUUID()] } })).toBe('attachments.files.0');
  expect(await reasonOf({ attachments: { files: 'x' } })).toBe('attachments.files');
  expect(await reasonOf({ attachments: [{ type: 'file', id: own }] })).toBe('attachments.0.type');
  const links = Array.from({ length: 20 }, () => ({ url: 'https://example.org/' }));
  expect(await reasonOf({ attachments: { links } })).toBe('attachments');
  expect(await reasonOf({ text: '', attachments: [] })).toBe('text');
  expect((await edit(id, { attachments: [] }, bob.client)).code).toBe(4030);
  expect(namesOf((await ada.client.get(`/v1/messages/${id}`)).data[0])).toEqual(['own.txt']);
  await edit(id, { attachments: [] });
  expect(await reasonOf({ attachments: { files: [own] } })).toBe('attachments.files.0');
  await ada.client.delete(`/v1/messages/${id}`);
  expect(await reasonOf({ attachments: { files: [await upload(ada.client, 'late.txt')] } })).toBe('deleted');
});

it('edits and posts at once leave each file in the messages that show it', async () => {
  const files = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => upload(ada.client, name)));
  const ids = [await post({ files }), await post({ files: [...files].reverse() })];
  const sets = [[0, 1], [1, 2], [2], [2, 1, 0], [0]].map((places) => places.map((at) => files[at]));
  const answers = await Promise.all(
    ids.flatMap((id) => sets.map((wanted) => edit(id, { attachments: { files: wanted } }))),
  );
  for (const { status } of answers) expect([200, 400]).toContain(status);
  const held = await Promise.all(ids.map(async (id) => (await bob.client.get(`/v1/messages/${id}`)).data[0]));
  const shown = held.flatMap(({ attachments }) => attachments.map(({ id }: { id: string }) => id));
  for (const file of files)
    expect((await bob.client.get(`/v1/attachments/${file}`)).status).toBe(shown.includes(file) ? 200 : 404);
  const list = (await bob.client.get(`/v1/teams/${team}/files`)).data;
  expect(list.map((one) => one.id).sort()).toEqual(shown.sort());
});

it('replies, sidebars and direct messages take files, listed where they belong', async () => {
  const direct = await post({}, '/v1/messages', { addressed_users: [bob.id] });
  const reply = await post({}, `/v1/messages/${direct}/replies`, {});
  for (const [id, name] of [
    [direct, 'opened.txt'],
    [reply, 'replied.txt'],
  ] as const)
    await edit(id, { attachments: { files: [await upload(ada.client, name)] } });
  const { data } = await bob.client.get(`/v1/users/me/conversations?with=${ada.id}`);
  expect(await listed(`/v1/users/me/conversations/${data[0].id}/files`)).toEqual([
    'replied.txt',
    'opened.txt',
  ]);
  const said = await post({});
  const sidebar = await ada.client.post(`/v1/messages/${said}/sidebars`, { users: [bob.id], text: 'Psst' });
  const aside = await post({}, `/v1/sidebars/${sidebar.data[0].id}/messages`, {});
  await edit(aside, { attachments: { files: [await upload(ada.client, 'aside.txt')] } });
  expect(await listed(`/v1/teams/${team}/files`)).toEqual(['aside.txt']);
});

it('an application attaches what it uploaded to what it may edit, and keeps the files that are there', async () => {
  const scopes = ['messages:read', 'messages:write'];
  const application = await register(ada, host, { scopes });
  await install(ada, team, application);
  const client = server.anonymous().withToken((await authorize(ada, team, application)).access_token);
  const own = await upload(ada.client, 'by-ada.txt');
  const id = await post({ files: [own] });
  const loose = await upload(ada.client, 'loose.txt');
  const refused = await edit(id, { attachments: { files: [own, loose] } }, client);
  expect(refused.body.errors[0].reason).toBe('attachments.files.1');
  const its = await upload(client, 'by-application.txt');
  const { data } = await edit(id, { attachments: { files: [own, its] } }, client);
  expect(namesOf(data[0])).toEqual(['by-ada.txt', 'by-application.txt']);
});
