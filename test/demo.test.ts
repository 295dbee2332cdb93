import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { newFolder } from './support/folder.ts';
import { freePair, main, type Program, startProgram } from './support/process.ts';

const folder = newFolder();
let demo: Program | undefined;
afterEach(async () => {
  await demo?.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it('a team that talks, and works with the example application', async () => {
  const environment = { DATA_DIR: join(folder, 'data'), PORT: String(await freePair()), LOG_LEVEL: 'silent' };
  const start = async () =>
    (demo = await startProgram([main, 'demo'], environment, /demo is ready at (\S+)[\s\S]*v1\/events/));
  const first = await start();
  expect(first.output()).toContain('Open it in a browser and sign in as mara@demo.example');
  const mara = new Client(first.found.replace('localhost', '127.0.0.1'));
  const [, password] = /the password "([^"]+)"/.exec(first.output()) ?? [];
  await mara.post('/v1/sessions', { email: 'mara@demo.example', password });
  const [membership] = (await mara.get('/v1/users/me/teams')).data;
  const listed = await mara.get(`/v1/messages?team=${membership.team.id}`);
  const byApplication = listed.data.filter((message: { via_app: unknown }) => message.via_app);
  expect(byApplication).toMatchObject([
    { author: { first_name: 'Jonas' }, text: '{0} is done', mentions: [{ name: 'Clean the new oven' }] },
  ]);
  expect((await mara.get('/v1/messages?tag=_unread')).data.length).toBeGreaterThan(1);
  expect(await first.end('SIGTERM')).toBe(0);
  // What was said and done is there once, also after a second start.
  const second = await start();
  const again = await mara.at(second.found.replace('localhost', '127.0.0.1')).get('/v1/messages?q=oven');
  expect(again.data).toHaveLength(3);
  expect(await second.end('SIGTERM')).toBe(0);
});

it('whose example cannot start ends with the reason, and leaves nothing half made', async () => {
  const port = await freePair();
  const taken = createServer().listen(port + 1, '127.0.0.1');
  await once(taken, 'listening');
  const environment = { DATA_DIR: join(folder, 'other'), PORT: String(port), LOG_LEVEL: 'silent' };
  const refused = startProgram([main, 'demo'], environment, /demo is ready/);
  await expect(refused).rejects.toThrow(/EADDRINUSE[\s\S]*the example application ended with/);
  await new Promise((resolve) => taken.close(resolve));
  expect(existsSync(join(folder, 'other-demo'))).toBe(false);
});
