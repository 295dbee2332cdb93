import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import {
  demo as demoProgram,
  freePair,
  type Program,
  root,
  runProgram,
  startProgram,
} from '../support/process.ts';

/** A message of a list, as far as it is looked at here. */
interface Listed {
  readonly created_at: number;
  readonly author_type: string;
  readonly author: { readonly first_name: string };
}

const folder = newFolder();
let demo: Program | undefined;
afterEach(async () => {
  await demo?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('teams that talk, and work with the example application', async () => {
  const environment = { DATA_DIR: join(folder, 'data'), PORT: String(await freePair()), LOG_LEVEL: 'silent' };
  const start = async () =>
    (demo = await startProgram([demoProgram], environment, /demo is ready at (\S+)[\s\S]*v1\/events/));
  const first = await start();
  await first.written(/Open it in a browser and sign in as mara@demo\.example/);
  const mara = new Client(first.found.replace('localhost', '127.0.0.1'));
  const [, password] = await first.written(/the password "([^"]+)"/);
  await mara.post('/v1/sessions', { email: 'mara@demo.example', password });
  const teams: { id: string; name: string }[] = (await mara.get('/v1/users/me/teams')).data.map(
    ({ team }: { team: { id: string; name: string } }) => team,
  );
  expect(teams.map(({ name }) => name).sort()).toEqual([
    'Deliveries',
    'Harbour Bakery',
    'Ovens & Night Shift',
    'Shop Window',
    'Website',
  ]);
  const bakery = teams.find(({ name }) => name === 'Harbour Bakery')?.id;
  const listed = await mara.get(`/v1/messages?team=${bakery}`);
  const byApplication = listed.data.filter((message: { via_app: unknown }) => message.via_app);
  expect(byApplication).toMatchObject([
    { author: { first_name: 'Jonas' }, text: 'All our tasks', attachments: [{ name: 'tasks.csv' }] },
    { author: { first_name: 'Jonas' }, text: '{0} is done', mentions: [{ name: 'Clean the new oven' }] },
  ]);
  expect((await mara.get('/v1/messages?tag=_unread')).data.length).toBeGreaterThan(1);
  const found = async () => (await mara.get('/v1/messages?q=oven')).data.length;
  const before = await found();
  expect(before).toBeGreaterThan(2);
  expect(await first.end('SIGTERM')).toBe(0);
  // What was said and done is there once, also after a second start.
  const second = await start();
  const again = await mara.at(second.found.replace('localhost', '127.0.0.1')).get('/v1/messages?q=oven');
  expect(again.data).toHaveLength(before);
  expect(await second.end('SIGTERM')).toBe(0);
});

it('people with faces, and the last days of what they said, of which some is new to the first of them', async () => {
  const environment = { DATA_DIR: join(folder, 'days'), PORT: String(await freePair()), LOG_LEVEL: 'silent' };
  demo = await startProgram([demoProgram], environment, /demo is ready at (\S+)/);
  const mara = new Client(demo.found.replace('localhost', '127.0.0.1'));
  const [, password] = await demo.written(/the password "([^"]+)"/);
  await mara.post('/v1/sessions', { email: 'mara@demo.example', password });
  const people: { title: string; images: unknown[] }[] = (await mara.get('/v1/users/me/connections')).data;
  expect(people).toHaveLength(7);
  expect(people.filter(({ title }) => title === '')).toEqual([]);
  expect(people.filter(({ images }) => images.length > 0)).toHaveLength(6);

  const all: Listed[] = (await mara.get('/v1/messages?limit=100')).data;
  const days = new Set(all.map(({ created_at }) => new Date(created_at * 1000).toDateString()));
  expect(days.size).toBeGreaterThan(3);
  expect(Math.max(...all.map(({ created_at }) => created_at)) * 1000).toBeLessThanOrEqual(Date.now());
  const has = (key: string) => all.some((message) => key in message);
  expect(['reactions', 'pinned', 'saved', 'subject_id', 'blocks'].filter((key) => !has(key))).toEqual([]);
  const cards = all.filter(({ author_type }) => author_type === 'application');
  expect(new Set(cards.map(({ author }) => author.first_name))).toEqual(
    new Set(['Grafana', 'Orders', 'Deployments']),
  );

  const reasons = async (): Promise<string[]> =>
    (await mara.get('/v1/users/me/inbox')).data.flatMap((entry: { reasons: string[] }) => entry.reasons);
  await expect
    .poll(async () => [...new Set(await reasons())].sort())
    .toEqual(['direct', 'mention', 'reaction', 'reply', 'team']);
  expect((await mara.get('/v1/users/me/scheduled_messages')).data).toMatchObject([{ status: 'pending' }]);
  expect((await mara.get('/v1/users/me/reminders')).data).toMatchObject([{ status: 'pending' }]);
  expect(await demo.end('SIGTERM')).toBe(0);
});

it('whose example cannot start ends with the reason, and deletes what it made alone', async () => {
  const port = await freePair();
  const taken = createServer().listen(port + 1, '127.0.0.1');
  await once(taken, 'listening');
  const environment = { DATA_DIR: join(folder, 'other'), PORT: String(port), LOG_LEVEL: 'silent' };
  const home = join(folder, 'other-demo');
  const refused = () => runProgram([demoProgram], { cwd: root, environment });
  const sentence = `Port ${port + 1}, where the example application listens, is taken: set PORT to one whose next one is free, too.\n`;
  expect(await refused()).toEqual({ code: 1, output: sentence });
  expect(existsSync(home)).toBe(false);
  mkdirSync(home);
  expect(await refused()).toEqual({ code: 1, output: sentence });
  expect(readdirSync(home)).toEqual([]);
  await new Promise((resolve) => taken.close(resolve));
});

it('does not begin in a folder that holds something else', async () => {
  const home = join(folder, 'mine-demo');
  mkdirSync(join(home, 'sub'), { recursive: true });
  writeFileSync(join(home, 'precious.txt'), 'precious');
  const environment = { DATA_DIR: join(folder, 'mine'), PORT: String(await freePair()) };
  const { code, output } = await runProgram([demoProgram], { cwd: root, environment });
  expect([code, output]).toEqual([1, expect.stringMatching(/^\S+ holds something that is no demo: .*\n$/)]);
  expect(readdirSync(home).sort()).toEqual(['precious.txt', 'sub']);
});

it('that was killed begins again, and leaves no example behind', async () => {
  const port = await freePair();
  const environment = { DATA_DIR: join(folder, 'killed'), PORT: String(port) };
  demo = await startProgram([demoProgram], environment, /\/v1\/teams/);
  await demo.end('SIGKILL');
  demo = await startProgram([demoProgram], environment, /demo is ready at (\S+)/);
  await demo.end('SIGKILL');
  const example = () =>
    fetch(`http://localhost:${port + 1}`).then(
      () => 'there',
      () => 'gone',
    );
  await expect.poll(example).toBe('gone');
});

it('takes nothing from the settings but its port and its log', async () => {
  const settings = {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    COPY_TO: '',
    BACKUP_DIR: join(folder, 'backups'),
    BASE_URL: 'https://parley.example.org',
    HOST: '0.0.0.0',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'parley@example.org',
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_BUCKET: 'bucket',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    ADMIN_BACKUP: 'on',
  };
  const port = await freePair();
  const environment = { ...settings, DATA_DIR: join(folder, 'real'), PORT: String(port), LOG_LEVEL: 'info' };
  demo = await startProgram([demoProgram], environment, /demo is ready at (\S+)/);
  expect(demo.found).toBe(`http://localhost:${port}`);
  expect(readdirSync(folder).filter((name) => name.startsWith('real') || name === 'backups')).toEqual([
    'real-demo',
  ]);
  const [, used] = await demo.written(/"settings":(\{[^}]*\})/);
  const { DATA_DIR, PORT, ...shown } = JSON.parse(used ?? '{}');
  expect([DATA_DIR, PORT]).toEqual([join(folder, 'real-demo'), String(port)]);
  const same = Object.entries(settings).filter(([name, value]) => value !== '' && shown[name] === value);
  expect(same).toEqual([]);
  for (const name of ['DATABASE_URL', 'BACKUP_DIR', 'BASE_URL', 'SMTP_URL', 'S3_BUCKET', 'ENCRYPTION_KEY'])
    expect([name, shown[name]]).toEqual([name, '']);
  expect(await demo.end('SIGTERM')).toBe(0);
});
