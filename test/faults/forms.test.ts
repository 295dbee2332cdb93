import { rmSync } from 'node:fs';
import { afterAll, expect, inject, it } from 'vitest';
import { Client } from '../support/client.ts';
import { subscribe } from '../support/feed.ts';
import { newFolder } from '../support/folder.ts';
import { answerHoliday, askForHoliday } from '../support/holidays.ts';
import { ApplicationHost, makeTeam, type Person, register } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { freePort, type Program, startPlatform } from '../support/process.ts';
import { until } from '../support/until.ts';

/** On PostgreSQL, three; the embedded database has one. */
const NODES = process.env.TEST_DATABASE === 'postgres' ? 3 : 1;
const KILLS = 2;
const PEOPLE = 3;
const HOLIDAYS = 6;

const folder = newFolder();
const host = new ApplicationHost();
const nodes: Program[] = [];

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await host.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a form is submitted once, whichever servers are killed meanwhile (claim: forms-once)', async () => {
  await host.start();
  const ports = await Promise.all(Array.from({ length: NODES }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const database = NODES > 1 && (await createDatabase(inject('postgresUrl'), inject('postgresTemplate')));
  const start = (node: number) =>
    startPlatform({
      ...{ PORT: String(ports[node]), BASE_URL: urls[0], DATA_DIR: folder, RATE_LIMIT: 'off' },
      ...(database && { DATABASE_URL: database }),
    });
  // The first one makes the keys that all use.
  for (const node of ports.keys()) nodes[node] = await start(node);
  const url = urls[0] as string;
  const people: Person[] = [];
  for (let at = 0; at < PEOPLE; at++) people.push(await signUpAt(url, `person${at}@example.org`));
  const [ada, ...others] = people as [Person, ...Person[]];
  const team = await makeTeam(ada, others);
  const app = await register(ada, host, { scopes: ['messages:read', 'messages:write'] });
  await ada.client.patch(`/v1/applications/${app.id}`, {
    commands: [{ name: 'holiday', description: 'Ask for a holiday' }],
  });
  await ada.client.post(`/v1/teams/${team}/applications`, { application: app.id });
  await subscribe(app, { kinds: ['interaction'], webhook: { url: `${host.url}/asked` } });

  let turn = 0;
  const anywhere = (client: Client) => client.at(urls[turn++ % NODES] as string);
  host.beforeAnswer = async (call) => {
    if (call.path === '/asked') await answerHoliday(() => anywhere(new Client(url)), call);
  };
  const done: { form: string; submission: string | undefined }[] = [];
  const asking = Promise.all(
    people.map(async ({ client }) => {
      for (let n = 0; n < HOLIDAYS; n++)
        done.push(await askForHoliday(() => anywhere(client), team, `Sun, day ${n}`));
    }),
  );
  for (let kill = 0; kill < KILLS; kill++) {
    // What fails says why, at once.
    await Promise.race([asking, until(() => done.length >= (kill + 1) * PEOPLE * 2)]);
    const node = kill % NODES;
    await nodes[node]?.end('SIGKILL');
    nodes[node] = await start(node);
  }
  await asking;

  const told = new Map<string, Set<string>>();
  for (const { path, raw } of host.received) {
    const { kind, id, form } = path === '/asked' ? JSON.parse(raw).data : {};
    if (kind === 'form') told.set(form.id, new Set(told.get(form.id)).add(id));
  }
  expect([...told.keys()].sort()).toEqual(done.map(({ form }) => form).sort());
  for (const { form, submission } of done) {
    expect(told.get(form)?.size).toBe(1);
    if (submission !== undefined) expect(told.get(form)).toEqual(new Set([submission]));
  }
});

async function signUpAt(url: string, email: string): Promise<Person> {
  const client = new Client(url);
  const fields = { email, password: 'a password of length', first_name: 'Ada', last_name: '' };
  const { data } = await client.post('/v1/users', fields);
  return { id: data[0].id, email, client };
}
