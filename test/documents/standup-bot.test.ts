import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { allPlaced } from '../support/feed.ts';
import { newFolder } from '../support/folder.ts';
import { join as joinTeam, makeTeam, type Person, signUp } from '../support/people.ts';
import { freePort, type Program, root, startProgram } from '../support/process.ts';
import { scene } from '../support/scene.ts';

const { server, ada, bob } = scene({ people: ['Ada', 'Bob'] });
const folder = newFolder();
const programs: Program[] = [];

afterAll(async () => {
  for (const program of programs) await program.end('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

it('the stand-up bot greets a team, hears mentions by its stream and answers them as itself, also those of the time when it was stopped', async () => {
  const team = await makeTeam(ada, [bob]);
  const port = await freePort();
  const bot = `http://localhost:${port}`;
  const registered = await ada.client.post('/v1/applications', {
    name: 'Standup',
    base_url: bot,
    preinstall_url: `${bot}/install`,
    redirect_uris: [`${bot}/redirect`],
    scopes: ['messages:read', 'messages:write', 'members:read', 'direct:app'],
    commands: [{ name: 'standup', description: 'Say what you do', hint: '[today, summary or ask]' }],
    listed: true,
  });
  const { id, client_secret: secret } = registered.data[0];
  const start = async () => {
    const environment = {
      PORT: String(port),
      PARLEY_URL: server.url,
      PARLEY_CLIENT_ID: id,
      PARLEY_CLIENT_SECRET: secret,
      DATA_FILE: join(folder, 'standup-bot.json'),
    };
    const program = await startProgram(
      [join(root, 'examples/standup-bot/main.ts')],
      environment,
      /listening to/,
    );
    programs.push(program);
    return program;
  };
  const post = async (person: Person, text: string): Promise<string> =>
    (await person.client.post('/v1/messages', { text, addressed_teams: [team] })).data[0].id;
  const by = ({ author_type: type, author, via_app: app }: { [name: string]: Record<string, string> }) =>
    [type, author?.first_name, app?.id].join(' ');
  const itself = `application Standup ${id}`;
  const replies = async (message: string) =>
    (await ada.client.get(`/v1/messages/${message}/replies`)).data.map((reply) => [reply.text, by(reply)]);

  const first = await start();
  expect((await ada.client.post(`/v1/teams/${team}/applications`, { application: id })).status).toBe(200);
  const messages = async () =>
    (await bob.client.get(`/v1/messages?team=${team}`)).data.map((message) => [message.text, by(message)]);
  await expect.poll(messages).toEqual([[expect.stringContaining('Write what you do today'), itself]]);

  await allPlaced(server);
  const fence = await post(bob, '@standup I paint the fence');
  await expect.poll(() => replies(fence)).toEqual([['Noted, Bob. 1 so far today.', itself]]);
  await post(bob, 'a message without a mention');

  // What is said while it is stopped, it hears when it is back.
  expect(await first.end('SIGTERM')).toBe(0);
  const bread = await post(ada, 'Good morning, @standup: bread and butter');
  await start();
  await expect.poll(() => replies(bread)).toEqual([['Noted, Ada. 2 so far today.', itself]]);
  const summary = await post(bob, '@standup summary');
  const all = 'Today:\nBob: I paint the fence\nAda: bread and butter';
  await expect.poll(() => replies(summary)).toEqual([[all, itself]]);

  // A form, which asks again for a word or two.
  const give = (person: Person, text: string, click: string = randomUUID()) =>
    person.client.post(`/v1/teams/${team}/commands`, { text, click });
  const click = randomUUID();
  const form = async () => (await give(ada, '/standup', click)).data[0].form as string;
  await expect.poll(form).toBeDefined();
  const path = `/v1/forms/${await form()}`;
  const submit = async (today: string) => {
    const { hash } = (await ada.client.get(path)).data[0];
    return ada.client.post(`${path}/submission`, { hash, state: { today: { text: today } } });
  };
  await submit(' ');
  await expect
    .poll(async () => (await ada.client.get(path)).data[0].errors)
    .toEqual({ today: 'Write a word or two' });
  await submit('butter alone');
  await expect.poll(async () => (await messages())[0]).toEqual(['Ada: butter alone', itself]);
  expect((await ada.client.get(path)).code).toBe(4040);

  // It asks who has said nothing, alone with them, and takes the answer there.
  const carol = await signUp(server, 'Carol');
  await joinTeam(ada, team, carol);
  await give(ada, '/standup ask');
  const alone = async (person: Person) =>
    (await person.client.get(`/v1/messages?application=${id}&team=${team}`)).data.map(({ text }) => text);
  await expect.poll(() => alone(carol)).toEqual([expect.stringContaining('What do you do today?')]);
  await carol.client.post('/v1/messages', { text: 'jam', addressed_application: id, team });
  await expect.poll(async () => (await alone(carol))[0]).toBe('Noted, Carol. 3 so far today.');
  expect(await alone(bob)).toEqual([]);
});
