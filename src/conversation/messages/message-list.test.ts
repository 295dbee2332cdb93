import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer, Client } from '../../../test/support/client.ts';
import { authorize, install, join, makeTeam, register } from '../../../test/support/people.ts';
import { scene } from '../../../test/support/scene.ts';
import { type RunningServer, startServer } from '../../app/start.ts';
import { readConfig } from '../../process/config.ts';

const { server, host, ada, bob, cleo } = scene({ people: ['Ada', 'Bob', 'Cleo'], each: 'people' });
let other: RunningServer;
let team: string;
let application: Awaited<ReturnType<typeof register>>;
/** Bob's message, posted by the application, about this object. */
let message: string;
let object: string;
let reply: string;
let sidebar: string;

const id = ({ data }: Answer) => data[0].id as string;

beforeAll(async () => {
  const config = readConfig({ ...server.environment, PORT: '0' }, '');
  other = await startServer(config, { clock: server.clock.now, logger: pino({ level: 'silent' }) });
});
beforeEach(async () => {
  team = await makeTeam(ada, [bob, cleo]);
  application = await register(bob, host, { icon: '🛠' });
  await install(ada, team, application);
  const token = server.anonymous().withToken((await authorize(bob, team, application)).access_token);
  const fields = { name: 'Issue 7', team, type: 'issue', url: '/issues/7' };
  object = id(await application.credentials.post(`/v1/applications/${application.id}/objects`, fields));
  message = id(
    await token.post('/v1/messages', {
      text: 'See {0}, “Ädä” 🛠',
      addressed_teams: [team],
      mentions: [{ type: 'appobject', id: object }],
      attachments: { links: [{ url: 'https://example.org/', title: 'A page' }] },
    }),
  );
  reply = id(await cleo.client.post(`/v1/messages/${message}/replies`, { text: 'Seen' }));
  sidebar = id(
    await ada.client.post(`/v1/messages/${message}/sidebars`, { users: [cleo.id], text: 'Between us' }),
  );
  await ada.client.post('/v1/messages', { text: 'Direct', addressed_users: [bob.id, cleo.id] });
});
afterAll(() => other.stop());

/** Each person at each node. */
const viewers = () =>
  [server.url, other.url.replace('localhost', '127.0.0.1')].flatMap((url) =>
    [ada, bob, cleo].map(({ client }) => client.at(url)),
  );

async function listsOf(viewer: Client): Promise<{ id: string }[][]> {
  const paths = [
    `/v1/messages?team=${team}`,
    '/v1/messages?tag=_inbox',
    `/v1/messages/${message}/replies`,
    `/v1/sidebars/${sidebar}/messages`,
  ];
  const answers = await Promise.all(paths.map((path) => viewer.get(path)));
  // Bob is not in the sidebar.
  return answers.filter(({ status }) => status === 200).map(({ data }) => data);
}

const allLists = () => Promise.all(viewers().map(listsOf));

/** Each message of a list is to its viewer as it is when they ask for it alone. */
async function expectAsAlone(): Promise<void> {
  for (const viewer of viewers()) {
    for (const item of (await listsOf(viewer)).flat()) {
      const alone = await viewer.get(`/v1/messages/${item.id}`);
      expect(item).toEqual(alone.data[0]);
    }
  }
}

describe('a list of messages that was shown before', () => {
  const highFive = (person: typeof ada) => () => person.client.put(`/v1/messages/${message}/high_five`);
  const rename = (fields: object) => () => bob.client.patch(`/v1/applications/${application.id}`, fields);

  it.each<[string, (() => Promise<Answer>)[]]>([
    ['a name', [() => bob.client.patch('/v1/users/me', { first_name: 'Robert', title: 'Captain' })]],
    ['a user name', [() => cleo.client.patch('/v1/users/me', { username: `cleo${cleo.id.slice(-6)}` })]],
    [
      'an edit, and another one',
      ['Once {0}', 'Twice {0}'].map((text) => () => bob.client.patch(`/v1/messages/${message}`, { text })),
    ],
    ['an edited reply', [() => cleo.client.patch(`/v1/messages/${reply}`, { text: 'Seen it' })]],
    ['a deletion', [() => ada.client.delete(`/v1/messages/${message}`)]],
    ['a deleted reply', [() => cleo.client.delete(`/v1/messages/${reply}`)]],
    [
      'high fives, given and taken',
      [highFive(ada), highFive(cleo), () => cleo.client.delete(`/v1/messages/${message}/high_five`)],
    ],
    ['a reply', [() => bob.client.post(`/v1/messages/${message}/replies`, { text: 'More' })]],
    [
      'what one reader has read, and not read again',
      [
        () => cleo.client.put(`/v1/messages/${message}/read`),
        () => cleo.client.delete(`/v1/messages/${message}/read`),
      ],
    ],
    ['a read reply', [() => ada.client.put(`/v1/messages/${reply}/read`)]],
    ['a read team', [() => cleo.client.put(`/v1/teams/${team}/read`, { up_to: message })]],
    ['all read', [() => cleo.client.put('/v1/users/me/read')]],
    [
      'a muted conversation, and an audible one',
      [
        () => cleo.client.put(`/v1/messages/${message}/mute`),
        () => cleo.client.delete(`/v1/messages/${message}/mute`),
      ],
    ],
    ['a muted team', [() => cleo.client.patch(`/v1/users/me/teams/${team}`, { is_muted: true })]],
    [
      'a sidebar',
      [
        () => cleo.client.post(`/v1/messages/${message}/sidebars`, { users: [bob.id], text: 'Psst' }),
        () => ada.client.post(`/v1/sidebars/${sidebar}/messages`, { text: 'And?' }),
      ],
    ],
    ['the application’s name', [rename({ name: 'Workshop' })]],
    ['the application’s icon', [rename({ icon: '⚙' }), rename({ icon: 'https://example.org/icon.png' })]],
    ['the application’s address', [rename({ base_url: 'http://127.0.0.1:1' })]],
    [
      'a mention of what was deleted',
      [() => application.credentials.delete(`/v1/applications/${application.id}/objects/${object}`)],
    ],
    ['a closed account', [() => cleo.client.post('/v1/users/me/deactivation', { password: PASSWORD })]],
  ])('shows %s', async (_, changes) => {
    for (const change of changes) {
      const before = await allLists();
      const answer = await change();
      expect(answer.status, answer.text).toBe(200);
      expect(await allLists()).not.toEqual(before);
      await expectAsAlone();
    }
  });

  it('is empty for a member who leaves, and the same again for one who comes back', async () => {
    const before = await listsOf(cleo.client);
    expect((await cleo.client.delete(`/v1/teams/${team}/users/${cleo.id}`)).status).toBe(200);
    for (const viewer of viewers()) {
      const answer = await viewer.get(`/v1/messages?team=${team}`);
      expect(answer.status).toBe(viewer.cookie === cleo.client.cookie ? 404 : 200);
    }
    expect((await cleo.client.get('/v1/messages?tag=_inbox')).data).toHaveLength(1);
    await join(ada, team, cleo);
    expect((await listsOf(cleo.client))[0]?.map((item) => item.id)).toEqual(
      before[0]?.map((item) => item.id),
    );
    await expectAsAlone();
  });
});

const PASSWORD = 'a password of length';
