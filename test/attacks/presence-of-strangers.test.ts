// Dora leads a team, writes to it and to its people, and is removed. Afterwards she says how she is, and is online. All
// whom she has left, and those who join after her, ask in every place that shows a person. Only Sam shares a team with her.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { authorize, install, join, makeTeam, type Person, register } from '../support/people.ts';
import { uploadText } from '../support/reach.ts';
import { scene } from '../support/scene.ts';

const { server, host, root, ada, dora, finn, sam, nora } = scene({
  people: ['Root', 'Ada', 'Dora', 'Finn', 'Sam', 'Nora'],
  options: { workerIntervalMs: 20 },
});
const status = { emoji: '🌴', text: 'Far away', until: null };
const scopes = ['messages:read', 'direct:read', 'direct:app', 'members:read', 'inbox:read', 'reactions:read'];
let [team, message, sidebar, conversation] = ['', '', '', ''];
let [itself, finns, sams] = [] as unknown as [Client, Client, Client];
const streams: EventStream[] = [];
afterAll(() => {
  for (const stream of streams) stream.close();
});

beforeAll(async () => {
  team = await makeTeam(ada);
  await join(ada, team, dora, 1);
  for (const one of [finn, sam]) await join(dora, team, one);
  await makeTeam(sam, [dora]);
  const app = await register(root, host, { scopes });
  await install(dora, team, app);
  const files = [await uploadText(dora, 'secret')];
  const sent = { text: 'palimpsest', attachments: { files }, addressed_teams: [team] };
  message = (await dora.client.post('/v1/messages', sent)).data[0].id;
  await dora.client.post(`/v1/messages/${message}/replies`, { text: 'And more' });
  await dora.client.put(`/v1/messages/${message}/high_five`);
  await dora.client.put(`/v1/teams/${team}/pins/${message}`);
  const beside = { users: [finn.id, sam.id], text: 'Between us' };
  sidebar = (await dora.client.post(`/v1/messages/${message}/sidebars`, beside)).data[0].id;
  const between = {
    addressed_users: [finn.id, sam.id],
    attachments: { files: [await uploadText(dora, 'own')] },
  };
  await dora.client.post('/v1/messages', { text: 'Hello', ...between });
  conversation = (await dora.client.get('/v1/users/me/conversations')).data[0].id;
  for (const { client } of [finn, sam]) await client.put(`/v1/users/me/saved/${message}`);
  const form = { grant_type: 'client_credentials', team };
  const { body } = await app.credentials.ask('POST', '/v1/oauth2/token', { form });
  itself = server.anonymous().withToken(body.access_token);
  const tokenOf = async (who: Person) =>
    server.anonymous().withToken((await authorize(who, team, app)).access_token);
  [finns, sams] = [await tokenOf(finn), await tokenOf(sam)];
  await ada.client.delete(`/v1/teams/${team}/users/${dora.id}`);
  await join(ada, team, nora);
  const quiet = server.clock.now() / 1000 + 3600;
  await dora.client.patch('/v1/users/me', { status, do_not_disturb_until: quiet });
  streams.push(await EventStream.open(dora.client));
  await vi.waitFor(async () =>
    expect((await sam.client.get(`/v1/users/${dora.id}`)).data[0].online).toBe(true),
  );
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function* summariesIn(value: any): Generator<{ online: boolean; status?: object }> {
  if (typeof value !== 'object' || value === null) return;
  if (value.id === dora.id && 'online' in value) yield value;
  for (const part of Object.values(value)) yield* summariesIn(part);
}

/** How Dora is by each place that shows her. */
const shownIn = (answer: object) =>
  [...summariesIn(answer)].map(({ online, status: shown, ...rest }) => ({
    online,
    ...(shown && { status: shown }),
    isQuiet: 'do_not_disturb_until' in rest,
  }));

const HIDDEN = { online: false, isQuiet: false };
const SHOWN = { online: true, status, isQuiet: true };

const ofTeam = () => [
  `/v1/messages?team=${team}`,
  `/v1/messages?q=palimpsest&team=${team}`,
  `/v1/messages/${message}`,
  `/v1/messages/${message}/replies`,
  `/v1/messages/${message}/reactions`,
  `/v1/messages/${message}/high_fives`,
  `/v1/teams/${team}/pins`,
  `/v1/teams/${team}/files`,
  `/v1/quotes?messages=${message}`,
];
const ofPeople = () => [
  '/v1/users/me/inbox',
  '/v1/users/me/conversations',
  `/v1/messages?with=${[dora.id, finn.id, sam.id].join(',')}`,
  `/v1/users/me/conversations/${conversation}/files`,
  `/v1/sidebars/${sidebar}/messages`,
];
const ofSessions = () => ['/v1/users/me/saved', '/v1/users/me/teams'];
const ofManagement = () => [`/v1/teams/${team}/applications`, `/v1/teams/${team}/users`];

/** @returns the places that show Dora in another way than expected, and those that do not show her */
async function wrong(client: Client, paths: readonly string[], expected: object) {
  const found = [];
  for (const path of paths) {
    const { status: code, body } = await client.get(path);
    const shown = shownIn(body.data ?? body);
    if (shown.length === 0) found.push({ path, code });
    for (const one of shown) if (JSON.stringify(one) !== JSON.stringify(expected)) found.push({ path, one });
  }
  return found;
}

describe('how a person is (claim: whereabouts-shared)', () => {
  it('is hidden from those who share no team with them any more, also beside what they wrote', async () => {
    const own = [...ofTeam(), ...ofPeople(), ...ofSessions(), ...ofManagement()];
    expect(await wrong(finn.client, own, HIDDEN)).toEqual([]);
    expect(await wrong(ada.client, [...ofTeam(), ...ofManagement()], HIDDEN)).toEqual([]);
  });

  it('is hidden from those who never shared one', async () => {
    expect(await wrong(nora.client, [...ofTeam(), ...ofManagement()], HIDDEN)).toEqual([]);
  });

  it('is seen by those who share another team', async () => {
    const own = [...ofTeam(), ...ofPeople(), ...ofSessions()];
    expect(await wrong(sam.client, own, SHOWN)).toEqual([]);
  });

  it('is seen by themselves', async () => {
    const own = ofPeople().filter((path) => path.includes('with='));
    expect(await wrong(dora.client, own, SHOWN)).toEqual([]);
  });

  it('is for applications what it is for the person, and of the team alone for one as itself', async () => {
    expect(await wrong(finns, [...ofTeam(), ...ofPeople()], HIDDEN)).toEqual([]);
    expect(await wrong(sams, [...ofTeam(), ...ofPeople()], SHOWN)).toEqual([]);
    const own = [
      `/v1/messages/${message}`,
      `/v1/messages/${message}/replies`,
      `/v1/messages/${message}/reactions`,
    ];
    expect(await wrong(itself, own, HIDDEN)).toEqual([]);
  });

  it('is in no event about a team that they have left', async () => {
    const opened = [await EventStream.open(finn.client), await EventStream.open(sam.client)];
    streams.push(...opened);
    await finn.client.put(`/v1/messages/${message}/reactions/${encodeURIComponent('🎉')}`);
    for (const stream of opened) {
      await stream.until(() => stream.of('message.updated').length > 0);
      const shown = stream.of('message.updated').flatMap(({ data }) => shownIn(data));
      expect(shown).toEqual([HIDDEN]);
    }
  });
});

it('how members are, all of the team see, and its applications', async () => {
  await ada.client.patch('/v1/users/me', { status });
  const { data } = await ada.client.post(`/v1/messages/${message}/replies`, { text: 'Here' });
  for (const client of [ada.client, finn.client, nora.client, finns, itself]) {
    const { author } = (await client.get(`/v1/messages/${data[0].id}`)).data[0];
    expect(author.status).toEqual(status);
  }
  const replies = (await nora.client.get(`/v1/messages/${message}/replies`)).data;
  expect(replies.at(-1).author.status).toEqual(status);
});
